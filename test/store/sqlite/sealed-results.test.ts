import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import {
  groupOf,
  RESULT_STATUSES,
  type ResultStatus,
  statusesOf,
} from "../../../src/domain/monitors/status.ts";
import type { Selection, Stretch } from "../../../src/store/results/result-items.ts";
import { openConnections } from "../../../src/store/sqlite/connections.ts";
import { sealResults } from "../../../src/store/sqlite/housekeeping/seal.ts";
import { readsOf } from "../../../src/store/sqlite/results/reads.ts";
import { exportResults } from "../../../src/store/sqlite/results/result-times.ts";
import { damagedSegments, USUAL_STATUSES } from "../../../src/store/sqlite/results/segments.ts";
import { statusCodes } from "../../../src/store/status-codes.ts";
import type { Sealing } from "../../../src/store/store.ts";
import { walks } from "../../support/long.ts";
import { openWithoutMigrations } from "../../support/store/sqlite/empty-database.ts";
import { tempDir } from "../../support/temp-dir.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2027, 5, 1, 12);
const MONITORS = 8;
const STATUSES = statusesOf.HTTP;

let dir: ReturnType<typeof tempDir>;
let connections: ReturnType<typeof openConnections>;

beforeEach(() => {
  dir = tempDir();
  openWithoutMigrations(dir.path).close();
  connections = openConnections(dir.path);
  // Only locations record results late: without one, reads take the results to be in the order of their times.
  for (const sql of LOCATION) connections.writer.$client.run(sql);
});

const LOCATION = [
  `INSERT INTO organizations (pk, id, name, plan, subscription, created_at)
    VALUES (1, 'o', 'Acme', 'enterprise', 'active', 0)`,
  "INSERT INTO locations (id, organization_pk, name, key_hash, created_at) VALUES ('l', 1, 'oslo', x'00', 0)",
];

afterEach(() => {
  connections.close();
  dir[Symbol.dispose]();
});

const monitorPk = fc.integer({ min: 1, max: MONITORS });
const status = fc.oneof({ weight: 5, arbitrary: fc.constant("up" as const) }, fc.constantFrom(...STATUSES));
/** Without timings, with a latency, and with a phase that is its largest byte. */
const timings = fc.constantFrom(null, [16, 5], [16, 128, 1], [17, 255, 255, 3, 9]);
const result = fc.record({
  monitorPk,
  status,
  timings,
  detailPk: fc.option(fc.integer({ min: 1, max: 3 })),
  minutes: fc.integer({ min: 0, max: 90 }),
  // A location may record a result up to a day late.
  late: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: DAY })),
});
/** After the first result: most results are of these days. */
const time = fc.option(
  fc.integer({ min: 0, max: 6 * 24 * 60 }).map((minutes) => NOW - DAY + minutes * MINUTE),
  { nil: undefined },
);
const page = fc.record({
  before: fc.integer({ min: 1, max: 250 }),
  limit: fc.integer({ min: 1, max: 60 }),
  from: time,
  to: time,
});
const selection = fc.record({ monitorPks: fc.uniqueArray(monitorPk), statuses: fc.uniqueArray(status) });
/** Hours before the newest result until which results are sealed, and after how many pieces that stops. */
const seals = fc.array(fc.record({ hours: fc.integer({ min: -2, max: 20 }), pieces: fc.nat(3) }), {
  maxLength: 4,
});

test("behavior 6.11, 16.200: results read the same however many of them are sealed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(result, { maxLength: 200 }),
      seals,
      fc.array(fc.tuple(fc.array(selection, { minLength: 1, maxLength: 2 }), page), { maxLength: 6 }),
      async (given, seals, pages) => {
        const rows = insert(given);
        const newest = rows.reduce((time, { createdAt }) => Math.max(time, createdAt), 0);
        for (const { hours, pieces } of seals) {
          await seal(newest - hours * HOUR, pieces);
          for (const [selections, page] of pages) await expectPage(rows, distinct(selections), page);
          await expectBetween(rows);
        }
        await seal(newest + 2 * HOUR);
        expect(count("check_results")).toBe(0);
        for (const [selections, page] of pages) await expectPage(rows, distinct(selections), page);
        await expectBetween(rows);
      },
    ),
    { numRuns: walks(60) },
  );
});

describe("behavior 16.202: a page of results reads no segments of", () => {
  /** Six results each day for 30 days, sealed. One of day 15 is down. */
  async function insertHistory(): Promise<Rows> {
    const given = Array.from({ length: 30 * 6 }, (_, at) => ({
      ...STEADY,
      ...{ minutes: 240, status: at === 15 * 6 ? ("down" as const) : ("up" as const) },
    }));
    const rows = insert(given);
    await seal(NOW + 100 * DAY);
    return rows;
  }

  /** A segment that is read then is reported. */
  function damage(condition: string): void {
    connections.writer.$client.run(`UPDATE result_segments SET data = x'00' WHERE ${condition}`);
    damagedSegments(connections.writer).listen((text) => reported.push(text));
  }

  let reported: string[] = [];
  beforeEach(() => {
    reported = [];
  });
  afterEach(() => expect(reported).toEqual([]));

  const read = (page: Partial<Page>, statuses: readonly ResultStatus[] = STATUSES) =>
    readsOf(connections.writer).newestResults([{ monitorPks: [1], statuses }], {
      ...{ before: undefined, limit: 50 },
      ...page,
    });

  test("other times", async () => {
    const rows = await insertHistory();
    const [from, to] = [NOW + 15 * DAY, NOW + 16 * DAY];
    damage(`last_at < ${from} OR first_at >= ${to}`);
    expect(await read({ from, to })).toEqual(
      rows.filter(({ createdAt }) => createdAt >= from && createdAt < to).toReversed(),
    );
  });

  test("healthy days, if only problems are wanted", async () => {
    const rows = await insertHistory();
    damage(`statuses & ~${USUAL_STATUSES} = 0`);
    expect(await read({}, ["down", "degraded"])).toEqual(
      rows.filter(({ status }) => status === statusCodes.down),
    );
  });
});

test("behavior 16.202: a page of the results of many monitors reads few segments, also in the middle of those of all monitors", async () => {
  const monitors = Array.from({ length: 1024 }, (_, at) => at + 1);
  // In each round, neighbors are recorded in another order.
  const rounds = Array.from({ length: 12 }, (_, round) =>
    monitors.map((_, at) => ({
      ...STEADY,
      monitorPk: 1 + (at ^ ((3 * round) % 16)),
      minutes: at === 0 ? 5 : 0,
    })),
  );
  const rows = insert(rounds.flat());
  await seal(NOW + 100 * DAY);
  const selections = [{ monitorPks: monitors, statuses: STATUSES }];
  await expectPage(rows, selections, { before: rows.length, limit: 1 });
  const { statements } = connections.writer;
  const [read] = [...statements].flatMap(([text, statement]) =>
    text.includes("count, data FROM result_segments WHERE monitor_pk = ? AND first_pk = ?")
      ? [statement]
      : [],
  );
  if (!read) throw new Error("no segment was read");
  const reads = spyOn(read, "get");
  await expectPage(rows, selections, { before: rows.length / 2, limit: 50 });
  // Each once for its numbers, and once for the result.
  expect(reads.mock.calls.length).toBeLessThanOrEqual(300);
});

test("behavior 6.12: a damaged segment is left out and reported once; the pages, an export and times behind it go on", async () => {
  const { $client } = connections.writer;
  const rows = insert(Array.from({ length: 4 * 6 }, () => ({ ...STEADY, minutes: 240 })));
  await seal(NOW + 100 * DAY);
  const [, damaged] = $client
    .query<{ firstPk: number; lastPk: number }, []>(
      "SELECT first_pk AS firstPk, last_pk AS lastPk FROM result_segments ORDER BY first_pk",
    )
    .all();
  const { firstPk, lastPk } = damaged ?? { firstPk: 0, lastPk: 0 };
  $client.run(
    "UPDATE result_segments SET data = CAST(substr(data, 1, 5) || x'ff' || substr(data, 7) AS BLOB) WHERE first_pk = ?",
    [firstPk],
  );
  const reported: string[] = [];
  damagedSegments(connections.writer).listen((text) => reported.push(text));
  const kept = rows.filter(({ pk }) => pk < firstPk || pk > lastPk);
  for (const selections of [
    [{ monitorPks: [1], statuses: STATUSES }],
    [{ monitorPks: Array.from({ length: MONITORS }, (_, at) => at + 1), statuses: STATUSES }],
  ])
    for (let before = rows.length + 1; before > 0; before -= 3) {
      const page = { before, limit: 5 };
      await expectPage(kept, selections, page);
    }
  const between = await readsOf(connections.writer).resultsBetween(
    { monitorPk: 1, statuses: STATUSES },
    { since: NOW, until: NOW + 100 * DAY },
  );
  expect(between.map(({ pk }) => pk).sort((a, b) => a - b)).toEqual(kept.map(({ pk }) => pk));
  expect(reported).toEqual([
    `${lastPk - firstPk + 1} results of monitor 1, from result ${firstPk} on, are left out: a segment does not match its checksum`,
  ]);
  $client.run(
    "INSERT INTO monitors (pk, id, organization_pk, name, type, config, enabled, created_at, updated_at) VALUES (1, 'm', 1, 'site', 'HTTP', '{}', 1, 0, 0)",
  );
  const exported: string[] = [];
  for await (const slice of exportResults(connections.reader, "o", { monitorId: "m" }))
    exported.push(...slice.map(({ createdAt }) => String(createdAt)));
  expect(exported).toEqual(kept.map(({ createdAt }) => String(createdAt)));
  expect(reported).toHaveLength(1);
});

test("behavior 16.200: results by time are all there after a clock that was a day and more behind for a while", async () => {
  const monitors = Array.from({ length: MONITORS }, (_, at) => at + 1);
  const given = Array.from({ length: 20 * 6 }, (_, round) =>
    monitors.map((pk) => ({
      ...STEADY,
      ...{ monitorPk: pk, minutes: pk === 1 ? 10 : 0 },
      // From hour 12 to 14.
      late: round >= 72 && round < 84 ? 32 * HOUR : 0,
    })),
  );
  const rows = insert(given.flat());
  await seal(NOW + 100 * DAY);
  expect(count("check_results")).toBe(0);
  for (const monitorPks of [[1], monitors])
    for (let hour = -21; hour < 21; hour++) {
      const stretch = { from: NOW + hour * HOUR, to: NOW + (hour + 1) * HOUR };
      await expectPage(rows, [{ monitorPks, statuses: STATUSES }], { before: 10_000, limit: 60, ...stretch });
      const between = await readsOf(connections.writer).resultsBetween(
        { monitorPk: 1, statuses: STATUSES },
        { since: stretch.from, until: stretch.to },
      );
      expect(between.map(({ pk }) => pk).sort((a, b) => a - b)).toEqual(
        rows
          .filter(
            ({ monitorPk, createdAt }) =>
              monitorPk === 1 && createdAt >= stretch.from && createdAt < stretch.to,
          )
          .map(({ pk }) => pk),
      );
    }
});

test("results are sealed an hour after the end of their stretch", async () => {
  insert(Array.from({ length: 240 }, () => ({ ...STEADY, minutes: 1 })));
  await seal(NOW + 4 * HOUR - 1);
  expect(count("check_results")).toBe(60);
  await seal(NOW + 4 * HOUR + MINUTE);
  expect(count("check_results")).toBe(0);
});

test("results that a clock dated too late are sealed when it is right again", async () => {
  insert([{ ...STEADY, minutes: 60 * 24 * 365 }, ...Array.from({ length: 10 }, () => STEADY)]);
  await seal(NOW);
  expect(count("check_results")).toBe(0);
});

const STEADY = { monitorPk: 1, status: "up", timings: null, detailPk: null, minutes: 0, late: 0 } as const;

/** A monitor is in one selection only. */
function distinct(selections: readonly Selection[]): Selection[] {
  const [one, two] = selections;
  if (!one || !two) return [...selections];
  const rest = two.monitorPks.filter((pk) => !one.monitorPks.includes(pk));
  return [one, { ...two, monitorPks: rest }];
}

async function expectPage(rows: Rows, selections: Selection[], page: Page): Promise<void> {
  expect(await readsOf(connections.writer).newestResults(selections, page)).toEqual(
    scan(rows, selections, page),
  );
}

async function expectBetween(rows: Rows): Promise<void> {
  const source = { monitorPk: 1, statuses: ["up"] as const };
  for (const hours of [6, 60]) {
    const [since, until] = [NOW + 2 * HOUR, NOW + (2 + hours) * HOUR];
    const found = await readsOf(connections.writer).resultsBetween(source, { since, until });
    const wanted = rows.filter(
      ({ monitorPk, status, createdAt }) =>
        monitorPk === 1 && status === statusCodes.up && createdAt >= since && createdAt < until,
    );
    expect(found.sort((a, b) => a.pk - b.pk)).toEqual(wanted.sort((a, b) => a.pk - b.pk));
  }
}

type Rows = ReturnType<typeof insert>;

interface Page extends Stretch {
  before: number;
  limit: number;
}

interface Given {
  monitorPk: number;
  status: (typeof STATUSES)[number];
  timings: readonly number[] | null;
  detailPk: number | null;
  /** Since the previous result. */
  minutes: number;
  /** How long ago it was measured, in milliseconds. */
  late: number;
}

/** Replaces all results. @returns them as they are read */
function insert(given: readonly Given[]) {
  const { $client } = connections.writer;
  $client.run(
    "DELETE FROM check_results; DELETE FROM result_segments; UPDATE service SET sealed_until = NULL",
  );
  const insert = $client.query(
    "INSERT INTO check_results (pk, monitor_pk, status, timings, detail_pk, created_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  let at = NOW;
  return given.map(({ status, minutes, late, timings, ...rest }, place) => {
    at += minutes * MINUTE;
    const packed = timings && Uint8Array.from(timings);
    const row = {
      ...rest,
      pk: place + 1,
      status: statusCodes[status],
      timings: packed,
      createdAt: at - late,
    };
    insert.run(row.pk, row.monitorPk, row.status, row.timings, row.detailPk, row.createdAt);
    return row;
  });
}

function count(table: string): number {
  const { $client } = connections.writer;
  return $client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
}

async function seal(before: number, pieces = Number.POSITIVE_INFINITY): Promise<void> {
  let sealing: Sealing | null = null;
  for (let piece = 0; piece <= pieces; piece++) {
    sealing = await sealResults(connections, before, sealing);
    if (!sealing) return;
  }
}

function scan(rows: Rows, selections: readonly Selection[], { before, limit, from = 0, to = NOW * 2 }: Page) {
  return rows
    .filter(({ createdAt }) => createdAt >= from && createdAt < to)
    .filter(({ pk, monitorPk, status }) => {
      const isWanted = selections.some(
        ({ monitorPks, statuses }) =>
          monitorPks.includes(monitorPk) && statuses.some((one) => statusCodes[one] === status),
      );
      return pk < before && isWanted;
    })
    .reverse()
    .slice(0, limit);
}

test("the index of segments with unusual statuses leaves out the statuses of healthy monitors alone", () => {
  const healthy = RESULT_STATUSES.filter((status) => groupOf[status] === "healthy");
  expect(USUAL_STATUSES).toBe(healthy.reduce((bits, status) => bits | (1 << statusCodes[status]), 0));
  const { sql } = connections.writer.$client
    .query<{ sql: string }, []>("SELECT sql FROM sqlite_master WHERE name = 'result_segments_unusual'")
    .get() ?? { sql: "" };
  expect(sql).toEndWith(`WHERE statuses & ~${USUAL_STATUSES} <> 0`);
});
