import { CHANNEL_DELETED } from "../../alerts/delivery-cancellation.ts";
import type { Sql } from "../../tx.ts";

/** How many rows are deleted at once. */
const BATCH = 1000;

/** Two nodes may sweep if the lease of one has lapsed: each takes another row. */
const NEXT_MONITOR = "SELECT pk FROM deleted_monitors ORDER BY pk LIMIT 1 FOR UPDATE SKIP LOCKED";

/** Deliveries first, because they could still be sent. */
const SWEEP_DELIVERIES = `DELETE FROM deliveries WHERE pk IN (
    SELECT pk FROM deliveries WHERE monitor_pk = $1 LIMIT $2) RETURNING pk`;
const FIND_DAY = "SELECT tableoid::regclass::text AS day FROM check_results WHERE monitor_pk = $1 LIMIT 1";
/** Before the results that they refer to. */
const SWEEP_CHANGES = "DELETE FROM status_changes WHERE monitor_pk = $1";
const SWEEP_REST = [
  "run_outputs",
  "job_runs",
  "result_segments",
  "details",
  "outages",
  "hourly_rollups",
  "daily_rollups",
].map((table) => `DELETE FROM ${table} WHERE monitor_pk = $1`);
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

/** Previous addresses of channels to which nothing is to be sent any more. */
const SWEEP_RETIRED = `DELETE FROM alert_channels AS channel WHERE retired_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM deliveries WHERE deliveries.channel_pk = channel.pk AND deliveries.status = 0)`;

export async function sweepDeletedChannels({ query }: Sql): Promise<boolean> {
  await query(SWEEP_RETIRED, []);
  const [channel] = await query<{ pk: number }>(NEXT_CHANNEL);
  if (!channel) return false;
  const failed = await query(FAIL, [channel.pk, CHANNEL_DELETED, BATCH]);
  if (failed.length === 0) await query(FORGET_CHANNEL, [channel.pk]);
  return true;
}
