import { AppError, StorageFault } from "../../errors.ts";
import type { EngineDriver, StoreSettings } from "../engine.ts";
import type { Sql } from "../tx.ts";
import { openCopySource } from "./copy/source.ts";
import { openCopyTarget } from "./copy/target.ts";
import { openEngine } from "./engine.ts";
import { isRefusal } from "./faults.ts";
import { createSnapshotWarning } from "./old-snapshots.ts";
import { PATIENCE, RETRY_AFTER, reach, refusal } from "./reach.ts";

/** PostgreSQL: any number of servers share a database. */
export const postgres: EngineDriver = {
  exists: async (settings) => (await reach(settings)).exists,
  open: (settings) => open(settings),
  async openExisting(settings) {
    const { config, name, exists } = await reach(settings);
    if (!exists)
      throw new AppError("refused", `${name} has no tables of stillup: start a server on it first`);
    return openEngine(config);
  },
  async openForServer(settings, log) {
    const warn = createSnapshotWarning(log);
    // Without the warning, all works.
    const everyMinute = (sql: Sql, now: number) => void warn(sql, now).catch(() => {});
    const engine = await open(settings, { onBlocked: () => log.warn(BLOCKED), everyMinute });
    engine.connections.damaged.listen((text) => log.warn(text));
    return engine;
  },
  backUp: async () => refuse("backup", "pg_dump"),
  restore: async () => refuse("restore", "pg_dump and pg_restore"),
  openCopySource: async (settings) => openCopySource(await reach(settings)),
  openCopyTarget: async (settings, now) => openCopyTarget(await reach(settings, { forOwner: true }), now),
  check: async () => refuse("check", "pg_dump, which reads all of it"),
};

const BLOCKED =
  "the migration waits for other work that uses the tables, such as pg_dump: other nodes continue, and it is tried again";

/** The database may restart just after it was reached: then it is reached again. */
async function open(
  settings: StoreSettings,
  options: Parameters<typeof openEngine>[1] = {},
): ReturnType<typeof openEngine> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    const patience = until - performance.now();
    const { config, name } = await reach(settings, { patience, forOwner: true });
    try {
      return await openEngine(config, options);
    } catch (error) {
      if (!(error instanceof StorageFault)) throw error;
      if (isRefusal(error) || performance.now() >= until) throw refusal(name, error);
    }
    await Bun.sleep(RETRY_AFTER);
  }
}

function refuse(command: string, instead: string): never {
  throw new AppError("invalid", `${command} is for the embedded database: for PostgreSQL, use ${instead}`);
}
