import type { Phases } from "../checks/observation.ts";
import { DURATIONS, type ResultColumns } from "./segments/segment.ts";

/** The latencies of a stretch of time, in milliseconds. `start` is in milliseconds since 1970. */
export interface LatencyPoint {
  start: number;
  mean: number;
  shortest: number;
  longest: number;
  /** Only of points whose results were read. */
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

/** The most results that are read for percentiles: 90 days at an interval of 30 s have 259,200. */
export const MAX_STEP_RESULTS = 300_000;

const LATENCY = DURATIONS.indexOf("latency");
const HUNDREDTHS = 100;

/** The exact percentiles of many results by steps, such as the hours of a month. The results come in any order. */
export class LatencySteps {
  readonly #step: number;
  readonly #good: ReadonlySet<number>;
  /** Latencies in hundredths of a millisecond, by the start of their step. */
  readonly #groups = new Map<number, number[]>();

  /** @param step milliseconds @param good the codes of the statuses of successful checks */
  constructor(step: number, good: ReadonlySet<number>) {
    this.#step = step;
    this.#good = good;
  }

  add({ count, times, statuses, parts, durations }: ResultColumns): void {
    const latencies = durations[LATENCY];
    for (let at = 0; at < count; at++) {
      const isMeasured = ((parts[at] ?? 0) & (1 << LATENCY)) !== 0;
      if (isMeasured && this.#good.has(statuses[at] ?? 0))
        this.#groupAt(times[at] ?? 0).push(latencies?.[at] ?? 0);
    }
  }

  #groupAt(time: number): number[] {
    const start = Math.floor(time / this.#step) * this.#step;
    const group = this.#groups.get(start) ?? [];
    if (group.length === 0) this.#groups.set(start, group);
    return group;
  }

  /**
   * Adds percentiles to points, in pieces.
   *
   * @returns the points, and the percentiles of all of them; null unless each has its own
   */
  *complete(
    points: readonly LatencyPoint[],
  ): Generator<void, { latencies: LatencyPoint[]; percentiles: Percentiles | null }> {
    const lists: Float64Array[] = [];
    const latencies: LatencyPoint[] = [];
    for (const point of points) {
      const sorted = Float64Array.from(this.#groups.get(point.start) ?? []).sort();
      const isKnown = sorted.length > 0;
      const [p50, p95] = [50, 95].map((percent) => percentile(sorted, percent) / HUNDREDTHS) as [
        number,
        number,
      ];
      latencies.push(isKnown ? { ...point, p50, p95 } : point);
      if (isKnown) lists.push(sorted);
      yield;
    }
    const isWhole = lists.length > 0 && lists.length === points.length;
    return { latencies, percentiles: isWhole ? percentilesOfLists(lists) : null };
  }
}

/** @param lists sorted whole hundredths of a millisecond */
function percentilesOfLists(lists: readonly Float64Array[]): Percentiles {
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  const highest = Math.max(0, ...lists.map((list) => list.at(-1) ?? 0));
  const find = (percent: number) => {
    const rank = Math.ceil((percent / 100) * count);
    const hasRank = (value: number) =>
      lists.reduce((sum, list) => sum + firstIndex(list.length, (at) => (list[at] ?? 0) > value), 0) >= rank;
    return firstIndex(highest, hasRank) / HUNDREDTHS;
  };
  return { count, p50: find(50), p95: find(95) };
}

/** A binary search. @returns the first whole number from 0 that matches, as all after it; `end` if none before it does */
function firstIndex(end: number, matches: (at: number) => boolean): number {
  let [low, high] = [0, end];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (matches(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
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
