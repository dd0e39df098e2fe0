import type { RecordingPlan } from "../../../domain/monitors/recording-plan.ts";
import { type RunEndColumns, runRows } from "../../recording/run-changes.ts";
import type { StoredSubjects } from "../../recording/stored-subject.ts";
import { type Database, prepared } from "../open.ts";

const CREATE = `INSERT INTO job_runs (monitor_pk, number, rid, started_at, ended_at, duration_ms, outcome, exit_code)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const END = `UPDATE job_runs SET ended_at = ?, duration_ms = ?, outcome = ?, exit_code = ?
  WHERE monitor_pk = ? AND number = ?`;
const FIND_OUTPUT = "SELECT output FROM run_outputs WHERE monitor_pk = ? AND number = ?";
const SAVE_OUTPUT = `INSERT INTO run_outputs (monitor_pk, number, output) VALUES (?, ?, ?)
  ON CONFLICT (monitor_pk, number) DO UPDATE SET output = excluded.output`;
const FORGET = "DELETE FROM job_runs WHERE monitor_pk = ? AND number = ?";
const FORGET_OUTPUT = "DELETE FROM run_outputs WHERE monitor_pk = ? AND number = ?";

/** Saves the runs of jobs, within the transaction of the plan. */
export function saveRuns(db: Database, subjects: StoredSubjects, plan: RecordingPlan): void {
  if (plan.runs.length === 0) return;
  const { created, ended, outputs, forgotten, forgottenOutputs } = runRows(subjects, plan);
  for (const { monitorPk, number, rid, startedAt, ...end } of created)
    prepared(db, CREATE).run(monitorPk, number, rid, startedAt, ...endOf(end));
  for (const { monitorPk, number, ...end } of ended) prepared(db, END).run(...endOf(end), monitorPk, number);
  for (const { monitorPk, number, output } of outputs) {
    const kept = prepared<{ output: Uint8Array }, [number, number]>(db, FIND_OUTPUT).get(monitorPk, number);
    const whole = kept ? Buffer.concat([kept.output, output]) : output;
    prepared(db, SAVE_OUTPUT).run(monitorPk, number, whole);
  }
  for (const { monitorPk, number } of forgotten) prepared(db, FORGET).run(monitorPk, number);
  for (const { monitorPk, number } of forgottenOutputs) prepared(db, FORGET_OUTPUT).run(monitorPk, number);
}

function endOf({ endedAt, durationMs, outcome, exitCode }: RunEndColumns) {
  return [endedAt, durationMs, outcome, exitCode] as const;
}
