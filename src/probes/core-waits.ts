import { openSync, readSync } from "node:fs";

/** How long the calling thread has waited for a core. Without a system that reports it, the time is always 0. */
export interface CoreWaits {
  /** Notes the present state. To be called regularly. @param now a time of `performance.now()` */
  note(now: number): void;
  /**
   * Milliseconds since the last note before a time, or since the first note that is kept.
   *
   * @param from a time of `performance.now()`
   */
  since(from: number): number;
}

/** How long notes are kept, in milliseconds: longer than any check takes. */
const KEPT = 15_000;

const NANOSECONDS = 1_000_000;

/** Three numbers of at most 20 digits. */
const SIZE = 64;

export function createCoreWaits(read = createReader()): CoreWaits {
  let notes: { at: number; waited: number }[] = [];
  return {
    note(at) {
      notes.push({ at, waited: read() });
      const oldest = notes[0];
      // Half of them at once, so that a note costs little.
      if (oldest && at - oldest.at > 2 * KEPT) notes = notes.filter((note) => at - note.at < KEPT);
    },
    since(from) {
      const before = notes.findLast(({ at }) => at <= from) ?? notes[0];
      return before ? read() - before.waited : 0;
    },
  };
}

/** @returns a function that reads the time in milliseconds: the second number of the file, see proc_pid_schedstat(5) */
function createReader(): () => number {
  const buffer = Buffer.alloc(SIZE);
  try {
    const file = openSync("/proc/thread-self/schedstat", "r");
    return () => {
      const length = readSync(file, buffer, 0, SIZE, 0);
      return Number(buffer.toString("latin1", 0, length).split(" ")[1]) / NANOSECONDS;
    };
  } catch {
    return () => 0;
  }
}
