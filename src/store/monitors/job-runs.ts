import { and, desc, eq, getTableColumns, isNotNull, lt } from "drizzle-orm";
import type { JobConfig } from "../../domain/heartbeats/heartbeat.ts";
import {
  noRuns,
  overrunsAt,
  parseRunId,
  type RunEnd,
  runId,
  runLimit,
} from "../../domain/heartbeats/job-runs.ts";
import { AppError, notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { StoredRhythm } from "../recording/stored-heartbeat.ts";
import { fromJson, type Page, type PageRequest, type Sql, type Tx } from "../tx.ts";

/** `overrun`: it is open beyond its limit. */
export type RunOutcome = RunEnd | "running" | "overrun";

/** A run of a job. Times are milliseconds since 1970. */
export interface JobRun {
  id: string;
  rid: string | null;
  startedAt: number;
  endedAt: number | null;
  /** Null while it is open, and if its start or its end is unknown. */
  durationMs: number | null;
  outcome: RunOutcome;
  exitCode: number | null;
  /** How many bytes of its output are kept. */
  outputBytes: number;
}

/** A job whose runs are read. */
interface Job {
  pk: number;
  config: JobConfig;
  rhythm: StoredRhythm | null;
}

/**
 * One page of the runs of a SCHEDULED monitor, the newest first (behavior 18.25).
 *
 * @throws AppError `not_found`, also for a monitor of another type; `invalid` for a cursor that no page gave
 */
export async function listRuns(
  tx: Tx,
  organizationId: string,
  { monitorId, limit, cursor, now }: PageRequest & { monitorId: string; now: number },
): Promise<Page<JobRun>> {
  const job = await findJob(tx, organizationId, monitorId);
  const { jobRuns, runOutputs } = tx.tables;
  const before = cursor === undefined ? undefined : lt(jobRuns.number, numberOf(cursor));
  const output = and(eq(runOutputs.monitorPk, jobRuns.monitorPk), eq(runOutputs.number, jobRuns.number));
  const rows = await tx.db
    .select({ ...getTableColumns(jobRuns), output: runOutputs.number })
    .from(jobRuns)
    .leftJoin(runOutputs, output)
    .where(and(eq(jobRuns.monitorPk, job.pk), before))
    .orderBy(desc(jobRuns.number))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const sizes = await outputSizes(
    tx,
    job.pk,
    page.flatMap(({ output }) => output ?? []),
  );
  const items = page.map(({ monitorPk: _, number, output: __, outcome, ...run }) => ({
    ...{ id: runId(number), ...run },
    outcome: outcome ?? openOutcome(job, number, now),
    outputBytes: sizes.get(number) ?? 0,
  }));
  return { items, cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

function openOutcome({ rhythm, config }: Job, number: number, now: number): RunOutcome {
  const { runs = noRuns } = rhythm ?? {};
  const limit = runLimit(runs, config);
  const run = runs.open.find((one) => one.number === number);
  return run && limit !== null && now > overrunsAt(run, limit) ? "overrun" : "running";
}

function numberOf(cursor: string): number {
  const number = parseRunId(cursor);
  if (number === null) throw new AppError("invalid", "cursor must be one that an earlier page gave");
  return number;
}

const SIZES = `SELECT number, length(output) AS bytes FROM run_outputs WHERE monitor_pk = $1 AND number = ANY($2)`;

async function outputSizes(
  { query }: Sql,
  monitorPk: number,
  numbers: readonly number[],
): Promise<Map<number, number>> {
  if (numbers.length === 0) return new Map();
  const rows = await query<{ number: number; bytes: number }>(SIZES, [monitorPk, numbers]);
  return new Map(rows.map(({ number, bytes }) => [number, bytes]));
}

/**
 * The output of a run, which is valid UTF-8 (behavior 18.26); empty if none is kept.
 *
 * @throws AppError `not_found`
 */
export async function findRunOutput(
  tx: Tx,
  organizationId: string,
  { monitorId, number }: { monitorId: string; number: number | null },
): Promise<Uint8Array> {
  const { pk } = await findJob(tx, organizationId, monitorId);
  if (number === null) throw notFound();
  const { jobRuns, runOutputs } = tx.tables;
  const [found] = await tx.db
    .select({ output: runOutputs.output })
    .from(jobRuns)
    .leftJoin(
      runOutputs,
      and(eq(runOutputs.monitorPk, jobRuns.monitorPk), eq(runOutputs.number, jobRuns.number)),
    )
    .where(and(eq(jobRuns.monitorPk, pk), eq(jobRuns.number, number)));
  if (!found) throw notFound();
  return found.output ?? new Uint8Array(0);
}

/** How many runs the report of a monitor shows. */
const REPORTED = 20;

/** How long a run took that has ended. @property startedAt milliseconds since 1970 */
export interface RunTime {
  startedAt: number;
  durationMs: number;
  outcome: RunEnd;
}

/** The latest runs that have ended, oldest first. @param pk of the monitor */
export async function recentRuns({ db, tables: { jobRuns } }: Tx, pk: number): Promise<RunTime[]> {
  const { number, startedAt, durationMs, outcome } = jobRuns;
  const rows = await db
    .select({ startedAt, durationMs, outcome })
    .from(jobRuns)
    .where(and(eq(jobRuns.monitorPk, pk), isNotNull(durationMs)))
    .orderBy(desc(number))
    .limit(REPORTED);
  return rows.reverse().flatMap(({ startedAt, durationMs, outcome }) => {
    const isEnd = outcome === "ok" || outcome === "failed";
    return isEnd && durationMs !== null ? [{ startedAt, durationMs, outcome }] : [];
  });
}

const FIND_JOB = `SELECT pk, config, rhythm FROM monitors JOIN monitor_states ON monitor_pk = pk
  WHERE id = $1 AND monitors.organization_pk = $2 AND type = 'SCHEDULED'`;

async function findJob(sql: Sql, organizationId: string, monitorId: string): Promise<Job> {
  const [row] = await sql.query<Job>(FIND_JOB, [monitorId, await organizationPk(sql, organizationId)]);
  if (!row) throw notFound();
  return { pk: row.pk, config: fromJson(row.config), rhythm: fromJson(row.rhythm) };
}
