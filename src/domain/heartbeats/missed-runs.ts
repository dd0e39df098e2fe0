import {
  excusedByRun,
  type HeartbeatState,
  type JobConfig,
  nextDeadlineOf,
  rhythmOf,
  type WindowEnd,
} from "./heartbeat.ts";
import {
  deadlineAfter,
  deadlineAfterCheckin,
  deadlineAfterMiss,
  deadlineAfterWindow,
  expectedAt,
  mayHaveCheckedIn,
  type NextDeadline,
} from "./next-deadline.ts";
import { countOverrun, findOverruns, MAX_WITHOUT_GAP, movedHolds, unseenRuns } from "./run-limits.ts";

/**
 * @property missedAt the deadlines that passed, oldest first: each is recorded as a missed run, with its own time
 * @property overranAt when it is recorded that open runs take too long, oldest first (behavior 18.15)
 */
export interface MissedRuns {
  state: HeartbeatState;
  missedAt: number[];
  overranAt: number[];
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
  let { runs, overranAt } = findOverruns(state.runs, config, { now, windowEnd });
  let next: NextDeadline = { run: state.run, deadline: state.deadline };
  let excused = excusedByRun({ ...state, ...(runs && { runs }) }, config) ?? 0;
  let { excusedUntil } = state;
  while (true) {
    const { deadline } = next;
    const late = Math.max(deadline, excused);
    if (late >= now) break;
    const end = lastEnd(windowEnd, [expectedAt(rhythm, next), deadline]);
    if (end !== null && mayExcuse(windowEnd, { excusedUntil, end })) {
      excusedUntil = end;
      next = deadlineAfterWindow(rhythm, end);
      continue;
    }
    const held = late > deadline ? windowEnd(late) : null;
    if (held !== null && runs) {
      runs = { ...runs, heldUntil: held };
      excused = held;
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
 * The limits of open runs begin again (behavior 18.70), which keeps their job from being late.
 *
 * @param from when stillup was last known to run
 * @param to when it started again
 * @param jump by how much of this time the clock jumped ahead
 */
export function afterOutage(
  state: HeartbeatState,
  config: JobConfig,
  {
    from,
    to,
    jump,
    windowEnd = NO_WINDOW,
  }: { from: number; to: number; jump?: number; windowEnd?: WindowEnd },
): MissedRuns {
  const missed = afterMiss(state, config, { now: from, windowEnd });
  const before = missed.state;
  const runs = before.runs && unseenRuns(before.runs, { from, to, jump });
  const seen = { ...missed, state: { ...before, ...(runs && { runs }) } };
  const next = nextDeadlineOf(before);
  const lastSeenAt = before.lastCheckinAt ?? before.runs?.startedSince ?? null;
  if (!next || lastSeenAt === null || to <= from) return seen;
  const outage = to - Math.max(from, lastSeenAt);
  const silent = { ...seen.state, unseen: (before.unseen ?? 0) + outage };
  const changed = (change: Partial<HeartbeatState>) => ({ ...missed, state: { ...silent, ...change } });
  const { excused, excusedUntil } = before;
  const rhythm = rhythmOf(before, config);
  const end = windowEnd(to) && lastEnd(windowEnd, [expectedAt(rhythm, next), next.deadline]);
  if (end !== null && end > to && mayExcuse(windowEnd, { excusedUntil, end }))
    return changed({ ...deadlineAfterWindow(rhythm, end), excusedUntil: end });
  const isInWindow = excusedUntil !== null && to < excusedUntil && excusedUntil <= next.deadline;
  if (isInWindow) return changed({});
  if (excused || !mayHaveCheckedIn(rhythm, awaitedAfter(before, rhythm, { next, lastSeenAt }), to))
    return changed({ deadline: next.deadline + outage });
  return changed({ ...deadlineAfter(rhythm, to), excused: true });
}

/** The report that may have come in an outage: the next check-in or, while a run is open, the start after it. */
function awaitedAfter(
  { runs }: HeartbeatState,
  rhythm: ReturnType<typeof rhythmOf>,
  { next, lastSeenAt }: { next: NextDeadline; lastSeenAt: number },
): { run: number | null; lastCheckinAt: number } {
  const startedAt = runs?.open.length ? runs.startedSince : null;
  if (startedAt === null || startedAt === undefined)
    return { run: next.run, lastCheckinAt: rhythm.history.lastCheckinAt ?? lastSeenAt };
  const { run } = deadlineAfterCheckin(rhythm, startedAt, null);
  return { run: run === null || next.run === null ? run : Math.max(run, next.run), lastCheckinAt: startedAt };
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
  const [end, newEnd] = [before(now), after(now) ?? now];
  const runs = end === null ? undefined : movedHolds(state.runs, { from: end, to: newEnd });
  const changed = runs ? { ...state, runs } : state;
  const next = nextDeadlineOf(state);
  if (!next) return changed;
  const rhythm = rhythmOf(state, config);
  const excusedTo = (end: number) => ({ ...changed, ...deadlineAfterWindow(rhythm, end), excusedUntil: end });
  const isExcused =
    end !== null && end === state.excusedUntil && next.deadline === deadlineAfterWindow(rhythm, end).deadline;
  if (isExcused) return end === newEnd ? changed : excusedTo(newEnd);
  const expected = expectedAt(rhythm, next);
  const isOver = after(now) === null || after(expected) === null;
  const endThen = expected < now && isOver ? before(expected) : null;
  if (endThen === null || !mayExcuse(before, { ...state, end: endThen })) return changed;
  return excusedTo(Math.min(endThen, now));
}
