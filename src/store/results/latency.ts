import { unpackTimings } from "./timings.ts";

/** The latency of a result. @property latencyMs null if it has none */
export interface MeasuredLatency {
  latencyMs: number | null;
  createdAt: number;
  detailPk: number | null;
}

/** The columns of a row of `check_results` from which a latency is read. */
export interface TimedRow {
  timings: Uint8Array | null;
  createdAt: number;
  detailPk: number | null;
}

export function latencyOf({ timings, ...row }: TimedRow): MeasuredLatency {
  return { latencyMs: unpackTimings(timings).latencyMs, ...row };
}
