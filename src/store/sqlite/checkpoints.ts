import type { Logger } from "../../log.ts";

/** Brings what was committed to the database, away from the main thread. */
export interface Checkpoints {
  /** To be called before the database is closed here: whoever closes it last leaves it without a log. */
  stop(): Promise<void>;
}

/**
 * Without the thread, should it die, commits do its work now and then (`open.ts`): slower, and no less safe.
 *
 * @param entry the file of the thread, `checkpoint-worker.ts`
 * @param path of the database
 */
export function startCheckpoints(entry: URL, path: string, log: Logger): Checkpoints {
  const ended = Promise.withResolvers<void>();
  const worker = new Worker(entry);
  worker.onmessage = () => ended.resolve();
  worker.onerror = ({ message }) => {
    log.error({ cause: message }, "the thread that keeps the database's log short died");
    ended.resolve();
  };
  worker.postMessage(path);
  return {
    async stop() {
      worker.postMessage("end");
      await ended.promise;
      worker.terminate();
    },
  };
}
