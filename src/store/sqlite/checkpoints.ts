import { lacksDescriptorsForThread } from "../../descriptors.ts";
import type { Logger } from "../../log.ts";

/** Commits after which the thread looks at the log, and milliseconds between two looks at least. */
const COMMITS = 8;
const INTERVAL = 50;

/** Bytes that are only in the log from which on they are reported, and again each time that they have doubled. */
const MANY = 64 * 1024 * 1024;

/** Copies the write-ahead log to the database on a thread of its own. */
interface Checkpoints {
  /** To be called after each commit. The thread starts with the first checkpoint, and does nothing without commits. */
  committed(): void;
  /** To be called before the store is closed, because the connection that closes last deletes the log. */
  stop(): Promise<void>;
}

const GROWN =
  "the log of the database grows, because another program keeps a transaction open, such as a shell of SQLite or a backup: end it, and the log is used again";

/**
 * If the checkpoint thread dies or can't be started, some commits run the checkpoints (`open.ts`), which is slower but as safe.
 *
 * @param entry the file of the thread, `checkpoint-worker.ts`
 * @param path the database
 * @param doubtLog called after a checkpoint that failed: see `durability.ts`
 */
export function createCheckpoints(
  entry: URL,
  path: string,
  { log, doubtLog }: { log: Logger; doubtLog: () => void },
): Checkpoints {
  const stopped = Promise.withResolvers<void>();
  let worker: Worker | undefined;
  let commits = 0;
  let isCopying = false;
  let copiedAt = Number.NEGATIVE_INFINITY;
  let reportFrom = MANY;

  /** Commits after the beginning of a transaction that reads can't be copied until that transaction ends. */
  function notePending(bytes: number): void {
    if (bytes < MANY) reportFrom = MANY;
    if (bytes < reportFrom) return;
    while (reportFrom <= bytes) reportFrom *= 2;
    log.warn({ file: `${path}-wal`, megabytes: Math.round(bytes / 1024 / 1024) }, GROWN);
  }

  function start(): Worker {
    const started = new Worker(entry, { smol: true });
    started.onmessage = ({ data }) => {
      if (data === "closed") stopped.resolve();
      if (data === "failed") doubtLog();
      if (typeof data === "number") notePending(data);
      isCopying = false;
      copiedAt = performance.now();
    };
    started.onerror = ({ message }) => {
      log.error({ cause: message }, "the checkpoint thread of the database died");
      stopped.resolve();
    };
    started.postMessage(path);
    return started;
  }

  return {
    committed() {
      commits++;
      if (commits < COMMITS || isCopying || performance.now() - copiedAt < INTERVAL) return;
      commits = 0;
      if (!worker && lacksDescriptorsForThread()) return;
      isCopying = true;
      worker ??= start();
      worker.postMessage("copy");
    },
    async stop() {
      if (!worker) return;
      worker.postMessage("stop");
      await stopped.promise;
      worker.terminate();
    },
  };
}
