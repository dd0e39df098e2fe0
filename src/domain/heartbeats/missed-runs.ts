import {
  deadlineAfter,
  deadlineAfterCheckin,
  deadlineAfterMiss,
  deadlineAfterWindow,
  excusedByRun,
  expectedAt,
  type HeartbeatState,
  type JobConfig,
  mayHaveCheckedIn,
  type NextDeadline,
  nextDeadlineOf,
  rhythmOf,
  type WindowEnd,
} from "./heartbeat.ts";
import {
  excusedUntil,
  isByStarts,
  isUnknown,
  type JobRuns,
  type OpenRun,
  overrunsAt,
  type RunConfig,
  runLimit,
} from "./job-runs.ts";

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
 * Whether a maintenance with this end excuses a silence (behavior 14.38). A maintenance that has excused the silence already does
 * so again only if it went on until this end without a gap. Otherwise, windows that recur would hide a dead job forever.
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

/* How long the open runs of a job may take, and what outages of stillup, maintenances, pauses and edits change of that. */

/** So many outages give the open runs another limit until the next check-in, so that frequent restarts do not hide a run that hangs. */
export const MAX_OUTAGES = 3;

/** Bounds a search through windows that follow one another without a gap. */
const MAX_WITHOUT_GAP = 1000;

/**
 * The open runs that have taken too long by a moment. A run that reaches its limit in a maintenance in which it did not start is
 * held until the end of the maintenance.
 *
 * @returns overranAt since when, oldest first: at their limit, or when that became so short
 */
export function findOverruns(
  runs: JobRuns | undefined,
  config: RunConfig,
  { now, windowEnd }: { now: number; windowEnd: WindowEnd | undefined },
): { runs: JobRuns | undefined; overranAt: number[] } {
  const limit = runs ? runLimit(runs, config) : null;
  if (!runs || limit === null) return { runs, overranAt: [] };
  const { limitSince = 0 } = runs;
  const timeOf = (run: OpenRun) => Math.max(overrunsAt(run, limit), limitSince);
  const isOver = (run: OpenRun) => !run.judged && overrunsAt(run, limit) < now;
  const held = windowEnd && runs.open.some(isOver) ? heldRuns() : runs;
  const overranAt = held.open.filter(isOver).map(timeOf);
  overranAt.sort((one, other) => one - other);
  return { runs: overranAt.length > 0 ? judgedAs("overran", held, isOver) : held, overranAt };

  function heldRuns(): JobRuns {
    return {
      ...runs,
      open: (runs as JobRuns).open.map((run) => (isOver(run) ? heldRun(run) : run)),
    } as JobRuns;
  }

  function heldRun(run: OpenRun): OpenRun {
    let held = run;
    for (let count = 0; count < MAX_WITHOUT_GAP; count++) {
      const end = windowEnd?.(timeOf(held)) ?? null;
      if (end === null || end === windowEnd?.(run.startedAt)) return held;
      held = { ...held, heldUntil: end };
    }
    return held;
  }
}

/** The end of a maintenance moved, until which runs and their job are held. @returns undefined if none is */
function movedHolds(
  runs: JobRuns | undefined,
  { from, to }: { from: number; to: number },
): JobRuns | undefined {
  if (!runs || from === to) return undefined;
  const isHeld = ({ heldUntil }: { heldUntil?: number }) => heldUntil === from;
  if (!isHeld(runs) && !runs.open.some(isHeld)) return undefined;
  return {
    ...runs,
    open: runs.open.map((run) => (isHeld(run) ? { ...run, heldUntil: to } : run)),
    ...(isHeld(runs) && { heldUntil: to }),
  };
}

/**
 * A run that took too long counts as the missed run of a deadline if the job is late because of it alone, or if it started in time
 * (behavior 18.22). It does so once.
 *
 * @param late when the job is late @param deadline the same without open runs
 * @returns null if there is no such run
 */
function countOverrun(
  runs: JobRuns | undefined,
  config: RunConfig,
  { late, deadline }: { late: number; deadline: number },
): JobRuns | null {
  const since = runs?.excusedFrom ?? runs?.startedSince ?? null;
  if (!runs || since === null) return null;
  const isInTime = isByStarts(runs) && since <= deadline;
  if (!isInTime && late !== excusedUntil(runs, config)) return null;
  const run = runs.open.find(
    ({ judged, startedAt, limitFrom = startedAt }) => judged === "overran" && limitFrom >= since,
  );
  return run ? judgedAs("counted", runs, (one) => one === run) : null;
}

/**
 * Stillup did not run for some time, or its clock jumped. The end of each open run may be lost, so that its limit begins again.
 *
 * @property jump by how much the clock jumped ahead: an open run began as much later by the new time
 */
function unseenRuns(
  before: JobRuns,
  { from, to, jump = 0 }: { from: number; to: number; jump?: number | undefined },
): JobRuns {
  if (before.open.length === 0 || to <= from) return before;
  const outages = (before.outages ?? 0) + 1;
  const countsFrom = (start: number) => (outages <= MAX_OUTAGES ? to : Math.min(to, start + to - from));
  const open = before.open.map((run): OpenRun => {
    const startedAt = Math.min(to, run.startedAt + jump);
    const unseen = (run.unseen ?? 0) + Math.max(0, to - Math.max(from + jump, startedAt));
    return { ...run, startedAt, unseen, limitFrom: countsFrom(run.limitFrom ?? run.startedAt) };
  });
  const { startedSince, excusedFrom = startedSince } = before;
  if (startedSince === null || excusedFrom === null) return { ...before, open, outages };
  return {
    ...{ ...before, open, outages },
    startedSince: Math.min(to, startedSince + jump),
    excusedFrom: countsFrom(excusedFrom),
  };
}

/** An edit of the limit: no run takes too long since before it. */
export function editRuns(runs: JobRuns, now: number): JobRuns {
  return { ...runs, limitSince: now };
}

/** The end of a pause: a run that reached its limit in it is never recorded as too long (behavior 18.19). */
export function resumeRuns(runs: JobRuns, config: RunConfig, now: number): JobRuns {
  const limit = runLimit(runs, config);
  const isOver = (run: OpenRun) => !run.judged && limit !== null && overrunsAt(run, limit) < now;
  return judgedAs("paused", runs, isOver);
}

function judgedAs(
  judged: NonNullable<OpenRun["judged"]>,
  runs: JobRuns,
  isMeant: (run: OpenRun) => boolean,
): JobRuns {
  return { ...runs, open: runs.open.map((run) => (isMeant(run) ? { ...run, judged } : run)) };
}

/** Whether a run counts as open for the overlap with a start (behavior 18.71). One beyond its limit does not, also while it is held. */
export function isSurelyOpen(runs: JobRuns, config: RunConfig, run: OpenRun, at: number): boolean {
  const limit = runLimit(runs, config);
  const isTooLong = limit !== null && overrunsAt({ ...run, heldUntil: 0 }, limit) < at;
  return !isUnknown(run) && !isTooLong && run.judged !== "overran" && run.judged !== "counted";
}
