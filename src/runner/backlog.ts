import { isStorageFault } from "../db/open.ts";
import type { Recording } from "../db/record.ts";
import type { Logger } from "../log.ts";

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
  let dropped = 0;
  let timer: Timer | undefined;

  async function writeAll(): Promise<void> {
    while (held.length > 0) {
      const group = held.slice(0, GROUP_SIZE);
      await write(group);
      // More may have come meanwhile.
      held = held.slice(group.length);
    }
  }

  async function retry(): Promise<void> {
    try {
      const count = held.length;
      await writeAll();
      timer = undefined;
      log.warn({ results: count, dropped }, "the database takes results again: what was held is written");
      dropped = 0;
    } catch (error) {
      if (!isStorageFault(error)) {
        log.error({ err: error, results: held.length }, "held results could not be written and are lost");
        held = [];
        timer = undefined;
        return;
      }
      timer = setTimeout(retry, RETRY_EVERY);
    }
  }

  return {
    isOpen: () => timer !== undefined,
    size: () => held.length,
    add(recording, cause) {
      if (!timer) {
        log.error({ err: cause }, "the database can't be written to: results are held in memory");
        timer = setTimeout(retry, RETRY_EVERY);
      }
      held.push(recording);
      if (held.length <= MOST_HELD) return;
      held.shift();
      dropped++;
    },
    async close() {
      if (!timer) return;
      clearTimeout(timer);
      timer = undefined;
      await writeAll().catch((error) => {
        log.error({ err: error, results: held.length }, "held results could not be written and are lost");
      });
    },
  };
}
