import type { SimMonitor } from "../ledger.ts";
import type { Bounds } from "./bounds.ts";
import { exactly } from "./bounds.ts";
import type { CheckedResult, SimCheck } from "./check-results.ts";
import { seenBy } from "./confirmation.ts";

/** A check may start this much late or early; milliseconds. */
export const TOLERANCE = 2000;

/** From the end of a check to a further one that may confirm it, at most (behavior 11.8); milliseconds. */
const MAX_DELAY = 20_000;

/** The interval of a probed monitor, in milliseconds. */
export function intervalOf({ config }: SimMonitor): number {
  return (config.interval ?? 300) * 1000;
}

/** Milliseconds. */
export function furtherCheckDelay(interval: number): number {
  return Math.min(interval / 2, MAX_DELAY);
}

/** Whether changes may need further checks. A better date of a certificate always does (behavior 11.6). */
export function mayWait({ type, confirmations = 0, recoveries = 0 }: SimMonitor): boolean {
  return confirmations > 0 || recoveries > 0 || type === "TLS";
}

/** The checks after which a further one is to confirm what they saw. */
export function awaitingFurther(pairs: readonly CheckedResult[]): Set<SimCheck> {
  const waiting = pairs.filter(({ result }) => result && seenBy(result) !== result.status);
  return new Set(waiting.map(({ check }) => check));
}

/**
 * When the next check of a monitor is due (behavior 1.8, 1.9, 11.8).
 *
 * @param checks since `from`, which no fault of the server disturbs
 * @param isAwaiting whether a further check is to confirm what a check saw
 */
export function nextDue(
  checks: readonly SimCheck[],
  {
    from,
    interval,
    isAwaiting,
  }: { from: number; interval: number; isAwaiting: (check: SimCheck) => boolean },
): Bounds {
  const [last, beforeLast] = [checks.at(-1), checks.at(-2)];
  if (!last) return { low: from, high: from + interval };
  if (isAwaiting(last)) return exactly(last.endedAt + furtherCheckDelay(interval));
  if (!beforeLast) return { low: from, high: last.startedAt + interval };
  if (isAwaiting(beforeLast)) {
    const slot = checks.findLast((check, at) => isRegular(check, checks[at - 1]));
    if (!slot) return { low: last.endedAt, high: last.endedAt + interval };
    // A slot near the end of the further check may be used up by it or not.
    const after = (time: number) =>
      time + interval - ((((time - slot.startedAt) % interval) + interval) % interval);
    return { low: after(last.endedAt - TOLERANCE), high: after(last.endedAt + TOLERANCE) };
  }
  const next = last.startedAt + interval;
  // A check that the previous check delayed is not in its own slot, from which the next check is an interval away.
  const isDelayed = isOverlong(beforeLast) || last.startedAt - beforeLast.endedAt < TOLERANCE;
  return { low: isOverlong(last) || isDelayed ? from : next, high: next };

  /** The first check may be late, and so may a check after another check as long as its interval. */
  function isRegular(_: SimCheck, before: SimCheck | undefined): boolean {
    return before !== undefined && !isAwaiting(before) && !isOverlong(before);
  }

  /** Such a check delays the next one, which does not lose its slot (behavior 1.9). */
  function isOverlong({ startedAt, endedAt }: SimCheck): boolean {
    return endedAt - startedAt > interval - TOLERANCE;
  }
}
