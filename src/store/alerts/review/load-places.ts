import { inArray } from "drizzle-orm";
import { HERE } from "../../../domain/locations/location.ts";
import { canVote } from "../../../domain/locations/votes.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import { type KnownPlaces, knownPlacesOf, listPlaces } from "../../locations/known-places.ts";
import type { Tx } from "../../tx.ts";

/** A location that can check a monitor. Times are milliseconds since 1970; null before its first check. */
export interface LoadedPlace {
  location: number;
  latestAt: number | null;
  latestStatus: Status | null;
  recheckAt: number | null;
}

interface ReviewedMonitor {
  pk: number;
  organizationPk: number;
  locations: readonly number[] | null;
}

/** The locations with a vote, by the number of the monitor. Monitors that only this server checks are left out. */
export async function loadPlaces(
  tx: Tx,
  monitors: readonly ReviewedMonitor[],
): Promise<Map<number, LoadedPlace[]>> {
  const placed = monitors.filter(({ locations }) => locations !== null);
  if (placed.length === 0) return new Map();
  const known = await loadKnownPlaces(tx, [...new Set(placed.map((one) => one.organizationPk))]);
  const { locationStates } = tx.tables;
  const { monitorPk, location, latestAt, latestStatus, recheckAt } = locationStates;
  const pks = placed.map(({ pk }) => pk);
  const states = await tx.db
    .select({ monitorPk, location, latestAt, latestStatus, recheckAt })
    .from(locationStates)
    .where(inArray(monitorPk, pks));
  const stateOf = new Map(states.map((state) => [`${state.monitorPk} ${state.location}`, state]));
  return new Map(
    placed.map(({ pk, organizationPk, locations }) => [
      pk,
      listPlaces(locations ?? [], known.get(String(organizationPk)) ?? new Map())
        .filter(canVote)
        .map((place) => placeOf(place.location, stateOf.get(`${pk} ${place.location}`))),
    ]),
  );
}

function placeOf(location: number, state: Omit<LoadedPlace, "location"> | undefined): LoadedPlace {
  const { latestAt = null, latestStatus = null, recheckAt = null } = state ?? {};
  return { location, latestAt, latestStatus, recheckAt };
}

/** The locations of some organizations, by the number of the organization as a text. */
async function loadKnownPlaces(
  { db, tables: { locations, organizations } }: Tx,
  organizationPks: number[],
): Promise<Map<string, KnownPlaces>> {
  const { pk, id, name, lastSeenAt, silentAt, atFaultAt, organizationPk } = locations;
  const remote = await db
    .select({ pk, id, name, lastSeenAt, silentAt, atFaultAt, organizationId: organizationPk })
    .from(locations)
    .where(inArray(organizationPk, organizationPks));
  const here = await db
    .select({ organizationId: organizations.pk, atFaultAt: organizations.hereAtFaultAt })
    .from(organizations)
    .where(inArray(organizations.pk, organizationPks));
  const rows = [
    ...here.map((row) => ({ ...row, pk: HERE, id: "here", name: "here", lastSeenAt: null, silentAt: null })),
    ...remote,
  ];
  return knownPlacesOf(
    rows.map(({ organizationId, ...row }) => ({ ...row, organizationId: String(organizationId) })),
  );
}
