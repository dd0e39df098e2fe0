import { HOUR } from "../duration.ts";
import type { JobRuns } from "./job-runs.ts";

/*
 * The `rid`s of the runs that ended in the last hour. A report may arrive after the end of its run: a start that was late in a proxy or at
 * another node, or an end that was sent again because its answer was lost.
 */

/**
 * A hash of the `rid` of a run, and when the run ended, in milliseconds since 1970. Negative if a start with this `rid` arrived since:
 * then the next end with this `rid` ends another run.
 */
export type EndedRid = [hash: string, endedAt: number];

/** How many are remembered: about 30 kB. */
const MAX_ENDED = 1000;

/** The knowledge about the `rid` of a report. `again`: its run ended, and a start arrived since. */
export type RidState = "new" | "ended" | "again";

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
