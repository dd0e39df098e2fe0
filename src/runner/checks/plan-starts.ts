import type { Slot } from "../../store/store.ts";
import { add, fits, fitsItsKind, type Limits, subtract } from "./concurrency-limit.ts";

export interface StartPlan {
  /** The overdue checks that may start, the most overdue first. */
  overdue: Slot[];
  /** The checks to start at a later time. */
  early: Slot[];
  /**
   * The monitors whose running check began before a change of the monitor, a pause included: its result would be discarded
   * (behavior 1.57). Also those that are due again because the clock was set back (behavior 1.17).
   */
  cancel: number[];
  /** The new slots of running checks that stay valid: a held result was written, which moved the slot. */
  moved: Slot[];
  /** The overdue checks that wait for sockets, the most overdue first, without checks of slow targets. */
  waiting: Slot[];
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
 * @param before `due` has all slots before this time
 * @param running the slot of the running check, by monitor; a change of the monitor gives it another slot, and so does a
 *   result that is held until after the claim of this check, but an earlier one than that claim
 * @param isPostponed whether a check waits for its retry
 */
export function planStarts(
  due: readonly Slot[],
  {
    now,
    before,
    running,
    isPostponed,
    limits,
  }: {
    now: number;
    before: number;
    running: ReadonlyMap<number, { slot: number; heldUntil?: number | undefined; hasEnded?: boolean }>;
    isPostponed: (slot: Slot) => boolean;
    limits: Limits;
  },
): StartPlan {
  const plan: StartPlan = { overdue: [], early: [], cancel: [], moved: [], waiting: [], moreWaiting: false };
  const valid = new Set<number>();
  const changed = new Set<number>();
  for (const slot of due) {
    const { pk, nextCheckAt } = slot;
    const present = running.get(pk);
    if (!present) continue;
    const { slot: known, heldUntil = known } = present;
    const isMoved = known < nextCheckAt && nextCheckAt <= heldUntil;
    if (isMoved) plan.moved.push(slot);
    (isMoved || known === nextCheckAt ? valid : changed).add(pk);
  }
  for (const [pk, { slot, hasEnded }] of running) {
    // After the clock was set back, the slot of a running check may be later than `before`.
    const isOutdated = changed.has(pk) || (slot < before && !valid.has(pk));
    if (isOutdated && !hasEnded) plan.cancel.push(pk);
  }
  let used = plan.cancel.map(limits.usageOf).reduce(subtract, limits.used);
  let isFull = false;
  let isAnyLate = false;
  for (const slot of due) {
    const { pk } = slot;
    if (valid.has(pk) || running.get(pk)?.hasEnded || isPostponed(slot)) continue;
    const isOverdue = slot.nextCheckAt <= now;
    const usage = limits.usageOfNew(pk);
    const mayFit = fitsItsKind(usage, { limits, used });
    isFull ||= mayFit && !fits(usage, { limits, used });
    // Checks of slow targets wait for each other, often for long.
    isAnyLate ||= isOverdue && (isFull || (!mayFit && usage.slowSockets === 0));
    if (!mayFit || isFull || (isAnyLate && !isOverdue)) {
      plan.moreWaiting = true;
      if (isOverdue && usage.slowSockets === 0) plan.waiting.push(slot);
      continue;
    }
    (isOverdue ? plan.overdue : plan.early).push(slot);
    used = add(used, usage);
  }
  return plan;
}
