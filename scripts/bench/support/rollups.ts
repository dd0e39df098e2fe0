import { Database } from "bun:sqlite";
import { join } from "node:path";
import { statusCodes } from "../../../src/store/status-codes.ts";

const HOUR = 60 * 60 * 1000;
const { up, down } = statusCodes;

/**
 * Copies the first monitor of a database, each copy with one result, the daily rollups of 90 days, and the hourly rollups
 * of the first day and the last two: the rows that lists read. The database keeps the version of the binary that created it.
 */
export function fillRollups(folder: string, monitors: number): void {
  using db = new Database(join(folder, "stillup.db"));
  const now = Date.now();
  const hour = Math.floor(now / HOUR);
  const day = hour - (hour % 24);
  db.run("PRAGMA synchronous = OFF");
  db.run("PRAGMA cache_size = -500000");
  db.run("BEGIN");
  for (const table of ["check_results", "hourly_rollups", "daily_rollups"]) db.run(`DELETE FROM ${table}`);
  if (hasColumn(db, "hour_runs", "first")) db.run("DELETE FROM hour_runs");
  db.run(`INSERT INTO monitors (id, organization_pk, name, type, config, enabled, created_at, updated_at)
    ${count(2, monitors)} SELECT lower(hex(randomblob(11))), organization_pk, 'monitor ' || at, type, config,
    1, created_at, updated_at FROM numbers, monitors WHERE monitors.pk = 1 ORDER BY at`);
  db.run(`INSERT INTO check_results (pk, monitor_pk, status, created_at)
    ${count(1, monitors)} SELECT at, at, ${up}, ${now} FROM numbers`);
  const state: Record<string, number | string> = {
    monitor_pk: "pk",
    organization_pk: "organization_pk",
    status: up,
    status_since: now,
    last_result_pk: "pk",
    last_status: up,
    last_result_at: now,
  };
  const columns = Object.keys(state).filter((name) => hasColumn(db, "monitor_states", name));
  db.run(`INSERT OR REPLACE INTO monitor_states (${columns})
    SELECT ${columns.map((name) => state[name])} FROM monitors`);
  const fill = (table: string, starts: string) =>
    db.run(`INSERT INTO ${table} SELECT pk, start, 0, status, count, latencies, latencies * 1000,
      latencies * 1000000, 900, 1100
      FROM monitors, (${starts}), (SELECT ${up} AS status, 24 AS count, 24 AS latencies
        UNION ALL SELECT ${down}, 1, 0)
      WHERE status = ${up} OR (pk * 31 + start) % 1009 = 0 ORDER BY pk, start`);
  fill("daily_rollups", `${count(0, 90)} SELECT ${day} - at * 24 AS start FROM numbers`);
  fill(
    "hourly_rollups",
    `${count(0, 47)} SELECT ${hour} - at AS start FROM numbers UNION ALL SELECT ${hour} - 2160 + at - 23 FROM numbers`,
  );
  db.run("COMMIT");
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

function count(from: number, to: number): string {
  return `WITH RECURSIVE numbers(at) AS (SELECT ${from} UNION ALL SELECT at + 1 FROM numbers WHERE at < ${to})`;
}

/** Versions differ in what the state of a monitor holds. */
function hasColumn(db: Database, table: string, name: string): boolean {
  return db.query("SELECT 1 FROM pragma_table_info(?) WHERE name = ?").get(table, name) !== null;
}
