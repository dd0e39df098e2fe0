import {
  addLatency,
  dropLatencies,
  figuresOf,
  joinLatencies,
  type LatencySums,
  noLatency,
} from "./latency-sums.ts";

/**
 * The usual latency of an HTTP or TCP monitor: the latencies of its successful checks, degraded ones included, within
 * the trailing 30 days, cut at whole hours (behavior 2.3, 2.5).
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

export const emptyBaseline: Baseline = noLatency;

const HOUR = 60 * 60 * 1000;
const WINDOW = 30 * 24 * HOUR;
const FEWEST_CHECKS = 10;

/** The start of the first hour in the baseline, milliseconds since 1970. Drop earlier hours. */
export function baselineStart(now: number): number {
  return Math.floor(now / HOUR) * HOUR - WINDOW;
}

/** Adds a successful check. Judge the check first (behavior 2.6). */
export function addToBaseline(baseline: Baseline, latencyMs: number): Baseline {
  return addLatency(baseline, latencyMs);
}

/** @param hour the latencies of its rollup */
export function addHourToBaseline(baseline: Baseline, hour: LatencySums): Baseline {
  return joinLatencies(baseline, hour);
}

/** Drops an hour that has left the window. @param hour the latencies of its rollup */
export function dropFromBaseline(baseline: Baseline, hour: LatencySums): Baseline {
  return dropLatencies(baseline, hour);
}

/**
 * The latency above which a check is degraded, in milliseconds (behavior 2.2); null with too few checks (behavior
 * 2.4).
 */
export function degradedAbove(baseline: Baseline): number | null {
  const figures = figuresOf(baseline);
  if (!figures || baseline.count < FEWEST_CHECKS) return null;
  const { mean, deviation } = figures;
  return mean + Math.max(3 * deviation, mean / 2, 50);
}

export function isDegraded(baseline: Baseline, latencyMs: number): boolean {
  const threshold = degradedAbove(baseline);
  return threshold !== null && latencyMs > threshold;
}
