import type { MonitorState } from "../../../domain/monitors/recording-plan.ts";
import { hourOf } from "../../../domain/results/rollup.ts";
import type { SavedResult, SavedStates } from "../../recording/recording-engine.ts";
import { storedHeartbeat } from "../../recording/stored-heartbeat.ts";
import { findSubject, type StoredSubjects } from "../../recording/stored-subject.ts";
import { openColumns } from "../../results/hour-columns.ts";
import { statusCodes } from "../../status-codes.ts";
import type { Tx } from "../../tx.ts";
import type { PostgresTx } from "../connections.ts";
import { arraysOf } from "../values.ts";
import type { StoredSubject } from "./load-subjects.ts";

/** `ANY` lets it find the rows by the index. Without a new result, `result_pk` is null and the latest result stays. */
const SAVE = `UPDATE monitor_states AS state SET
    status = new.status, status_since = new.status_since, trouble_since = new.trouble_since,
    outage_pk = new.outage_pk, next_check_at = new.next_check_at, last_good_latency = new.last_good_latency,
    deadline = new.deadline, rhythm = new.rhythm, suspicion = new.suspicion,
    open_start = new.open_start, open_status = new.open_status, open_count = new.open_count,
    open_latency_count = new.open_latency_count, open_latency_sum = new.open_latency_sum,
    open_latency_squares = new.open_latency_squares, open_shortest = new.open_shortest,
    open_longest = new.open_longest,
    late_results = state.late_results + new.late_results,
    last_result_pk = coalesce(new.result_pk, state.last_result_pk),
    last_result_at = coalesce(new.result_at, state.last_result_at),
    last_status = coalesce(new.result_status, state.last_status),
    last_timings = CASE WHEN new.result_pk IS NULL THEN state.last_timings ELSE new.timings END,
    last_detail_pk = CASE WHEN new.result_pk IS NULL THEN state.last_detail_pk ELSE new.detail_pk END
  FROM unnest($1::integer[], $2::smallint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
      $8::bigint[], $9::json[], $10::json[], $11::integer[], $12::bigint[], $13::bigint[], $14::smallint[],
      $15::bytea[], $16::bigint[], $17::integer[], $18::smallint[], $19::integer[], $20::integer[], $21::bigint[],
      $22::bigint[], $23::integer[], $24::integer[])
    AS new (monitor_pk, status, status_since, trouble_since, outage_pk, next_check_at, last_good_latency,
      deadline, rhythm, suspicion, late_results, result_pk, result_at, result_status, timings, detail_pk,
      open_start, open_status, open_count, open_latency_count, open_latency_sum, open_latency_squares,
      open_shortest, open_longest)
  WHERE state.monitor_pk = new.monitor_pk AND state.monitor_pk = ANY($1)`;

const COLUMNS = [
  "monitorPk",
  "status",
  "statusSince",
  "troubleSince",
  "outagePk",
  "nextCheckAt",
  "lastGoodLatency",
  "deadline",
  "rhythm",
  "suspicion",
  "lateResults",
  "resultPk",
  "resultAt",
  "resultStatus",
  "timings",
  "detailPk",
  "openStart",
  "openStatus",
  "openCount",
  "openLatencyCount",
  "openLatencySum",
  "openLatencySquares",
  "openShortest",
  "openLongest",
] as const;

/** Saves states, by the ID of the monitor. */
export async function saveStates(
  tx: PostgresTx,
  { subjects, planned, results, openOutages }: SavedStates<StoredSubject>,
  states: ReadonlyMap<string, MonitorState>,
): Promise<void> {
  if (states.size === 0) return;
  const saved = planned.flatMap(({ monitorId, isLate }, at) => {
    const result = results[at];
    return result ? [{ ...result, monitorId, isLate }] : [];
  });
  const byMonitor = Map.groupBy(saved, ({ monitorId }) => monitorId);
  const rows = [...states].map(([monitorId, state]) => {
    const subject = findSubject(subjects, monitorId);
    const outagePk = openOutages.get(monitorId);
    return {
      monitorPk: subject.pk,
      outagePk: outagePk === undefined ? subject.outagePk : outagePk,
      ...stateColumns(subject, state),
      ...resultColumns(subject, byMonitor.get(monitorId) ?? []),
    };
  });
  void tx.queue(SAVE, arraysOf(rows, COLUMNS));
  await saveStatusesBefore(tx, subjects, states);
}

/** Few monitors have such a status. */
async function saveStatusesBefore(
  { sets, tables: { monitorStates } }: Tx,
  subjects: StoredSubjects<StoredSubject>,
  states: ReadonlyMap<string, MonitorState>,
): Promise<void> {
  const changed = [...states].flatMap(([monitorId, { statusBefore }]) => {
    const { pk: monitorPk, state } = findSubject(subjects, monitorId);
    return statusBefore === state.statusBefore ? [] : [{ where: { monitorPk }, set: { statusBefore } }];
  });
  await sets.update(monitorStates, changed);
}

const HUNDREDTHS = 100;

function stateColumns({ config }: StoredSubject, state: MonitorState) {
  const { status, statusSince, troubleSince, lastGoodLatencyMs, nextCheckAt, suspicion } = state;
  const { deadline, rhythm } = storedHeartbeat(state.heartbeat, config);
  return {
    status: statusCodes[status],
    statusSince,
    troubleSince,
    nextCheckAt,
    lastGoodLatency: lastGoodLatencyMs === null ? null : Math.round(lastGoodLatencyMs * HUNDREDTHS),
    deadline,
    rhythm: rhythm && JSON.stringify(rhythm),
    suspicion: suspicion && JSON.stringify(suspicion),
    ...openColumns(state.openHour),
  };
}

function resultColumns(subject: StoredSubject, results: readonly (SavedResult & { isLate: boolean })[]) {
  const present = results.filter(({ isLate }) => !isLate);
  const last = present.at(-1);
  return {
    lateResults: countLate(subject, present) + (results.length - present.length),
    resultPk: last?.pk ?? null,
    resultAt: last?.createdAt ?? null,
    resultStatus: last?.status ?? null,
    timings: last?.timings ?? null,
    detailPk: last?.detailPk ?? null,
  };
}

/** How many results are of an earlier hour than the previous result: caches of past hours are then out of date. */
function countLate({ lastResultAt }: StoredSubject, results: readonly SavedResult[]): number {
  const times = results.map(({ createdAt }) => createdAt);
  return times.filter((time, at) => hourOf(time) < hourOf(times[at - 1] ?? lastResultAt ?? time)).length;
}
