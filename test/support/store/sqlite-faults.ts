import { Database as Sqlite } from "bun:sqlite";
import { renameSync } from "node:fs";
import type { Database } from "../../../src/store/sqlite/open.ts";

/*
 * Faults and states of SQLite that no public function of the store causes. Each function changes the database behind the
 * store. Those that return a function return the one that ends the fault.
 */

/** Whatever holds the connection for writes. After it is opened again, a fault ends on the new connection. */
interface Opened {
  readonly db: Database;
}

const DEFAULT_PAGES = 4_294_967_294;

/** Keeps the database from growing: SQLite fails as on a full disk. */
export function fillDisk(opened: Opened): () => void {
  // SQLite never sets the maximum below the present size.
  opened.db.$client.run("PRAGMA max_page_count = 1");
  return () => void opened.db.$client.run(`PRAGMA max_page_count = ${DEFAULT_PAGES}`);
}

/** Lets every write fail, as on a read-only disk. */
export function forbidWrites(opened: Opened): () => void {
  opened.db.$client.run("PRAGMA query_only = ON");
  return () => void opened.db.$client.run("PRAGMA query_only = OFF");
}

/** Locks the database as another process does. Writes then fail after 50 ms, also later. */
export function lockDatabase({ db }: Opened): () => void {
  db.$client.run("PRAGMA busy_timeout = 50");
  const other = new Sqlite(db.$client.filename);
  other.run("BEGIN IMMEDIATE");
  return () => {
    other.run("ROLLBACK");
    other.close();
  };
}

/** Lets commits return before they are on the disk, for tests that need many of them. */
export function commitWithoutDisk({ db }: Opened): void {
  db.$client.run("PRAGMA synchronous = OFF");
}

/** Lets every sync of a commit to the disk fail. Commits themselves succeed. */
export function failSyncs({ db }: Opened): () => void {
  // Without its name, the WAL can't be synced.
  const [log, away] = [`${db.$client.filename}-wal`, `${db.$client.filename}-away`];
  renameSync(log, away);
  return () => renameSync(away, log);
}

/** Stores a schedule in a time zone that does not exist, so that every computation of the rhythm of a job fails. */
export function breakRhythm({ db }: Opened, monitorId: string, run: number): void {
  const config = JSON.stringify({ interval: 300, cron: "0 3 * * *", timezone: "Mars/Olympus" });
  db.$client.query("UPDATE monitors SET config = ? WHERE id = ?").run(config, monitorId);
  db.$client
    .query(
      `UPDATE monitor_states SET rhythm = json_set(rhythm, '$.run', ?)
       WHERE monitor_pk = (SELECT pk FROM monitors WHERE id = ?)`,
    )
    .run(run, monitorId);
}

/** Lets every write of an attempt at a delivery fail, also after the database is opened again. */
export function failAttemptRecords(opened: Opened): () => void {
  opened.db.$client.run(
    "CREATE TRIGGER fault BEFORE UPDATE ON deliveries BEGIN SELECT RAISE(ABORT, 'fault'); END",
  );
  return () => void opened.db.$client.run("DROP TRIGGER fault");
}

/** Lets every change of the settings of a monitor fail, which is an internal error. */
export function failMonitorUpdates({ db }: Opened): () => void {
  db.$client.run("CREATE TRIGGER fault BEFORE UPDATE ON monitors BEGIN SELECT RAISE(ABORT, 'fault'); END");
  return () => void db.$client.run("DROP TRIGGER fault");
}

/** All rows of the tables that may contain no secret of a monitor: all except that of the monitors themselves. */
export function dumpWithoutMonitors({ db }: Opened): string {
  const tables = db.$client
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'monitors'")
    .all();
  return JSON.stringify(tables.map(({ name }) => db.$client.query(`SELECT * FROM "${name}"`).values()));
}

/** Makes every pending delivery due now. */
export function makeDeliveriesDue({ db }: Opened): void {
  db.$client.run("UPDATE deliveries SET next_attempt_at = 0 WHERE status = 0");
}

/** Gives every delivery a result whose time is outside the range of Date, so that it can't be formatted. */
export function breakMessages({ db }: Opened): void {
  db.$client.run("UPDATE deliveries SET transition = json_set(transition, '$.result.createdAt', 9e18)");
}
