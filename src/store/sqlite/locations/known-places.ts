import {
  type KnownPlaces,
  knownPlacesOf,
  type LocationRow,
  needPlaces,
} from "../../locations/known-places.ts";
import { type Database, prepared } from "../open.ts";

const LIST = `WITH wanted AS (SELECT pk, id, here_at_fault_at FROM organizations WHERE id IN (SELECT value FROM json_each(?)))
  SELECT id AS organizationId, 0 AS pk, 'here' AS id, 'here' AS name, NULL AS lastSeenAt, NULL AS silentAt,
    here_at_fault_at AS atFaultAt FROM wanted
  UNION ALL
  SELECT wanted.id, locations.pk, locations.id, locations.name, locations.last_seen_at, locations.silent_at,
    locations.at_fault_at FROM wanted JOIN locations ON locations.organization_pk = wanted.pk`;

/** The locations of some organizations, by the ID of the organization. */
export function findKnownPlaces(db: Database, organizationIds: Iterable<string>): Map<string, KnownPlaces> {
  const ids = JSON.stringify([...new Set(organizationIds)]);
  return knownPlacesOf(prepared<LocationRow, [string]>(db, LIST).all(ids));
}

/** The locations of an organization; undefined if none of some of its monitors needs them. */
export function placesFor(
  db: Database,
  organizationId: string,
  rows: readonly { locations: readonly number[] | null }[],
): KnownPlaces | undefined {
  return needPlaces(rows) ? findKnownPlaces(db, [organizationId]).get(organizationId) : undefined;
}
