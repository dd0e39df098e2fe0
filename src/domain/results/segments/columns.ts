/** Which durations a result has, as the bits of its `parts`: the first byte of the packed timings in `store/results/timings.ts`. */
export const DURATIONS = ["resolve", "connect", "tls", "firstByte", "latency"] as const;

export const LATENCY = DURATIONS.indexOf("latency");

/**
 * Results of one monitor, by column, in the order of their numbers. Statuses and numbers are as in the database. Numbers and
 * times have more than 32 bits.
 */
export interface ResultColumns {
  count: number;
  /** The numbers of the results, ascending. */
  pks: Float64Array;
  /** Milliseconds since 1970. */
  times: Float64Array;
  statuses: Uint8Array;
  /** One bit for each of `DURATIONS`, and more that belong to the same byte. */
  parts: Uint8Array;
  /** The number of the detail; 0 for a result without one. */
  details: Float64Array;
  /**
   * In the order of `DURATIONS`, in hundredths of a millisecond; 0 for one that the result does not have. The first three may be the
   * number, the length and the start of a run, see `store/results/timings.ts`.
   */
  durations: readonly Float64Array[];
}

export function emptyColumns(count: number): ResultColumns {
  return {
    count,
    pks: new Float64Array(count),
    times: new Float64Array(count),
    statuses: new Uint8Array(count),
    parts: new Uint8Array(count),
    details: new Float64Array(count),
    durations: DURATIONS.map(() => new Float64Array(count)),
  };
}
