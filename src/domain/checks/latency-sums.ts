/**
 * Latencies in the form in which they can be added and taken away: whole tenths of a millisecond. In 30 days of
 * checks that last 10 s each even the squares stay below 2^53, so that no sum is ever rounded.
 */
export interface LatencySums {
  count: number;
  sum: number;
  sumOfSquares: number;
}

/** @property mean milliseconds @property deviation the standard deviation, in milliseconds */
export interface LatencyFigures {
  mean: number;
  deviation: number;
}

export const noLatency: LatencySums = { count: 0, sum: 0, sumOfSquares: 0 };

const TENTHS = 10;

/** A latency as it counts in the sums. @param latencyMs milliseconds @returns whole tenths of a millisecond */
export function toTenths(latencyMs: number): number {
  return Math.round(latencyMs * TENTHS);
}

/** @param latencyMs milliseconds */
export function addLatency({ count, sum, sumOfSquares }: LatencySums, latencyMs: number): LatencySums {
  const tenths = toTenths(latencyMs);
  return { count: count + 1, sum: sum + tenths, sumOfSquares: sumOfSquares + tenths * tenths };
}

/** Adds up two that have nothing in common. */
export function joinLatencies(one: LatencySums, other: LatencySums): LatencySums {
  return {
    count: one.count + other.count,
    sum: one.sum + other.sum,
    sumOfSquares: one.sumOfSquares + other.sumOfSquares,
  };
}

/** Takes away what was added before. */
export function dropLatencies(all: LatencySums, part: LatencySums): LatencySums {
  return {
    count: all.count - part.count,
    sum: all.sum - part.sum,
    sumOfSquares: all.sumOfSquares - part.sumOfSquares,
  };
}

/** Null where there is none. */
export function figuresOf({ count, sum, sumOfSquares }: LatencySums): LatencyFigures | null {
  if (count === 0) return null;
  const mean = sum / count;
  const variance = Math.max(0, sumOfSquares / count - mean * mean);
  return { mean: mean / TENTHS, deviation: Math.sqrt(variance) / TENTHS };
}
