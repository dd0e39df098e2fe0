import type { Cancel, Clock } from "../../clock.ts";
import type { Recorded, Recording } from "../../domain/monitors/recording-plan.ts";

/**
 * How long a recording waits for others to commit with, in milliseconds. Each commit has costs of its own, and waits
 * for the disk. A job waits for the response to its check-in, and channels for a transition; nobody waits for any
 * other result.
 */
const SHORTEST_WAIT = 1;
const MAX_TRANSITION_WAIT = 50;
const MAX_WAIT = 200;

/** The result of a check whose monitor is due again soon: the scheduler knows the next slot only after the commit. */
const WAIT_OF_SOON = 50;

/** It is due soon if the longest wait and the next scan for what is due may take as long; milliseconds. */
const SOON = 700;

/** How long results wait if a transaction takes long: many of them in one then cost less. */
const WAIT_PER_WRITE = 10;

/** So many do not wait for others to commit with. */
const GROUP_SIZE = 500;

/** How many commit together at most, after a slow transaction: PostgreSQL takes about a second for them. */
const MAX_GROUP = 5000;

/**
 * @property isTransition whether a check may be a transition
 * @property dueIn milliseconds until the next check of the monitor. Default: nothing depends on it
 */
export interface Urgency {
  isTransition?: boolean;
  dueIn?: number;
}

/** A recording whose caller waits for its outcome. */
export interface Waiting {
  recording: Recording;
  resolve(recorded: Recorded | "held" | null): void;
  reject(error: unknown): void;
}

type Write = (recordings: Recording[]) => Promise<(Recorded | null)[]>;

/** A queue of recordings that commit in groups, in their order: one transaction at a time. */
export interface RecordingLane {
  add(waiting: Waiting, urgency: Urgency): void;
  /** Runs a transaction, for which the next group waits. */
  write: Write;
  /** How many wait for the next commit. */
  waiting(): number;
  /** Commits what is waiting, and waits for running commits. */
  flush(): Promise<void>;
}

/** @param commit writes a group with the `write` of this lane, waits for the disk, and resolves its recordings; has no error */
export function createRecordingLane({
  clock,
  save,
  commit,
}: {
  clock: Pick<Clock, "monotonic" | "after">;
  save: Write;
  commit: (group: Waiting[], write: Write) => Promise<void>;
}): RecordingLane {
  const queue: Waiting[] = [];
  let cancelFlush: Cancel | undefined;
  /** When the next commit is due; milliseconds of the monotonic clock. */
  let flushAt = Number.POSITIVE_INFINITY;
  /** How long the last transaction took, in milliseconds. */
  let writeTook = 0;
  /** Transactions that run. The next group waits for them and grows meanwhile, so that the database sets the pace. */
  const writing = new Set<Promise<unknown>>();
  /** Whether a group waits for a transaction to end. */
  let isDue = false;
  /** Commits that wait for the disk. */
  const running = new Set<Promise<void>>();

  async function flush(): Promise<void> {
    cancelFlush?.();
    flushAt = Number.POSITIVE_INFINITY;
    isDue = writing.size > 0;
    if (isDue || queue.length === 0) return;
    const group = queue.splice(0, MAX_GROUP);
    isDue = queue.length > 0;
    const committed = commit(group, write);
    running.add(committed);
    await committed;
    running.delete(committed);
  }

  function flushWithin(delay: number): void {
    const latest = clock.monotonic() + delay;
    if (latest >= flushAt) return;
    flushAt = latest;
    cancelFlush?.();
    cancelFlush = clock.after(delay, flush);
  }

  async function write(recordings: Recording[]): Promise<(Recorded | null)[]> {
    const start = clock.monotonic();
    const transaction = save(recordings);
    writing.add(transaction);
    try {
      const recorded = await transaction;
      writeTook = clock.monotonic() - start;
      return recorded;
    } finally {
      writing.delete(transaction);
      if (isDue) void flush();
    }
  }

  /** Many transitions at once, as in an outage, commit in groups that grow with the time that the disk takes. */
  function waitOf({ kind }: Recording, { isTransition, dueIn = Number.POSITIVE_INFINITY }: Urgency): number {
    if (kind !== "check") return SHORTEST_WAIT;
    if (isTransition) return Math.min(MAX_TRANSITION_WAIT, Math.max(SHORTEST_WAIT, writeTook));
    if (dueIn > SOON) return MAX_WAIT;
    return Math.min(MAX_WAIT, Math.max(WAIT_OF_SOON, WAIT_PER_WRITE * writeTook));
  }

  return {
    add(waiting, urgency) {
      queue.push(waiting);
      if (queue.length >= GROUP_SIZE) void flush();
      else flushWithin(waitOf(waiting.recording, urgency));
    },
    write,
    waiting: () => queue.length,
    async flush() {
      while (queue.length > 0 || running.size > 0) {
        await flush();
        await Promise.allSettled([...running, ...writing]);
      }
    },
  };
}
