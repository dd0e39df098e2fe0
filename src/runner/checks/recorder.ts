import type { Logger } from "../../log.ts";
import { syncResults } from "../../store/sqlite/deliveries/due-deliveries.ts";
import { type Database, isStorageFault } from "../../store/sqlite/open.ts";
import { type Recorded, type Recording, record } from "../../store/sqlite/recording/record.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { createBacklog } from "./backlog.ts";

/**
 * How long a recording waits for company, in milliseconds: each commit writes to the disk and waits for it. Somebody
 * waits for the answer to a checkin, and nobody for the result of a check.
 */
const GATHER_FOR: Record<Recording["kind"], number> = { check: 50, checkin: 1, silence: 50 };

/** How many commit together at most. */
const GROUP_SIZE = 500;

/** The one writer of results: what comes in together is committed together. */
export interface Recorder {
  /**
   * @returns once it is on the disk; null where there was nothing to record it for (see `db/record.ts`); `held` where
   *   the disk can't take it now: a check will be written when it can, a silence is to be found again, and a checkin is
   *   never held but thrown
   * @throws where it could not be written; nothing of it is in the database then
   */
  record(recording: Recording): Promise<Recorded | "held" | null>;
  /** How many wait for the next commit. */
  waiting(): number;
  /** How many wait in memory for the disk to take them. */
  held(): number;
  /** Writes what is waiting, and waits for what is being written. */
  flush(): Promise<void>;
}

interface Waiting {
  recording: Recording;
  resolve(recorded: Recorded | "held" | null): void;
  reject(error: unknown): void;
}

/**
 * @param onNotable told after each commit that left something for the channels
 * @param onWrite told whether the disk took a commit
 * @param onCommit told what was committed
 */
export function createRecorder({
  db,
  log,
  onNotable,
  onWrite = () => {},
  onCommit = () => {},
}: {
  db: Database;
  log: Logger;
  onNotable: () => void;
  onWrite?: (taken: boolean) => void;
  onCommit?: Metrics["committed"];
}): Recorder {
  let queue: Waiting[] = [];
  let timer: Timer | undefined;
  /** When the next commit is due; of `performance.now()`. */
  let due = Number.POSITIVE_INFINITY;
  /** Commits that wait for the disk. */
  const underWay = new Set<Promise<void>>();
  const backlog = createBacklog({ write: writeHeld, log });

  async function flush(): Promise<void> {
    clearTimeout(timer);
    due = Number.POSITIVE_INFINITY;
    const group = queue;
    queue = [];
    if (group.length === 0) return;
    const committed = commit(group);
    underWay.add(committed);
    await committed;
    underWay.delete(committed);
  }

  function flushWithin(patience: number): void {
    const latest = performance.now() + patience;
    if (latest >= due) return;
    due = latest;
    clearTimeout(timer);
    timer = setTimeout(flush, patience);
  }

  async function write(recordings: Recording[]): Promise<(Recorded | null)[]> {
    const start = performance.now();
    const recorded = await record(db, recordings);
    onCommit(recordings, recorded, (performance.now() - start) / 1000);
    return recorded;
  }

  async function writeHeld(recordings: Recording[]): Promise<void> {
    const recorded = await write(recordings);
    if (await sync([])) tell(recorded);
  }

  function tell(recorded: (Recorded | null)[]): void {
    if (recorded.some((one) => one?.notable)) onNotable();
  }

  async function commit(group: Waiting[]): Promise<void> {
    try {
      const recorded = await write(group.map(({ recording }) => recording));
      if (await sync(group)) tell(recorded);
      for (const [at, { resolve }] of group.entries()) resolve(recorded[at] ?? null);
    } catch (error) {
      if (isStorageFault(error)) return hold(group, error);
      // One that can't be written must not take its company with it.
      if (group.length > 1) for (const one of group) await commit([one]);
      else for (const { reject } of group) reject(error);
    }
  }

  /** What fails here is in the database all the same, but nobody is told so who relies on it. */
  async function sync(group: Waiting[]): Promise<boolean> {
    try {
      await syncResults(db);
      onWrite(true);
      return true;
    } catch (error) {
      onWrite(false);
      log.error({ err: error }, "what was committed may not be on the disk");
      for (const { recording, reject } of group) if (recording.kind === "checkin") reject(error);
      return false;
    }
  }

  function hold(group: Waiting[], error: unknown): void {
    onWrite(false);
    for (const { recording, resolve, reject } of group) {
      if (recording.kind === "checkin") {
        reject(error);
        continue;
      }
      // That a job is late is found again by the next sweep.
      if (recording.kind === "check") backlog.add(recording, error);
      resolve("held");
    }
  }

  return {
    async record(recording) {
      if (backlog.isOpen() && recording.kind !== "checkin") {
        // What came before it is not written yet either.
        if (recording.kind === "check") backlog.add(recording);
        return "held";
      }
      const { promise, resolve, reject } = Promise.withResolvers<Recorded | "held" | null>();
      queue.push({ recording, resolve, reject });
      if (queue.length >= GROUP_SIZE) void flush();
      else flushWithin(GATHER_FOR[recording.kind]);
      return promise;
    },
    waiting: () => queue.length,
    held: backlog.size,
    async flush() {
      await flush();
      await Promise.all(underWay);
      await backlog.close();
    },
  };
}
