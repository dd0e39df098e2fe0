import { excusedByRun, type HeartbeatState, type JobConfig, nextDeadlineOf, rhythmOf } from "./heartbeat.ts";
import {
  deadlineAfter,
  deadlineAfterMiss,
  deadlineAfterWindow,
  expectedAt,
  mayHaveCheckedIn,
  type NextDeadline,
} from "./next-deadline.ts";
import { countOverrun, findOverruns } from "./run-steps.ts";

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
  const excused = excusedByRun({ ...state, ...(runs && { runs }) }, config) ?? 0;
  let { excusedUntil } = state;
  while (true) {
    const { deadline } = next;
    const late = Math.max(deadline, excused);
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
