import type { PlannedRun, RecordingPlan } from "../../domain/monitors/recording-plan.ts";
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
  /** With their end, if they have ended in the same plan. */
  created: (RunKey & RunColumns)[];
  ended: (RunKey & RunColumns)[];
  /** Each run once; to be appended to what is stored. */
  outputs: (RunKey & { output: Uint8Array })[];
  /** The runs that are too old now, and the outputs. */
  forgotten: RunKey[];
  forgottenOutputs: RunKey[];
}

interface RunColumns {
  rid: string | null;
  startedAt: number | null;
  endedAt: number | null;
  durationMs: number | null;
  outcome: string | null;
  exitCode: number | null;
}

/** Sorts the changes of a plan by what they do to rows. Almost all plans have none. */
export function runRows(subjects: StoredSubjects, { runs, states }: RecordingPlan): RunRows {
  const rows: RunRows = { created: [], ended: [], outputs: [], forgotten: [], forgottenOutputs: [] };
  const known = new Map<string, RunKey & RunColumns>();
  const outputs = new Map<string, Uint8Array[]>();
  for (const change of runs) {
    const { monitorId, number } = change;
    const monitorPk = findSubject(subjects, monitorId).pk;
    const key = `${monitorPk} ${number}`;
    if (change.kind === "output") {
      const last = states.get(monitorId)?.heartbeat.runs?.last ?? number;
      if (number > last - KEPT_OUTPUTS) outputs.set(key, [...(outputs.get(key) ?? []), change.output]);
      continue;
    }
    const row = known.get(key);
    if (row) Object.assign(row, columnsOf(change), { rid: row.rid, startedAt: row.startedAt });
    else {
      const added = { monitorPk, number, ...columnsOf(change) };
      known.set(key, added);
      if (change.kind === "ended") rows.ended.push(added);
      else rows.created.push(added);
    }
    if (change.kind === "ended") continue;
    if (number > KEPT_RUNS) rows.forgotten.push({ monitorPk, number: number - KEPT_RUNS });
    if (number > KEPT_OUTPUTS) rows.forgottenOutputs.push({ monitorPk, number: number - KEPT_OUTPUTS });
  }
  for (const [key, parts] of outputs) {
    const [monitorPk = 0, number = 0] = key.split(" ").map(Number);
    rows.outputs.push({ monitorPk, number, output: Buffer.concat(parts) });
  }
  return rows;
}

function columnsOf(change: Exclude<PlannedRun, { kind: "output" }>): RunColumns {
  const { at } = change;
  if (change.kind === "started")
    return { rid: change.rid, startedAt: at, endedAt: null, durationMs: null, outcome: null, exitCode: null };
  const { outcome, exitCode } = change;
  const [rid, durationMs] = change.kind === "noted" ? [change.rid, null] : [null, change.durationMs];
  return { rid, startedAt: null, endedAt: at, durationMs, outcome, exitCode };
}
