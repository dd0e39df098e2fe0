import type { WorkMarker } from "../../engine-queries.ts";
import { RECHECK_MARKER } from "../../locations/recheck-marker.ts";
import type { Sql } from "../connections.ts";

const FIND = `SELECT revision,
    (SELECT ${RECHECK_MARKER} FROM location_states WHERE location = locations.pk AND recheck_at IS NOT NULL) AS rechecks
  FROM locations WHERE pk = $1`;

export async function findMarker({ query }: Sql, pk: number): Promise<WorkMarker | undefined> {
  const [marker] = await query<WorkMarker>(FIND, [pk]);
  return marker;
}
