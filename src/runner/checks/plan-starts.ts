import type { Slot } from "../../store/store.ts";
import { add, fits, fitsItsKind, type Limits, subtract } from "./concurrency-limit.ts";

export interface StartPlan {
  /** The overdue checks that may start, the most overdue first. */
  overdue: Slot[];
  /** The checks to start at a later time. */
  early: Slot[];
  /** The monitors whose running check began before a change of the monitor: its result would be discarded. */
  cancel: number[];
  /** How many overdue checks wait for sockets. */
  waiting: number;
  /** Whether due checks wait until others end. */
  moreWaiting: boolean;
}

/**
 * Decides which due checks may start. The most overdue has the first right to the sockets: if they do not suffice for it, no
 * later one starts, however few sockets that one needs (behavior 1.55). Checks of a kind that holds its share of the sockets
 * wait for their own kind only, but nothing starts early meanwhile, except beside slow checks.
 *
 * @param due the most overdue first
 * @param now a check that is due later is not overdue
 * @param running the slot of the running check, by monitor; a change of the monitor gives it another slot
 * @param isPostponed whether a check waits for its retry
 */
export function planStarts(
  due: readonly Slot[],
  {
    now,
    running,
    isPostponed,
    limits,
  }: {
    now: number;
    running: ReadonlyMap<number, { slot: number }>;
    isPostponed: (slot: Slot) => boolean;
    limits: Limits;
  },
): StartPlan {
  const plan: StartPlan = { overdue: [], early: [], cancel: [], waiting: 0, moreWaiting: false };
  let used = limits.used;
  let isFull = false;
  let isAnyLate = false;
  for (const slot of due) {
    const { pk } = slot;
    const current = running.get(pk)?.slot;
    if (current === slot.nextCheckAt) continue;
    if (current !== undefined) {
      plan.cancel.push(pk);
      used = subtract(used, limits.usageOf(pk));
    }
    if (isPostponed(slot)) continue;
    const isOverdue = slot.nextCheckAt <= now;
    const usage = limits.usageOfNew(pk);
    const mayFit = fitsItsKind(usage, { limits, used });
    isFull ||= mayFit && !fits(usage, { limits, used });
    // Checks of slow targets wait for each other, often for long.
    isAnyLate ||= isOverdue && (isFull || (!mayFit && usage.slowSockets === 0));
    if (!mayFit || isFull || (isAnyLate && !isOverdue)) {
      plan.moreWaiting = true;
      if (mayFit && isOverdue) plan.waiting++;
      continue;
    }
    (isOverdue ? plan.overdue : plan.early).push(slot);
    used = add(used, usage);
  }
  return plan;
}
