import { existsSync } from "node:fs";
import { join } from "node:path";
import { lacksDescriptorsForThread } from "../../descriptors.ts";
import type { Logger } from "../../log.ts";
import { workerUrl } from "../../worker-url.ts";
import { noteBackup } from "../data-dir.ts";
import type { Engine, EngineDriver, StoreSettings } from "../engine.ts";
import { findDamage, isLog, restore } from "./backup.ts";
import { type Connections, openConnections } from "./connections.ts";
import { openCopySource } from "./copy/source.ts";
import { openCopyTarget } from "./copy/target.ts";
import { DATABASE, existingDatabase, lockDataDir, noteBeforeStart } from "./data-dir.ts";
import { doubtLog } from "./durability.ts";
import { createQueries } from "./queries.ts";
import { damagedSegments } from "./results/segments.ts";
import { turn } from "./slices.ts";

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

/** It takes about a millisecond to read the hours of one monitor, and all else waits. */
const MONITORS_IN_SLICE = 5;

/** The embedded engine. Its connections are for tests and tools. */
export interface SqliteEngine extends Engine, Pick<Connections, "reader" | "writer" | "onWrite"> {}

/** @param migrations all migrations, oldest first @throws AppError `refused`: see `openDatabase` */
export function openEngine(
  dataDir: string,
  migrations?: Parameters<typeof openConnections>[1],
): SqliteEngine {
  return engineOn(openConnections(dataDir, migrations));
}

export function engineOn(connections: Connections): SqliteEngine {
  const { read, poll, write, writeApart, writeMany, writeWithoutSync, editMark } = connections;
  const { reader, writer, onWrite } = connections;
  const close = async () => connections.close();
  const readSlice: Engine["readSlice"] = async (work) => {
    await turn(reader);
    return read(work);
  };
  const transactions = { read, poll, readSlice, write, writeApart, writeMany, writeWithoutSync, editMark };
  const queries = createQueries(connections);
  return { ...transactions, monitorsInSlice: MONITORS_IN_SLICE, reader, writer, onWrite, queries, close };
}

const CHECKPOINT_WORKER = workerUrl("store/sqlite/checkpoint-worker.ts");

/** SQLite: the database is a file in the data directory. */
export const sqlite: EngineDriver = {
  exists: async ({ dataDir }) => existsSync(join(dataDir, DATABASE)),
  open: async ({ dataDir }) => openEngine(dataDir),
  async openExisting({ dataDir }) {
    existingDatabase(dataDir);
    return openEngine(dataDir);
  },
  openForServer,
  async backUp({ dataDir }, file, { now, onProgress }) {
    existingDatabase(dataDir);
    const engine = openEngine(dataDir);
    try {
      await engine.queries.backUp(file, (share) => onProgress?.({ step: "backing up", share }));
    } finally {
      await engine.close();
    }
    noteBackup(dataDir, now);
  },
  async restore({ dataDir }, file, options) {
    const path = await restore(file, dataDir, options);
    return path === undefined ? undefined : { path, isLogOnly: isLog(path) };
  },
  openCopySource: ({ dataDir }) => openCopySource(dataDir),
  openCopyTarget: ({ dataDir }) => openCopyTarget(dataDir),
  async check({ dataDir }) {
    const database = existingDatabase(dataDir);
    return { database, damage: findDamage(database) };
  },
};

/** One server at a time uses a data directory (behavior 9.16). */
async function openForServer({ dataDir }: StoreSettings, log: Logger): Promise<Engine> {
  const start = noteBeforeStart(dataDir);
  const unlock = lockDataDir(dataDir);
  try {
    const engine = openEngine(dataDir);
    // Whatever is in this list ended before.
    await engine.writeWithoutSync(async ({ query }) => void (await query("DELETE FROM nodes")));
    const checkpoints = createCheckpoints(CHECKPOINT_WORKER, join(dataDir, DATABASE), {
      log,
      doubtLog: () => doubtLog(engine.writer),
    });
    engine.onWrite(checkpoints.committed);
    damagedSegments(engine.writer).listen((text) => log.warn(text));
    const close = async () => {
      await checkpoints.stop();
      await engine.close();
      unlock();
    };
    return { ...engine, close };
  } catch (error) {
    start.undo();
    unlock();
    throw error;
  }
}
