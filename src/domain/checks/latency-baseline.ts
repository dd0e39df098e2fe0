import {
  addLatency,
  dropLatencies,
  figuresOf,
  joinLatencies,
  type LatencySums,
  noLatency,
} from "./latency-sums.ts";

/**
 * What is normal for an HTTP or TCP monitor: the latencies of its successful checks, degraded ones included, over the
 * trailing 30 days in whole hours (decisions 3).
 */
export type Baseline = LatencySums;

/** From when on a monitor has its present target. @property before what the rollup of that hour held by then */
export interface Restart {
  hour: number;
  before: LatencySums;
}

export const emptyBaseline: Baseline = noLatency;

const HOUR = 60 * 60 * 1000;
const WINDOW = 30 * 24 * HOUR;
const FEWEST_CHECKS = 10;

/** The beginning of the first hour that counts; hours before it are to be dropped. Milliseconds since 1970. */
export function baselineStart(now: number): number {
  return Math.floor(now / HOUR) * HOUR - WINDOW;
}

/** Adds a successful check, once it has been judged. */
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

/** The latency above which a check is degraded, in milliseconds; null while too few checks tell what is normal. */
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
