import {
  type KnownPlaces,
  knownPlacesOf,
  type LocationRow,
  needPlaces,
} from "../../locations/known-places.ts";
import type { Sql } from "../connections.ts";

const LIST = `WITH wanted AS (SELECT pk, id, here_at_fault_at FROM organizations WHERE id = ANY($1::text[]))
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
  return knownPlacesOf(await query<LocationRow>(LIST, [[...new Set(organizationIds)]]));
}

/** The locations of an organization; undefined if none of some of its monitors needs them. */
export async function placesFor(
  sql: Sql,
  organizationId: string,
  rows: readonly { locations: readonly number[] | null }[],
): Promise<KnownPlaces | undefined> {
  return needPlaces(rows) ? (await findKnownPlaces(sql, [organizationId])).get(organizationId) : undefined;
}
