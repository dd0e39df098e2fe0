import { Database as Sqlite } from "bun:sqlite";
import { dirname } from "node:path";
import type { Status } from "../../../src/domain/monitors/status.ts";
import { closeDatabase, openDatabase } from "../../../src/store/sqlite/open.ts";
import { internDetail } from "../../../src/store/sqlite/results/details.ts";
import { seriesOf } from "../../../src/store/sqlite/results/series.ts";
import { packTimings } from "../../../src/store/sqlite/results/timings.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** How long ago the history begins, in milliseconds. */
const SPAN = 90 * DAY;

/** A rare status: so many results have it, in all. */
const RARE = 5;

/**
 * Writes the history of HTTP monitors as the recorder would have written it over 90 days: results in the order of time,
 * one monitor after the other, and their rollups by hour and day.
 *
 * @param results of each of the monitors 1 to `monitors`
 */
export function fillHistory(
  folder: string,
  { monitors, results }: { monitors: number; results: number },
): void {
  const db = openDatabase(folder);
  const { $client } = db;
  $client.run("PRAGMA synchronous = OFF");
  $client.run("PRAGMA cache_size = -500000");
  const start = Date.now() - SPAN;
  $client.run("BEGIN");
  const detail = new Map<string, number>();
  for (let monitor = 1; monitor <= monitors; monitor++) {
    for (const [word, text] of [
      ["up", { statusCode: 200, address: `192.0.2.${monitor % 250}` }],
      ["down", { reason: "refused", message: `connect ECONNREFUSED 192.0.2.${monitor % 250}:443` }],
    ] as const) {
      detail.set(`${monitor} ${word}`, internDetail(db, monitor, text, start + SPAN));
    }
  }
  const insert = $client.prepare(
    "INSERT INTO check_results (series, timings, detail_pk, created_at) VALUES (?, ?, ?, ?)",
  );
  const step = SPAN / results;
  const hours = new Hours($client, monitors);
  for (let round = 0; round < results; round++) {
    for (let monitor = 1; monitor <= monitors; monitor++) {
      const at = Math.floor(start + round * step + (monitor * step) / monitors);
      const status = statusOf(round, monitor);
      const latencyMs = status === "down" ? null : 20 + ((monitor * 7919 + round * 104_729) % 9000) / 100;
      const phases = {
        resolve: 0.2 + (round % 80) / 100,
        ...(latencyMs && { connect: latencyMs / 4, firstByte: 1 }),
      };
      const timings = packTimings({ latencyMs, phases });
      insert.run(seriesOf(monitor, "HTTP", status), timings, detail.get(`${monitor} ${status}`) ?? null, at);
      hours.add(monitor, at, status, latencyMs);
    }
  }
  hours.flush();
  $client.run(
    "INSERT INTO daily_rollups SELECT * FROM (SELECT monitor_pk, start / 24 * 24 AS day, sum(count_0), sum(count_1), sum(count_2), sum(count_3), sum(latency_count), sum(latency_sum), sum(latency_squares), min(shortest), max(longest) FROM hourly_rollups GROUP BY monitor_pk, day) ORDER BY day, monitor_pk",
  );
  $client.run(
    `UPDATE monitors SET status = 'up', status_since = ${start}, next_check_at = NULL, last_result_pk = (SELECT max(pk) FROM check_results WHERE series BETWEEN monitors.pk * 4 AND monitors.pk * 4 + 3)`,
  );
  $client.run("COMMIT");
  $client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  closeDatabase(db);
}

function statusOf(round: number, monitor: number): Status {
  if (monitor === 7 && round > 100 && round <= 100 + RARE) return "degraded";
  return (round * 31 + monitor * 17) % 1009 === 0 ? "down" : "up";
}

/** The rollups of the hour that is being filled. */
class Hours {
  #rows: number[][];
  #hour = 0;
  readonly #insert;

  constructor(sqlite: Sqlite, monitors: number) {
    this.#rows = Array.from({ length: monitors }, () => []);
    this.#insert = sqlite.prepare("INSERT INTO hourly_rollups VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?)");
  }

  add(monitor: number, at: number, status: Status, latencyMs: number | null): void {
    const hour = Math.floor(at / HOUR);
    if (hour !== this.#hour) this.flush();
    this.#hour = hour;
    const row = this.#rows[monitor - 1] ?? [];
    if (row.length === 0) row.push(0, 0, 0, 0, 0, 0, Number.MAX_SAFE_INTEGER, 0);
    const bump = (index: number, by: number) => {
      row[index] = (row[index] ?? 0) + by;
    };
    bump(["up", "down", "degraded"].indexOf(status), 1);
    if (latencyMs === null) return;
    const tenths = Math.round(latencyMs * 10);
    bump(3, 1);
    bump(4, tenths);
    bump(5, tenths ** 2);
    row[6] = Math.min(row[6] ?? tenths, tenths);
    row[7] = Math.max(row[7] ?? tenths, tenths);
  }

  flush(): void {
    for (const [at, row] of this.#rows.entries()) {
      if (row.length > 0) this.#insert.run(at + 1, this.#hour, ...row);
      row.length = 0;
    }
  }
}

/** What the same disk does in the same run: rows a second in groups of 100 with a sync each, and one by one. */
export function rawSpeed(folder: string): { grouped: number; single: number } {
  const sqlite = new Sqlite(`${dirname(folder)}/stillup-raw-${process.pid}.db`);
  sqlite.run("PRAGMA journal_mode = WAL");
  sqlite.run("PRAGMA synchronous = FULL");
  sqlite.run(
    "CREATE TABLE raw (pk INTEGER PRIMARY KEY, series INTEGER, timings BLOB, detail INTEGER, at INTEGER)",
  );
  sqlite.run("CREATE INDEX raw_series ON raw (series)");
  const insert = sqlite.prepare("INSERT INTO raw (series, timings, detail, at) VALUES (?, ?, 1, ?)");
  const group = sqlite.transaction((size: number) => {
    for (let at = 0; at < size; at++) insert.run(at % 4000, new Uint8Array(6), Date.now());
  });
  const speed = (size: number, groups: number) => {
    const start = performance.now();
    for (let at = 0; at < groups; at++) group(size);
    return (size * groups * 1000) / (performance.now() - start);
  };
  const found = { grouped: speed(100, 1000), single: speed(1, 2000) };
  const { filename } = sqlite;
  sqlite.close();
  for (const end of ["", "-wal", "-shm"]) Bun.spawnSync(["rm", "-f", filename + end]);
  return found;
}
