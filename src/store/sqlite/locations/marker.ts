import type { WorkMarker } from "../../engine-queries.ts";
import { RECHECK_MARKER } from "../../locations/recheck-marker.ts";
import { type Database, prepared } from "../open.ts";

const FIND = `SELECT revision,
    (SELECT ${RECHECK_MARKER} FROM location_states WHERE location = locations.pk AND recheck_at IS NOT NULL) AS rechecks
  FROM locations WHERE pk = ?`;

export function findMarker(db: Database, pk: number): WorkMarker | undefined {
  return prepared<WorkMarker, [number]>(db, FIND).get(pk) ?? undefined;
}
