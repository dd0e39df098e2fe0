import { commitWithoutSync } from "../durability.ts";
import { type Database, prepared } from "../open.ts";

/** How many monitors are looked at together, and how many of the oldest runs of each. */
const MONITORS_AT_ONCE = 50;
const RUNS_AT_ONCE = 100;

const NEXT_JOBS = "SELECT pk FROM monitors WHERE pk > ? AND type = 'SCHEDULED' ORDER BY pk LIMIT ?";
/** An open run is kept, however old it is. */
const DELETE = `DELETE FROM job_runs WHERE monitor_pk = ?1 AND ended_at < ?2 AND number IN (
    SELECT number FROM job_runs WHERE monitor_pk = ?1 AND ended_at IS NOT NULL ORDER BY number LIMIT ${RUNS_AT_ONCE})`;
/** Outputs of runs that are gone. */
const DELETE_OUTPUTS = `DELETE FROM run_outputs WHERE monitor_pk = ?1
  AND number NOT IN (SELECT number FROM job_runs WHERE monitor_pk = ?1)`;

export async function pruneRuns(db: Database, before: number, after: number): Promise<number | null> {
  const jobs = prepared<{ pk: number }, [number, number]>(db, NEXT_JOBS).all(after, MONITORS_AT_ONCE);
  if (jobs.length === 0) return null;
  return commitWithoutSync(db, () => {
    for (const { pk } of jobs)
      if (prepared(db, DELETE).run(pk, before).changes > 0) prepared(db, DELETE_OUTPUTS).run(pk);
    return jobs.at(-1)?.pk ?? null;
  });
}
