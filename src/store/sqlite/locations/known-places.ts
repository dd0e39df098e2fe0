import { type LatestByMonitor, LIST_LATEST, latestByMonitor, placedPks } from "../../locations/latest.ts";
import { type KnownPlaces, knownPlacesOf, LIST_LOCATIONS, needPlaces } from "../../locations/watch.ts";
import { type Database, rowsOf } from "../database.ts";

/* The queries of `locations/`, for work that must not await anything. */

export function findKnownPlaces(db: Database, organizationIds: Iterable<string>): Map<string, KnownPlaces> {
  return knownPlacesOf(rowsOf(db, LIST_LOCATIONS, [[...new Set(organizationIds)]]));
}

export function placesFor(
  db: Database,
  organizationId: string,
  rows: readonly { locations: readonly number[] | null }[],
): KnownPlaces | undefined {
  return needPlaces(rows) ? findKnownPlaces(db, [organizationId]).get(organizationId) : undefined;
}

export function findLatest(
  db: Database,
  monitors: readonly { pk: number; locations: readonly number[] | null }[],
): LatestByMonitor {
  const pks = placedPks(monitors);
  return pks.length === 0 ? new Map() : latestByMonitor(rowsOf(db, LIST_LATEST, [pks]));
}
