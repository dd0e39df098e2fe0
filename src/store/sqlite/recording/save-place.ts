import type { ChangedPlace } from "../../recording/stored-place.ts";
import { type Database, prepared } from "../open.ts";

/*
 * SQLite writes an index for each update that names its column, changed or not. A check rarely changes what its location
 * sees.
 */
const UPDATE = `UPDATE location_states SET memory = ?, baseline_count = ?, baseline_sum = ?, baseline_squares = ?,
    baseline_start = ?, latest_at = ?, latest = ?
  WHERE monitor_pk = ? AND location = ?`;

const SAVE = `INSERT INTO location_states (memory, baseline_count, baseline_sum, baseline_squares, baseline_start, latest_at,
    latest, monitor_pk, location, latest_status, recheck_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (monitor_pk, location) DO UPDATE SET memory = excluded.memory, baseline_count = excluded.baseline_count,
    baseline_sum = excluded.baseline_sum, baseline_squares = excluded.baseline_squares,
    baseline_start = excluded.baseline_start, latest_at = excluded.latest_at, latest = excluded.latest,
    latest_status = excluded.latest_status, recheck_at = excluded.recheck_at`;

/** Saves the state of a location of a monitor that is not checked only from this server. */
export function savePlace(db: Database, place: ChangedPlace): void {
  const { monitorPk, location, memory, count, sum, sumOfSquares, start, latestAt, latest } = place;
  const values = [memory, count, sum, sumOfSquares, start, latestAt, latest, monitorPk, location];
  if (place.isIndexed) prepared(db, SAVE).run(...values, place.latestStatus, place.recheckAt);
  else prepared(db, UPDATE).run(...values);
}
