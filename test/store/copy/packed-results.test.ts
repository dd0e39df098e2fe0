import { Database as Sqlite } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { statusesOf } from "../../../src/domain/monitors/status.ts";
import { dayOf } from "../../../src/domain/results/rollup.ts";
import { MAX_RESULTS } from "../../../src/domain/results/segments/segment.ts";
import { copyStore } from "../../../src/store/open-store.ts";
import { openConnections } from "../../../src/store/postgres/connections.ts";
import { createPacking } from "../../../src/store/postgres/housekeeping/pack-days.ts";
import { createPartitions } from "../../../src/store/postgres/partitions.ts";
import { arraysOf } from "../../../src/store/postgres/values.ts";
import type { ResultRow } from "../../../src/store/results/result-items.ts";
import { eachRow, readSegment, type SegmentRow } from "../../../src/store/results/segment-rows.ts";
import { FOUND_SEGMENT } from "../../../src/store/sqlite/results/segments.ts";
import { statusCodes } from "../../../src/store/status-codes.ts";
import type { Sealing } from "../../../src/store/store.ts";
import { walks } from "../../support/long.ts";
import { type CopyEnd, createPostgresEnd, createSqliteEnd } from "../../support/store/copy-ends.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";
import { DAY, HOUR, MINUTE, NOW } from "../contract/world.ts";

setDefaultTimeout(300_000);

const onPostgres = test.skipIf(findPrograms() === undefined);

const result = fc.record({
  monitorPk: fc.integer({ min: 1, max: 3 }),
  status: fc.constantFrom(...statusesOf.HTTP).map((status) => statusCodes[status]),
  timings: fc.constantFrom(null, [16, 5], [17, 255, 255, 3, 9]),
  detailPk: fc.option(fc.integer({ min: 1, max: 3 })),
  minutes: fc.integer({ min: 0, max: 90 }),
  // A location sends it up to a day late. An import is older.
  late: fc.oneof(
    { weight: 9, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: DAY }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 * DAY }) },
  ),
});

type Given = typeof result extends fc.Arbitrary<infer Value> ? Value : never;

/** Records results on PostgreSQL and packs them meanwhile. @returns all of them, and the time of the last one */
async function fill(
  { settings }: CopyEnd,
  rounds: readonly Given[][],
): Promise<{ rows: ResultRow[]; now: number }> {
  const connections = openConnections({ connectionString: settings.databaseUrl ?? "" });
  const pack = createPacking(connections);
  const all: ResultRow[] = [];
  let now = NOW;
  await connections.query("INSERT INTO deleted_monitors SELECT generate_series(1, 3)");
  for (const given of rounds) {
    const rows = given.map(({ minutes, late, timings, ...rest }) => {
      now += minutes * MINUTE;
      const row = { ...rest, pk: 0, timings: timings && Uint8Array.from(timings), createdAt: now - late };
      row.pk = all.push(row);
      return row;
    });
    await createPartitions(connections, [...new Set(rows.map(({ createdAt }) => dayOf(createdAt)))]);
    await connections.query(
      `INSERT INTO check_results (pk, monitor_pk, status, timings, detail_pk, created_at)
       SELECT * FROM unnest($1::bigint[], $2::integer[], $3::smallint[], $4::bytea[], $5::bigint[], $6::bigint[])`,
      arraysOf(rows, ["pk", "monitorPk", "status", "timings", "detailPk", "createdAt"]),
    );
    await connections.query("SELECT setval('check_results_pk', $1)", [all.length]);
    let sealing: Sealing | null = null;
    do sealing = await pack(now, sealing);
    while (sealing);
    now += HOUR;
  }
  await connections.close();
  return { rows: all, now };
}

/** The results of a data directory, and its segments by monitor and number. */
function contentOf({ settings }: CopyEnd) {
  using sqlite = new Sqlite(join(settings.dataDir, "stillup.db"), { readonly: true });
  const rows = sqlite
    .query<ResultRow, []>(
      `SELECT pk, monitor_pk AS monitorPk, status, timings, detail_pk AS detailPk, created_at AS createdAt FROM check_results`,
    )
    .all();
  const segments = sqlite
    .query<SegmentRow, []>(`SELECT ${FOUND_SEGMENT} FROM result_segments ORDER BY monitor_pk, first_pk`)
    .all();
  return { rows, segments };
}

function expectSame(end: CopyEnd, wanted: readonly ResultRow[]): void {
  const { rows, segments } = contentOf(end);
  const packed = segments.flatMap((segment) => eachRow(readSegment(segment), segment.monitorPk));
  const plain = ({ timings, ...row }: ResultRow) => ({ ...row, timings: timings && [...timings] });
  expect([...rows, ...packed].sort((a, b) => a.pk - b.pk).map(plain)).toEqual(wanted.map(plain));
}

/** Segments of a monitor do not overlap, each is of one day, and rows have larger numbers. */
function expectOrdered(end: CopyEnd): void {
  const { rows, segments } = contentOf(end);
  const last = new Map<number, number>();
  for (const { monitorPk, firstPk, lastPk, firstAt, lastAt, count } of segments) {
    expect(firstPk).toBeGreaterThan(last.get(monitorPk) ?? 0);
    expect(dayOf(firstAt)).toBe(dayOf(lastAt));
    expect(count).toBeLessThanOrEqual(MAX_RESULTS);
    last.set(monitorPk, lastPk);
  }
  for (const { monitorPk, pk } of rows) expect(pk).toBeGreaterThan(last.get(monitorPk) ?? 0);
}

onPostgres(
  "behavior 12.50: results that arrived late are copied exactly, however many of them PostgreSQL has packed, and back",
  async () => {
    const rounds = fc.array(fc.array(result, { minLength: 30, maxLength: 90 }), {
      minLength: 3,
      maxLength: 3,
    });
    for (const given of fc.sample(rounds, walks(5))) {
      await using from = await createPostgresEnd();
      const { rows, now } = await fill(from, given);
      await using to = await createSqliteEnd();
      const copy = (one: CopyEnd, other: CopyEnd) =>
        copyStore({ from: one.settings, to: other.settings, now }, () => {});
      await copy(from, to);
      expectSame(to, rows);
      expectOrdered(to);
      expect(contentOf(to).segments).not.toEqual([]);
      await using again = await createPostgresEnd();
      await using back = await createSqliteEnd();
      await copy(to, again);
      await copy(again, back);
      expectSame(back, rows);
      expectOrdered(back);
    }
  },
);

onPostgres(
  "behavior 6.12, 12.50: a damaged segment is copied as it is, and the changes of a status in it are left out",
  async () => {
    await using from = await createPostgresEnd();
    const steady = Array.from({ length: 60 }, () => ({
      ...{ monitorPk: 1, status: statusCodes.up, timings: null, detailPk: null, minutes: 90, late: 0 },
    }));
    const { rows, now } = await fill(from, [steady, steady]);
    const [first] = rows;
    await from.run(
      `INSERT INTO status_changes (result_pk, organization_pk, monitor_pk, previous_status, created_at)
       VALUES (${first?.pk}, 1, 1, ${statusCodes.down}, ${first?.createdAt});
     DELETE FROM check_results WHERE pk <= ${30};
     UPDATE result_segments SET data = set_byte(data, 3, get_byte(data, 3) # 1) WHERE first_pk = ${first?.pk}`,
    );
    const damaged = (await from.dump())
      .get("result_segments")
      ?.find(({ first_pk }) => Number(first_pk) === first?.pk);
    await using to = await createSqliteEnd();
    const { leftOut } = await copyStore(
      { from: from.settings, to: to.settings, now: now + 10 * DAY },
      () => {},
    );
    expect(leftOut).toBe(1);
    const copied = contentOf(to).segments.find(({ firstPk }) => firstPk === first?.pk);
    expect(copied?.data.toHex()).toBe(String(damaged?.data));
    await using again = await createPostgresEnd();
    await copyStore({ from: to.settings, to: again.settings, now: NOW - 10 * DAY }, () => {});
    const segments = (await again.dump()).get("result_segments");
    expect(segments?.map(({ data }) => data)).toEqual([damaged?.data]);
  },
);
