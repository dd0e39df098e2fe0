import { dayOf } from "../../../domain/results/rollup.ts";
import type { Sql } from "../../tx.ts";
import type { Transaction } from "../connections.ts";
import { partitionName } from "../partitions.ts";
import { isLockTimeout } from "../reach.ts";
import { listDays } from "../results/day-partitions.ts";

const DAY = 24 * 60 * 60 * 1000;

/** How many deliveries are deleted at once. */
const BATCH = 1000;

/** The days whose results are recorded soon. All times are milliseconds since 1970. */
export function daysAhead(now: number): number[] {
  return [0, 1, 2].map((days) => dayOf(now + days * DAY));
}

/** After a day was in use, for example by `pg_dump`, it is left alone for this time; milliseconds. */
export const IN_USE_PAUSE = 5 * 60_000;

/** Prunes results as `pruneResults`, and remembers when a day was in use: each try delays those who use results. */
export function createPruning(transaction: Transaction): (before: number) => Promise<number> {
  let inUseAt = Number.NEGATIVE_INFINITY;
  return async (before) => {
    // As long as the retention stays the same, this moment follows the clock.
    if (Math.abs(before - inUseAt) < IN_USE_PAUSE) return 0;
    const pruned = await pruneResults(transaction, before);
    if (pruned !== "in use") return pruned;
    inUseAt = before;
    return 0;
  };
}

/**
 * Drops the oldest day that is wholly older than a moment and that no pending delivery refers to. After the last of them,
 * deletes some of the deliveries and status changes of dropped days, notices included.
 *
 * @returns how many results, deliveries or status changes were deleted: at least 1 for a day
 */
async function pruneResults(transaction: Transaction, before: number): Promise<number | "in use"> {
  const firstKept = dayOf(before);
  const { days } = await transaction(listDays);
  const expired = days.filter((day) => day < firstKept).toReversed();
  for (const day of expired) {
    const dropped = await dropDay(transaction, day);
    if (dropped === "in use") return "in use";
    if (dropped !== "awaited") return dropped;
  }
  return transaction((sql) => deleteRest(sql, { firstKept, awaited: expired }));
}

/** A delivery is of the time of its result. Notices have no result. A delivery with a `review_at` may still be sent. */
const IS_AWAITED = `SELECT 1 FROM deliveries
  WHERE created_at >= $1 AND created_at < $2 AND (status = 0 OR review_at IS NOT NULL) AND result_pk IS NOT NULL
  LIMIT 1`;

/** While this waits for a lock, all that read or write results wait behind it: hence not for long. */
const LIMIT_WAIT = "SET LOCAL lock_timeout = 300";

const LOCK = "LOCK TABLE ONLY check_results IN ACCESS EXCLUSIVE MODE";

const ESTIMATE = "SELECT greatest(reltuples, 1)::bigint AS rows FROM pg_class WHERE oid = to_regclass($1)";

/** @returns an estimate of the number of its results, at least 1, or the reason why the day stays for now */
async function dropDay(transaction: Transaction, day: number): Promise<number | "awaited" | "in use"> {
  const isAwaited = async ({ query }: Sql) => (await query(IS_AWAITED, [day, day + DAY])).length > 0;
  if (await transaction(isAwaited)) return "awaited";
  try {
    return await transaction(async (sql) => {
      await sql.query(LIMIT_WAIT);
      await sql.query(LOCK);
      // A result may have been recorded late.
      if (await isAwaited(sql)) return "awaited";
      const [estimate] = await sql.query<{ rows: number }>(ESTIMATE, [partitionName(day)]);
      await sql.query(`DROP TABLE IF EXISTS ${partitionName(day)}, ${partitionName(day, "result_segments")}`);
      await sql.query("DELETE FROM packed_days WHERE day = $1", [day]);
      return estimate?.rows ?? 1;
    });
  } catch (error) {
    if (isLockTimeout(error)) return "in use";
    throw error;
  }
}

const DELETE_DELIVERIES = `DELETE FROM deliveries WHERE pk IN (
    SELECT pk FROM deliveries
    WHERE created_at < $1 AND status <> 0 AND review_at IS NULL AND created_at - created_at % $2 <> ALL($3::bigint[])
    ORDER BY created_at LIMIT $4)
  RETURNING pk`;

const DELETE_CHANGES = `DELETE FROM status_changes WHERE result_pk IN (
    SELECT result_pk FROM status_changes
    WHERE created_at < $1 AND created_at - created_at % $2 <> ALL($3::bigint[])
    ORDER BY created_at LIMIT $4)
  RETURNING result_pk`;

/**
 * Deletes some of the ended deliveries and of the status changes whose results are gone.
 *
 * @param awaited expired days that are kept for now
 */
async function deleteRest(
  { query }: Sql,
  { firstKept, awaited }: { firstKept: number; awaited: number[] },
): Promise<number> {
  const some = [firstKept, DAY, awaited, BATCH];
  return (await query(DELETE_DELIVERIES, some)).length + (await query(DELETE_CHANGES, some)).length;
}

const FIND_DAY = "SELECT tableoid::regclass::text AS day FROM check_results WHERE monitor_pk = $1 LIMIT 1";

/** Deletes the results of one day of a deleted monitor. @returns whether there may be more */
export async function sweepResults({ query }: Sql, monitorPk: number): Promise<boolean> {
  const [found] = await query<{ day: string }>(FIND_DAY, [monitorPk]);
  if (!found) return false;
  await query(`DELETE FROM ${found.day} WHERE monitor_pk = $1`, [monitorPk]);
  return true;
}
