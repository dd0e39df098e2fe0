import type { Cancel, Clock } from "../../clock.ts";
import type { Recorded, Recording } from "../../domain/monitors/recording-plan.ts";
import { StorageFault } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { Store } from "../../store/store.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { StorageHealth } from "../storage-health.ts";
import { createBacklog } from "./backlog.ts";
import { createCheckinDeadline } from "./checkin-deadline.ts";

/**
 * How long a recording waits for others to commit with, in milliseconds. Each commit waits for the disk. A job waits for
 * the response to its check-in, and channels for a transition; nobody waits for any other result.
 */
const SHORTEST_WAIT = 1;
const USUAL_WAIT = 50;

/** How long results wait if a transaction takes long: many of them in one then cost less. */
const LONGEST_WAIT = 200;
const WAIT_PER_WRITE = 10;

/** So many do not wait for others to commit with. */
const GROUP_SIZE = 500;

/** How many commit together at most, after a slow transaction: PostgreSQL takes about a second for them. */
const LARGEST_GROUP = 5000;

/** The only writer of results. It commits in groups. */
export interface Recorder {
  /**
   * @param isTransition whether a check may be a transition, which commits sooner
   * @returns after it is on the disk; null if there is nothing to record it for (see `record`); `held` if the disk
   *   rejects it now: a check is written later, a silence is found again by the next sweep
   * @throws if it could not be written; then nothing of it is in the database. A check-in is never held.
   */
  record(recording: Recording, options?: { isTransition?: boolean }): Promise<Recorded | "held" | null>;
  /** How many wait for the next commit. */
  waiting(): number;
  /** How many are held in memory until the disk accepts writes. */
  held(): number;
  /** Whether their monitors are claimed: then no more are to be claimed, so that these results stay valid. */
  holdsClaims(): boolean;
  /** Writes what is waiting, and waits for running commits. */
  flush(): Promise<void>;
}

interface Waiting {
  recording: Recording;
  resolve(recorded: Recorded | "held" | null): void;
  reject(error: unknown): void;
}

export function createRecorder({
  store,
  clock,
  log,
  storage,
  metrics,
  wakeDispatcher,
}: {
  store: Store;
  clock: Pick<Clock, "monotonic" | "after">;
  log: Logger;
  /** Gets the outcome of each commit. */
  storage: StorageHealth;
  metrics: Pick<Metrics, "committed">;
  /** Called after each commit with a transition that channels may be notified of. */
  wakeDispatcher: () => void;
}): Recorder {
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
  const backlog = createBacklog({ write: writeHeld, clock, log });
  const deadline = createCheckinDeadline(clock);

  async function flush(): Promise<void> {
    cancelFlush?.();
    flushAt = Number.POSITIVE_INFINITY;
    isDue = writing.size > 0;
    if (isDue || queue.length === 0) return;
    const group = queue.splice(0, LARGEST_GROUP);
    isDue = queue.length > 0;
    const committed = commit(group);
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
    const transaction = store.recording.record(recordings);
    writing.add(transaction);
    try {
      const recorded = await transaction;
      writeTook = clock.monotonic() - start;
      metrics.committed(recordings, { recorded, seconds: writeTook / 1000 });
      return recorded;
    } finally {
      writing.delete(transaction);
      if (isDue) void flush();
    }
  }

  /** Many transitions at once, as in an outage, commit in groups that grow with the time that the disk takes. */
  function waitOf({ kind }: Recording, isTransition: boolean): number {
    if (kind !== "check") return SHORTEST_WAIT;
    if (isTransition) return Math.min(USUAL_WAIT, Math.max(SHORTEST_WAIT, writeTook));
    return Math.min(LONGEST_WAIT, Math.max(USUAL_WAIT, WAIT_PER_WRITE * writeTook));
  }

  async function writeHeld(recordings: Recording[]): Promise<void> {
    const recorded = await write(recordings);
    if (await sync([])) notify(recorded);
  }

  function notify(recorded: (Recorded | null)[]): void {
    if (recorded.some((one) => one?.notable)) wakeDispatcher();
  }

  async function commit(group: Waiting[]): Promise<void> {
    try {
      const recorded = await write(group.map(({ recording }) => recording));
      if (await sync(group)) notify(recorded);
      for (const [at, { resolve }] of group.entries()) resolve(recorded[at] ?? null);
    } catch (error) {
      if (error instanceof StorageFault) return hold(group, error);
      // One recording that can't be written must not keep the others from being written.
      if (group.length > 1) for (const one of group) await commit([one]);
      else for (const { reject } of group) reject(error);
    }
  }

  /** If this fails, the rows stay committed, but check-ins are not acknowledged and channels not notified yet. */
  async function sync(group: Waiting[]): Promise<boolean> {
    try {
      await store.recording.syncResults();
      storage.report(true);
      return true;
    } catch (error) {
      storage.report(false);
      log.error({ err: error }, "what was committed may not be on the disk");
      for (const { recording, reject } of group) if (recording.kind === "checkin") reject(error);
      return false;
    }
  }

  function hold(group: Waiting[], error: unknown): void {
    storage.report(false);
    for (const { recording, resolve, reject } of group) {
      if (recording.kind === "checkin") {
        reject(error);
        continue;
      }
      if (recording.kind === "check") backlog.add(recording, error);
      resolve("held");
    }
  }

  return {
    async record(recording, { isTransition = false } = {}) {
      if (backlog.isOpen() && recording.kind !== "checkin") {
        // Results are written in order, so that this one follows the held ones.
        if (recording.kind === "check") backlog.add(recording);
        return "held";
      }
      const { promise, resolve, reject } = Promise.withResolvers<Recorded | "held" | null>();
      queue.push({ recording, resolve, reject });
      const outcome = recording.kind === "checkin" ? deadline.limit(promise) : promise;
      if (queue.length >= GROUP_SIZE) void flush();
      else flushWithin(waitOf(recording, isTransition));
      return outcome;
    },
    waiting: () => queue.length,
    held: backlog.size,
    holdsClaims: backlog.holdsClaims,
    async flush() {
      while (queue.length > 0 || running.size > 0) {
        await flush();
        await Promise.allSettled([...running, ...writing]);
      }
      await backlog.close();
    },
  };
}
