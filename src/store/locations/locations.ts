import { and, asc, eq, isNotNull } from "drizzle-orm";
import { fault } from "../../domain/faults/fault.ts";
import { HERE_ID, type Location, type LocationState } from "../../domain/locations/location.ts";
import type { PingAccess } from "../../domain/locations/ping-access.ts";
import { notFound } from "../../errors.ts";
import { hashKey } from "../accounts/api-keys.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { type Audited, auditCreation, auditDeletion, auditUpdate } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { namesOfMonitorsAt } from "./monitor-locations.ts";

/** @property key of its probe in plain text; only its hash is stored */
export interface NewLocation {
  organizationId: string;
  name: string;
  key: string;
}

/** Rollups have 16 bits for the number of a location. */
const MAX_NUMBER = 2 ** 15 - 1;

/** @throws AppError `invalid` if the name is taken */
export async function createLocation(
  tx: TimedTx,
  { organizationId, name, key }: NewLocation,
): Promise<Location> {
  const { locations } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  await assertFree(tx, organization, name);
  const row = {
    id: createId(),
    organizationPk: organization,
    name,
    keyHash: hashKey(key),
    createdAt: tx.now,
  };
  const [created] = await tx.db
    .insert(locations)
    .values(row)
    .returning({ pk: locations.pk, ...locationColumns(tx) });
  if (!created) throw new Error("the insert returned no location");
  const { pk, ...location } = created;
  if (pk > MAX_NUMBER) throw fault("tooManyLocations", {}, { kind: "limit_reached" });
  await auditCreation(tx, auditedLocation(location, organization), { name });
  return withState(location);
}

/** Oldest first. @throws AppError `not_found` if the organization does not exist */
export async function listLocations(tx: Tx, organizationId: string): Promise<Location[]> {
  const { locations } = tx.tables;
  const rows = await tx.db
    .select(locationColumns(tx))
    .from(locations)
    .where(eq(locations.organizationPk, await organizationPk(tx, organizationId)))
    .orderBy(asc(locations.pk));
  return rows.map(withState);
}

/** @throws AppError `not_found` */
export async function findLocation(tx: Tx, organizationId: string, id: string): Promise<Location> {
  const { locations } = tx.tables;
  const ofOrganization = eq(locations.organizationPk, await organizationPk(tx, organizationId));
  const [row] = await tx.db
    .select(locationColumns(tx))
    .from(locations)
    .where(and(eq(locations.id, id), ofOrganization));
  if (!row) throw notFound();
  return withState(row);
}

/** @throws AppError `not_found`, then `invalid` if the name is taken */
export async function updateLocation(
  tx: Tx,
  organizationId: string,
  id: string,
  { name }: { name?: string | undefined },
): Promise<Location> {
  const { locations } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  const thisLocation = and(eq(locations.id, id), eq(locations.organizationPk, organization));
  const [before] = await tx.db.select(locationColumns(tx)).from(locations).where(thisLocation);
  if (!before) throw notFound();
  if (name === undefined || name === before.name) return withState(before);
  await assertFree(tx, organization, name);
  const [updated] = await tx.db
    .update(locations)
    .set({ name })
    .where(thisLocation)
    .returning(locationColumns(tx));
  if (!updated) throw notFound();
  await auditUpdate(tx, auditedLocation(updated, organization), { before, after: updated });
  return withState(updated);
}

/** How many monitors an error names. */
const NAMED = 10;

/** @throws AppError `not_found`, then `invalid` that names the monitors that use it */
export async function deleteLocation(tx: Tx, organizationId: string, id: string): Promise<{ id: string }> {
  const { locations, locationStates } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  const thisLocation = and(eq(locations.id, id), eq(locations.organizationPk, organization));
  const { pk, name } = locations;
  const [found] = await tx.db.select({ pk, name }).from(locations).where(thisLocation);
  if (!found) throw notFound();
  const users = await namesOfMonitorsAt(tx, organization, found.pk);
  if (users.length > 0) throw fault("locationInUse", { monitors: listed(users) });
  await tx.db.delete(locationStates).where(eq(locationStates.location, found.pk));
  await tx.db.delete(locations).where(thisLocation);
  await auditDeletion(tx, auditedLocation({ id, name: found.name }, organization));
  return { id };
}

function auditedLocation({ id, name }: { id: string; name: string }, organizationPk: number): Audited {
  return { organizationPk, type: "location", id, name };
}

function listed(names: readonly string[]): string {
  const named = names.slice(0, NAMED).map((name) => JSON.stringify(name));
  const others = names.length - named.length;
  return named.join(", ") + (others > 0 ? ` and ${others} more` : "");
}

async function assertFree(
  { db, tables: { locations } }: Tx,
  organizationPk: number,
  name: string,
): Promise<void> {
  if (name === HERE_ID) throw fault("locationNamedHere", { field: "name" });
  const [taken] = await db
    .select({ pk: locations.pk })
    .from(locations)
    .where(and(eq(locations.organizationPk, organizationPk), eq(locations.name, name)));
  if (taken) throw fault("locationNameTaken", { field: "name" });
}

/** The columns of a location. */
function locationColumns({ tables: { locations } }: Tx) {
  const { id, name, createdAt, lastSeenAt, version, silentAt } = locations;
  return { id, name, createdAt, lastSeenAt, version, silentAt };
}

type Columns = Omit<Location, "state"> & { silentAt: number | null };

function withState({ silentAt, ...location }: Columns): Location {
  return { ...location, state: stateOf({ ...location, silentAt }) };
}

/** The state of a location (behavior 13.20). */
export function stateOf({ lastSeenAt, silentAt }: Pick<Columns, "lastSeenAt" | "silentAt">): LocationState {
  if (lastSeenAt === null) return "new";
  return silentAt === null ? "connected" : "silent";
}

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
