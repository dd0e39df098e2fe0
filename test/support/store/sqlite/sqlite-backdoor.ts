import { SQLiteError, Database as Sqlite } from "bun:sqlite";
import { renameSync } from "node:fs";
import type { Database } from "../../../../src/store/sqlite/database.ts";
import type { Backdoor, WriteFault } from "../backdoor.ts";

/** Milliseconds for which a statement waits for other writes to the database. */
const PATIENCE = 30_000;

const isLocked = (error: unknown) => error instanceof SQLiteError && error.code === "SQLITE_BUSY";

/** @param writer the connection for writes, which a restart replaces */
export function sqliteBackdoor(writer: () => Database): Backdoor {
  const prepare = (sql: string) =>
    writer().$client.query<object, (string | number)[]>(sql.replace(/\$(?=\d)/g, "?"));
  return {
    engine: "sqlite",
    async run(sql, ...values) {
      const end = performance.now() + PATIENCE;
      for (;;) {
        try {
          prepare(sql).run(...values);
          return;
        } catch (error) {
          // To wait within SQLite would block the server of this process, which may hold the lock itself.
          if (!isLocked(error) || performance.now() > end) throw error;
        }
        await Bun.sleep(1);
      }
    },
    rows: async <Row extends object>(sql: string, ...values: (string | number)[]) =>
      prepare(sql).all(...values) as Row[],
    async breakWrites(fault) {
      const end = faults[fault](writer());
      return async () => end();
    },
    async failSyncs() {
      const end = failSyncs(writer());
      return async () => end();
    },
  };
}

/** After the database is opened again, a fault ends on the new connection. */
const faults: Record<WriteFault, (db: Database) => () => void> = {
  "read-only": forbidWrites,
  full: fillDisk,
  locked: lockDatabase,
};

const DEFAULT_PAGES = 4_294_967_294;

/** Keeps the database from growing: SQLite fails as on a full disk. */
function fillDisk(db: Database): () => void {
  // The migrations leave free pages, into which a few rows fit. Each step frees one page.
  db.$client.query("PRAGMA incremental_vacuum").all();
  // SQLite never sets the maximum below the present size.
  db.$client.run("PRAGMA max_page_count = 1");
  return () => void db.$client.run(`PRAGMA max_page_count = ${DEFAULT_PAGES}`);
}

export function forbidWrites(db: Database): () => void {
  db.$client.run("PRAGMA query_only = ON");
  return () => void db.$client.run("PRAGMA query_only = OFF");
}

/** Locks the database as another process does. Writes then fail after 50 ms, also later. */
function lockDatabase(db: Database): () => void {
  db.lockWait = 50;
  const other = new Sqlite(db.$client.filename);
  other.run("BEGIN IMMEDIATE");
  return () => {
    other.run("ROLLBACK");
    other.close();
  };
}

/** Lets every sync of a commit to the disk fail. Commits themselves succeed. */
export function failSyncs(db: Database): () => void {
  // Without its name, the WAL can't be synced.
  const [log, away] = [`${db.$client.filename}-wal`, `${db.$client.filename}-away`];
  renameSync(log, away);
  return () => renameSync(away, log);
}
