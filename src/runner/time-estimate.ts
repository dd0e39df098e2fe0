/**
 * A reading of a remote clock, between two readings of the local monotonic clock; milliseconds.
 *
 * @property remote since 1970, rounded down to the millisecond
 */
export interface TimeSample {
  before: number;
  remote: number;
  after: number;
}

/** Maximum drift between two clocks: the largest correction of NTP, which is more than the drift of a crystal. */
const DRIFT = 0.001;

/** The shift between both clocks is between these, judged at a moment of the monotonic clock. */
interface Bounds {
  at: number;
  low: number;
  high: number;
}

/**
 * Estimates what to add to the monotonic clock to get the time of a remote clock. Each sample bounds it; a short round trip
 * bounds it closely. A sample that contradicts the earlier ones shows that the remote clock was set.
 */
export function createTimeEstimate() {
  let known: Bounds | undefined;
  return {
    /** @returns the new estimate */
    add({ before, remote, after }: TimeSample): number {
      const sample = { at: after, low: remote - after, high: remote + 1 - before };
      known = (known && overlap(known, sample)) ?? sample;
      return (known.low + known.high) / 2;
    },
  };
}

/** @returns undefined if the sample contradicts what is known */
function overlap(known: Bounds, { at, low, high }: Bounds): Bounds | undefined {
  const drift = (at - known.at) * DRIFT;
  const both = { at, low: Math.max(low, known.low - drift), high: Math.min(high, known.high + drift) };
  return both.low <= both.high ? both : undefined;
}
