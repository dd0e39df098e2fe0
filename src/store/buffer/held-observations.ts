import type { KeptObservation } from "./observation-buffer.ts";

/** How many are held in memory: some megabytes. Above that, the oldest are dropped (behavior 13.46). */
const MOST_HELD = 10_000;

/** What the disk does not take. */
export interface HeldObservations {
  /** @returns how many older ones were dropped for it */
  add(observation: KeptObservation): number;
  list(): readonly KeptObservation[];
  delete(sequences: ReadonlySet<number>): void;
  /** @returns how many older ones were dropped @param before milliseconds since 1970 */
  drop(before: number): number;
  clear(): void;
}

export function createHeldObservations(): HeldObservations {
  let held: KeptObservation[] = [];

  function keep(isKept: (observation: KeptObservation) => boolean): number {
    const count = held.length;
    held = held.filter(isKept);
    return count - held.length;
  }

  return {
    add(observation) {
      held.push(observation);
      if (held.length <= MOST_HELD) return 0;
      held.shift();
      return 1;
    },
    list: () => held,
    delete(sequences) {
      keep(({ sequence }) => !sequences.has(sequence));
    },
    drop: (before) => keep(({ at }) => at >= before),
    clear() {
      held = [];
    },
  };
}
