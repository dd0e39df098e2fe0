import { type SQLQueryBindings, Database as Sqlite } from "bun:sqlite";

/** The columns of Uptime Kuma 2 that matter here. */
const SCHEMA = `
  CREATE TABLE [monitor] (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(150), active BOOLEAN DEFAULT 1 NOT NULL,
    type VARCHAR(20), url TEXT, interval INTEGER DEFAULT 20 NOT NULL, parent INTEGER REFERENCES [monitor] (id),
    maxretries INTEGER DEFAULT 0 NOT NULL, accepted_statuscodes_json TEXT DEFAULT '["200-299"]' NOT NULL,
    expiry_notification BOOLEAN DEFAULT 1, hostname VARCHAR(255), port INTEGER, push_token VARCHAR(32));
  CREATE TABLE [notification] (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(255), config TEXT,
    active BOOLEAN DEFAULT 1 NOT NULL, is_default BOOLEAN DEFAULT 0 NOT NULL);
  CREATE TABLE monitor_notification (id INTEGER PRIMARY KEY AUTOINCREMENT, monitor_id INTEGER, notification_id INTEGER);
  CREATE TABLE \`stat_daily\` (\`id\` integer primary key, \`monitor_id\` integer, \`timestamp\` integer, \`ping\` float,
    \`up\` integer, \`down\` integer);
  CREATE TABLE heartbeat (id INTEGER PRIMARY KEY AUTOINCREMENT, monitor_id INTEGER NOT NULL, status SMALLINT NOT NULL,
    time DATETIME NOT NULL, ping INTEGER);`;

/** Creates a database as Uptime Kuma has it open: with a log. */
export function createKumaDatabase(path: string): Sqlite {
  const kuma = new Sqlite(path, { create: true });
  kuma.run("PRAGMA journal_mode = WAL");
  kuma.run(SCHEMA);
  return kuma;
}

/** Adds rows to a table. */
export function fillKumaTable(kuma: Sqlite, table: string, rows: Record<string, SQLQueryBindings>[]): void {
  for (const row of rows) {
    const columns = Object.keys(row).map((name) => `"${name}"`);
    const places = columns.map(() => "?");
    kuma.query(`INSERT INTO "${table}" (${columns}) VALUES (${places})`).run(...Object.values(row));
  }
}
