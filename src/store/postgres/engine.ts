import type { Engine } from "../engine.ts";
import type { Sql } from "../tx.ts";
import { type Connections, type DatabaseConfig, openConnections } from "./connections.ts";
import { isLockTimeout } from "./faults.ts";
import { isOutdated, MIGRATE_WITHIN, migrate, type migrations } from "./migrate.ts";
import { createQueries } from "./queries.ts";

/** A slice takes about a dozen round trips. */
const MONITORS_IN_SLICE = 200;

/** The engine for several nodes. Its connections are for tests and tools. */
export interface PostgresEngine extends Engine {
  connections: Connections;
}

/**
 * @property all all migrations, oldest first @property onBlocked a migration waits, because other work uses a table
 * @property everyMinute is called about once a minute while checks are searched, with the time
 */
interface OpenOptions {
  all?: typeof migrations | undefined;
  onBlocked?: (() => void) | undefined;
  everyMinute?: ((sql: Sql, now: number) => void) | undefined;
}

/** Milliseconds between two tries to migrate, in which other nodes work. */
const MIGRATE_AGAIN_AFTER = 10_000;

/**
 * Opens the database and migrates it.
 *
 * @throws AppError `refused`: see `migrate`
 */
export async function openEngine(config: DatabaseConfig, options: OpenOptions = {}): Promise<PostgresEngine> {
  const connections = openConnections(config);
  try {
    if (await isOutdated(connections, options.all)) await migrateWithRetry(config, options);
  } catch (error) {
    await connections.close();
    throw error;
  }
  return engineOn(connections, options);
}

export function engineOn(
  connections: Connections,
  { everyMinute }: Pick<OpenOptions, "everyMinute"> = {},
): PostgresEngine {
  const { read, poll, write, writeApart, writeMany, writeWithoutSync, editMark, close } = connections;
  return {
    read,
    poll,
    readSlice: read,
    monitorsInSlice: MONITORS_IN_SLICE,
    write,
    writeApart,
    writeMany,
    editMark,
    writeWithoutSync,
    queries: createQueries(connections, everyMinute),
    close,
    connections,
  };
}

/** On connections of its own: others give up a statement that takes long. */
async function migrateWithRetry(config: DatabaseConfig, { all, onBlocked }: OpenOptions): Promise<void> {
  const patient = openConnections({ ...config, query_timeout: MIGRATE_WITHIN });
  const isMigrated = () =>
    migrate(patient, all).then(
      () => true,
      (error) => {
        if (isLockTimeout(error)) return false;
        throw error;
      },
    );
  try {
    while (!(await isMigrated())) {
      onBlocked?.();
      await Bun.sleep(MIGRATE_AGAIN_AFTER);
    }
  } finally {
    await patient.close();
  }
}
