import { HOUR } from "../duration.ts";
import type { Status } from "../monitors/status.ts";
import type { OpenHour } from "../results/rollup.ts";

/**
 * Sums of latencies in whole tenths of a millisecond, which can be added and subtracted without rounding: the squares
 * of 30 days of checks of 10 s each stay below 2^53.
 */
export interface LatencySums {
  count: number;
  sum: number;
  sumOfSquares: number;
}

/** @property mean milliseconds @property deviation the standard deviation, in milliseconds */
interface LatencyFigures {
  mean: number;
  deviation: number;
}

export const noLatency: LatencySums = { count: 0, sum: 0, sumOfSquares: 0 };

const TENTHS = 10;

/** @param latencyMs milliseconds @returns whole tenths of a millisecond */
export function toTenths(latencyMs: number): number {
  return Math.round(latencyMs * TENTHS);
}

/** @param latencyMs milliseconds */
export function addLatency({ count, sum, sumOfSquares }: LatencySums, latencyMs: number): LatencySums {
  const tenths = toTenths(latencyMs);
  return { count: count + 1, sum: sum + tenths, sumOfSquares: sumOfSquares + tenths * tenths };
}

/** Adds the sums of different checks. */
export function joinLatencies(one: LatencySums, other: LatencySums): LatencySums {
  return {
    count: one.count + other.count,
    sum: one.sum + other.sum,
    sumOfSquares: one.sumOfSquares + other.sumOfSquares,
  };
}

/** Subtracts sums that were added before. */
export function dropLatencies(all: LatencySums, part: LatencySums): LatencySums {
  return {
    count: all.count - part.count,
    sum: all.sum - part.sum,
    sumOfSquares: all.sumOfSquares - part.sumOfSquares,
  };
}

/** Mean and deviation; null without latencies. */
export function figuresOf({ count, sum, sumOfSquares }: LatencySums): LatencyFigures | null {
  if (count === 0) return null;
  const mean = sum / count;
  const variance = Math.max(0, sumOfSquares / count - mean * mean);
  return { mean: mean / TENTHS, deviation: Math.sqrt(variance) / TENTHS };
}

/**
 * The usual latency of an HTTP or TCP monitor: the latencies of its successful checks, degraded ones included, within
 * the trailing 30 days, cut at whole hours (behavior 2.3, 2.5). A check is judged before it is added (behavior 2.6).
 */
export type Baseline = LatencySums;

/**
 * The hour in which a monitor got its current target.
 *
 * @property before the latencies in the rollup of that hour until then
 */
export interface Restart {
  hour: number;
  before: LatencySums;
}

/**
 * The latencies of an open hour that are in the baseline of its monitor. They are not in the stored baseline, which is written
 * with the rollups. Only HTTP and TCP monitors have a baseline, and only they have these statuses.
 */
export function openLatencies(open: OpenHour | null): LatencySums {
  if (!open || (open.status !== "up" && open.status !== "degraded")) return noLatency;
  return { count: open.latencyCount, sum: open.latencySum, sumOfSquares: open.latencySquares };
}

const WINDOW = 30 * 24 * HOUR;
const FEWEST_CHECKS = 10;

/** The start of the first hour in the baseline, milliseconds since 1970. Drop earlier hours. */
export function baselineStart(now: number): number {
  return Math.floor(now / HOUR) * HOUR - WINDOW;
}

/**
 * The limits for the latency of a check, in milliseconds.
 *
 * @property slow above it, a check is degraded (behavior 2.2)
 * @property usual above it, a check of a degraded monitor stays degraded (behavior 2.10)
 */
interface LatencyLimits {
  slow: number;
  usual: number;
}

/** Null with too few checks (behavior 2.4). */
function limitsOf(baseline: Baseline): LatencyLimits | null {
  const figures = figuresOf(baseline);
  if (!figures || baseline.count < FEWEST_CHECKS) return null;
  const { mean, deviation } = figures;
  const margin = Math.max(3 * deviation, mean / 2, 50);
  return { slow: mean + margin, usual: mean + margin / 2 };
}

/** The latency above which a check is degraded, in milliseconds (behavior 2.2); null with too few checks (behavior 2.4). */
export function degradedAbove(baseline: Baseline): number | null {
  return limitsOf(baseline)?.slow ?? null;
}

/** @param previous the status before the check (behavior 2.10) */
export function isDegraded(baseline: Baseline, latencyMs: number, previous: Status): boolean {
  const limits = limitsOf(baseline);
  if (!limits) return false;
  return latencyMs > (previous === "degraded" ? limits.usual : limits.slow);
}
