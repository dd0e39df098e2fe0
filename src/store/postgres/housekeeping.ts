import { CHANNEL_DELETED } from "../alerts/delivery-cancellation.ts";
import type { Sql } from "../tx.ts";

/** How many rows are deleted at once. */
const BATCH = 1000;

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** How many monitors are read at once to delete their old rollups. */
const MONITORS_AT_ONCE = 500;

/** How many details are read at once. */
const DETAILS_AT_ONCE = 5000;

/** Two nodes may sweep if the lease of one has lapsed: each takes another row. */
const NEXT_MONITOR = "SELECT pk FROM deleted_monitors ORDER BY pk LIMIT 1 FOR UPDATE SKIP LOCKED";

/** Deliveries first, because they could still be sent. */
const SWEEP_DELIVERIES = `DELETE FROM deliveries WHERE pk IN (
    SELECT pk FROM deliveries WHERE monitor_pk = $1 LIMIT $2) RETURNING pk`;
const FIND_DAY = "SELECT tableoid::regclass::text AS day FROM check_results WHERE monitor_pk = $1 LIMIT 1";
/** Before the results that they refer to. */
const SWEEP_CHANGES = "DELETE FROM status_changes WHERE monitor_pk = $1";
const SWEEP_REST = ["details", "outages", "hourly_rollups", "daily_rollups"].map(
  (table) => `DELETE FROM ${table} WHERE monitor_pk = $1`,
);
const FORGET_MONITOR = "DELETE FROM deleted_monitors WHERE pk = $1";

/** The results of one day at a time. */
export async function sweepDeletedMonitors({ query }: Sql): Promise<boolean> {
  const [monitor] = await query<{ pk: number }>(NEXT_MONITOR);
  if (!monitor) return false;
  const { pk } = monitor;
  if ((await query(SWEEP_DELIVERIES, [pk, BATCH])).length === BATCH) return true;
  await query(SWEEP_CHANGES, [pk]);
  const [found] = await query<{ day: string }>(FIND_DAY, [pk]);
  if (found) {
    await query(`DELETE FROM ${found.day} WHERE monitor_pk = $1`, [pk]);
    return true;
  }
  for (const sweep of SWEEP_REST) await query(sweep, [pk]);
  await query(FORGET_MONITOR, [pk]);
  return true;
}

const NEXT_CHANNEL = "SELECT pk FROM deleted_channels ORDER BY pk LIMIT 1 FOR UPDATE SKIP LOCKED";

const FAIL = `UPDATE deliveries SET status = 2, next_attempt_at = NULL, error = $2
  WHERE pk IN (SELECT pk FROM deliveries WHERE channel_pk = $1 AND status = 0 ORDER BY pk LIMIT $3)
  RETURNING pk`;

const FORGET_CHANNEL = "DELETE FROM deleted_channels WHERE pk = $1";

export async function sweepDeletedChannels({ query }: Sql): Promise<boolean> {
  const [channel] = await query<{ pk: number }>(NEXT_CHANNEL);
  if (!channel) return false;
  const failed = await query(FAIL, [channel.pk, CHANNEL_DELETED, BATCH]);
  if (failed.length === 0) await query(FORGET_CHANNEL, [channel.pk]);
  return true;
}

const NEXT_MONITORS = "SELECT pk FROM monitors WHERE pk > $1 ORDER BY pk LIMIT $2";
const PRUNE_ROLLUPS = ["hourly_rollups", "daily_rollups"].map(
  (table) => `DELETE FROM ${table} WHERE monitor_pk = ANY($1) AND start < $2`,
);
const PRUNE_OUTAGES = "DELETE FROM outages WHERE monitor_pk = ANY($1) AND ended_at < $2";

export async function pruneRollups({ query }: Sql, before: number, after: number): Promise<number | null> {
  const some = await query<{ pk: number }>(NEXT_MONITORS, [after, MONITORS_AT_ONCE]);
  const pks = some.map(({ pk }) => pk);
  for (const prune of PRUNE_ROLLUPS) await query(prune, [pks, Math.floor(before / HOUR)]);
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

const LAST_STEADY = "SELECT least(alive_at, steady_at) AS at FROM service";

export async function lastSteady({ query }: Sql): Promise<number | null> {
  return (await query<{ at: number }>(LAST_STEADY))[0]?.at ?? null;
}

export async function noteSteady({ query }: Sql, now: number): Promise<void> {
  await query("UPDATE service SET steady_at = $1", [now]);
}

const DNS_ANSWER = "SELECT 1 FROM service WHERE dns_answered_at IS NOT NULL";

export async function hasDnsAnswer({ query }: Sql): Promise<boolean> {
  return (await query(DNS_ANSWER)).length > 0;
}

export async function noteDnsAnswer({ query }: Sql, now: number): Promise<void> {
  await query("UPDATE service SET dns_answered_at = $1 WHERE dns_answered_at IS NULL", [now]);
}
