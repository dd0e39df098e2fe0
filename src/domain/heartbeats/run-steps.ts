import {
  deadlineAfter,
  deadlineAfterCheckin,
  type HeartbeatState,
  type JobConfig,
  type NextDeadline,
  NOT_EXCUSED,
  type RhythmConfig,
  rhythmOf,
} from "./heartbeat.ts";
import {
  type EndedRun,
  isUnknown,
  type JobRuns,
  type OpenRun,
  PAIRED,
  type RunChange,
  type RunConfig,
  type RunReport,
  ridState,
  setBackEnded,
  withEnded,
  withStartAgain,
} from "./job-runs.ts";
import { addCheckin, type CheckinHistory, missPeriod } from "./learned-period.ts";
import { editRuns, isSurelyOpen, MAX_OUTAGES, resumeRuns } from "./missed-runs.ts";
import { addedOutput } from "./run-output.ts";

/* The steps of the runs of a job: what a start, a check-in, a log and a clock that is set back make of them. */

/** How many runs of a monitor are open at most (behavior 18.5). */
const MAX_OPEN = 100;

const KEPT_LENGTHS = 20;

interface Checkin {
  at: number;
  report: RunReport;
  isOk: boolean;
  unseen: number;
  isMoved: true | undefined;
  grace: number | undefined;
}

interface Changed {
  runs: JobRuns;
  changes: RunChange[];
}

/**
 * A run starts. It replaces the open run with the same `rid`, or without one like itself. A start that arrives after the end of its run
 * opens none (behavior 18.72).
 *
 * @param isPaused whether the monitor is paused: then the run is never too long (behavior 18.19)
 * @returns also whether it overlaps with another open run
 */
export function startRun(
  before: JobRuns,
  config: RunConfig,
  { at, report: { rid, output }, isPaused }: { at: number; report: RunReport; isPaused: boolean },
): Changed & { isOverlapping: boolean } {
  if (rid !== undefined && hasEnded(before, rid, at))
    return { runs: withStartAgain(before, rid), changes: [], isOverlapping: false };
  const number = before.last + 1;
  const run: OpenRun = { number, ...(rid && { rid }), startedAt: at, ...(isPaused && { judged: "paused" }) };
  const others = before.open.filter((one) => one.rid !== rid);
  const open = [...others, run].slice(-MAX_OPEN);
  const replaced = before.open.filter((one) => !open.includes(one));
  const runs = { ...before, ...excuseAtStart(before, at), last: number, open };
  const started: Changed = {
    runs,
    changes: [
      ...replaced.map((one) => endOf(one, { at, durationMs: null, outcome: "replaced", exitCode: null })),
      { kind: "started", number, rid: rid ?? null, at },
    ],
  };
  const { runs: kept, changes } = output ? withOutput(started, number, output) : started;
  return { runs: kept, changes, isOverlapping: others.some((one) => isSurelyOpen(before, config, one, at)) };
}

/** Whether the run with this `rid` ended within the last hour, and none with it is open. */
function hasEnded(runs: JobRuns, rid: string, at: number): boolean {
  return ridState(runs, rid, at) !== "new" && !findRun(runs, rid);
}

/** The first start since the last check-in counts and, if the end of each run before may be lost with stillup, the one after that. */
function excuseAtStart(
  { startedSince, open, outages = 0 }: JobRuns,
  at: number,
): Pick<JobRuns, "startedSince" | "excusedFrom"> {
  if (startedSince === null) return { startedSince: at };
  return { startedSince, ...(outages <= MAX_OUTAGES && open.every(isUnknown) && { excusedFrom: at }) };
}

/**
 * A check-in, which ends the run with its `rid`, or the newest run without a `rid`. A check-in that repeats the end of its run
 * does not count (behavior 18.73).
 *
 * @property unseen and `isMoved`: see `HeartbeatState` @property grace seconds, if it is configured
 * @returns also the run that it ended; `repeated` for a repeated end
 */
export function endRun(
  before: JobRuns,
  { at, report, isOk, unseen, isMoved, grace }: Checkin,
): Changed & { ended: EndedRun | "repeated" | null } {
  const { rid, exitCode, output } = report;
  const outcome = isOk ? "ok" : "failed";
  const end = { at, outcome, exitCode: exitCode ?? null } as const;
  const run = findRun(before, rid);
  if (!run) {
    if (ridState(before, rid, at) === "ended") return { runs: before, changes: [], ended: "repeated" };
    const runs = withEnded({ ...afterSilence(before), paired: 0, limitSince: at }, rid, at);
    return { ...(output ? noted(runs, { ...end, rid, output }) : { runs, changes: [] }), ended: null };
  }
  const { number, startedAt } = run;
  const durationMs = Math.max(0, at - startedAt);
  const seenMs = Math.max(0, durationMs - (run.unseen ?? 0));
  const written = output ? withOutput({ runs: before, changes: [] }, number, output) : null;
  const runs: JobRuns = {
    ...afterSilence(before),
    open: before.open.filter((one) => one !== run),
    lengths: isOk ? [...before.lengths, seenMs].slice(-KEPT_LENGTHS) : before.lengths,
    paired: Math.min(PAIRED, before.paired + 1),
    starts: startsWith(before, startedAt, { unseen, isMoved, grace }),
    limitSince: at,
  };
  const changes = [...(written?.changes ?? []), endOf(run, { ...end, durationMs })];
  return { runs: withEnded(runs, rid, at), changes, ended: { number, startedAt, durationMs } };
}

/** After a check-in, no start keeps the job from being late. */
function afterSilence({ excusedFrom: _, heldUntil: __, outages: ___, ...runs }: JobRuns): JobRuns {
  return { ...runs, startedSince: null };
}

/**
 * The starts that teach the rhythm, with the start of a run that ended. The first start since the last check-in teaches too if it was for
 * a run of its own, not for the first try of this one: that run hung or died, or its end was lost, but it began in time.
 */
function startsWith(
  { starts, startedSince }: JobRuns,
  startedAt: number,
  { unseen, isMoved, grace }: Pick<Checkin, "unseen" | "isMoved" | "grace">,
): CheckinHistory {
  const last = starts.lastCheckinAt;
  if (last !== null && startedAt < last) return starts;
  const isOther = (first: number) =>
    last !== null && last < first && startedAt - first >= missPeriod(starts.gaps) / 2;
  const history = { ...starts, unseen, isMoved };
  if (startedSince === null || !isOther(startedSince)) return addCheckin(history, startedAt, grace);
  return addCheckin(addCheckin(history, startedSince, grace), startedAt, grace);
}

/** An output without a check-in, of the open run with its `rid`, or of a run of its own. */
export function logRun(before: JobRuns, { at, report }: { at: number; report: RunReport }): Changed {
  const { rid, output } = report;
  if (!output) return { runs: before, changes: [] };
  const run = findRun(before, rid);
  if (run) return withOutput({ runs: before, changes: [] }, run.number, output);
  return noted(before, { at, outcome: "logged", exitCode: null, rid, output });
}

/** The clock was set back by some milliseconds: each run goes on for as long as it did. @param to the time that it shows */
function setBackRuns(runs: JobRuns, { by, to }: { by: number; to: number }): JobRuns {
  const { starts, startedSince, excusedFrom, limitSince, ended } = runs;
  const last = starts.lastCheckinAt;
  const pauses = starts.pauses.filter(({ start, length }) => start + length <= to);
  const lastCheckinAt = last !== null && last > to ? Math.min(last - by, to) : last;
  return {
    ...runs,
    open: runs.open.map(({ startedAt, limitFrom, ...run }) => ({
      ...run,
      startedAt: startedAt - by,
      ...(limitFrom !== undefined && { limitFrom: limitFrom - by }),
    })),
    starts: { ...starts, lastCheckinAt, pauses },
    startedSince: startedSince === null ? null : startedSince - by,
    ...(excusedFrom !== undefined && { excusedFrom: excusedFrom - by }),
    ...(ended && { ended: setBackEnded(ended, by) }),
    ...(limitSince !== undefined && { limitSince: Math.min(limitSince, to) }),
  };
}

function findRun({ open }: JobRuns, rid: string | undefined): OpenRun | undefined {
  return open.findLast((run) => run.rid === rid);
}

function endOf({ number }: OpenRun, end: Omit<RunChange & { kind: "ended" }, "kind" | "number">): RunChange {
  return { kind: "ended", number, ...end };
}

function noted(
  before: JobRuns,
  {
    output,
    rid = null,
    ...end
  }: {
    at: number;
    outcome: "ok" | "failed" | "logged";
    exitCode: number | null;
    rid: string | null | undefined;
    output: Uint8Array;
  },
): Changed {
  const number = before.last + 1;
  return {
    runs: { ...before, last: number },
    changes: [
      { kind: "noted", number, rid, ...end },
      { kind: "output", number, output },
    ],
  };
}

/** Appends an output to what an open run has, as far as it fits. */
function withOutput({ runs, changes }: Changed, number: number, output: Uint8Array): Changed {
  const run = runs.open.find((one) => one.number === number);
  const added = addedOutput(output, run?.outputBytes ?? 0);
  if (added.length === 0) return { runs, changes };
  const open = runs.open.map((one) =>
    one === run ? { ...one, outputBytes: (one.outputBytes ?? 0) + added.length } : one,
  );
  return { runs: { ...runs, open }, changes: [...changes, { kind: "output", number, output: added }] };
}

/** How long after a step of the clock a check-in may be recorded before deadlines follow the step, in milliseconds. */
const NOTICED_WITHIN = 30_000;

/** The end of a pause: the job gets one full window (behavior 3.24). */
export function afterResume(state: HeartbeatState, config: JobConfig, now: number): HeartbeatState {
  const runs = state.runs && resumeRuns(state.runs, config, now);
  const resumed = runs ? { ...state, runs } : state;
  if (state.lastCheckinAt === null && !runs?.open.length) return resumed;
  return { ...resumed, ...deadlineAfter(rhythmOf(resumed, config), now), ...NOT_EXCUSED };
}

/**
 * An edit of the config. A job that would already be late by the new rhythm gets one window from now (behavior 3.26,
 * 3.27).
 */
export function afterEdit(
  state: HeartbeatState,
  { before, after }: { before: JobConfig; after: JobConfig },
  now: number,
): HeartbeatState {
  const isSameLimit = before.maxRunTime === after.maxRunTime;
  const edited = state.runs && !isSameLimit ? { ...state, runs: editRuns(state.runs, now) } : state;
  if (state.lastCheckinAt === null || state.deadline === null || isSameRhythm(before, after)) return edited;
  return { ...edited, ...recomputeDeadline(edited, after, now), ...NOT_EXCUSED };
}

/**
 * The clock was set back. Times that are now in the future were recorded with the wrong clock, and move back with it.
 * Earlier check-ins may be older than the wrong clock, and stay.
 *
 * @param from the time that the clock would show without the change
 * @param to the time that it shows
 */
export function afterSetback(
  state: HeartbeatState,
  config: JobConfig,
  { from, to }: { from: number; to: number },
): HeartbeatState {
  const { lastCheckinAt: recordedAt, deadline, run } = state;
  const runs = state.runs && setBackRuns(state.runs, { by: from - to, to });
  if (recordedAt === null)
    return runs ? { ...state, runs, deadline: deadline === null ? null : deadline - (from - to) } : state;
  const lastCheckinAt = recordedAt > to ? Math.min(recordedAt - (from - to), to) : recordedAt;
  const pauses = state.pauses.filter(({ start, length }) => start + length <= to);
  const unseen = Math.max(0, (state.unseen ?? 0) - (from - to));
  const isMoved = recordedAt > to || state.isMoved;
  const moved = {
    ...state,
    lastCheckinAt,
    pauses,
    unseen,
    ...(isMoved && { isMoved }),
    ...(runs && { runs }),
  };
  if (deadline === null) return moved;
  if (run !== null) return { ...moved, ...recomputeDeadline(moved, config, to) };
  // If the job checked in since, with the new clock, the deadline stays at the end of that window.
  if (to - recordedAt >= 0 && to - recordedAt <= NOTICED_WITHIN) {
    const rhythm = rhythmOf(moved, config);
    const window = deadlineAfterCheckin(rhythm, rhythm.history.lastCheckinAt ?? lastCheckinAt, null);
    return { ...moved, deadline: Math.min(deadline, Math.max(deadline - (from - to), window.deadline)) };
  }
  return { ...moved, deadline: deadline - (from - to) };
}

/** The deadline after the last sign of life. A job that would already be late gets one window from now. */
function recomputeDeadline(state: HeartbeatState, config: JobConfig, now: number): NextDeadline {
  const rhythm = rhythmOf(state, config);
  const next = deadlineAfterCheckin(rhythm, rhythm.history.lastCheckinAt ?? now, null);
  return (next.run ?? next.deadline) > now ? next : deadlineAfter(rhythm, now);
}

function isSameRhythm(one: RhythmConfig, other: RhythmConfig): boolean {
  return (["cron", "timezone", "period", "grace"] as const).every((field) => one[field] === other[field]);
}
