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
export interface LatencyFigures {
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
