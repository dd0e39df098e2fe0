import { emptyColumns } from "../../../src/domain/results/segments/segment.ts";
import type { ResultRow } from "../../../src/store/results/result-items.ts";
import { columnsOf } from "../../../src/store/results/segment-rows.ts";
import { packTimings } from "../../../src/store/results/timings.ts";
import type { Database } from "../../../src/store/sqlite/database.ts";
import { writeSegment } from "../../../src/store/sqlite/results/segments.ts";
import { statusCodes } from "../../../src/store/status-codes.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2027, 0, 1);
const HUNDREDTHS = 100;

/** Results in a segment, as an hour at 60 s has them. */
const SEGMENT = 60;

/** Results of HTTPS monitors at 60 s, in the order of time. */
export class HttpsMonitors {
  /** The number and time of the newest result. */
  written = 0;
  now: number;
  readonly pks: number[];
  readonly #targets: { offset: number; resolve: number; connect: number; tls: number; firstByte: number }[];
  readonly #order: number[];

  /** @param start milliseconds since 1970 */
  constructor(count: number, start = START) {
    this.now = start;
    this.#targets = Array.from({ length: count }, () => ({
      offset: Math.random() * MINUTE,
      resolve: 0.3 + Math.random(),
      connect: 2 + 20 * Math.random(),
      tls: 4 + 30 * Math.random(),
      firstByte: 5 + 60 * Math.random(),
    }));
    this.pks = this.#targets.map((_, at) => at + 1);
    this.#order = this.#targets
      .map(({ offset }, at) => ({ offset, at }))
      .sort((a, b) => a.offset - b.offset)
      .map(({ at }) => at);
  }

  /** The results of the next hour. */
  nextHour(): ResultRow[] {
    const rows: ResultRow[] = [];
    for (let minute = 0; minute < HOUR; minute += MINUTE)
      for (const at of this.#order) rows.push(this.#next(at, minute));
    this.now += HOUR;
    return rows;
  }

  /** Writes the results of the next hour as rows. */
  writeHour({ $client }: Database): void {
    const insert = $client.prepare(
      "INSERT INTO check_results (monitor_pk, status, timings, detail_pk, created_at) VALUES (?, ?, ?, ?, ?)",
    );
    $client.run("PRAGMA synchronous = OFF");
    $client.run("BEGIN");
    for (const { status, timings, detailPk, createdAt, monitorPk } of this.nextHour())
      insert.run(monitorPk, status, timings, detailPk, createdAt);
    $client.run("COMMIT");
    insert.finalize();
  }

  /** Writes the results of the next day as segments, without rows. */
  writePackedDay(db: Database): void {
    const { $client } = db;
    $client.run("PRAGMA synchronous = OFF");
    $client.run("BEGIN");
    for (let hour = 0; hour < DAY; hour += HOUR) {
      const rows: ResultRow[][] = this.#order.map(() => []);
      for (let minute = 0; minute < HOUR; minute += MINUTE)
        for (const at of this.#order) rows[at]?.push(this.#next(at, hour + minute));
      for (const [at, some] of rows.entries())
        for (let from = 0; from < some.length; from += SEGMENT)
          writeSegment(db, at + 1, columnsOf(some.slice(from, from + SEGMENT), emptyColumns(0)));
    }
    $client.run("COMMIT");
    this.now += DAY;
  }

  /** @param since milliseconds since `now` */
  #next(at: number, since: number): ResultRow {
    const target = this.#targets[at] ?? { offset: 0, resolve: 1, connect: 1, tls: 1, firstByte: 1 };
    const drift = 1 + 0.1 * Math.sin((this.now + since) / (3 * HOUR) + at);
    const phases = {
      resolve: rounded(target.resolve * noise(0.2)),
      connect: rounded(target.connect * drift * noise(0.05)),
      tls: rounded(target.tls * drift * noise(0.05)),
      firstByte: rounded(target.firstByte * drift * noise(0.08)),
    };
    const latencyMs = rounded(phases.resolve + phases.connect + phases.tls + phases.firstByte);
    const isDown = Math.random() < 0.0005;
    return {
      pk: ++this.written,
      monitorPk: at + 1,
      status: isDown ? statusCodes.down : statusCodes.up,
      timings: isDown ? null : packTimings({ latencyMs, phases }),
      detailPk: 2 * at + (isDown ? 2 : 1),
      createdAt: Math.round(this.now + since + target.offset + Math.abs(normal()) * 1.5 + latencyMs),
    };
  }
}

function noise(width: number): number {
  return Math.exp(width * normal()) * (Math.random() < 0.01 ? 3 + 17 * Math.random() : 1);
}

function normal(): number {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * HUNDREDTHS) / HUNDREDTHS;
}
