import type { Detail } from "../checks/observation.ts";
import type { Status } from "../monitors/status.ts";

/** The findings of the checks before, in and after an outage. */
export interface OutageReport {
  /** The detail of the first result. */
  detail: Detail | null;
  /** The latest healthy check before the outage; null if there is none any more. */
  lastGood: SeenByCheck | null;
  /** The latest check of the outage that saw trouble; null if there is none any more. */
  lastFailing: SeenByCheck | null;
  /** The checks around the outage, oldest first. Empty for a type without latencies. */
  checks: Omit<SeenByCheck, "detail">[];
}

/** @property at milliseconds since 1970 */
export interface SeenByCheck {
  at: number;
  status: Status;
  latencyMs: number | null;
  detail: Detail | null;
}

/** How many intervals before an outage, from its start and after its end count as around it. */
const INTERVALS = 60;

interface Stretch {
  from: number;
  to: number;
}

/**
 * The stretches around an outage, the first one first: before it, its beginning, and after it.
 *
 * @param interval of the checks, in milliseconds
 */
export function stretchesAround(
  { startedAt, endedAt }: { startedAt: number; endedAt: number | null },
  interval: number,
): Stretch[] {
  const length = INTERVALS * interval;
  const beginning = {
    from: startedAt,
    to: Math.min(startedAt + length, endedAt ?? Number.POSITIVE_INFINITY),
  };
  const after = endedAt === null ? [] : [{ from: endedAt, to: endedAt + length }];
  return [{ from: startedAt - length, to: startedAt }, beginning, ...after];
}
