import type { Fault, Ledger } from "../ledger.ts";

/** A stretch of time, in milliseconds since 1970. */
export interface Stretch {
  from: number;
  to: number;
}

/** A step of the wall clock. @property byMs forward if positive */
export interface ClockStep {
  at: number;
  byMs: number;
}

/**
 * The faults of the server in a run, by what they excuse.
 *
 * - `frozen`: nothing runs. A suspended machine is frozen too.
 * - `absent`: no process runs, or it stops.
 * - `storage`: writes fail, wait or are slow.
 * - `blind`: checks see nothing of their targets.
 * - `offline`: no call of a job arrives.
 * - `deaf`: file descriptors are lacking, so that no call of a job is accepted and no attempt is made (behavior 3.20, 5.39).
 * - `stalled`: what looks like a stall to the probe thread: that, or a step of the clock ahead (behavior 1.46, 1.53).
 */
export interface OwnFaults {
  frozen: Stretch[];
  absent: Stretch[];
  storage: Stretch[];
  blind: Stretch[];
  offline: Stretch[];
  deaf: Stretch[];
  stalled: Stretch[];
  steps: ClockStep[];
  /** By how much the wall clock was wrong within a stretch: each error that occurred, in milliseconds. */
  errorsWithin(from: number, to: number): number[];
}

/** How late the probe thread notices a step or a suspension at most: it reads its clocks so often; milliseconds. */
const TICK = 30;

export function ownFaults({ scenario, lives }: Ledger): OwnFaults {
  const { faults } = scenario;
  const wrong = faults.filter((fault) => fault.kind === "clock-step");
  const restarts = stretchesOf(faults, ["restart"]);
  const steps = wrong
    .flatMap(({ from, to, byMs }) => [
      { at: from, byMs },
      { at: to, byMs: -byMs },
    ])
    .sort((a, b) => a.at - b.at);
  const frozen = stretchesOf(faults, ["stall", "suspend"]);
  const ahead = steps.filter(({ byMs }) => byMs > 0).map(({ at }) => ({ from: at - TICK, to: at + TICK }));
  return {
    frozen,
    stalled: sorted([...extended(frozen, TICK), ...ahead]),
    deaf: stretchesOf(faults, ["no-descriptors"]),
    absent: sorted([...gapsBetween(lives), ...restarts]),
    storage: stretchesOf(faults, ["disk-full", "locked", "slow-disk"]),
    blind: stretchesOf(faults, ["resolver-silent", "no-descriptors", "network-gone"]),
    offline: stretchesOf(faults, ["network-gone"]),
    steps,
    errorsWithin(from, to) {
      const touched = wrong.filter((step) => step.from <= to && step.to >= from);
      const isAlwaysWrong = touched.some((step) => step.from < from && step.to > to);
      const errors = new Set(touched.map(({ byMs }) => byMs));
      return isAlwaysWrong ? [...errors] : [0, ...errors];
    },
  };
}

/** The stretches of faults of some kinds, by time. */
export function stretchesOf(faults: readonly Fault[], kinds: readonly Fault["kind"][]): Stretch[] {
  return sorted(faults.filter((fault) => fault.kind !== "kill").filter(({ kind }) => kinds.includes(kind)));
}

export function sorted(stretches: readonly Stretch[]): Stretch[] {
  return stretches.map(({ from, to }) => ({ from, to })).sort((a, b) => a.from - b.from);
}

/** The same for lists that nothing changes any more, and that are asked for again and again. */
function inOrder(stretches: readonly Stretch[]): readonly Stretch[] {
  const list = listsInOrder.get(stretches) ?? sorted(stretches);
  listsInOrder.set(stretches, list);
  return list;
}

const listsInOrder = new WeakMap<readonly Stretch[], readonly Stretch[]>();

/** Longer by what the service needs to recover. */
export function extended(stretches: readonly Stretch[], byMs: number): Stretch[] {
  return stretches.map(({ from, to }) => ({ from, to: to + byMs }));
}

/** Whether any of some stretches has a moment of another one. */
export function touches(stretches: readonly Stretch[], { from, to }: Stretch): boolean {
  return stretches.some((stretch) => stretch.from <= to && stretch.to >= from);
}

/** When something that takes `ms` of undisturbed time ends at the latest, if it starts at `from`. */
export function doneBy(from: number, ms: number, disturbances: readonly Stretch[]): number {
  let start = from;
  for (const stretch of inOrder(disturbances))
    if (stretch.from < start + ms && stretch.to > start) start = stretch.to;
  return start + ms;
}

/** The rest of a stretch without some others. */
export function without(whole: Stretch, others: readonly Stretch[]): Stretch[] {
  const left: Stretch[] = [];
  let { from } = whole;
  for (const other of sorted(others)) {
    if (other.to <= from) continue;
    if (other.from >= whole.to) break;
    if (other.from > from) left.push({ from, to: other.from });
    from = other.to;
  }
  if (from < whole.to) left.push({ from, to: whole.to });
  return left;
}

/** The gaps of each node: the others need some time until they do its work. */
function gapsBetween(lives: Ledger["lives"]): Stretch[] {
  const byNode = Map.groupBy(lives, ({ node }) => node);
  return [...byNode.values()].flatMap((all) =>
    all.flatMap(({ to }, at) => {
      const next = all[at + 1];
      return next ? [{ from: to, to: next.from }] : [];
    }),
  );
}
