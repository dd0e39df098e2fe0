import type { Status } from "../monitors/status.ts";
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
