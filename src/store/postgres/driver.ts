import { AppError, StorageFault } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { Engine, EngineDriver, StoreSettings } from "../engine.ts";
import type { Sql } from "../tx.ts";
import { type Connections, type DatabaseConfig, openConnections } from "./connections.ts";
import { openCopySource } from "./copy/source.ts";
import { openCopyTarget } from "./copy/target.ts";
import { isOutdated, MIGRATE_WITHIN, migrate, type migrations } from "./migrate.ts";
import { createQueries } from "./queries.ts";
import { isLockTimeout, isRefusal, PATIENCE, RETRY_AFTER, reach, refusal } from "./reach.ts";

/** The session or transaction that keeps PostgreSQL from removing outdated rows. */
interface OldSnapshot {
  holder: string;
  /** How it is ended. */
  remedy: string;
}

/** How old a transaction is when it is named, in seconds, and in transactions for what has no time. */
const OLD_SECONDS = 600;
const OLD_TRANSACTIONS = 1_000_000;

/** Milliseconds between two warnings. */
const WARN_EVERY = 3_600_000;

/** A role sees its own sessions, and with `pg_monitor` also others. */
const FIND_OLDEST = `SELECT holder, remedy FROM (
    SELECT format('the session %s (%s)', pid, application_name) AS holder,
      format('SELECT pg_terminate_backend(%s)', pid) AS remedy, age(backend_xmin) AS age
    FROM pg_stat_activity
    WHERE backend_xmin IS NOT NULL AND datname = current_database() AND pid <> pg_backend_pid()
      AND xact_start <= clock_timestamp() - make_interval(secs => $1)
    UNION ALL
    SELECT format('the prepared transaction %s', gid), format('ROLLBACK PREPARED %L', gid), age(transaction)
    FROM pg_prepared_xacts
    WHERE database = current_database() AND prepared <= clock_timestamp() - make_interval(secs => $1)
    UNION ALL
    SELECT format('the replication slot %s', slot_name), format('SELECT pg_drop_replication_slot(%L)', slot_name), age(xmin)
    FROM pg_replication_slots WHERE age(xmin) > $2
  ) AS holders ORDER BY age DESC LIMIT 1`;

/** Warns about the oldest snapshot that stays open (behavior 12.74), once an hour. */
export function createSnapshotWarning(
  log: Pick<Logger, "warn">,
  oldSeconds = OLD_SECONDS,
): (sql: Sql, now: number) => Promise<void> {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return async ({ query }, now) => {
    if (Math.abs(now - warnedAt) < WARN_EVERY) return;
    const [found] = await query<OldSnapshot>(FIND_OLDEST, [oldSeconds, OLD_TRANSACTIONS]);
    if (!found) return;
    warnedAt = now;
    log.warn(
      `${found.holder} keeps an old snapshot open: until it ends, PostgreSQL removes no outdated rows and gets slower; ` +
        `if nobody needs it, end it with: ${found.remedy}`,
    );
  };
}

/** A slice takes about a dozen round trips. */
const MONITORS_IN_SLICE = 200;

/** The engine for several nodes. Its connections are for tests and tools. */
interface PostgresEngine extends Engine {
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
