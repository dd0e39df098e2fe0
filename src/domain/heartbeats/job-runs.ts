import { HOUR, MINUTE } from "../duration.ts";
import { addCheckin, type CheckinHistory, missPeriod } from "./learned-period.ts";
import { addedOutput } from "./run-output.ts";

/**
 * The runs of a job that reports its starts, as far as they decide something; part of the state of its heartbeat. Times
 * are milliseconds since 1970.
 */
export interface JobRuns {
  /** The number of the latest run. Runs of a monitor are numbered from 1. */
  last: number;
  /** Oldest first, at most `MAX_OPEN`. */
  open: OpenRun[];
  /** How long the last runs took that ended `ok`, at most `KEPT_LENGTHS`; milliseconds, oldest first. */
  lengths: number[];
  /** How many of the latest check-ins ended a run each, counted to `PAIRED`. */
  paired: number;
  /** The starts of the runs that ended, which teach the rhythm while each check-in ends a run (behavior 18.21). */
  starts: CheckinHistory;
  /** The first start since the last check-in; null if there was none. */
  startedSince: number | null;
  /** The last check-in, or an edit of the limit: only since then, the limit may be as short as it is. Absent before. */
  limitSince?: number;
}

/**
 * @property rid the ID that the job gave it
 * @property outputBytes what is kept of its output; 0 if absent
 * @property judged `overran`: it is recorded that it took too long; `counted`: and that counts as a missed run (behavior 18.22);
 *   `paused`: that is never recorded (behavior 18.19)
 */
export interface OpenRun {
  number: number;
  rid?: string;
  startedAt: number;
  outputBytes?: number;
  judged?: "overran" | "counted" | "paused";
}

/** The part of a start, a check-in or a log that is about a run. @property output at most `MAX_OUTPUT` bytes of valid UTF-8 */
export interface RunReport {
  rid?: string;
  exitCode?: number;
  output?: Uint8Array;
}

/** How a run ended. `logged`: it is only an output, without a start or an end. */
export type RunEnd = "ok" | "failed" | "replaced" | "logged";

/** A change of the runs of a job, to be saved. Times are milliseconds since 1970. */
export type RunChange = { number: number } & (
  | { kind: "started"; rid: string | null; at: number }
  | {
      kind: "ended";
      at: number;
      /** Milliseconds; null if it was replaced. */
      durationMs: number | null;
      outcome: "ok" | "failed" | "replaced";
      exitCode: number | null;
    }
  /** An output that belongs to no open run: a run of its own, which has ended (behavior 18.12). */
  | {
      kind: "noted";
      rid: string | null;
      at: number;
      outcome: "ok" | "failed" | "logged";
      exitCode: number | null;
    }
  | { kind: "output"; output: Uint8Array }
);

/** The run that a check-in ended. @property startedAt milliseconds since 1970 */
export interface EndedRun {
  number: number;
  startedAt: number;
  durationMs: number;
}

/** The ID of a run, unique within its monitor. */
export function runId(number: number): string {
  return String(number);
}

/** @returns the number of a run; null if the text is not the ID of one */
export function parseRunId(id: string): number | null {
  return /^[1-9][0-9]{0,8}$/.test(id) ? Number(id) : null;
}

export const noRuns: JobRuns = {
  last: 0,
  open: [],
  lengths: [],
  paired: 0,
  starts: { lastCheckinAt: null, gaps: [], pauses: [] },
  startedSince: null,
};

/** How many runs of a monitor are open at most (behavior 18.5). */
const MAX_OPEN = 100;

const KEPT_LENGTHS = 20;

/** After so many runs that ended `ok`, the limit is learned (behavior 18.16). */
const FEWEST_LENGTHS = 5;

/** After so many check-ins in a row that ended a run, starts decide on the rhythm. */
const PAIRED = 3;

/** How long an open run keeps a job from being late while its limit is unknown (behavior 18.18). */
const UNKNOWN_LIMIT = HOUR;

/** @property maxRunTime seconds */
export interface RunConfig {
  maxRunTime?: number | undefined;
}

/** How long a run may take, in milliseconds; null while it is unknown (behavior 18.15, 18.16). */
export function runLimit({ lengths }: Pick<JobRuns, "lengths">, { maxRunTime }: RunConfig): number | null {
  if (maxRunTime !== undefined) return maxRunTime * 1000;
  if (lengths.length < FEWEST_LENGTHS) return null;
  const longest = Math.max(...lengths);
  return Math.max(Math.ceil(1.5 * longest), longest + MINUTE);
}

/** Whether the starts decide on the rhythm, not the check-ins. */
export function isByStarts(runs: JobRuns | undefined): runs is JobRuns {
  return runs !== undefined && runs.paired >= PAIRED;
}

/** When an open run stops keeping the job from being late (behavior 18.18); null if none does. */
export function excusedUntil(runs: JobRuns | undefined, config: RunConfig): number | null {
  if (!runs || runs.open.length === 0 || runs.startedSince === null) return null;
  return runs.startedSince + (runLimit(runs, config) ?? UNKNOWN_LIMIT);
}

/** When the next open run will have taken too long; null if none is to be judged. */
export function nextOverrun(runs: JobRuns | undefined, config: RunConfig): number | null {
  const limit = runs && runLimit(runs, config);
  const first = runs?.open.find(({ judged }) => !judged);
  return limit && first ? first.startedAt + limit : null;
}

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
