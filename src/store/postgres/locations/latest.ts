import {
  LATEST_COLUMNS,
  type LatestByMonitor,
  type LatestRow,
  latestByMonitor,
} from "../../locations/latest.ts";
import type { Sql } from "../connections.ts";

const LIST = `SELECT ${LATEST_COLUMNS} FROM location_states
  WHERE monitor_pk = ANY($1::integer[]) AND latest_status IS NOT NULL`;

/** What the locations of some monitors saw last, without those that only this server checks. */
export async function findLatest(
  { query }: Sql,
  monitors: readonly { pk: number; locations: readonly number[] | null }[],
): Promise<LatestByMonitor> {
  const pks = monitors.filter(({ locations }) => locations !== null).map(({ pk }) => pk);
  return pks.length === 0 ? new Map() : latestByMonitor(await query<LatestRow>(LIST, [pks]));
}
