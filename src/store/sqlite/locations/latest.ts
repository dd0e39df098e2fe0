import {
  LATEST_COLUMNS,
  type LatestByMonitor,
  type LatestRow,
  latestByMonitor,
} from "../../locations/latest.ts";
import { type Database, prepared } from "../open.ts";

const LIST = `SELECT ${LATEST_COLUMNS} FROM location_states
  WHERE monitor_pk IN (SELECT value FROM json_each(?)) AND latest_status IS NOT NULL`;

/** What the locations of some monitors saw last, without those that only this server checks. */
export function findLatest(
  db: Database,
  monitors: readonly { pk: number; locations: readonly number[] | null }[],
): LatestByMonitor {
  const pks = monitors.filter(({ locations }) => locations !== null).map(({ pk }) => pk);
  if (pks.length === 0) return new Map();
  const list = prepared<Omit<LatestRow, "latest"> & { latest: string }, [string]>(db, LIST);
  const rows = list.all(JSON.stringify(pks));
  return latestByMonitor(rows.map((row) => ({ ...row, latest: JSON.parse(row.latest) })));
}
