import { closeDatabase, openDatabase } from "../../../src/store/sqlite/open.ts";

const HOUR = 60 * 60 * 1000;

/**
 * Copies the first monitor of a database, each copy with one result, the daily rollups of 90 days, and the hourly rollups
 * of the first day and the last two: the rows that lists read.
 */
export function fillRollups(folder: string, monitors: number): void {
  const db = openDatabase(folder);
  const { $client } = db;
  const now = Date.now();
  const hour = Math.floor(now / HOUR);
  const day = hour - (hour % 24);
  $client.run("PRAGMA synchronous = OFF");
  $client.run("PRAGMA cache_size = -500000");
  $client.run("BEGIN");
  $client.run(`INSERT INTO monitors (id, organization_pk, name, type, config, status, enabled, created_at, updated_at)
    ${count(2, monitors)} SELECT lower(hex(randomblob(11))), organization_pk, 'monitor ' || at, type, config, 'up',
    1, created_at, updated_at FROM numbers, monitors WHERE monitors.pk = 1 ORDER BY at`);
  $client.run(`INSERT INTO check_results (pk, series, created_at) ${count(1, monitors)}
    SELECT at, at * 4, ${now} FROM numbers`);
  $client.run(
    `UPDATE monitors SET status = 'up', status_since = ${now}, next_check_at = NULL, last_result_pk = pk`,
  );
  const fill = (table: string, starts: string) =>
    $client.run(`INSERT INTO ${table} SELECT pk, start, 24, (pk * 31 + start) % 1009 = 0, 0, 0, 24, 24000, 24000000, 900, 1100
      FROM monitors, (${starts}) ORDER BY pk, start`);
  fill("daily_rollups", `${count(0, 90)} SELECT ${day} - at * 24 AS start FROM numbers`);
  fill(
    "hourly_rollups",
    `${count(0, 47)} SELECT ${hour} - at AS start FROM numbers UNION ALL SELECT ${hour} - 2160 + at - 23 FROM numbers`,
  );
  $client.run("COMMIT");
  closeDatabase(db);
}

function count(from: number, to: number): string {
  return `WITH RECURSIVE numbers(at) AS (SELECT ${from} UNION ALL SELECT at + 1 FROM numbers WHERE at < ${to})`;
}
