import type { Scenario } from "../ledger.ts";

const DAY = 86_400_000;

/**
 * From when on results are judged: older ones may be deleted for their age (behavior 6.8). That is a day after the first result that
 * may be kept, and later if the clock was wrong then: what ended before it has an earlier time, and the rest a later one.
 */
export function judgedFromOf({ from, to, retentionDays, faults }: Scenario): number {
  if (retentionDays === undefined) return Number.NEGATIVE_INFINITY;
  const steps = faults.filter((fault) => fault.kind === "clock-step");
  let at = Math.max(from, to - (retentionDays - 1) * DAY);
  for (;;) {
    const wrong = steps.find(
      (step) => step.from + Math.min(0, step.byMs) < at && at < step.to + Math.max(0, step.byMs),
    );
    if (!wrong) return at;
    at = wrong.to + Math.max(0, wrong.byMs);
  }
}
