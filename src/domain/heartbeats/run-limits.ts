import type { WindowEnd } from "./heartbeat.ts";
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

/* How long the open runs of a job may take, and what outages of stillup, maintenances, pauses and edits change of that. */

/** So many outages give the open runs another limit until the next check-in, so that frequent restarts do not hide a run that hangs. */
export const MAX_OUTAGES = 3;

/** Bounds a search through windows that follow one another without a gap. */
export const MAX_WITHOUT_GAP = 1000;

/**
 * The open runs that have taken too long by a moment. One that reaches its limit in a maintenance that it did not start in is held until
 * the end of the maintenance.
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
export function movedHolds(
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
export function countOverrun(
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
export function unseenRuns(
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
