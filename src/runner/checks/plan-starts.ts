import type { Slot } from "../../store/store.ts";
import { fits, type Limits, type Usage } from "./concurrency-limit.ts";

export interface StartPlan {
  /** The checks to start, the most overdue first. */
  start: Slot[];
  /** The monitors whose running check began before a change of the monitor: its result would be discarded. */
  cancel: number[];
  /** Whether due checks wait until others end. */
  moreWaiting: boolean;
}

/**
 * Decides which due checks to start.
 *
 * @param due the most overdue first
 * @param running the slot of the running check, by monitor; a change of the monitor gives it another slot
 * @param isPostponed whether a check waits for its retry
 */
export function planStarts(
  due: readonly Slot[],
  {
    running,
    isPostponed,
    limits,
  }: {
    running: ReadonlyMap<number, { slot: number }>;
    isPostponed: (slot: Slot) => boolean;
    limits: Limits;
  },
): StartPlan {
  const plan: StartPlan = { start: [], cancel: [], moreWaiting: false };
  let used = limits.used;
  for (const slot of due) {
    const { pk } = slot;
    const current = running.get(pk)?.slot;
    if (current === slot.nextCheckAt) continue;
    if (current !== undefined) {
      plan.cancel.push(pk);
      used = subtract(used, limits.usageOf(pk));
    }
    if (isPostponed(slot)) continue;
    if (!fits(pk, { limits, used })) {
      plan.moreWaiting = true;
      continue;
    }
    plan.start.push(slot);
    used = add(used, limits.usageOfNew(pk));
  }
  return plan;
}

function add(a: Usage, b: Usage): Usage {
  return {
    checks: a.checks + b.checks,
    sockets: a.sockets + b.sockets,
    slowSockets: a.slowSockets + b.slowSockets,
  };
}

function subtract(a: Usage, b: Usage): Usage {
  return {
    checks: a.checks - b.checks,
    sockets: a.sockets - b.sockets,
    slowSockets: a.slowSockets - b.slowSockets,
  };
}
