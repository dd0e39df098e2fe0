import { nextCheckAt } from "../checks/check-slot.ts";
import type { Suspicion } from "./confirmation.ts";
import type { MonitorConfig } from "./monitor.ts";

const LONGEST_DELAY = 20_000;

/** From the end of a check to the next one during a suspicion, in milliseconds (behavior 11.8). @param interval seconds */
export function recheckDelay(interval: number): number {
  return Math.min((interval * 1000) / 2, LONGEST_DELAY);
}

/**
 * When the next check is due after one that ended, in milliseconds since 1970.
 *
 * @param check when it ended, and when it was to begin, if that is known
 * @param state of the monitor before and after the check
 */
export function dueAfter(
  { id, config: { interval } }: { id: string; config: MonitorConfig },
  { at, startAt = at }: { at: number; startAt?: number },
  { before, after }: Record<"before" | "after", { suspicion: Suspicion | null }>,
): number {
  if (after.suspicion) return at + recheckDelay(interval);
  // The slots before the end of a further check are used up by it (behavior 11.8).
  if (before.suspicion) return nextCheckAt(id, interval, at);
  // From the start: a check as long as its interval does not use up the next slot (behavior 1.9). After the clock was set
  // back, the start may be later than the end.
  return nextCheckAt(id, interval, Math.min(at, startAt));
}
