import type { SimMonitor, Violation } from "../ledger.ts";
import type { CheckedResult } from "./check-results.ts";
import { type OwnFaults, touches } from "./own-faults.ts";

/** A latency is stored in hundredths of a millisecond. */
const ROUNDING = 0.011;

/** The latency of a result equals the latency of the target: null without an answer, for DNS, and only then in a stall (behavior 7.45). */
export function judgeLatencies(
  monitor: SimMonitor,
  pairs: readonly CheckedResult[],
  faults: OwnFaults,
): Violation[] {
  return pairs.flatMap(({ check: { startedAt, endedAt }, result }) => {
    const seen = monitor.sample?.(startedAt).observation;
    if (!seen || !result) return [];
    const isMeasured = seen.outcome === "reached" || seen.outcome === "certified";
    const latencyMs = isMeasured ? seen.latencyMs : null;
    const isStalled = touches(faults.stalled, { from: startedAt, to: endedAt });
    if (result.latencyMs === null && (latencyMs === null || isStalled)) return [];
    const isRight = latencyMs !== null && Math.abs((result.latencyMs ?? Number.NaN) - latencyMs) <= ROUNDING;
    if (
      isRight ||
      (isStalled && latencyMs !== null && result.latencyMs !== null && result.latencyMs >= latencyMs)
    )
      return [];
    const text = `latency ${result.latencyMs} ms instead of ${latencyMs} ms`;
    return [{ rule: "the latency is that of the target", at: startedAt, monitor: monitor.name, text }];
  });
}
