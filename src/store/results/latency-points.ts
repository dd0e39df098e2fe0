import type { LatencyPoint } from "../monitors/monitor-report.ts";
import { HOUR } from "./rollup-unit.ts";
import { unpackTimings } from "./timings.ts";

const TENTHS = 10;
const STEP = 10 * 60 * 1000;

/** The latencies of some rollups. Their latencies are in tenths of a millisecond, their starts in hours since 1970. */
export function pointsOfRollups(rollups: LatencyPoint[]): LatencyPoint[] {
  return rollups.map(({ start, mean, shortest, longest }) => ({
    start: start * HOUR,
    mean: mean / TENTHS,
    shortest: shortest / TENTHS,
    longest: longest / TENTHS,
  }));
}

/** The latencies of some results by ten minutes, in the order of time. */
export function pointsOfResults(
  results: { timings: Uint8Array | null; createdAt: number }[],
): LatencyPoint[] {
  const steps = Map.groupBy(results, ({ createdAt }) => Math.floor(createdAt / STEP) * STEP);
  return [...steps]
    .flatMap(([start, group]) => pointOf(start, group))
    .sort((one, other) => one.start - other.start);
}

function pointOf(start: number, results: { timings: Uint8Array | null }[]): LatencyPoint[] {
  const latencies = results.flatMap(({ timings }) => unpackTimings(timings).latencyMs ?? []);
  if (latencies.length === 0) return [];
  const mean = latencies.reduce((sum, latency) => sum + latency) / latencies.length;
  return [{ start, mean, shortest: Math.min(...latencies), longest: Math.max(...latencies) }];
}
