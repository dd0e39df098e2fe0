import type { RecordingPlan } from "../../../domain/monitors/recording-plan.ts";
import { type RunKey, runRows } from "../../recording/run-changes.ts";
import type { StoredSubjects } from "../../recording/stored-subject.ts";
import type { Sql } from "../../tx.ts";
import { arraysOf } from "../values.ts";

const CREATE = `INSERT INTO job_runs (monitor_pk, number, rid, started_at, ended_at, duration_ms, outcome, exit_code)
  SELECT * FROM unnest($1::integer[], $2::integer[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
    $8::smallint[])`;
const CREATED = [
  "monitorPk",
  "number",
  "rid",
  "startedAt",
  "endedAt",
  "durationMs",
  "outcome",
  "exitCode",
] as const;

const END = `UPDATE job_runs SET
    ended_at = new.ended_at, duration_ms = new.duration_ms, outcome = new.outcome, exit_code = new.exit_code
  FROM unnest($1::integer[], $2::integer[], $3::bigint[], $4::bigint[], $5::text[], $6::smallint[])
    AS new (monitor_pk, number, ended_at, duration_ms, outcome, exit_code)
  WHERE job_runs.monitor_pk = new.monitor_pk AND job_runs.number = new.number`;
const ENDED = ["monitorPk", "number", "endedAt", "durationMs", "outcome", "exitCode"] as const;

const SAVE_OUTPUTS = `INSERT INTO run_outputs (monitor_pk, number, output)
  SELECT * FROM unnest($1::integer[], $2::integer[], $3::bytea[])
  ON CONFLICT (monitor_pk, number) DO UPDATE SET output = run_outputs.output || excluded.output`;

const FORGET = ["job_runs", "run_outputs"].map(
  (table) => `DELETE FROM ${table} USING unnest($1::integer[], $2::integer[]) AS old (monitor_pk, number)
    WHERE ${table}.monitor_pk = old.monitor_pk AND ${table}.number = old.number`,
);

/** Saves the runs of jobs, within the transaction of the plan, with a number of statements that does not depend on their number. */
export async function saveRuns({ query }: Sql, subjects: StoredSubjects, plan: RecordingPlan): Promise<void> {
  if (plan.runs.length === 0) return;
  const { created, ended, outputs, forgotten, forgottenOutputs } = runRows(subjects, plan);
  if (created.length > 0) await query(CREATE, arraysOf(created, CREATED));
  if (ended.length > 0) await query(END, arraysOf(ended, ENDED));
  if (outputs.length > 0) await query(SAVE_OUTPUTS, arraysOf(outputs, ["monitorPk", "number", "output"]));
  for (const [at, keys] of [forgotten, forgottenOutputs].entries()) await forget(at, keys);

  async function forget(at: number, keys: RunKey[]): Promise<void> {
    if (keys.length > 0) await query(FORGET[at] ?? "", arraysOf(keys, ["monitorPk", "number"]));
  }
}
