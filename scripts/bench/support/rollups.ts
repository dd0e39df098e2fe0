import { closeDatabase, openDatabase } from "../../../src/store/sqlite/open.ts";
import { statusCodes } from "../../../src/store/status-codes.ts";

const HOUR = 60 * 60 * 1000;
const { up, down } = statusCodes;

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
  $client.run(`INSERT INTO monitors (id, organization_pk, name, type, config, enabled, created_at, updated_at)
    ${count(2, monitors)} SELECT lower(hex(randomblob(11))), organization_pk, 'monitor ' || at, type, config,
    1, created_at, updated_at FROM numbers, monitors WHERE monitors.pk = 1 ORDER BY at`);
  $client.run(`INSERT INTO check_results (pk, monitor_pk, status, created_at)
    ${count(1, monitors)} SELECT at, at, ${up}, ${now} FROM numbers`);
  $client.run(
    `INSERT OR REPLACE INTO monitor_states (monitor_pk, organization_pk, status, status_since, last_result_pk,
       last_status, last_result_at)
     SELECT pk, organization_pk, ${up}, ${now}, pk, ${up}, ${now} FROM monitors`,
  );
  const fill = (table: string, starts: string) =>
    $client.run(`INSERT INTO ${table} SELECT pk, start, 0, status, count, latencies, latencies * 1000,
      latencies * 1000000, 900, 1100
      FROM monitors, (${starts}), (SELECT ${up} AS status, 24 AS count, 24 AS latencies
        UNION ALL SELECT ${down}, 1, 0)
      WHERE status = ${up} OR (pk * 31 + start) % 1009 = 0 ORDER BY pk, start`);
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
