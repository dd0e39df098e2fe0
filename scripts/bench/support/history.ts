import { Database as Sqlite } from "bun:sqlite";
import { dirname } from "node:path";
import type { Status } from "../../../src/domain/monitors/status.ts";
import { packTimings } from "../../../src/store/results/timings.ts";
import { closeDatabase, openDatabase } from "../../../src/store/sqlite/open.ts";
import { internDetail } from "../../../src/store/sqlite/recording/save-states.ts";
import { statusCodes } from "../../../src/store/status-codes.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** How long ago the history begins, in milliseconds. */
const SPAN = 90 * DAY;

/** How many results have a rare status. */
const RARE = 5;

/**
 * Writes the history of HTTP monitors as the recorder writes it in 90 days: results in the order of time, one
 * monitor after the other, and their rollups by hour and day.
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
    `INSERT INTO check_results (monitor_pk, status, timings, detail_pk, created_at)
     VALUES (?, ?, ?, ?, ?)`,
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
      insert.run(monitor, statusCodes[status], timings, detail.get(`${monitor} ${status}`) ?? null, at);
      hours.add(monitor, at, status, latencyMs);
    }
  }
  hours.flush();
  $client.run(
    `INSERT INTO daily_rollups SELECT * FROM (SELECT monitor_pk, start / 24 * 24 AS day, location, status, sum(count),
       sum(latency_count), sum(latency_sum), sum(latency_squares), min(shortest), max(longest)
       FROM hourly_rollups GROUP BY monitor_pk, day, location, status) ORDER BY day, monitor_pk`,
  );
  $client.run(
    `UPDATE monitor_states SET status = ${statusCodes.up}, status_since = ${start}, next_check_at = NULL,
       (last_result_pk, last_status, last_timings, last_detail_pk, last_result_at) =
         (SELECT max(pk), status, timings, detail_pk, created_at FROM check_results
          WHERE check_results.monitor_pk = monitor_states.monitor_pk)`,
  );
  $client.run("COMMIT");
  $client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  closeDatabase(db);
}

function statusOf(round: number, monitor: number): Status {
  if (monitor === 7 && round > 100 && round <= 100 + RARE) return "degraded";
  return (round * 31 + monitor * 17) % 1009 === 0 ? "down" : "up";
}

interface Hour {
  count: number;
  latencyCount: number;
  sum: number;
  squares: number;
  shortest: number | null;
  longest: number | null;
}

/** The rollups of the current hour. */
class Hours {
  /** By monitor and status. */
  #rows: Map<Status, Hour>[];
  #hour = 0;
  readonly #insert;

  constructor(sqlite: Sqlite, monitors: number) {
    this.#rows = Array.from({ length: monitors }, () => new Map());
    this.#insert = sqlite.prepare("INSERT INTO hourly_rollups VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?, ?)");
  }

  add(monitor: number, at: number, status: Status, latencyMs: number | null): void {
    const hour = Math.floor(at / HOUR);
    if (hour !== this.#hour) this.flush();
    this.#hour = hour;
    const rows = this.#rows[monitor - 1];
    const row = rows?.get(status) ?? {
      count: 0,
      latencyCount: 0,
      sum: 0,
      squares: 0,
      shortest: null,
      longest: null,
    };
    rows?.set(status, row);
    row.count++;
    if (latencyMs === null) return;
    const tenths = Math.round(latencyMs * 10);
    row.latencyCount++;
    row.sum += tenths;
    row.squares += tenths ** 2;
    row.shortest = Math.min(row.shortest ?? tenths, tenths);
    row.longest = Math.max(row.longest ?? tenths, tenths);
  }

  flush(): void {
    for (const [at, rows] of this.#rows.entries()) {
      for (const [status, { count, latencyCount, sum, squares, shortest, longest }] of rows) {
        const values = [count, latencyCount, sum, squares, shortest, longest] as const;
        this.#insert.run(at + 1, this.#hour, statusCodes[status], ...values);
      }
      rows.clear();
    }
  }
}

/** The speed of the same disk in the same run: rows a second in groups of 100 with a sync each, and one by one. */
export function rawSpeed(folder: string): { grouped: number; single: number } {
  const sqlite = new Sqlite(`${dirname(folder)}/stillup-raw-${process.pid}.db`);
  sqlite.run("PRAGMA journal_mode = WAL");
  sqlite.run("PRAGMA synchronous = FULL");
  sqlite.run(
    "CREATE TABLE raw (pk INTEGER PRIMARY KEY, monitor INTEGER, timings BLOB, detail INTEGER, at INTEGER)",
  );
  sqlite.run("CREATE INDEX raw_monitor ON raw (monitor)");
  const insert = sqlite.prepare("INSERT INTO raw (monitor, timings, detail, at) VALUES (?, ?, 1, ?)");
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
