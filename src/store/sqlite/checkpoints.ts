import type { Logger } from "../../log.ts";

/** Copies the write-ahead log to the database on a thread of its own. */
interface Checkpoints {
  /** To be called before the store is closed, because the connection that closes last deletes the log. */
  stop(): Promise<void>;
}

/**
 * Starts the checkpoint thread. If it dies, some commits run the checkpoints (`open.ts`), which is slower but as safe.
 *
 * @param entry the file of the thread, `checkpoint-worker.ts`
 * @param path the database
 * @param doubtLog called after a checkpoint that failed: see `durability.ts`
 */
export function startCheckpoints(
  entry: URL,
  path: string,
  { log, doubtLog }: { log: Logger; doubtLog: () => void },
): Checkpoints {
  const stopped = Promise.withResolvers<void>();
  const worker = new Worker(entry);
  worker.onmessage = ({ data }) => (data === "failed" ? doubtLog() : stopped.resolve());
  worker.onerror = ({ message }) => {
    log.error({ cause: message }, "the checkpoint thread of the database died");
    stopped.resolve();
  };
  worker.postMessage(path);
  return {
    async stop() {
      worker.postMessage("stop");
      await stopped.promise;
      worker.terminate();
    },
  };
}
