import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { HERE, type LocationState } from "../../domain/locations/location.ts";
import { ONLY_HERE, type Place, type Placement, type Places } from "../../domain/locations/place.ts";
import { createNotices } from "../alerts/open-incidents.ts";
import type { Sql, TimedTx, Tx } from "../tx.ts";
import { stateOf } from "./locations.ts";
import { placementOf, type StoredPlacement } from "./monitor-locations.ts";

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
export async function notifyOf(tx: TimedTx, { organizationPk, event }: ChangedLocation): Promise<void> {
  if (event) await createNotices(tx, { organizationPk, event });
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

/** A location of an organization; `pk` 0 is this server. */
interface LocationRow {
  organizationId: string;
  pk: number;
  id: string;
  name: string;
  lastSeenAt: number | null;
  silentAt: number | null;
  atFaultAt: number | null;
}

/** @property id of the API */
interface KnownPlace extends Place {
  id: string;
  state: LocationState;
}

/** The locations of an organization by their numbers, this server included. */
export type KnownPlaces = ReadonlyMap<number, KnownPlace>;

const NOTHING: KnownPlaces = new Map();

/** Lists a `LocationRow` for each location of some organizations. @param $1 the IDs of the organizations */
export const LIST_LOCATIONS = `WITH wanted AS (SELECT pk, id, here_at_fault_at FROM organizations WHERE id = ANY($1::text[]))
  SELECT id AS "organizationId", 0 AS pk, 'here' AS id, 'here' AS name, NULL::bigint AS "lastSeenAt",
    NULL::bigint AS "silentAt", here_at_fault_at AS "atFaultAt" FROM wanted
  UNION ALL
  SELECT wanted.id, locations.pk, locations.id, locations.name, locations.last_seen_at, locations.silent_at,
    locations.at_fault_at FROM wanted JOIN locations ON locations.organization_pk = wanted.pk`;

/** The locations of some organizations, by the ID of the organization. */
export async function findKnownPlaces(
  { query }: Sql,
  organizationIds: Iterable<string>,
): Promise<Map<string, KnownPlaces>> {
  return knownPlacesOf(await query(LIST_LOCATIONS, [[...new Set(organizationIds)]]));
}

/** The locations of an organization; undefined if none of some of its monitors needs them. */
export async function placesFor(
  sql: Sql,
  organizationId: string,
  rows: readonly { locations: readonly number[] | null }[],
): Promise<KnownPlaces | undefined> {
  return needPlaces(rows) ? (await findKnownPlaces(sql, [organizationId])).get(organizationId) : undefined;
}

/** The locations of each organization, by its ID. */
export function knownPlacesOf(rows: readonly LocationRow[]): Map<string, KnownPlaces> {
  const byOrganization = Map.groupBy(rows, ({ organizationId }) => organizationId);
  return new Map(
    [...byOrganization].map(([id, own]) => [id, new Map(own.map((row) => [row.pk, placeOf(row)]))]),
  );
}

function placeOf({ pk, id, name, atFaultAt, ...row }: LocationRow): KnownPlace {
  const state = pk === HERE ? "connected" : stateOf(row);
  return { location: pk, id, name, state, isLive: state === "connected", isAtFault: atFaultAt !== null };
}

/** A location that was deleted meanwhile is left out. */
export function listPlaces(locations: readonly number[], known: KnownPlaces): KnownPlace[] {
  return locations.flatMap((pk) => known.get(pk) ?? []);
}

/** @returns null for a monitor that only this server checks */
export function placesOf(
  { locations, downWhen, placesSince }: StoredPlacement & { placesSince: number | null },
  known: KnownPlaces | undefined,
): Places | null {
  if (locations === null) return null;
  const list = listPlaces(locations, known ?? NOTHING).map(({ id: _, state: __, ...place }) => place);
  return { downWhen: downWhen ?? ONLY_HERE.downWhen, since: placesSince ?? 0, list };
}

/** Adds to monitors of one organization which locations check them, as users see them. */
export function withPlacement<Row extends StoredPlacement>(
  row: Row,
  known: KnownPlaces | undefined,
): Omit<Row, keyof StoredPlacement> & Placement {
  return { ...row, ...placementOf(row, known ?? NOTHING) };
}

/** Whether one of some monitors is not checked only from this server. */
export function needPlaces(rows: readonly { locations: readonly number[] | null }[]): boolean {
  return rows.some(({ locations }) => locations !== null);
}
