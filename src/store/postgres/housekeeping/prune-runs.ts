import type { Sql } from "../../tx.ts";

/** How many monitors are looked at together, and how many of the oldest runs of each. */
const MONITORS_AT_ONCE = 500;
const RUNS_AT_ONCE = 1000;

const NEXT_JOBS = "SELECT pk FROM monitors WHERE pk > $1 AND type = 'SCHEDULED' ORDER BY pk LIMIT $2";
/** An open run is kept, however old it is. */
const DELETE = `DELETE FROM job_runs USING unnest($1::integer[]) AS job (pk), LATERAL (
    SELECT number FROM job_runs
    WHERE monitor_pk = job.pk AND ended_at IS NOT NULL ORDER BY number LIMIT ${RUNS_AT_ONCE}
  ) AS oldest
  WHERE job_runs.monitor_pk = job.pk AND job_runs.number = oldest.number AND ended_at < $2`;
/** Outputs of runs that are gone. */
const DELETE_OUTPUTS = `DELETE FROM run_outputs WHERE monitor_pk = ANY($1)
  AND NOT EXISTS (SELECT 1 FROM job_runs
    WHERE job_runs.monitor_pk = run_outputs.monitor_pk AND job_runs.number = run_outputs.number)`;

export async function pruneRuns({ query }: Sql, before: number, after: number): Promise<number | null> {
  const jobs = await query<{ pk: number }>(NEXT_JOBS, [after, MONITORS_AT_ONCE]);
  const pks = jobs.map(({ pk }) => pk);
  if (pks.length === 0) return null;
  await query(DELETE, [pks, before]);
  await query(DELETE_OUTPUTS, [pks]);
  return pks.at(-1) ?? null;
}
