import { CHANNEL_DELETED } from "./alerts/deliveries.ts";
import type { HousekeepingQueries } from "./engine-queries.ts";
import { CLOSE_OPEN_HOURS } from "./results/hour-columns.ts";
import { USE_PRECISION } from "./results/timings.ts";
import type { Sql } from "./tx.ts";

/*
 * The housekeeping that is the same on both engines. Its commits may be on the disk only a little later: a power failure may undo a
 * deletion, and the same rows are then found and deleted again.
 */

const HOUR = 60 * 60 * 1000;

/** How many rows are deleted at once, how many details are read for it, and how many monitors with how many of their oldest runs. */
const [ROWS, DETAILS, MONITORS, RUNS] = [100, 1000, 50, 100];

interface HousekeepingEngine {
  poll: Sql["query"];
  /** Runs work in one transaction. */
  transact<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Deletes some of the results of a monitor. @returns whether there may be more */
  sweepResults(sql: Sql, monitorPk: number, limit: number): Promise<boolean>;
  /** How many times as many rows it handles at once as SQLite, where each row blocks other work. */
  scale: number;
}

type Sweeps = Pick<
  HousekeepingQueries,
  | "sweepDeletedMonitors"
  | "sweepDeletedChannels"
  | "pruneRollups"
  | "pruneRuns"
  | "pruneDetails"
  | "pruneEvidence"
>;

export function housekeepingOn({ poll, transact, sweepResults, scale }: HousekeepingEngine): Sweeps {
  const rows = ROWS * scale;
  /** Most sweeps find nothing: this costs less than a transaction. */
  const sweep = async (find: string, work: (sql: Sql) => Promise<boolean>) =>
    (await poll(find)).length > 0 && transact(work);
  return {
    sweepDeletedMonitors: () => sweep(IS_MONITOR_DELETED, (sql) => sweepMonitor(sql, rows, sweepResults)),
    sweepDeletedChannels: () => sweep(IS_CHANNEL_DELETED, (sql) => sweepChannel(sql, rows)),
    pruneRollups: (before, after) =>
      transact((sql) => pruneRollups(sql, { before, after, limit: MONITORS * scale })),
    async pruneRuns(before, after) {
      const jobs = await poll<{ pk: number }>(NEXT_JOBS, [after, MONITORS * scale]);
      const pks = jobs.map(({ pk }) => pk);
      if (pks.length > 0) await transact((sql) => pruneRuns(sql, pks, { before, limit: RUNS * scale }));
      return pks.at(-1) ?? null;
    },
    async pruneEvidence({ before, outagesBefore }, after) {
      const monitors = await poll<{ pk: number }>(NEXT_WITH_EVIDENCE, [after, MONITORS * scale]);
      const pks = monitors.map(({ pk }) => pk);
      if (pks.length > 0)
        await transact((sql) => sql.query(PRUNE_EVIDENCE, [pks, before, outagesBefore, KEPT]));
      return pks.at(-1) ?? null;
    },
    pruneDetails: (before, after) =>
      transact((sql) => pruneDetails(sql, { before, after, read: DETAILS * scale, rows })),
  };
}

const IS_MONITOR_DELETED = "SELECT 1 FROM deleted_monitors LIMIT 1";
/** Two nodes may sweep if the lease of one has lapsed: each takes another row. */
const NEXT_MONITOR = "SELECT pk FROM deleted_monitors ORDER BY pk LIMIT 1 FOR UPDATE SKIP LOCKED";

const sweepBy = (table: string, key: string) => `DELETE FROM ${table} WHERE (${key}) IN (
    SELECT ${key} FROM ${table} WHERE monitor_pk = $1 LIMIT $2) RETURNING 1`;
const SWEEP_DELIVERIES = sweepBy("deliveries", "pk");
const SWEEP_IN_PIECES = [
  sweepBy("details", "pk"),
  sweepBy("evidence", "pk"),
  sweepBy("outages", "pk"),
  sweepBy("run_outputs", "monitor_pk, number"),
  sweepBy("job_runs", "monitor_pk, number"),
  sweepBy("result_segments", "monitor_pk, first_pk"),
];
/** Before the results that they refer to. */
const SWEEP_CHANGES = "DELETE FROM status_changes WHERE monitor_pk = $1";
const SWEEP_REST = [
  "DELETE FROM hourly_rollups WHERE monitor_pk = $1",
  "DELETE FROM daily_rollups WHERE monitor_pk = $1",
  "DELETE FROM hour_runs WHERE monitor_pk = $1",
  "DELETE FROM deleted_monitors WHERE pk = $1",
];

/** Deletes some of the rows of a deleted monitor. */
async function sweepMonitor(
  sql: Sql,
  limit: number,
  sweepResults: HousekeepingEngine["sweepResults"],
): Promise<boolean> {
  const [monitor] = await sql.query<{ pk: number }>(NEXT_MONITOR);
  if (!monitor) return false;
  const { pk } = monitor;
  const sweepsAll = async (text: string) => (await sql.query(text, [pk, limit])).length < limit;
  // Deliveries first, because they could still be sent.
  if (!(await sweepsAll(SWEEP_DELIVERIES))) return true;
  await sql.query(SWEEP_CHANGES, [pk]);
  if (await sweepResults(sql, pk, limit)) return true;
  for (const text of SWEEP_IN_PIECES) if (!(await sweepsAll(text))) return true;
  for (const text of SWEEP_REST) await sql.query(text, [pk]);
  return true;
}

const IS_CHANNEL_DELETED = `SELECT 1 FROM deleted_channels
  UNION ALL SELECT 1 FROM alert_channels WHERE retired_at IS NOT NULL LIMIT 1`;
const NEXT_CHANNEL = "SELECT pk FROM deleted_channels ORDER BY pk LIMIT 1 FOR UPDATE SKIP LOCKED";
const FAIL = `UPDATE deliveries SET status = 2, next_attempt_at = NULL, error = $2
  WHERE pk IN (SELECT pk FROM deliveries WHERE channel_pk = $1 AND status = 0 ORDER BY pk LIMIT $3) RETURNING pk`;
const FORGET_CHANNEL = "DELETE FROM deleted_channels WHERE pk = $1";
/** Previous addresses of channels to which nothing is to be sent any more. */
const SWEEP_RETIRED = `DELETE FROM alert_channels WHERE retired_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM deliveries WHERE deliveries.channel_pk = alert_channels.pk AND deliveries.status = 0)`;

/** Marks some of the pending deliveries of a deleted channel as failed. */
async function sweepChannel({ query }: Sql, limit: number): Promise<boolean> {
  await query(SWEEP_RETIRED);
  const [channel] = await query<{ pk: number }>(NEXT_CHANNEL);
  if (!channel) return false;
  const failed = await query(FAIL, [channel.pk, CHANNEL_DELETED, limit]);
  if (failed.length === 0) await query(FORGET_CHANNEL, [channel.pk]);
  return true;
}

const NEXT_MONITORS = "SELECT pk FROM monitors WHERE pk > $1 ORDER BY pk LIMIT $2";
const PRUNE_ROLLUPS = [
  "DELETE FROM hourly_rollups WHERE monitor_pk = ANY($1) AND start < $2",
  "DELETE FROM daily_rollups WHERE monitor_pk = ANY($1) AND start < $2",
  // Monitors that are paused since have such hours, which are out of the baseline too. A locked state is of a monitor that records.
  `${CLOSE_OPEN_HOURS} WHERE monitor_pk IN (
    SELECT monitor_pk FROM monitor_states WHERE monitor_pk = ANY($1) AND open_start < $2 FOR UPDATE SKIP LOCKED)`,
];
/** Only with the lock of their state, as recordings change them. The runs of a locked one are cut off the next time. */
const OF_UNLOCKED = `monitor_pk IN (
    SELECT monitor_pk FROM monitor_states WHERE monitor_pk = ANY($1) FOR UPDATE SKIP LOCKED)`;
const PRUNE_RUNS = [
  `DELETE FROM hour_runs WHERE ${OF_UNLOCKED} AND last < $2`,
  `UPDATE hour_runs SET first = $2 WHERE ${OF_UNLOCKED} AND first < $2`,
];
const PRUNE_OUTAGES = "DELETE FROM outages WHERE monitor_pk = ANY($1) AND ended_at < $2";

async function pruneRollups(
  { query }: Sql,
  { before, after, limit }: { before: number; after: number; limit: number },
): Promise<number | null> {
  const pks = (await query<{ pk: number }>(NEXT_MONITORS, [after, limit])).map(({ pk }) => pk);
  for (const prune of [...PRUNE_ROLLUPS, ...PRUNE_RUNS]) await query(prune, [pks, Math.floor(before / HOUR)]);
  await query(PRUNE_OUTAGES, [pks, before]);
  return pks.at(-1) ?? null;
}

const NEXT_JOBS = "SELECT pk FROM monitors WHERE pk > $1 AND type = 'SCHEDULED' ORDER BY pk LIMIT $2";
/** Some of the oldest runs of each job: those up to `last`. An open run is kept, however old it is. */
const DELETE_RUNS = `WITH job AS MATERIALIZED (
    SELECT pk, (SELECT number FROM job_runs WHERE monitor_pk = monitors.pk AND ended_at IS NOT NULL
      ORDER BY number LIMIT 1 OFFSET $3) AS last
    FROM monitors WHERE pk = ANY($1)
  )
  DELETE FROM job_runs WHERE (monitor_pk, number) IN (
    SELECT monitor_pk, number FROM job JOIN job_runs ON monitor_pk = job.pk AND (last IS NULL OR number < last)
    WHERE ended_at < $2)
  RETURNING monitor_pk AS pk`;
/** Outputs of runs that are gone. */
const DELETE_OUTPUTS = `DELETE FROM run_outputs WHERE monitor_pk = ANY($1) AND NOT EXISTS (
    SELECT 1 FROM job_runs WHERE job_runs.monitor_pk = run_outputs.monitor_pk AND job_runs.number = run_outputs.number)`;

async function pruneRuns(
  { query }: Sql,
  jobs: readonly number[],
  { before, limit }: { before: number; limit: number },
): Promise<void> {
  const deleted = await query<{ pk: number }>(DELETE_RUNS, [jobs, before, limit]);
  const pks = new Set(deleted.map(({ pk }) => pk));
  if (pks.size > 0) await query(DELETE_OUTPUTS, [[...pks]]);
}

/** How many of the newest rows of a monitor are kept, beside all rows of its recent outages (behavior 22.10). */
const KEPT = 20;

/** Also monitors that a program of an earlier version deleted, which left their evidence. */
const NEXT_WITH_EVIDENCE = `WITH RECURSIVE next (pk) AS (
    SELECT min(monitor_pk) FROM evidence WHERE monitor_pk > $1
    UNION ALL
    SELECT (SELECT min(monitor_pk) FROM evidence WHERE monitor_pk > next.pk) FROM next WHERE next.pk IS NOT NULL
  )
  SELECT pk FROM next WHERE pk IS NOT NULL LIMIT $2`;
/** Evidence of an outage that has ended long ago is kept like evidence of no outage. */
const PRUNE_EVIDENCE = `DELETE FROM evidence WHERE pk IN (
    SELECT pk FROM (
      SELECT evidence.pk, evidence.monitor_pk, evidence.at, outages.pk AS outage_pk, outages.ended_at,
        row_number() OVER (PARTITION BY evidence.monitor_pk ORDER BY evidence.at DESC, evidence.pk DESC) AS age
      FROM evidence LEFT JOIN outages ON outages.pk = evidence.outage_pk
      WHERE evidence.monitor_pk = ANY($1)
    ) AS kept
    WHERE NOT EXISTS (SELECT 1 FROM monitors WHERE monitors.pk = kept.monitor_pk)
      OR ((age > $4 OR at < $2) AND (outage_pk IS NULL OR ended_at < $3)))`;

const NEXT_DETAILS = `SELECT pk, used_at AS "usedAt" FROM details WHERE pk > $1 ORDER BY pk LIMIT $2`;
/** Outages, and the states of monitors, refer to the detail of a result that may be gone. */
const DELETE_DETAILS = `DELETE FROM details WHERE pk = ANY($1)
  AND NOT EXISTS (SELECT 1 FROM outages
    WHERE outages.monitor_pk = details.monitor_pk AND outages.detail_pk = details.pk)
  AND NOT EXISTS (SELECT 1 FROM monitor_states
    WHERE monitor_states.monitor_pk = details.monitor_pk AND monitor_states.last_detail_pk = details.pk)`;

/** Deletes some of the next details. The last use of a detail is updated once a day. */
async function pruneDetails(
  { query }: Sql,
  { before, after, read, rows }: { before: number; after: number; read: number; rows: number },
): Promise<number | null> {
  const next = await query<{ pk: number; usedAt: number }>(NEXT_DETAILS, [after, read]);
  const old = next.filter(({ usedAt }) => usedAt < before - 2 * USE_PRECISION).slice(0, rows);
  if (old.length > 0) await query(DELETE_DETAILS, [old.map(({ pk }) => pk)]);
  return (old.length === rows ? old : next).at(-1)?.pk ?? null;
}
