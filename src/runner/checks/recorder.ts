import type { Cancel, Clock } from "../../clock.ts";
import { isJobReport, type Recorded, type Recording } from "../../domain/monitors/recording-plan.ts";
import { StorageFault } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { Store } from "../../store/store.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { StorageHealth } from "../runner.ts";
import type { EvidenceLooks } from "./evidence-looks.ts";
import { createRecordingLane, type RecordingLane, type Urgency, type Waiting } from "./run-check.ts";

/** The only writer of results. It commits in groups. */
export interface Recorder {
  /**
   * @param urgency how soon it commits
   * @returns after it is on the disk; null if there is nothing to record it for (see `record`); `held` if the disk
   *   rejects it now: a check is written later, a silence is found again by the next sweep
   * @throws if it could not be written; then nothing of it is in the database. A report of a job is never held.
   */
  record(recording: Recording, urgency?: Urgency): Promise<Recorded | "held" | null>;
  /** How many wait for the next commit. */
  waiting(): number;
  /** Whether transitions wait for their commit, or were just committed, so that their notifications are claimed now. */
  hasTransitions(): boolean;
  /** How many are held in memory until the disk accepts writes. */
  held(): number;
  /** Whether their monitors are claimed: then no more are to be claimed, so that these results stay valid. */
  holdsClaims(): boolean;
  /** Writes what is waiting, and waits for running commits. */
  flush(): Promise<void>;
}

export function createRecorder({
  store,
  clock,
  log,
  storage,
  metrics,
  wakeDispatcher,
  looks,
}: {
  store: Store;
  clock: Pick<Clock, "monotonic" | "after">;
  log: Logger;
  /** Gets the outcome of each commit. */
  storage: StorageHealth;
  metrics: Pick<Metrics, "committed">;
  /** Called after each commit with a transition that channels may be notified of. */
  wakeDispatcher: () => void;
  /** Gets the looks that complete evidence after a commit. Default: none is made. */
  looks?: Pick<EvidenceLooks, "begin"> | undefined;
}): Recorder {
  const backlog = createBacklog({ write: writeHeld, clock, log });
  /** Transitions that wait for their commit, and when the last one was committed, in milliseconds of the monotonic clock. */
  const transitions = { waiting: 0, endedAt: Number.NEGATIVE_INFINITY };
  const deadline = createCheckinDeadline(clock);
  const createLane = () =>
    createRecordingLane({
      clock,
      commit,
      async save(recordings) {
        const start = clock.monotonic();
        const recorded = await store.recording.record(recordings);
        metrics.committed(recordings, { recorded, seconds: (clock.monotonic() - start) / 1000 });
        return recorded;
      },
    });
  // Jobs are not probed, so that no monitor is in both lanes, and its recordings stay in order. A check-in does not wait for the
  // transaction of a check, whose monitor may be locked.
  const [checks, jobs] = [createLane(), createLane()];

  async function writeHeld(recordings: Recording[]): Promise<void> {
    const recorded = await checks.write(recordings);
    if (await sync([])) notify(recorded);
  }

  function notify(recorded: (Recorded | null)[]): void {
    if (recorded.some((one) => one?.notable)) wakeDispatcher();
    looks?.begin(recorded.flatMap((one) => one?.look ?? []));
  }

  async function commit(group: Waiting[], write: RecordingLane["write"]): Promise<void> {
    try {
      const recorded = await write(group.map(({ recording }) => recording));
      if (await sync(group)) notify(recorded);
      for (const [at, { resolve }] of group.entries()) resolve(recorded[at] ?? null);
    } catch (error) {
      if (error instanceof StorageFault) return hold(group, error);
      // One recording that can't be written must not keep the others from being written.
      if (group.length > 1) for (const one of group) await commit([one], write);
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
      for (const { recording, reject } of group) if (isJobReport(recording)) reject(error);
      return false;
    }
  }

  function hold(group: Waiting[], error: unknown): void {
    storage.report(false);
    for (const { recording, resolve, reject } of group) {
      if (isJobReport(recording)) {
        reject(error);
        continue;
      }
      if (recording.kind === "check") backlog.add(recording, error);
      resolve("held");
    }
  }

  function endTransition(): void {
    transitions.waiting--;
    transitions.endedAt = clock.monotonic();
  }

  function withDeadline({ recording, resolve, reject }: Waiting): Waiting {
    const end = deadline.begin(reject);
    return {
      recording,
      resolve(recorded) {
        end();
        resolve(recorded);
      },
      reject(error) {
        end();
        reject(error);
      },
    };
  }

  return {
    record(recording, urgency = {}) {
      if (backlog.isOpen() && !isJobReport(recording)) {
        // Results are written in order, so that this one follows the held ones.
        if (recording.kind === "check") backlog.add(recording);
        return Promise.resolve("held");
      }
      const { promise, resolve, reject } = Promise.withResolvers<Recorded | "held" | null>();
      const waiting = { recording, resolve, reject };
      if (urgency.isTransition) {
        transitions.waiting++;
        promise.then(endTransition, endTransition);
      }
      if (recording.kind === "check") checks.add(waiting, urgency);
      else jobs.add(isJobReport(recording) ? withDeadline(waiting) : waiting, urgency);
      return promise;
    },
    waiting: () => checks.waiting() + jobs.waiting(),
    hasTransitions: () => transitions.waiting > 0 || clock.monotonic() - transitions.endedAt < CLAIMED_WITHIN,
    held: backlog.size,
    holdsClaims: backlog.holdsClaims,
    async flush() {
      await Promise.all([checks.flush(), jobs.flush()]);
      await backlog.close();
    },
  };
}

/** The dispatcher claims the notifications of a commit within this time; milliseconds. */
const CLAIMED_WITHIN = 100;

/** A check-in that waits longer than this is refused, so that its job learns it within 10 s; milliseconds. */
const MAX_WAIT = 8500;
const LOOK_EVERY = 500;

interface WaitingCheckin {
  since: number;
  reject(error: unknown): void;
}

/** Limits how long check-ins wait for a database that does not answer. What is refused may still be recorded. */
export function createCheckinDeadline(clock: Pick<Clock, "monotonic" | "after">) {
  /** The oldest first. */
  const waiting = new Set<WaitingCheckin>();
  let isLooking = false;

  function look(): void {
    const overdue = clock.monotonic() - MAX_WAIT;
    for (const one of waiting) {
      if (one.since > overdue) break;
      waiting.delete(one);
      one.reject(new StorageFault(new Error(`the check-in was not written within ${MAX_WAIT} ms`)));
    }
    isLooking = waiting.size > 0;
    if (isLooking) clock.after(LOOK_EVERY, look);
  }

  return {
    /** @param reject is called with a `StorageFault`, unless the function that this returns is called in time */
    begin(reject: (error: unknown) => void): () => void {
      const one = { since: clock.monotonic(), reject };
      waiting.add(one);
      if (!isLooking) look();
      return () => waiting.delete(one);
    },
  };
}

/** Retry interval while the disk rejects writes, in milliseconds. */
const RETRY_EVERY = 1000;

/** How many are written together. */
const GROUP_SIZE = 500;

/** How many are held: some tens of megabytes. Above that, the oldest are dropped (behavior 1.50). */
const MAX_HELD = 100_000;

/** Holds what the disk rejects, in order, and writes it when the disk accepts writes again. */
interface Backlog {
  isOpen(): boolean;
  /** How many it holds. */
  size(): number;
  /** Whether their monitors are claimed, so that a new claim would make them void. */
  holdsClaims(): boolean;
  /** @param cause the error, if this is the first one */
  add(recording: Recording, cause?: unknown): void;
  /** Tries to write everything one last time. */
  close(): Promise<void>;
}

function createBacklog({
  write,
  clock,
  log,
}: {
  write: (recordings: Recording[]) => Promise<unknown>;
  clock: Pick<Clock, "after">;
  log: Logger;
}): Backlog {
  let held: Recording[] = [];
  /** The group that is being written: no longer in `held`, and not yet in the database. */
  let writing: Recording[] = [];
  let dropped = 0;
  let cancelRetry: Cancel | undefined;
  let retrying: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    while (held.length > 0) {
      writing = held.splice(0, GROUP_SIZE);
      try {
        await writeGroup();
      } finally {
        held = [...writing, ...held];
        writing = [];
      }
    }
  }

  /** Writes one by one if the group fails because of one of them. @throws if the disk rejects all writes */
  async function writeGroup(): Promise<void> {
    try {
      await write(writing);
      writing = [];
    } catch (error) {
      if (error instanceof StorageFault) throw error;
      while (writing.length > 0) await writeFirst();
    }
  }

  async function writeFirst(): Promise<void> {
    try {
      await write(writing.slice(0, 1));
    } catch (error) {
      if (error instanceof StorageFault) throw error;
      log.error({ err: error }, "a held result can't be written and is lost");
      dropped++;
    }
    writing.shift();
  }

  function scheduleRetry(): void {
    cancelRetry = clock.after(RETRY_EVERY, () => {
      retrying = retry();
    });
  }

  async function retry(): Promise<void> {
    try {
      const count = size();
      await writeAll();
      cancelRetry = undefined;
      log.warn({ results: count, dropped }, "the database takes results again: what was held is written");
      dropped = 0;
    } catch {
      scheduleRetry();
    }
  }

  function size(): number {
    return writing.length + held.length;
  }

  return {
    isOpen: () => cancelRetry !== undefined,
    size,
    // Either all results are claimed or none, which depends on the engine.
    holdsClaims: () => ((writing[0] ?? held[0])?.claim ?? 0) > 0,
    add(recording, cause) {
      if (!cancelRetry) {
        log.error({ err: cause }, "the database can't be written to: results are held in memory");
        scheduleRetry();
      }
      held.push(recording);
      if (size() <= MAX_HELD) return;
      held.shift();
      dropped++;
    },
    async close() {
      if (!cancelRetry) return;
      cancelRetry();
      await retrying;
      cancelRetry?.();
      cancelRetry = undefined;
      await writeAll().catch((error) => {
        log.error({ err: error, results: size() }, "held results could not be written and are lost");
      });
    },
  };
}
