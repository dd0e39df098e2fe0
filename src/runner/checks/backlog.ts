import type { Cancel, Clock } from "../../clock.ts";
import type { Recording } from "../../domain/monitors/recording-plan.ts";
import { StorageFault } from "../../errors.ts";
import type { Logger } from "../../log.ts";

/** Retry interval while the disk rejects writes, in milliseconds. */
const RETRY_EVERY = 1000;

/** How many are written together. */
const GROUP_SIZE = 500;

/** How many are held: some tens of megabytes. Above that, the oldest are dropped (behavior 1.50). */
const MAX_HELD = 100_000;

/** Holds what the disk rejects, in order, and writes it when the disk accepts writes again. */
export interface Backlog {
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

export function createBacklog({
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
