import type { Slot } from "../../store/store.ts";
import { add, fits, fitsItsKind, type Limits, subtract, type Usage } from "./concurrency-limit.ts";

/** A running check, by what the plan depends on. */
interface Running {
  slot: number;
  heldUntil?: number | undefined;
  hasEnded?: boolean;
  usage: Readonly<Usage>;
}

/** The slots from `after` (exclusive) to `until` (inclusive), in the order of their times and monitors. */
export interface SlotRange {
  after: Slot;
  until: Slot;
}

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
 * @param listed `due` has all slots of this range; null if it does not have all slots of any
 * @param running the slot of the running check, by monitor; a change of the monitor gives it another slot, and so does a
 *   result that is held until after the claim of this check, but an earlier one than that claim
 * @param isPostponed whether a check waits for its retry
 */
export function planStarts(
  due: readonly Slot[],
  {
    now,
    listed,
    running,
    isPostponed,
    limits,
  }: {
    now: number;
    listed: SlotRange | null;
    running: ReadonlyMap<number, Running>;
    isPostponed: (slot: Slot) => boolean;
    limits: Limits;
  },
): StartPlan {
  const plan: StartPlan = { overdue: [], early: [], cancel: [], moved: [], waiting: [], moreWaiting: false };
  const used = { ...limits.used };
  const cancel = (pk: number, { usage }: Running) => {
    plan.cancel.push(pk);
    subtract(used, usage);
  };
  /** The slots without a valid check. */
  const free: Slot[] = [];
  /** The running checks of slots that are due. */
  let found = 0;
  for (const slot of due) {
    const { pk, nextCheckAt } = slot;
    const present = running.get(pk);
    if (!present) {
      free.push(slot);
      continue;
    }
    const { slot: known, heldUntil = known } = present;
    if (listed && isIn(listed, pk, known)) found++;
    if (known === nextCheckAt) continue;
    if (known < nextCheckAt && nextCheckAt <= heldUntil) {
      plan.moved.push(slot);
    } else if (!present.hasEnded) {
      cancel(pk, present);
      free.push(slot);
    }
  }
  // After the clock was set back, the slot of a running check may be later than all that are listed.
  if (listed && found < countIn(running, listed)) {
    const pks = new Set(due.map(({ pk }) => pk));
    for (const [pk, present] of running)
      if (isIn(listed, pk, present.slot) && !pks.has(pk) && !present.hasEnded) cancel(pk, present);
  }
  startFree(free, { plan, used, now, isPostponed, limits });
  return plan;
}

function countIn(running: ReadonlyMap<number, Running>, range: SlotRange): number {
  let count = 0;
  for (const [pk, { slot }] of running) if (isIn(range, pk, slot)) count++;
  return count;
}

function isIn({ after, until }: SlotRange, pk: number, slot: number): boolean {
  const isAfter = slot > after.nextCheckAt || (slot === after.nextCheckAt && pk > after.pk);
  return isAfter && (slot < until.nextCheckAt || (slot === until.nextCheckAt && pk <= until.pk));
}

function startFree(
  free: readonly Slot[],
  {
    plan,
    used,
    now,
    isPostponed,
    limits,
  }: {
    plan: StartPlan;
    used: Usage;
    now: number;
    isPostponed: (slot: Slot) => boolean;
    limits: Limits;
  },
): void {
  const room = { limits, used };
  let isFull = false;
  let isAnyLate = false;
  for (const slot of free) {
    if (isPostponed(slot)) continue;
    const isOverdue = slot.nextCheckAt <= now;
    const usage = limits.usageOfNew(slot.pk);
    const mayFit = fitsItsKind(usage, room);
    isFull ||= mayFit && !fits(usage, room);
    // Checks of slow targets wait for each other, often for long.
    isAnyLate ||= isOverdue && (isFull || (!mayFit && usage.slowSockets === 0));
    if (!mayFit || isFull || (isAnyLate && !isOverdue)) {
      plan.moreWaiting = true;
      if (isOverdue && usage.slowSockets === 0) plan.waiting.push(slot);
      continue;
    }
    (isOverdue ? plan.overdue : plan.early).push(slot);
    add(used, usage);
  }
}
