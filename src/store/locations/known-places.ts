import { HERE, type LocationState } from "../../domain/locations/location.ts";
import type { Place, Places } from "../../domain/locations/place.ts";
import { ONLY_HERE, type Placement } from "../../domain/locations/placement.ts";
import { stateOf } from "./locations.ts";
import { placementOf, type StoredPlacement } from "./monitor-locations.ts";

/** A location of an organization as the statements of both engines return it; `pk` 0 is this server. */
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
