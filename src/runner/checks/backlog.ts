import type { Logger } from "../../log.ts";
import { isStorageFault } from "../../store/sqlite/open.ts";
import type { Recording } from "../../store/sqlite/recording/record.ts";

/** How often it is tried whether the disk takes something again, in milliseconds. */
const RETRY_EVERY = 1000;

/** How many are written together, and how many are kept at most: some tens of megabytes. */
const GROUP_SIZE = 500;
const MOST_HELD = 100_000;

/** Holds what the disk can't take, in order, and writes it when it can. */
export interface Backlog {
  isOpen(): boolean;
  /** How many it holds. */
  size(): number;
  /** @param cause why, where it is the first */
  add(recording: Recording, cause?: unknown): void;
  /** Tries for a last time. */
  close(): Promise<void>;
}

export function createBacklog({
  write,
  log,
}: {
  write: (recordings: Recording[]) => Promise<unknown>;
  log: Logger;
}): Backlog {
  let held: Recording[] = [];
  /** What is being written: no longer held, and not yet in the database. */
  let writing: Recording[] = [];
  let dropped = 0;
  let timer: Timer | undefined;
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

  /** One that can't be written must not take its group with it. @throws where the disk takes nothing */
  async function writeGroup(): Promise<void> {
    try {
      await write(writing);
      writing = [];
    } catch (error) {
      if (isStorageFault(error)) throw error;
      while (writing.length > 0) await writeFirst();
    }
  }

  async function writeFirst(): Promise<void> {
    try {
      await write(writing.slice(0, 1));
    } catch (error) {
      if (isStorageFault(error)) throw error;
      log.error({ err: error }, "a held result can't be written and is lost");
      dropped++;
    }
    writing.shift();
  }

  function retry(): void {
    retrying = tryAgain();
  }

  async function tryAgain(): Promise<void> {
    try {
      const count = size();
      await writeAll();
      timer = undefined;
      log.warn({ results: count, dropped }, "the database takes results again: what was held is written");
      dropped = 0;
    } catch {
      timer = setTimeout(retry, RETRY_EVERY);
    }
  }

  function size(): number {
    return writing.length + held.length;
  }

  return {
    isOpen: () => timer !== undefined,
    size,
    add(recording, cause) {
      if (!timer) {
        log.error({ err: cause }, "the database can't be written to: results are held in memory");
        timer = setTimeout(retry, RETRY_EVERY);
      }
      held.push(recording);
      if (size() <= MOST_HELD) return;
      held.shift();
      dropped++;
    },
    async close() {
      if (!timer) return;
      clearTimeout(timer);
      await retrying;
      clearTimeout(timer);
      timer = undefined;
      await writeAll().catch((error) => {
        log.error({ err: error, results: size() }, "held results could not be written and are lost");
      });
    },
  };
}
