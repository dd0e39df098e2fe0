import type { Scenario } from "../ledger.ts";
import { partsOf, reduced } from "./reduced.ts";
import { compacted, type Removed } from "./removed.ts";

/** Whether a smaller scenario still fails in the same way, and when. */
export type Attempt = (removed: Removed) => Promise<{ failsAt: number } | null>;

/** Shares of the length that a cut tries to keep. */
const SHARES = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85];

/** A cut that leaves a larger share of the length is not worth a run. */
const LEAST_GAIN = 0.95;

/** From what is found wrong to the ends that a cut tries; milliseconds. */
const AROUND = [60_000, 300_000, 1_500_000, 3_600_000, 10_800_000];

/**
 * Leaves out of a scenario as much as possible, so that it still fails: delta debugging. What saves the most work is tried first,
 * and all of it again until nothing more can be left out.
 *
 * @param failsAt when the whole scenario fails
 */
export async function shrink(scenario: Scenario, failsAt: number, attempt: Attempt): Promise<Removed> {
  let gone: string[] = [];
  let span = { from: scenario.from, to: scenario.to };
  let wrongAt = failsAt;
  const tried = new Set([JSON.stringify(scenario)]);

  const removedBy = (parts: readonly string[], { from, to }: typeof span): Removed => ({
    ...(from !== scenario.from && { from: new Date(from).toISOString() }),
    ...(to !== scenario.to && { to: new Date(to).toISOString() }),
    parts: compacted(parts),
  });

  /** Keeps what is left if it still fails. */
  async function leaves(parts: readonly string[], within: typeof span): Promise<boolean> {
    const removed = removedBy(parts, within);
    // Two ways to leave out the same, for example because a cut leaves it out too.
    const key = JSON.stringify(reduced(scenario, removed));
    if (tried.has(key)) return false;
    tried.add(key);
    const failed = await attempt(removed);
    if (!failed) return false;
    [gone, span, wrongAt] = [[...parts], within, failed.failsAt];
    return true;
  }

  /** Tries the shortest span first. */
  async function cutEnd(end: "from" | "to"): Promise<void> {
    for (let isShorter = true; isShorter; ) {
      const { from, to } = span;
      const length = to - from;
      const sign = end === "to" ? 1 : -1;
      const kept = end === "to" ? from : to;
      const spans = [
        ...AROUND.map((ms) => wrongAt + sign * ms),
        ...SHARES.map((share) => kept + sign * share * length),
      ]
        .map((at) => ({ ...span, [end]: Math.round(at) }))
        .filter((one) => 0 < one.to - one.from && one.to - one.from < LEAST_GAIN * length)
        .sort((a, b) => a.to - a.from - (b.to - b.from));
      isShorter = await first(spans, (one) => leaves(gone, one));
    }
  }

  /** Half of a group first, then quarters, and at last each part alone. */
  async function leaveOut(group: readonly string[]): Promise<void> {
    for (let size = group.length; size >= 1; size = Math.floor(size / 2)) {
      const left = () => group.filter((part) => !gone.includes(part));
      for (let at = left().length; at > 0; at -= size) {
        const chunk = left().slice(Math.max(0, at - size), at);
        await leaves([...gone, ...chunk], span);
      }
    }
  }

  /** The parts that nothing else leaves out, such as a cut. */
  function needed(): string[] {
    const isEqual = (one: Removed, other: Removed) =>
      JSON.stringify(reduced(scenario, one)) === JSON.stringify(reduced(scenario, other));
    return gone.reduce((left, part) => {
      const others = left.filter((one) => one !== part);
      return isEqual(removedBy(left, span), removedBy(others, span)) ? others : left;
    }, gone);
  }

  for (let before = ""; before !== JSON.stringify([gone, span]); ) {
    before = JSON.stringify([gone, span]);
    const [monitors = [], ...others] = partsOf(scenario);
    await cutEnd("to");
    await leaveOut(monitors);
    await cutEnd("from");
    for (const group of others) await leaveOut(group);
  }
  return removedBy(needed(), span);
}

async function first<One>(all: readonly One[], isIt: (one: One) => Promise<boolean>): Promise<boolean> {
  for (const one of all) if (await isIt(one)) return true;
  return false;
}
