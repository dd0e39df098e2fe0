import type { RunEnd } from "../../domain/heartbeats/job-runs.ts";
import type { PlannedRun, RecordingPlan } from "../../domain/monitors/recording-plan.ts";
import type { Tx } from "../tx.ts";
import { findSubject, type StoredSubjects } from "./stored-subject.ts";

/** How many runs of a monitor are kept, and how many of them with their output (behavior 18.5, 18.13). */
const KEPT_RUNS = 10_000;
const KEPT_OUTPUTS = 50;

/** The numbers of a run and of its monitor. */
export interface RunKey {
  monitorPk: number;
  number: number;
}

/** The rows that a plan changes. */
export interface RunRows {
  created: (RunKey & RunEndColumns & { rid: string | null; startedAt: number })[];
  /** To be saved after the created ones, one of which may have ended in the same plan. */
  ended: (RunKey & RunEndColumns)[];
  /** Each run once; to be appended to its stored output. */
  outputs: (RunKey & { output: Uint8Array })[];
  /** The runs that are too old now, and the outputs. */
  forgotten: RunKey[];
  forgottenOutputs: RunKey[];
}

/** All are null while the run is open. */
export interface RunEndColumns {
  endedAt: number | null;
  durationMs: number | null;
  outcome: RunEnd | null;
  exitCode: number | null;
}

/** Sorts the changes of a plan by what they do to rows. Almost all plans have none. */
function runRows(subjects: StoredSubjects, { runs, states }: RecordingPlan): RunRows {
  const rows: RunRows = { created: [], ended: [], outputs: [], forgotten: [], forgottenOutputs: [] };
  const outputs = new Map<string, Uint8Array[]>();
  for (const change of runs) {
    const { monitorId, number } = change;
    const monitorPk = findSubject(subjects, monitorId).pk;
    const key = { monitorPk, number };
    if (change.kind === "output") {
      const last = states.get(monitorId)?.heartbeat.runs?.last ?? number;
      const text = textOf(key);
      if (number > last - KEPT_OUTPUTS) outputs.set(text, [...(outputs.get(text) ?? []), change.output]);
    } else if (change.kind === "ended") {
      rows.ended.push({ ...key, ...endOf(change) });
    } else {
      const { rid, at: startedAt } = change;
      rows.created.push({ ...key, rid, startedAt, ...(change.kind === "noted" ? endOf(change) : OPEN) });
      if (number > KEPT_RUNS) rows.forgotten.push({ monitorPk, number: number - KEPT_RUNS });
      if (number > KEPT_OUTPUTS) rows.forgottenOutputs.push({ monitorPk, number: number - KEPT_OUTPUTS });
    }
  }
  for (const [text, parts] of outputs) rows.outputs.push({ ...keyOf(text), output: Buffer.concat(parts) });
  return rows;
}

const OPEN: RunEndColumns = { endedAt: null, durationMs: null, outcome: null, exitCode: null };

/** An output that belongs to no run has no length. */
function endOf(change: PlannedRun & { kind: "ended" | "noted" }): RunEndColumns {
  const { at: endedAt, outcome, exitCode } = change;
  return { endedAt, durationMs: change.kind === "ended" ? change.durationMs : null, outcome, exitCode };
}

function textOf({ monitorPk, number }: RunKey): string {
  return `${monitorPk} ${number}`;
}

function keyOf(text: string): RunKey {
  const [monitorPk = 0, number = 0] = text.split(" ").map(Number);
  return { monitorPk, number };
}

const FIND_OUTPUTS = `SELECT monitor_pk AS "monitorPk", number, output FROM run_outputs
  WHERE (monitor_pk, number) IN (SELECT pk, number FROM json_to_recordset($1) AS run (pk integer, number integer))`;
const FORGET_RUNS = `DELETE FROM job_runs
  WHERE (monitor_pk, number) IN (SELECT pk, number FROM json_to_recordset($1) AS run (pk integer, number integer))`;
const FORGET_OUTPUTS = `DELETE FROM run_outputs
  WHERE (monitor_pk, number) IN (SELECT pk, number FROM json_to_recordset($1) AS run (pk integer, number integer))`;

/** Saves the runs of jobs, within the transaction of the plan, with a number of statements that does not depend on their number. */
export async function saveRuns(tx: Tx, subjects: StoredSubjects, plan: RecordingPlan): Promise<void> {
  const { query, sets, tables } = tx;
  const { created, ended, outputs, forgotten, forgottenOutputs } = runRows(subjects, plan);
  await sets.insert(tables.jobRuns, created);
  await sets.update(
    tables.jobRuns,
    ended.map(({ monitorPk, number, ...set }) => ({ where: { monitorPk, number }, set })),
  );
  if (outputs.length > 0) await saveOutputs(tx, outputs);
  if (forgotten.length > 0) await query(FORGET_RUNS, [recordsOf(forgotten)]);
  if (forgottenOutputs.length > 0) await query(FORGET_OUTPUTS, [recordsOf(forgottenOutputs)]);
}

async function saveOutputs(
  { query, sets, tables: { runOutputs } }: Tx,
  outputs: RunRows["outputs"],
): Promise<void> {
  const kept = await query<RunRows["outputs"][number]>(FIND_OUTPUTS, [recordsOf(outputs)]);
  const before = new Map(kept.map((row) => [textOf(row), row.output]));
  await sets.insert(
    runOutputs,
    outputs.filter((row) => !before.has(textOf(row))),
  );
  const longer = outputs.flatMap(({ output, ...key }) => {
    const first = before.get(textOf(key));
    return first ? [{ where: key, set: { output: Buffer.concat([first, output]) } }] : [];
  });
  await sets.update(runOutputs, longer);
}

function recordsOf(runs: readonly RunKey[]): string {
  return JSON.stringify(runs.map(({ monitorPk: pk, number }) => ({ pk, number })));
}
