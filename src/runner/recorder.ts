import type { Database } from "../db/open.ts";
import { isStorageFault } from "../db/open.ts";
import { type Recorded, type Recording, record } from "../db/record.ts";
import type { Logger } from "../log.ts";

/**
 * How long a recording waits for company, in milliseconds: each commit writes to the disk and waits for it. Somebody
 * waits for the answer to a checkin, and nobody for the result of a check.
 */
const GATHER_FOR: Record<Recording["kind"], number> = { check: 50, checkin: 2, silence: 50 };

/** How many commit together at most. */
const GROUP_SIZE = 500;

/** The one writer of results: what comes in together is committed together. */
export interface Recorder {
  /**
   * @returns once it is on the disk; null where there was nothing to record it for (see `db/record.ts`)
   * @throws where it could not be written; nothing of it is in the database then
   */
  record(recording: Recording): Promise<Recorded | null>;
  /** Writes what is waiting. */
  flush(): Promise<void>;
}

interface Waiting {
  recording: Recording;
  resolve(recorded: Recorded | null): void;
  reject(error: unknown): void;
}

/** @param onNotable told after each commit that left something for the channels */
export function createRecorder({
  db,
  log,
  onNotable,
}: {
  db: Database;
  log: Logger;
  onNotable: () => void;
}): Recorder {
  let queue: Waiting[] = [];
  let timer: Timer | undefined;
  /** When the next commit is due; of `performance.now()`. */
  let due = Number.POSITIVE_INFINITY;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    due = Number.POSITIVE_INFINITY;
    const group = queue;
    queue = [];
    if (group.length > 0) await commit(group);
  }

  function flushWithin(patience: number): void {
    const latest = performance.now() + patience;
    if (latest >= due) return;
    due = latest;
    clearTimeout(timer);
    timer = setTimeout(flush, patience);
  }

  async function commit(group: Waiting[]): Promise<void> {
    try {
      const recorded = await record(
        db,
        group.map(({ recording }) => recording),
      );
      for (const [at, { resolve }] of group.entries()) resolve(recorded[at] ?? null);
      if (recorded.some((one) => one?.notable)) onNotable();
    } catch (error) {
      // One that can't be written must not take its company with it, unless it is the disk that fails.
      if (group.length > 1 && !isStorageFault(error)) {
        for (const one of group) await commit([one]);
        return;
      }
      log.error({ err: error, results: group.length }, "results could not be written");
      for (const { reject } of group) reject(error);
    }
  }

  return {
    record(recording) {
      const { promise, resolve, reject } = Promise.withResolvers<Recorded | null>();
      queue.push({ recording, resolve, reject });
      if (queue.length >= GROUP_SIZE) void flush();
      else flushWithin(GATHER_FOR[recording.kind]);
      return promise;
    },
    flush,
  };
}
