import {
  countOverrun,
  type EndedRun,
  editRuns,
  endRun,
  excusedUntil as excusedByRun,
  findOverruns,
  isByStarts,
  type JobRuns,
  logRun,
  nextOverrun,
  noRuns,
  type RunChange,
  type RunConfig,
  type RunReport,
  resumeRuns,
  setBackRuns,
  startRun,
} from "./job-runs.ts";
import { addCheckin, type CheckinHistory } from "./learned-period.ts";
import {
  deadlineAfter,
  deadlineAfterCheckin,
  deadlineAfterMiss,
  deadlineAfterWindow,
  expectedAt,
  mayHaveCheckedIn,
  type NextDeadline,
  type RhythmConfig,
} from "./next-deadline.ts";

/**
 * The state of a SCHEDULED monitor, from which its deadline follows (behavior 3); stored as JSON. Times are
 * milliseconds since 1970.
 */
export interface HeartbeatState extends CheckinHistory {
  /** The run that the deadline belongs to; null without `cron`. */
  run: number | null;
  /** Null before the first check-in, and while the monitor is paused (behavior 3.1, 3.23). */
  deadline: number | null;
  /** Whether an outage of stillup gave this silence a new window. It does so once per silence, see `afterOutage`. */
  excused: boolean;
  /** The end of the maintenance that excused this silence (behavior 14.38); null if none did. */
  excusedUntil: number | null;
  /** How long stillup did not run, or by how much its clock jumped ahead, since the last check-in; milliseconds. */
  unseen?: number;
  /** Absent for a job that never reported a start or an output. */
  runs?: JobRuns;
}

/** The configured rhythm and limits of a job. */
export type JobConfig = RhythmConfig & RunConfig;

/**
 * @property missedAt the deadlines that passed, oldest first: each is recorded as a missed run, with its own time
 * @property overranAt when it is recorded that open runs take too long, oldest first (behavior 18.15)
 */
export interface MissedRuns {
  state: HeartbeatState;
  missedAt: number[];
  overranAt: number[];
}

/** The end of the maintenance window that a monitor is in at a moment; null if it is in none. Milliseconds since 1970. */
export type WindowEnd = (at: number) => number | null;

/** The state of a monitor before its first check-in. */
export const silentHeartbeat: HeartbeatState = {
  lastCheckinAt: null,
  gaps: [],
  pauses: [],
  run: null,
  deadline: null,
  excused: false,
  excusedUntil: null,
};

/** A new silence can be excused again. */
const NOT_EXCUSED = { excused: false, excusedUntil: null };

const SEEN = { unseen: 0 };

/** How long after a step of the clock a check-in may be recorded before deadlines follow the step, in milliseconds. */
const NOTICED_WITHIN = 30_000;

/** A check-in is recorded after a newer one by this at most, if nodes record both; milliseconds. Else the clock was set back. */
const OVERTAKEN_BY = 30_000;

/**
 * A check-in of an enabled monitor. Its status does not matter (behavior 3.6). One that a newer check-in overtook changes
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

/**
 * The history that decides on the rhythm: the check-ins or, while each of them ends a run, the starts (behavior 18.21). The latest
 * start counts also while its run is open.
 */
export function rulingHistory(state: HeartbeatState, { grace }: JobConfig): CheckinHistory {
  const { runs } = state;
  if (!isByStarts(runs)) return state;
  const startedAt = runs.open.at(-1)?.startedAt ?? 0;
  return startedAt > (runs.starts.lastCheckinAt ?? 0)
    ? addCheckin(runs.starts, startedAt, grace)
    : runs.starts;
}

function rhythmOf(state: HeartbeatState, config: JobConfig) {
  return { config, history: rulingHistory(state, config) };
}

/** When a job is late that neither checks in nor has an open run that keeps it from being late; null while it is paused. */
export function lateAt({ deadline, runs }: HeartbeatState, config: JobConfig): number | null {
  return deadline === null ? null : Math.max(deadline, excusedByRun(runs, config) ?? 0);
}

/** When the job is to be judged next: when it is late, or a run has taken too long. */
export function judgedAt(state: HeartbeatState, config: JobConfig): number | null {
  const late = lateAt(state, config);
  return late === null ? null : Math.min(late, nextOverrun(state.runs, config) ?? late);
}

/**
 * The missed runs and the runs that took too long up to `now`, and the next deadline. A deadline has passed if it is earlier than
 * `now`. Each missed run is returned once, however late this function is called. The first run that was expected in a maintenance
 * is not missed.
 */
export function afterMiss(
  state: HeartbeatState,
  config: JobConfig,
  { now, windowEnd = NO_WINDOW }: { now: number; windowEnd?: WindowEnd },
): MissedRuns {
  const missedAt: number[] = [];
  if (state.deadline === null) return { state, missedAt, overranAt: [] };
  const rhythm = rhythmOf(state, config);
  let { runs, overranAt } = findOverruns(state.runs, config, now);
  let next: NextDeadline = { run: state.run, deadline: state.deadline };
  let { excusedUntil } = state;
  while (true) {
    const { deadline } = next;
    const late = Math.max(deadline, excusedByRun(runs, config) ?? 0);
    if (late >= now) break;
    const end = lastEnd(windowEnd, [expectedAt(rhythm, next), deadline, late]);
    if (end !== null && mayExcuse(windowEnd, { excusedUntil, end })) {
      excusedUntil = end;
      next = deadlineAfterWindow(rhythm, end);
      continue;
    }
    const counted = countOverrun(runs, config, { late, deadline });
    if (counted) runs = counted;
    else missedAt.push(late);
    next = deadlineAfterMiss(rhythm, { ...next, deadline: late });
  }
  return { state: { ...state, ...next, excusedUntil, ...(runs && { runs }) }, missedAt, overranAt };
}

const NO_WINDOW: WindowEnd = () => null;

/** The end of the last of the windows that contain these moments; null if none does. */
function lastEnd(windowEnd: WindowEnd, moments: readonly number[]): number | null {
  const ends = moments.map(windowEnd).filter((end) => end !== null);
  return ends.length > 0 ? Math.max(...ends) : null;
}

/** Bounds a search through windows that follow one another without a gap. */
const MAX_WITHOUT_GAP = 1000;

/**
 * Whether a maintenance with this end excuses a silence (behavior 14.38). One that excused it already does so only if it went
 * on until this end without a gap. Otherwise, windows that recur would hide a dead job forever.
 */
function mayExcuse(
  windowEnd: WindowEnd,
  { excusedUntil, end }: { excusedUntil: number | null; end: number },
): boolean {
  if (excusedUntil === null) return true;
  let reached: number | null = excusedUntil;
  for (let count = 0; reached !== null && reached < end; count++)
    reached = count < MAX_WITHOUT_GAP ? windowEnd(reached) : null;
  return reached !== null;
}

/**
 * An outage of stillup (behavior 3.20 to 3.22). A deadline that passed before the outage is a missed run.
 *
 * Any other deadline is extended by the length of the outage, because silence during the outage proves nothing. If
 * the job may have checked in during the outage, it gets a full window from the end of the outage instead. That
 * happens once until the next check-in, so that frequent restarts do not hide a dead job.
 *
 * A maintenance that goes on after the outage and excuses the run gives it more: one window after its own end.
 *
 * @param from when stillup was last known to run
 * @param to when it started again
 */
export function afterOutage(
  state: HeartbeatState,
  config: JobConfig,
  { from, to, windowEnd = NO_WINDOW }: { from: number; to: number; windowEnd?: WindowEnd },
): MissedRuns {
  const missed = afterMiss(state, config, { now: from, windowEnd });
  const next = nextDeadlineOf(missed.state);
  const { excused, excusedUntil } = missed.state;
  const lastSeenAt = missed.state.lastCheckinAt ?? missed.state.runs?.startedSince ?? null;
  if (!next || lastSeenAt === null || to <= from) return missed;
  const { runs, overranAt } = findOverruns(missed.state.runs, config, to);
  const before = { ...missed, overranAt: [...missed.overranAt, ...overranAt.map(() => to)] };
  const outage = to - Math.max(from, lastSeenAt);
  const rhythm = rhythmOf(missed.state, config);
  const lastCheckinAt = rhythm.history.lastCheckinAt ?? lastSeenAt;
  const unseen = (missed.state.unseen ?? 0) + outage;
  const silent = { ...missed.state, unseen, ...(runs && { runs }) };
  const end = windowEnd(to) && lastEnd(windowEnd, [expectedAt(rhythm, next), next.deadline]);
  if (end !== null && end > to && mayExcuse(windowEnd, { excusedUntil, end }))
    return { ...before, state: { ...silent, ...deadlineAfterWindow(rhythm, end), excusedUntil: end } };
  const isInWindow = excusedUntil !== null && to < excusedUntil && excusedUntil <= next.deadline;
  if (isInWindow) return { ...before, state: silent };
  if (excused || !mayHaveCheckedIn(rhythm, { run: next.run, lastCheckinAt }, to)) {
    return { ...before, state: { ...silent, deadline: next.deadline + outage } };
  }
  return { ...before, state: { ...silent, ...deadlineAfter(rhythm, to), excused: true } };
}

/**
 * A change of maintenance windows, such as when one is ended early (behavior 14.39).
 *
 * @param windows before and after the change
 * @returns the same state if nothing changes
 */
export function afterWindowChange(
  state: HeartbeatState,
  config: JobConfig,
  { before, after, now }: { before: WindowEnd; after: WindowEnd; now: number },
): HeartbeatState {
  const next = nextDeadlineOf(state);
  if (!next) return state;
  const rhythm = rhythmOf(state, config);
  const excusedTo = (end: number) => ({ ...state, ...deadlineAfterWindow(rhythm, end), excusedUntil: end });
  const [end, newEnd] = [before(now), after(now) ?? now];
  const isExcused =
    end !== null && end === state.excusedUntil && next.deadline === deadlineAfterWindow(rhythm, end).deadline;
  if (isExcused) return end === newEnd ? state : excusedTo(newEnd);
  const expected = expectedAt(rhythm, next);
  const isOver = after(now) === null || after(expected) === null;
  const endThen = expected < now && isOver ? before(expected) : null;
  if (endThen === null || !mayExcuse(before, { ...state, end: endThen })) return state;
  return excusedTo(Math.min(endThen, now));
}

/** A pause: the monitor has no deadline (behavior 3.23). */
export function afterPause(state: HeartbeatState): HeartbeatState {
  return { ...state, run: null, deadline: null };
}

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
    return runs && deadline !== null ? { ...state, runs, deadline: deadline - (from - to) } : state;
  const lastCheckinAt = recordedAt > to ? Math.min(recordedAt - (from - to), to) : recordedAt;
  const pauses = state.pauses.filter(({ start, length }) => start + length <= to);
  const unseen = Math.max(0, (state.unseen ?? 0) - (from - to));
  const moved = { ...state, lastCheckinAt, pauses, unseen, ...(runs && { runs }) };
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

/** The runs that have taken too long before a report of the job, which comes before the next look at its deadline. */
export function overrunsBefore(
  state: HeartbeatState,
  config: JobConfig,
  at: number,
): { state: HeartbeatState; overranAt: number[] } {
  if (!state.runs || state.deadline === null) return { state, overranAt: [] };
  const { runs, overranAt } = findOverruns(state.runs, config, at);
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
  const { runs, changes, isOverlapping } = startRun(state.runs ?? noRuns, { at, report, isPaused });
  const isFirst = state.deadline === null && !isPaused;
  const next = isFirst ? deadlineAfter({ config, history: state }, at) : null;
  return { state: { ...state, ...next, runs }, changes, isOverlapping };
}

/** A check-in with what it says of a run. @returns also the run that it ended; null if it ended none */
export function afterReport(
  state: HeartbeatState,
  config: JobConfig,
  { at, report, isOk, isPaused }: { at: number; report: RunReport; isOk: boolean; isPaused: boolean },
): { state: HeartbeatState; changes: RunChange[]; ended: EndedRun | null } {
  const learn = isPaused ? afterPausedCheckin : afterCheckin;
  if (!state.runs && !report.output) return { state: learn(state, config, at), changes: [], ended: null };
  const { unseen = 0 } = state;
  const checkin = { at, report, isOk, unseen, grace: config.grace };
  const { runs, changes, ended } = endRun(state.runs ?? noRuns, checkin);
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

function nextDeadlineOf({ run, deadline }: HeartbeatState): NextDeadline | null {
  return deadline === null ? null : { run, deadline };
}

function isSameRhythm(one: RhythmConfig, other: RhythmConfig): boolean {
  return (["cron", "timezone", "period", "grace"] as const).every((field) => one[field] === other[field]);
}
