import type { Phases } from "../checks/observation.ts";

/** The latencies of a stretch of time, in milliseconds. `start` is in milliseconds since 1970. */
export interface LatencyPoint {
  start: number;
  mean: number;
  shortest: number;
  longest: number;
  /** Only of points that are made of results. */
  p50?: number;
  p95?: number;
  /** The means of the phases. */
  phases?: Phases;
}

/** A check with its times in milliseconds. @property createdAt milliseconds since 1970 */
export interface TimedCheck {
  latencyMs: number | null;
  phases: Phases;
  createdAt: number;
}

/** @property count of the checks with a latency */
export interface Percentiles {
  count: number;
  p50: number;
  p95: number;
}

/** The latencies of some checks by steps, in the order of time. Steps without a latency are left out. @param step milliseconds */
export function latencyPoints(
  checks: readonly TimedCheck[],
  { step, hasPhases }: { step: number; hasPhases: boolean },
): LatencyPoint[] {
  const steps = Map.groupBy(checks, ({ createdAt }) => Math.floor(createdAt / step) * step);
  return [...steps]
    .flatMap(([start, group]) => pointOf(start, group, hasPhases))
    .sort((one, other) => one.start - other.start);
}

function pointOf(start: number, checks: readonly TimedCheck[], hasPhases: boolean): LatencyPoint[] {
  const latencies = sortedLatencies(checks);
  const [shortest] = latencies;
  const longest = latencies.at(-1);
  if (shortest === undefined || longest === undefined) return [];
  const phases = hasPhases ? meanPhases(checks) : {};
  return [
    {
      start,
      mean: meanOf(latencies),
      shortest,
      longest,
      p50: percentile(latencies, 50),
      p95: percentile(latencies, 95),
      ...(Object.keys(phases).length > 0 && { phases }),
    },
  ];
}

/** The exact percentiles of some checks; null if none has a latency. */
export function percentilesOf(checks: readonly TimedCheck[]): Percentiles | null {
  const latencies = sortedLatencies(checks);
  if (latencies.length === 0) return null;
  return { count: latencies.length, p50: percentile(latencies, 50), p95: percentile(latencies, 95) };
}

function sortedLatencies(checks: readonly TimedCheck[]): Float64Array {
  return Float64Array.from(checks.flatMap(({ latencyMs }) => latencyMs ?? [])).sort();
}

/** By nearest rank: the least value that at least so many percent of the values do not exceed. */
function percentile(sorted: Float64Array, percent: number): number {
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? 0;
}

const PHASES = ["resolve", "connect", "tls", "firstByte"] as const;

function meanPhases(checks: readonly TimedCheck[]): Phases {
  const entries = PHASES.flatMap((name) => {
    const times = checks.flatMap(({ phases }) => phases[name] ?? []);
    return times.length > 0 ? [[name, meanOf(times)]] : [];
  });
  return Object.fromEntries(entries);
}

function meanOf(values: Float64Array | readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
