import type { Bounds, Figure, ReplayOutcome } from "./outcome.ts";

/* Figures of an outcome, for sentences about it. The page loads this file early: no schema. */

/** The part of an outcome that its sentence is about. */
export type SummarizedOutcome = Pick<ReplayOutcome, "present" | "changed" | "later"> & {
  missed: { length: number };
  gone: { length: number };
};

/** How many outages a delay is about: at most, because the lists of an outcome are bounded. */
export function notifiedBothWays({ present, changed, missed }: SummarizedOutcome): Figure {
  const [before, after] = [boundsOf(present.outages), boundsOf(changed.outages)];
  return {
    min: Math.max(0, Math.min(before.min, after.min - missed.length)),
    max: Math.max(0, Math.min(before.max, after.max - missed.length)),
  };
}

/** Whether nothing would differ. */
export function isAsBefore({ present, changed, later, gone }: SummarizedOutcome): boolean {
  return (
    isSame(changed.notifications, present.notifications) &&
    isSame(changed.outages, present.outages) &&
    isSame(changed.downSeconds, present.downSeconds) &&
    [later.medianSeconds, later.maxSeconds].every((delay) => isSame(delay, 0)) &&
    gone.length === 0
  );
}

/** Whether two figures are known, and the same. */
export function isSame(one: Figure, other: Figure): boolean {
  const [first, second] = [boundsOf(one), boundsOf(other)];
  return first.min === first.max && second.min === second.max && first.min === second.min;
}

export function boundsOf(value: Figure): Bounds {
  return typeof value === "number" ? { min: value, max: value } : value;
}
