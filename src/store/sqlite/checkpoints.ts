import { lacksDescriptorsForThread } from "../../descriptors.ts";
import type { Logger } from "../../log.ts";

/** Commits after which the thread looks at the log, and milliseconds between two looks at least. */
const COMMITS = 8;
const INTERVAL = 50;

/** Copies the write-ahead log to the database on a thread of its own. */
interface Checkpoints {
  /** To be called after each commit. The thread starts with the first checkpoint, and does nothing without commits. */
  committed(): void;
  /** To be called before the store is closed, because the connection that closes last deletes the log. */
  stop(): Promise<void>;
}

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

  function start(): Worker {
    const started = new Worker(entry, { smol: true });
    started.onmessage = ({ data }) => {
      if (data === "closed") stopped.resolve();
      if (data === "failed") doubtLog();
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
