import { HOUR, MINUTE } from "../duration.ts";
import { iso } from "../iso-time.ts";
import type { CheckinHistory } from "./learned-period.ts";

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
  /** When an open run keeps the job from being late for its limit from another time than `startedSince` (behavior 18.70). */
  excusedFrom?: number;
  /** The end of the maintenance in which the job would only have become late (behavior 18.74). */
  heldUntil?: number;
  /** How many outages of stillup gave the open runs another limit since the last check-in; 0 if absent. */
  outages?: number;
  /** When the runs of the last hour ended that had a `rid`, see `ended-runs.ts`. */
  ended?: EndedRid[];
  /** The last check-in, or an edit of the limit: only since then, the limit may be as short as it is. Absent before. */
  limitSince?: number;
}

/**
 * @property rid the ID that the job gave it
 * @property outputBytes what is kept of its output; 0 if absent
 * @property unseen how long stillup did not run since the start; milliseconds, 0 if absent
 * @property limitFrom from when the limit counts, if not from the start: the run was open in an outage of stillup, and is unknown since
 * @property heldUntil the end of the maintenance in which it would only have reached its limit (behavior 18.74)
 * @property judged `overran`: it is recorded that it took too long; `counted`: and that counts as a missed run (behavior 18.22);
 *   `paused`: that is never recorded (behavior 18.19)
 */
export interface OpenRun {
  number: number;
  rid?: string;
  startedAt: number;
  outputBytes?: number;
  unseen?: number;
  limitFrom?: number;
  heldUntil?: number;
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

/** The run that a check-in ended, in the detail of its result (behavior 18.7). @property startedAt ISO 8601 */
export interface RunDetail {
  id: string;
  startedAt: string;
  durationMs: number;
}

export function runDetail({ number, startedAt, durationMs }: EndedRun): RunDetail {
  return { id: runId(number), startedAt: iso(startedAt), durationMs };
}

export function endedRunOf({ id, startedAt, durationMs }: RunDetail): EndedRun {
  return { number: Number(id), startedAt: Date.parse(startedAt), durationMs };
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

/** After so many runs that ended `ok`, the limit is learned (behavior 18.16). */
const FEWEST_LENGTHS = 5;

/** After so many check-ins in a row that ended a run, starts decide on the rhythm. */
export const PAIRED = 3;

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
  const { startedSince, excusedFrom = startedSince, heldUntil = 0 } = runs;
  return Math.max(excusedFrom + (runLimit(runs, config) ?? UNKNOWN_LIMIT), heldUntil);
}

/** Whether the end of an open run may have been lost in an outage of stillup (behavior 18.70). */
export function isUnknown({ limitFrom }: OpenRun): boolean {
  return limitFrom !== undefined;
}

/** When an open run takes too long (behavior 18.15, 18.70, 18.74). @param limit milliseconds */
export function overrunsAt(
  { startedAt, limitFrom = startedAt, heldUntil = 0 }: OpenRun,
  limit: number,
): number {
  return Math.max(limitFrom + limit, heldUntil);
}

/** When the next open run will have taken too long; null if none is to be judged. */
export function nextOverrun(runs: JobRuns | undefined, config: RunConfig): number | null {
  const limit = runs && runLimit(runs, config);
  const waiting = limit ? runs.open.filter(({ judged }) => !judged) : [];
  return limit && waiting.length > 0 ? Math.min(...waiting.map((run) => overrunsAt(run, limit))) : null;
}

/*
 * The `rid`s of the runs that ended in the last hour. A report may arrive after the end of its run: a start that was late in a proxy or at
 * another node, or an end that was sent again because its answer was lost.
 */

/**
 * A hash of the `rid` of a run, and when the run ended, in milliseconds since 1970. Negative if a start with this `rid` arrived since:
 * then the next end with this `rid` ends another run.
 */
type EndedRid = [hash: string, endedAt: number];

/** How many are remembered: about 30 kB. */
const MAX_ENDED = 1000;

/** The knowledge about the `rid` of a report. `again`: its run ended, and a start arrived since. */
type RidState = "new" | "ended" | "again";

export function ridState({ ended }: JobRuns, rid: string | undefined, at: number): RidState {
  if (rid === undefined || !ended) return "new";
  const hash = hashOf(rid);
  const endedAt = ended.find((one) => one[0] === hash)?.[1];
  if (endedAt === undefined || !isRecent(endedAt, at)) return "new";
  return endedAt < 0 ? "again" : "ended";
}

/** A run with this `rid` ended. */
export function withEnded(runs: JobRuns, rid: string | undefined, at: number): JobRuns {
  const { ended = [], ...others } = runs;
  if (rid === undefined && ended.length === 0) return runs;
  const hash = rid === undefined ? "" : hashOf(rid);
  const recent = ended.filter((one) => one[0] !== hash && isRecent(one[1], at));
  if (rid !== undefined) recent.push([hash, at]);
  return recent.length === 0 ? others : { ...others, ended: recent.slice(-MAX_ENDED) };
}

/** A start arrived with a `rid` whose run has ended. */
export function withStartAgain(runs: JobRuns, rid: string): JobRuns {
  const hash = hashOf(rid);
  const { ended = [] } = runs;
  return { ...runs, ended: ended.map((one) => (one[0] === hash ? [hash, -Math.abs(one[1])] : one)) };
}

export function setBackEnded(ended: readonly EndedRid[], by: number): EndedRid[] {
  return ended.map(([hash, at]) => [hash, Math.sign(at) * (Math.abs(at) - by)]);
}

/** Clocks of two nodes may differ: an end in the future is recent too. */
function isRecent(endedAt: number, at: number): boolean {
  return at - Math.abs(endedAt) < HOUR;
}

/** 64 bits, as two of FNV-1a, so that a long `rid` takes as little as a short one. */
function hashOf(rid: string): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < rid.length; at++) {
    one = Math.imul(one ^ rid.charCodeAt(at), 0x01000193);
    other = Math.imul(other ^ rid.charCodeAt(at), 0x5bd1e995);
  }
  return (one >>> 0).toString(36) + (other >>> 0).toString(36).padStart(7, "0");
}
