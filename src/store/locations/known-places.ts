import { HERE, type LocationState } from "../../domain/locations/location.ts";
import { ONLY_HERE, type Place, type Placement, type Places } from "../../domain/locations/place.ts";
import type { Sql } from "../tx.ts";
import { stateOf } from "./locations.ts";
import { placementOf, type StoredPlacement } from "./monitor-locations.ts";

/** A location of an organization; `pk` 0 is this server. */
export interface LocationRow {
  organizationId: string;
  pk: number;
  id: string;
  name: string;
  lastSeenAt: number | null;
  silentAt: number | null;
  atFaultAt: number | null;
}

/** @property id of the API */
export interface KnownPlace extends Place {
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
