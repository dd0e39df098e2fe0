import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { HERE } from "../../domain/locations/location.ts";
import { createNotices } from "../alerts/open-incidents.ts";
import type { Sql, Tx } from "../tx.ts";

/** A location, for the watch that notices its silence. Times are milliseconds since 1970. */
export interface WatchedLocation {
  pk: number;
  id: string;
  name: string;
  organizationPk: number;
  organizationId: string;
  organizationName: string;
  createdAt: number;
  lastSeenAt: number | null;
  silentAt: number | null;
  isAtFault: boolean;
}

const LIST_WATCHED = `SELECT locations.pk, locations.id, locations.name, locations.created_at AS "createdAt",
    last_seen_at AS "lastSeenAt", silent_at AS "silentAt", at_fault_at AS "atFaultAt",
    organizations.pk AS "organizationPk", organizations.id AS "organizationId", organizations.name AS "organizationName"
  FROM locations JOIN organizations ON organizations.pk = locations.organization_pk ORDER BY locations.pk`;

type WatchedRow = Omit<WatchedLocation, "isAtFault"> & { atFaultAt: number | null };

/** The locations of all organizations, oldest first. */
export async function listWatched({ query }: Sql): Promise<WatchedLocation[]> {
  const rows = await query<WatchedRow>(LIST_WATCHED);
  return rows.map(({ atFaultAt, ...row }) => ({ ...row, isAtFault: atFaultAt !== null }));
}

/** A location whose state changed, and its organization. @property event what the default channels are notified of */
export interface ChangedLocation {
  location: number;
  organizationPk: number;
  event?: Notice["event"];
}

type Notice = Parameters<typeof createNotices>[1];

/**
 * Stores that a location is silent, or connected again. The row is locked until the transaction ends.
 *
 * @returns undefined if it is so already, or if the location was deleted
 */
export async function storeSilence(
  tx: Tx,
  pk: number,
  { isSilent, now }: { isSilent: boolean; now: number },
): Promise<ChangedLocation | undefined> {
  const { locations, organizations } = tx.tables;
  const { id, name, lastSeenAt, organizationPk } = locations;
  const other = isSilent ? isNull(locations.silentAt) : isNotNull(locations.silentAt);
  const [changed] = await tx.db
    .update(locations)
    .set({ silentAt: isSilent ? now : null })
    .where(and(eq(locations.pk, pk), other))
    .returning({ id, name, lastSeenAt, organizationPk });
  if (!changed) return undefined;
  const { organizationPk: organization, ...location } = changed;
  const [owner] = await tx.db
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .where(eq(organizations.pk, organization));
  if (!owner) throw new Error("a location has no organization");
  const type = isSilent ? "location.silent" : "location.connected";
  const event = { type, organization: owner, location, at: now } as const;
  return { location: pk, organizationPk: organization, event };
}

/** Notifies the default channels. To be called last: recordings lock channels after the states of monitors. */
export async function notifyOf(
  tx: Tx,
  { organizationPk, event }: ChangedLocation,
  now: number,
): Promise<void> {
  if (event) await createNotices(tx, { organizationPk, event }, now);
}

/**
 * Stores whether the network of a location is at fault (behavior 13.26). Its row is locked until the transaction ends.
 *
 * @returns undefined if it is so already, or if the location was deleted
 */
export async function storeFault(
  tx: Tx,
  { location, organizationPk }: Pick<ChangedLocation, "location" | "organizationPk">,
  { isAtFault, now }: { isAtFault: boolean; now: number },
): Promise<ChangedLocation | undefined> {
  const { locations, organizations } = tx.tables;
  const at = isAtFault ? now : null;
  const other = location === HERE ? organizations.hereAtFaultAt : locations.atFaultAt;
  const isOther = isAtFault ? isNull(other) : isNotNull(other);
  const changed =
    location === HERE
      ? await tx.db
          .update(organizations)
          .set({ hereAtFaultAt: at })
          .where(and(eq(organizations.pk, organizationPk), isOther))
          .returning({ pk: organizations.pk })
      : await tx.db
          .update(locations)
          .set({ atFaultAt: at })
          .where(and(eq(locations.pk, location), eq(locations.organizationPk, organizationPk), isOther))
          .returning({ pk: locations.pk });
  return changed.length > 0 ? { location, organizationPk } : undefined;
}
