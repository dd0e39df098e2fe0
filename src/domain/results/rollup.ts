import { toTenths } from "../checks/latency-baseline.ts";
import { DAY, HOUR } from "../duration.ts";
import type { Status } from "../monitors/status.ts";
import { isBad } from "./uptime.ts";

/* There is a rollup for each hour and each day, in UTC (behavior 6.7). */

/** The start of the hour of a moment; both in milliseconds since 1970. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR) * HOUR;
}

/** The start of the UTC day of a moment; both in milliseconds since 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY) * DAY;
}

/** A period, in milliseconds since 1970. @property until exclusive; without it, the period has no end */
export interface Stretch {
  since: number;
  until?: number;
}

/** The addition of one result to the rollups of its hour and its day. */
export interface RollupAddition {
  /** The start of the hour and of the day, in milliseconds since 1970. */
  hour: number;
  day: number;
  status: Status;
  /** The latency in tenths of a millisecond; null if it does not count. */
  tenths: number | null;
  /** Absent for a result that does not count: then only its day is marked as one that has results. */
  isCounted?: true;
}

/** The addition of a result in a maintenance window: it counts neither for the uptime nor for the history (behavior 14.34). */
export function uncountedAddition(result: { status: Status; createdAt: number }): RollupAddition {
  const { status, createdAt } = result;
  return { hour: hourOf(createdAt), day: dayOf(createdAt), status, tenths: null };
}

/**
 * Only latencies of results that do not lower the uptime count, neither as they are recorded nor by what their check saw
 * (behavior 11.7).
 */
export function rollupAddition(
  { status, latencyMs, createdAt }: { status: Status; latencyMs: number | null; createdAt: number },
  seen: Status,
): RollupAddition {
  const tenths = latencyMs === null || isBad(status) || isBad(seen) ? null : toTenths(latencyMs);
  return { hour: hourOf(createdAt), day: dayOf(createdAt), status, tenths, isCounted: true };
}
