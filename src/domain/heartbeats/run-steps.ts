import {
  type EndedRun,
  excusedUntil,
  isByStarts,
  type JobRuns,
  type OpenRun,
  PAIRED,
  type RunChange,
  type RunConfig,
  type RunReport,
  runLimit,
} from "./job-runs.ts";
import { addCheckin, type CheckinHistory, missPeriod } from "./learned-period.ts";
import { addedOutput } from "./run-output.ts";

/* The steps of the runs of a job: what a start, a check-in, a log, the time and a change of the monitor make of them. */

/** How many runs of a monitor are open at most (behavior 18.5). */
const MAX_OPEN = 100;

const KEPT_LENGTHS = 20;

interface Checkin {
  at: number;
  report: RunReport;
  isOk: boolean;
  unseen: number;
  grace: number | undefined;
}

interface Changed {
  runs: JobRuns;
  changes: RunChange[];
}

/**
 * A run starts. It replaces the open run with the same `rid`, or without one like itself.
 *
 * @param isPaused whether the monitor is paused: then the run is never too long (behavior 18.19)
 * @returns also whether it overlaps with another open run
 */
export function startRun(
  before: JobRuns,
  { at, report: { rid, output }, isPaused }: { at: number; report: RunReport; isPaused: boolean },
): Changed & { isOverlapping: boolean } {
  const number = before.last + 1;
  const run: OpenRun = { number, ...(rid && { rid }), startedAt: at, ...(isPaused && { judged: "paused" }) };
  const others = before.open.filter((one) => one.rid !== rid);
  const open = [...others, run].slice(-MAX_OPEN);
  const replaced = before.open.filter((one) => !open.includes(one));
  const runs = { ...before, last: number, open, startedSince: before.startedSince ?? at };
  const started: Changed = {
    runs,
    changes: [
      ...replaced.map((one) => endOf(one, { at, durationMs: null, outcome: "replaced", exitCode: null })),
      { kind: "started", number, rid: rid ?? null, at },
    ],
  };
  const { runs: kept, changes } = output ? withOutput(started, number, output) : started;
  return { runs: kept, changes, isOverlapping: others.length > 0 };
}

/**
 * A check-in, which ends the run with its `rid`, or the newest one without.
 *
 * @property unseen see `HeartbeatState` @property grace seconds, if it is configured
 * @returns also the run that it ended
 */
export function endRun(
  before: JobRuns,
  { at, report, isOk, unseen, grace }: Checkin,
): Changed & { ended: EndedRun | null } {
  const { rid, exitCode, output } = report;
  const outcome = isOk ? "ok" : "failed";
  const end = { at, outcome, exitCode: exitCode ?? null } as const;
  const run = findRun(before, rid);
  if (!run) {
    const runs = { ...before, paired: 0, startedSince: null, limitSince: at };
    return { ...(output ? noted(runs, { ...end, rid, output }) : { runs, changes: [] }), ended: null };
  }
  const { number, startedAt } = run;
  const durationMs = Math.max(0, at - startedAt);
  const written = output ? withOutput({ runs: before, changes: [] }, number, output) : null;
  const runs: JobRuns = {
    ...before,
    open: before.open.filter((one) => one !== run),
    lengths: isOk ? [...before.lengths, durationMs].slice(-KEPT_LENGTHS) : before.lengths,
    paired: Math.min(PAIRED, before.paired + 1),
    starts: startsWith(before, startedAt, { unseen, grace }),
    startedSince: null,
    limitSince: at,
  };
  const changes = [...(written?.changes ?? []), endOf(run, { ...end, durationMs })];
  return { runs, changes, ended: { number, startedAt, durationMs } };
}

/**
 * The starts that teach the rhythm, with the start of a run that ended. The first start since the last check-in teaches too if it was for
 * a run of its own, not for the first try of this one: that run hung or died, or its end was lost, but it began in time.
 */
function startsWith(
  { starts, startedSince }: JobRuns,
  startedAt: number,
  { unseen, grace }: Pick<Checkin, "unseen" | "grace">,
): CheckinHistory {
  const last = starts.lastCheckinAt;
  if (last !== null && startedAt < last) return starts;
  const isOther = (first: number) =>
    last !== null && last < first && startedAt - first >= missPeriod(starts.gaps) / 2;
  const history = { ...starts, unseen };
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

/**
 * The open runs that have taken too long by a moment.
 *
 * @property overranAt since when, oldest first: at their limit, or when that became so short
 */
export function findOverruns(
  runs: JobRuns | undefined,
  config: RunConfig,
  now: number,
): { runs: JobRuns | undefined; overranAt: number[] } {
  const limit = runs ? runLimit(runs, config) : null;
  if (!runs || limit === null) return { runs, overranAt: [] };
  const isOver = ({ judged, startedAt }: OpenRun) => !judged && startedAt + limit < now;
  const { open, limitSince = 0 } = runs;
  const overranAt = open.filter(isOver).map(({ startedAt }) => Math.max(startedAt + limit, limitSince));
  return { runs: overranAt.length > 0 ? judgedAs("overran", runs, isOver) : runs, overranAt };
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
  const since = runs?.startedSince ?? null;
  if (!runs || since === null) return null;
  const isInTime = isByStarts(runs) && since <= deadline;
  if (!isInTime && late !== excusedUntil(runs, config)) return null;
  const run = runs.open.find(({ judged, startedAt }) => judged === "overran" && startedAt >= since);
  return run ? judgedAs("counted", runs, (one) => one === run) : null;
}

/** An edit of the limit: no run takes too long since before it. */
export function editRuns(runs: JobRuns, now: number): JobRuns {
  return { ...runs, limitSince: now };
}

/** The end of a pause: a run that reached its limit in it is never recorded as too long (behavior 18.19). */
export function resumeRuns(runs: JobRuns, config: RunConfig, now: number): JobRuns {
  const limit = runLimit(runs, config);
  const isOver = ({ judged, startedAt }: OpenRun) => !judged && limit !== null && startedAt + limit < now;
  return judgedAs("paused", runs, isOver);
}

function judgedAs(
  judged: NonNullable<OpenRun["judged"]>,
  runs: JobRuns,
  isMeant: (run: OpenRun) => boolean,
): JobRuns {
  return { ...runs, open: runs.open.map((run) => (isMeant(run) ? { ...run, judged } : run)) };
}

/** The clock was set back by some milliseconds: each run goes on for as long as it did. @param to the time that it shows */
export function setBackRuns(runs: JobRuns, { by, to }: { by: number; to: number }): JobRuns {
  const { starts, startedSince, limitSince } = runs;
  const last = starts.lastCheckinAt;
  const pauses = starts.pauses.filter(({ start, length }) => start + length <= to);
  const lastCheckinAt = last !== null && last > to ? Math.min(last - by, to) : last;
  return {
    ...runs,
    open: runs.open.map((run) => ({ ...run, startedAt: run.startedAt - by })),
    starts: { ...starts, lastCheckinAt, pauses },
    startedSince: startedSince === null ? null : startedSince - by,
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
