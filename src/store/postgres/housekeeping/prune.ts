import { CLOSE_OPEN_HOURS } from "../../results/open-hours.ts";
import type { Sql } from "../../tx.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** How many monitors are read at once to delete their old rollups. */
const MONITORS_AT_ONCE = 500;

/** How many details are read at once. */
const DETAILS_AT_ONCE = 5000;

const NEXT_MONITORS = "SELECT pk FROM monitors WHERE pk > $1 ORDER BY pk LIMIT $2";
const PRUNE_ROLLUPS = ["hourly_rollups", "daily_rollups"].map(
  (table) => `DELETE FROM ${table} WHERE monitor_pk = ANY($1) AND start < $2`,
);
/** Monitors that are paused since have such hours, which are out of the baseline too. A state that is locked is of a monitor that records. */
const PRUNE_OPEN_HOURS = `${CLOSE_OPEN_HOURS} WHERE monitor_pk = ANY(ARRAY(
    SELECT monitor_pk FROM monitor_states WHERE monitor_pk = ANY($1::integer[]) AND open_start < $2
    FOR UPDATE SKIP LOCKED))`;
const PRUNE_OUTAGES = "DELETE FROM outages WHERE monitor_pk = ANY($1) AND ended_at < $2";

export async function pruneRollups({ query }: Sql, before: number, after: number): Promise<number | null> {
  const some = await query<{ pk: number }>(NEXT_MONITORS, [after, MONITORS_AT_ONCE]);
  const pks = some.map(({ pk }) => pk);
  for (const prune of [...PRUNE_ROLLUPS, PRUNE_OPEN_HOURS])
    await query(prune, [pks, Math.floor(before / HOUR)]);
  await query(PRUNE_OUTAGES, [pks, before]);
  return pks.at(-1) ?? null;
}

/** Outages, and the states of monitors, refer to the detail of a result that may be gone. */
const PRUNE_DETAILS = `WITH stretch AS (
    SELECT pk, monitor_pk, used_at FROM details WHERE pk > $1 ORDER BY pk LIMIT $3
  ),
  unused AS (
    DELETE FROM details WHERE used_at < $2 AND pk IN (
      SELECT pk FROM stretch WHERE used_at < $2
        AND NOT EXISTS (SELECT 1 FROM outages
          WHERE outages.monitor_pk = stretch.monitor_pk AND outages.detail_pk = stretch.pk)
        AND NOT EXISTS (SELECT 1 FROM monitor_states
          WHERE monitor_states.monitor_pk = stretch.monitor_pk AND monitor_states.last_detail_pk = stretch.pk)
    )
  )
  SELECT max(pk) AS "end" FROM stretch`;

/** The last use of a detail is updated once a day. */
export async function pruneDetails({ query }: Sql, before: number, after: number): Promise<number | null> {
  const oldest = before - 2 * DAY;
  const [row] = await query<{ end: number | null }>(PRUNE_DETAILS, [after, oldest, DETAILS_AT_ONCE]);
  return row?.end ?? null;
}
