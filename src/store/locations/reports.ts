import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { Location } from "../../domain/locations/location.ts";
import type { PingAccess } from "../../domain/locations/ping-access.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { Tx } from "../tx.ts";
import { stateOf } from "./locations.ts";

/** A location as the page shows it. */
export interface LocationReport extends Pick<Location, "id" | "name" | "state" | "lastSeenAt" | "version"> {
  isAtFault: boolean;
  /** The age of the observations that its probe sends, in milliseconds; null if it is unknown. */
  lagMs: number | null;
  /** Observations that wait at the probe, and those that became too old to be sent. */
  waiting: number;
  dropped: number;
  /** When a probe that another one had replaced last sent observations with its key, in milliseconds since 1970. */
  streamReturnedAt: number | null;
  /** Whether its probe may ping; null if it does not say. */
  pingAccess: PingAccess | null;
  /** How many monitors it checks, paused ones included. */
  monitors: number;
}

/** The locations of an organization, oldest first. @throws AppError `not_found` if the organization does not exist */
export async function listReports(tx: Tx, organizationId: string): Promise<LocationReport[]> {
  const { locations } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  const { pk, id, name, lastSeenAt, version, silentAt, atFaultAt } = locations;
  const { lagMs, waiting, dropped, streamReturnedAt, pingAccess } = locations;
  const rows = await tx.db
    .select({
      ...{ pk, id, name, lastSeenAt, version, silentAt, atFaultAt },
      ...{ lagMs, waiting, dropped, streamReturnedAt, pingAccess },
    })
    .from(locations)
    .where(eq(locations.organizationPk, organization))
    .orderBy(asc(pk));
  const counts = rows.length > 0 ? await countMonitors(tx, organization) : new Map<number, number>();
  return rows.map(({ pk, silentAt, atFaultAt, ...row }) => ({
    ...row,
    state: stateOf({ ...row, silentAt }),
    isAtFault: atFaultAt !== null,
    monitors: counts.get(pk) ?? 0,
  }));
}

/** How many monitors each location checks. */
async function countMonitors(
  { db, tables: { monitors } }: Tx,
  organizationPk: number,
): Promise<Map<number, number>> {
  const rows = await db
    .select({ locations: monitors.locations })
    .from(monitors)
    .where(and(eq(monitors.organizationPk, organizationPk), isNotNull(monitors.locations)));
  const counts = new Map<number, number>();
  for (const pk of rows.flatMap(({ locations }) => locations ?? []))
    counts.set(pk, (counts.get(pk) ?? 0) + 1);
  return counts;
}
