import {
  afterPause,
  deadlineAfter,
  deadlineAfterCheckin,
  type HeartbeatState,
  type JobConfig,
  type NextDeadline,
  NOT_EXCUSED,
  rhythmOf,
  SEEN,
  type WindowEnd,
} from "./heartbeat.ts";
import {
  type EndedRun,
  isByStarts,
  type JobRuns,
  noRuns,
  type RunChange,
  type RunReport,
} from "./job-runs.ts";
import { addCheckin } from "./learned-period.ts";
import { findOverruns } from "./missed-runs.ts";
import { endRun, logRun, startRun } from "./run-steps.ts";

/** A check-in is recorded after a newer one by this at most, if nodes record both; milliseconds. Else the clock was set back. */
const OVERTAKEN_BY = 30_000;

/**
 * A check-in of an enabled monitor. Its status does not matter (behavior 3.6). A check-in that a newer check-in overtook changes
 * nothing (behavior 12.67).
 */
export function afterCheckin(state: HeartbeatState, config: JobConfig, now: number): HeartbeatState {
  if (isOvertaken(state, now) && state.deadline !== null) return state;
  const after = { ...state, ...addCheckin(state, now, config.grace), ...NOT_EXCUSED, ...SEEN };
  const { runs } = after;
  if (isByStarts(runs)) return { ...after, ...deadlineByStarts({ ...after, runs }, config, { state, now }) };
  return { ...after, ...deadlineAfterCheckin({ config, history: after }, now, state) };
}

/** The deadline of the next start. A job that would already be late gets one window from now. */
function deadlineByStarts(
  after: HeartbeatState & { runs: JobRuns },
  config: JobConfig,
  { state, now }: { state: HeartbeatState; now: number },
): NextDeadline {
  const rhythm = rhythmOf(after, config);
  const startedAt = rhythm.history.lastCheckinAt ?? now;
  const next = deadlineAfterCheckin(rhythm, startedAt, awaitedBy(after.runs, rhythm, { startedAt, state }));
  return next.deadline > now ? next : deadlineAfter(rhythm, now);
}

/** The run in `cron` that the latest start was for, unless it was early: the one after the start before it. */
function awaitedBy(
  { starts, open }: JobRuns,
  rhythm: ReturnType<typeof rhythmOf>,
  { startedAt, state }: { startedAt: number; state: HeartbeatState },
): Parameters<typeof deadlineAfterCheckin>[2] {
  const { lastCheckinAt, gaps } = starts;
  const known = [...open.map((run) => run.startedAt), lastCheckinAt ?? startedAt];
  const gap = gaps.at(-1);
  if (lastCheckinAt !== null && gap) known.push(lastCheckinAt - gap.length);
  const before = Math.max(...known.filter((at) => at < startedAt));
  if (rhythm.config.cron === undefined || before === Number.NEGATIVE_INFINITY) return null;
  const { run } = deadlineAfterCheckin(rhythm, before, null);
  return { run: Math.max(run ?? 0, state.run ?? 0), lastCheckinAt: before, isKnown: true };
}

/** A check-in of a paused monitor: it teaches the rhythm, but sets no deadline (behavior 3.23). */
export function afterPausedCheckin(state: HeartbeatState, config: JobConfig, now: number): HeartbeatState {
  if (isOvertaken(state, now)) return afterPause(state);
  return afterPause({ ...state, ...addCheckin(state, now, config.grace), ...SEEN });
}

function isOvertaken({ lastCheckinAt }: HeartbeatState, at: number): boolean {
  return lastCheckinAt !== null && at < lastCheckinAt && at >= lastCheckinAt - OVERTAKEN_BY;
}

/** The runs that have taken too long before a report of the job, which comes before the next look at its deadline. */
export function overrunsBefore(
  state: HeartbeatState,
  config: JobConfig,
  { at, windowEnd }: { at: number; windowEnd: WindowEnd | undefined },
): { state: HeartbeatState; overranAt: number[] } {
  if (!state.runs || state.deadline === null) return { state, overranAt: [] };
  const { runs, overranAt } = findOverruns(state.runs, config, { now: at, windowEnd });
  return { state: overranAt.length > 0 && runs ? { ...state, runs } : state, overranAt };
}

/**
 * A start of a run (behavior 18.4). It records no result, except if it overlaps. Its job has a deadline from now on, also before
 * its first check-in.
 */
export function afterStart(
  state: HeartbeatState,
  config: JobConfig,
  { at, report, isPaused }: { at: number; report: RunReport; isPaused: boolean },
): { state: HeartbeatState; changes: RunChange[]; isOverlapping: boolean } {
  const { runs, changes, isOverlapping } = startRun(state.runs ?? noRuns, config, { at, report, isPaused });
  const isFirst = state.deadline === null && !isPaused;
  const next = isFirst ? deadlineAfter({ config, history: state }, at) : null;
  return { state: { ...state, ...next, runs }, changes, isOverlapping };
}

/** A check-in with what it says of a run. @returns also the run that it ended; null if it ended none, `repeated` if it is a repeated end */
export function afterReport(
  state: HeartbeatState,
  config: JobConfig,
  { at, report, isOk, isPaused }: { at: number; report: RunReport; isOk: boolean; isPaused: boolean },
): { state: HeartbeatState; changes: RunChange[]; ended: EndedRun | "repeated" | null } {
  const learn = isPaused ? afterPausedCheckin : afterCheckin;
  if (!state.runs && !report.output && report.rid === undefined)
    return { state: learn(state, config, at), changes: [], ended: null };
  const { unseen = 0, isMoved } = state;
  const checkin = { at, report, isOk, unseen, isMoved, grace: config.grace };
  const { runs, changes, ended } = endRun(state.runs ?? noRuns, checkin);
  if (ended === "repeated") return { state, changes, ended };
  return { state: learn({ ...state, runs }, config, at), changes, ended };
}

/** An output that is no check-in (behavior 18.10). */
export function afterLog(
  state: HeartbeatState,
  { at, report }: { at: number; report: RunReport },
): { state: HeartbeatState; changes: RunChange[] } {
  if (!report.output) return { state, changes: [] };
  const { runs, changes } = logRun(state.runs ?? noRuns, { at, report });
  return { state: { ...state, runs }, changes };
}
