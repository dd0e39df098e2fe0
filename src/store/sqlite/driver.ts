import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "../../log.ts";
import { workerUrl } from "../../worker-url.ts";
import { noteBackup } from "../data-dir.ts";
import type { Engine, EngineDriver, StoreSettings } from "../engine.ts";
import { isLog, restore } from "./backup.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { openCopySource } from "./copy/source.ts";
import { openCopyTarget } from "./copy/target.ts";
import { findDamage } from "./damage-check.ts";
import { DATABASE, existingDatabase, lockDataDir, noteBeforeStart } from "./data-dir.ts";
import { doubtLog } from "./durability.ts";
import { openEngine } from "./engine.ts";
import { damagedSegments } from "./results/segments.ts";

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
  async backUp({ dataDir }, file, now) {
    existingDatabase(dataDir);
    const engine = openEngine(dataDir);
    try {
      await engine.queries.backUp(file);
    } finally {
      await engine.close();
    }
    noteBackup(dataDir, now);
  },
  async restore({ dataDir }, file, now) {
    const path = restore(file, dataDir, now);
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
