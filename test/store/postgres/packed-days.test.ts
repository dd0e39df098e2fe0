import { expect, test } from "bun:test";
import fc from "fast-check";
import { statusesOf } from "../../../src/domain/monitors/status.ts";
import { dayOf } from "../../../src/domain/results/rollup.ts";
import { createLogger } from "../../../src/log.ts";
import { openStoreForServer } from "../../../src/store/open-store.ts";
import { type Connections, openConnections } from "../../../src/store/postgres/connections.ts";
import { createPacking } from "../../../src/store/postgres/housekeeping/pack-days.ts";
import { createPartitions } from "../../../src/store/postgres/partitions.ts";
import { readsOf } from "../../../src/store/postgres/results/reads.ts";
import type { ResultRow, Selection } from "../../../src/store/results/result-items.ts";
import { statusCodes } from "../../../src/store/status-codes.ts";
import type { Sealing } from "../../../src/store/store.ts";
import { isLong, walks } from "../../support/long.ts";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { allSlices, DAY, HOUR, MINUTE, NOW } from "../contract/world.ts";
import { describeTwoNodes } from "./two-nodes.ts";

const MONITORS = 4;
/** The first day that becomes packed. */
const FIRST_DAY = NOW - 12 * HOUR - 5 * DAY;
const STATUSES = statusesOf.HTTP;

const status = fc.oneof({ weight: 5, arbitrary: fc.constant("up" as const) }, fc.constantFrom(...STATUSES));
const monitorPk = fc.integer({ min: 1, max: MONITORS });
const result = fc.record({
  monitorPk,
  status,
  timings: fc.constantFrom(null, [16, 5], [16, 128, 1], [17, 255, 255, 3, 9]),
  detailPk: fc.option(fc.integer({ min: 1, max: 3 })),
  /** Since the previous result. */
  minutes: fc.integer({ min: 0, max: 90 }),
  /** How long ago it was measured: a location may send it up to a day late. An import is older. */
  late: fc.oneof(
    { weight: 9, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: DAY }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 * DAY }) },
  ),
});
/** Around the results, at the start of a day or within it. */
const time = fc.option(
  fc.integer({ min: -10, max: 16 }).map((halfDays) => NOW - 12 * HOUR + (halfDays * DAY) / 2 + HOUR),
  { nil: undefined },
);
const page = fc.record({
  from: time,
  to: time,
  monitorPks: fc.uniqueArray(monitorPk, { minLength: 1 }),
  statuses: fc.uniqueArray(status, { minLength: 1 }),
  /** The place of the result before the page, among all results of the selection. */
  place: fc.option(fc.nat(), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 60 }),
});

describeTwoNodes("packed days", (nodes) => {
  test("behavior 6.11, 16.200: results read the same while their days become packed, whatever is recorded meanwhile", async () => {
    const connections = openConnections((await sharedCluster()).config(nodes().database));
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(result, { maxLength: 60 }), { minLength: 1, maxLength: 3 }),
          fc.array(page, { minLength: 1, maxLength: 4 }),
          fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 }),
          async (rounds, pages, pieces) => {
            const world = await Results.empty(connections);
            for (const [round, results] of rounds.entries()) {
              await world.record(results);
              await world.pack(pieces[round]);
              for (const one of pages) await world.expectPage(one);
            }
            await world.pack();
            for (const one of pages) await world.expectPage(one);
            expect(await world.countPackedRows()).toBe(0);
          },
        ),
        { numRuns: walks(25) },
      );
    } finally {
      await connections.close();
    }
  }, 300_000);
});

describeTwoNodes("a packed day", (nodes) => {
  const count = async (table: string) =>
    Number((await nodes().execute<{ count: string }>(`SELECT count(*) FROM ${table}`))[0]?.count);

  /** A monitor with results of two days. */
  async function monitored(): Promise<string> {
    const { world } = nodes();
    const job = await world.job();
    for (const [at, status] of ["fail", "ok", "fail", "ok"].entries())
      await world.checkin(job, status, FIRST_DAY + at * 12 * HOUR);
    return job;
  }

  /** The store of another server, with the lines of its log. */
  async function openServer() {
    const lines: string[] = [];
    const log = createLogger({ level: "warn" }, (line) => lines.push(line));
    const store = await openStoreForServer(nodes().world.opened.settings, log);
    return { store, lines, [Symbol.asyncDispose]: () => store.close() };
  }

  /** Packs all that is old enough. */
  async function pack(before = NOW - HOUR): Promise<void> {
    let sealing: Sealing | null = null;
    do sealing = await nodes().world.store.housekeeping.sealResults(before, sealing);
    while (sealing);
  }

  test("keeps its rows while a dump or another reader uses them, and results are recorded meanwhile", async () => {
    const job = await monitored();
    const release = await nodes().hold("LOCK TABLE check_results IN ACCESS SHARE MODE");
    await pack();
    await pack(NOW);
    expect([await count("result_segments"), await count("check_results")]).toEqual([2, 4]);
    await nodes().world.checkin(job, "ok", NOW);
    await release();
    await pack(NOW + HOUR);
    expect([await count("result_segments"), await count("check_results")]).toEqual([2, 1]);
    expect(await nodes().world.results(job)).toHaveLength(5);
  });

  test("behavior 16.202: is not read for a page of another day, nor for problems if it had none", async () => {
    const { world, execute } = nodes();
    const job = await world.job();
    for (let day = 0; day < 8; day++)
      for (const hour of [0, 6])
        await world.checkin(job, day === 4 ? "fail" : "ok", FIRST_DAY + day * DAY + hour * HOUR);
    await pack(NOW + 10 * DAY);
    const [from, to] = [FIRST_DAY + 4 * DAY, FIRST_DAY + 4 * DAY + 3 * HOUR];
    // A segment that is read now is reported.
    await execute(`UPDATE result_segments SET data = '\\x00' WHERE last_at < ${from} OR first_at >= ${to}`);
    await using server = await openServer();
    const timesOf = async (filter: object) => {
      const wanted = { monitorId: job, limit: 50, ...filter };
      const { items } = await server.store.results.list(world.organizationId, wanted);
      return items.map(({ createdAt }) => createdAt);
    };
    expect(await timesOf({ from, to })).toEqual([from]);
    expect(await timesOf({ problems: true })).toEqual([from + 6 * HOUR, from]);
    expect(server.lines).toEqual([]);
  });

  test("behavior 6.12: with a damaged segment is read without it, and that is reported once", async () => {
    const { world, execute } = nodes();
    const job = await world.job();
    for (let day = 0; day < 4; day++)
      for (const hour of [0, 6])
        await world.checkin(job, day === 1 ? "fail" : "ok", FIRST_DAY + day * DAY + hour * HOUR);
    await pack(NOW + 10 * DAY);
    await pack(NOW + 10 * DAY + HOUR);
    const [from, to] = [FIRST_DAY + DAY, FIRST_DAY + 2 * DAY];
    await execute(
      `UPDATE result_segments SET data = set_byte(data, 5, get_byte(data, 5) # 1) WHERE first_at >= ${from} AND first_at < ${to}`,
    );
    await using server = await openServer();
    const { results } = server.store;
    const kept = [3, 2, 0].flatMap((day) => [6, 0].map((hour) => FIRST_DAY + day * DAY + hour * HOUR));
    const times: number[] = [];
    for (let cursor: string | undefined; ; ) {
      const wanted = { monitorId: job, limit: 2, cursor };
      const page = await results.list(world.organizationId, wanted);
      times.push(...page.items.map(({ createdAt }) => createdAt));
      cursor = page.cursor ?? undefined;
      if (!cursor) break;
    }
    expect(times).toEqual(kept);
    const exported: number[] = [];
    for await (const slice of results.export(world.organizationId, { monitorId: job }))
      exported.push(...slice.map(({ createdAt }) => createdAt));
    expect(exported).toEqual(kept.toReversed());
    const changed = { changes: true, limit: 50 };
    const { items } = await results.listEvents(world.organizationId, changed);
    expect(items.map(({ createdAt }) => createdAt)).not.toContain(from);
    expect(server.lines).toHaveLength(1);
    expect(server.lines[0]).toContain("are left out: a segment does not match its checksum");
  });

  test.skipIf(!isLong)(
    "behavior 14.77: is exported as the rows that it was, with dense and empty days, late results and rows beside it",
    async () => {
      const { world } = nodes();
      const { store, organizationId } = world;
      const job = await world.job();
      const record = (times: readonly number[]) =>
        store.recording.record(
          times.map((at, place) => {
            const status = place % 3 === 0 ? "fail" : "ok";
            return { kind: "checkin", monitorId: job, status, at } as const;
          }),
        );
      const from = FIRST_DAY - 60 * DAY;
      // Three days have more segments than an export reads at once.
      const dense = Array.from({ length: 8640 }, (_, at) => FIRST_DAY + at * 30 * 1000);
      await record([from, from + 20 * DAY, ...dense]);
      await record([from + HOUR, FIRST_DAY + HOUR + 1, FIRST_DAY + 2 * DAY + 1]);
      const all = { from: 0, to: NOW * 2 };
      const within = { from: FIRST_DAY + HOUR, to: FIRST_DAY + 2 * DAY + HOUR };
      const wanted = [all, within, { ...all, problems: true }, { ...within, problems: true }];
      const exported = () =>
        Promise.all(
          wanted.map((one) => allSlices(store.results.export(organizationId, { monitorId: job, ...one }))),
        );
      const before = await exported();
      expect(before[0]).toHaveLength(8645);
      const days = before[0]?.map(({ createdAt }) => dayOf(createdAt)) ?? [];
      expect(days).toEqual(days.toSorted((a, b) => a - b));
      expect(before[1]).toEqual(
        before[0]?.filter(({ createdAt }) => createdAt >= within.from && createdAt < within.to),
      );
      await pack(NOW + 10 * DAY);
      expect(await exported()).toEqual(before);
      await pack(NOW + 10 * DAY + HOUR);
      expect(await count("check_results")).toBe(0);
      expect(await exported()).toEqual(before);
      const late = FIRST_DAY + 3 * HOUR + 2;
      await record([late]);
      const [more] = await exported();
      expect(more?.filter(({ createdAt }) => createdAt !== late)).toEqual(before[0]);
      const place = more?.findIndex(({ createdAt }) => createdAt === late) ?? -1;
      expect([place - 1, place + 1].map((at) => dayOf(more?.[at]?.createdAt ?? 0))).toEqual([
        dayOf(late),
        dayOf(late) + DAY,
      ]);
    },
  );

  test("behavior 16.202: has few segments read for a page in the middle of the results of many monitors", async () => {
    const { database, execute } = nodes();
    const connections = openConnections((await sharedCluster()).config(database));
    await createPartitions(connections, [FIRST_DAY]);
    await execute("INSERT INTO deleted_monitors SELECT generate_series(1, 2000)");
    // In each round, neighbors are recorded in another order.
    await execute(
      `INSERT INTO check_results (pk, monitor_pk, status, created_at)
       SELECT n, 1 + (n # (n / 2000 * 3 % 16)) % 2000, ${statusCodes.up}, ${FIRST_DAY} + n FROM generate_series(1, 12000) AS n`,
    );
    await execute("SELECT setval('check_results_pk', 12000)");
    const seal = createPacking(connections);
    for (const before of [NOW, NOW + HOUR]) {
      let sealing: Sealing | null = null;
      do sealing = await seal(before, sealing);
      while (sealing);
    }
    let segments = 0;
    const query: Connections["query"] = async <Row>(text: string, values?: readonly unknown[]) => {
      const rows = await connections.query<Row>(text, values);
      if (text.includes("count, data")) segments += rows.length;
      return rows;
    };
    const selections: Selection[] = [
      { monitorPks: Array.from({ length: 2000 }, (_, at) => at + 1), statuses: STATUSES },
    ];
    const page = { before: 6000, limit: 50 };
    const found = await readsOf({ ...connections, query }).newestResults(selections, page);
    await connections.close();
    expect(await count("check_results")).toBe(0);
    expect(found.map(({ pk }) => pk)).toEqual(Array.from({ length: 50 }, (_, at) => 5999 - at));
    expect(segments).toBeLessThanOrEqual(600);
  });

  test("reads the results of a monitor once, however many they are", async () => {
    const { database, execute } = nodes();
    const connections = openConnections((await sharedCluster()).config(database));
    await createPartitions(connections, [FIRST_DAY]);
    await execute("INSERT INTO deleted_monitors VALUES (1), (2)");
    // They are stored in the reverse order of their numbers.
    await execute(
      `INSERT INTO check_results (pk, monitor_pk, status, created_at)
       SELECT 10001 - n, 1 + n % 10 / 9, 1, ${FIRST_DAY} + n FROM generate_series(1, 10000) AS n`,
    );
    await execute("SELECT setval('check_results_pk', 10000)");
    const reads: number[] = [];
    const transaction: Connections["transaction"] = (work) =>
      connections.transaction((tx) => {
        const query = async <Row>(text: string, values?: readonly unknown[]) => {
          const rows = await tx.query<Row>(text, values);
          if (text.includes('detail_pk AS "detailPk"')) reads.push(rows.length);
          return rows;
        };
        return work({ ...tx, query });
      });
    const seal = createPacking({ transaction, poll: connections.poll });
    let sealing: Sealing | null = null;
    do sealing = await seal(NOW, sealing);
    while (sealing);
    await connections.close();
    expect(reads).toEqual([9000, 1000]);
    expect(
      await execute("SELECT monitor_pk, sum(count)::integer AS n FROM result_segments GROUP BY 1 ORDER BY 1"),
    ).toEqual([
      { monitor_pk: 1, n: 9000 },
      { monitor_pk: 2, n: 1000 },
    ]);
  });

  test("is not packed by two nodes at once, nor before late results have arrived", async () => {
    await monitored();
    await pack(FIRST_DAY + 2 * DAY + HOUR - 1);
    expect(await count("packed_days")).toBe(0);
    const { store } = nodes().b;
    const first = await nodes().world.store.housekeeping.sealResults(NOW, null);
    expect(first).not.toBe(null);
    const release = await nodes().hold("SELECT 1 FROM packed_days FOR UPDATE");
    await store.housekeeping.sealResults(NOW, first);
    await release();
    await Promise.all([pack(NOW), store.housekeeping.sealResults(NOW, null)]);
    await pack(NOW);
    expect(await count("result_segments")).toBe(2);
  });

  test("loses the results of a deleted monitor, also of one that is deleted while its day becomes packed", async () => {
    const { world } = nodes();
    const [job, other] = [await monitored(), await monitored()];
    await world.store.housekeeping.sealResults(NOW, null);
    await world.store.monitors.delete(world.organizationId, job);
    while (await world.store.housekeeping.sweepDeletedMonitors());
    await pack(NOW);
    expect(await count("result_segments")).toBe(2);
    await world.store.monitors.delete(world.organizationId, other);
    while (await world.store.housekeeping.sweepDeletedMonitors());
    expect(await count("result_segments")).toBe(0);
  });
});

type Given = typeof result extends fc.Arbitrary<infer Value> ? Value : never;
type Page = typeof page extends fc.Arbitrary<infer Value> ? Value : never;

/** The results of a database, and what it should return. */
class Results {
  readonly #all: ResultRow[] = [];
  #now = NOW;

  readonly #seal: ReturnType<typeof createPacking>;

  private constructor(private readonly connections: Connections) {
    this.#seal = createPacking(connections);
  }

  static async empty(connections: Connections): Promise<Results> {
    const days = await connections.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relname ~ '^(check_results|result_segments)_[0-9]+$' AND relkind = 'r'",
    );
    if (days.length > 0) await connections.query(`DROP TABLE ${days.map(({ name }) => name).join(", ")}`);
    await connections.query("TRUNCATE packed_days, daily_rollups, monitors, deleted_monitors CASCADE");
    await connections.query("SELECT setval('check_results_pk', 1, false)");
    await connections.query("INSERT INTO deleted_monitors SELECT generate_series(1, $1::integer)", [
      MONITORS,
    ]);
    return new Results(connections);
  }

  async record(results: readonly Given[]): Promise<void> {
    const { connections } = this;
    const rows = results.map(({ minutes, late, status, timings, ...rest }) => {
      this.#now += minutes * MINUTE;
      return {
        ...rest,
        status: statusCodes[status],
        timings: timings && Buffer.from(timings),
        createdAt: this.#now - late,
      };
    });
    await createPartitions(connections, [...new Set(rows.map(({ createdAt }) => dayOf(createdAt)))]);
    for (const { monitorPk, status, timings, detailPk, createdAt } of rows) {
      const [{ pk } = { pk: 0 }] = await connections.query<{ pk: number }>(
        `INSERT INTO check_results (created_at, monitor_pk, detail_pk, status, timings) VALUES ($1, $2, $3, $4, $5)
         RETURNING pk`,
        [createdAt, monitorPk, detailPk, status, timings],
      );
      await connections.query(
        `INSERT INTO daily_rollups (monitor_pk, start, location, status, count, latency_count, latency_sum, latency_squares)
         VALUES ($1, $2, 0, $3, 1, 0, 0, 0) ON CONFLICT (monitor_pk, start, location, status)
         DO UPDATE SET count = daily_rollups.count + 1`,
        [monitorPk, dayOf(createdAt) / HOUR, status],
      );
      const bytes = timings && Uint8Array.from(timings);
      this.#all.push({ pk, monitorPk, status, timings: bytes, detailPk, createdAt });
    }
  }

  /** @param pieces after which it stops; default: none */
  async pack(pieces = Number.POSITIVE_INFINITY): Promise<void> {
    // So much later that all days are over and no read of before goes on.
    this.#packedAt += HOUR;
    for (const before of [this.#packedAt, this.#packedAt + HOUR / 2]) {
      let sealing: Sealing | null = null;
      for (let piece = 0; piece < pieces; piece++) {
        sealing = await this.#seal(before, sealing);
        if (!sealing) break;
      }
    }
  }
  #packedAt = NOW + 100 * DAY;

  async expectPage({
    monitorPks,
    statuses,
    place,
    limit,
    from: since = 0,
    to = NOW * 2,
  }: Page): Promise<void> {
    const codes = statuses.map((one) => statusCodes[one]);
    const wanted = this.#all
      .filter((row) => monitorPks.includes(row.monitorPk) && codes.includes(row.status))
      .filter(({ createdAt }) => createdAt >= since && createdAt < to)
      .sort((a, b) => dayOf(b.createdAt) - dayOf(a.createdAt) || b.pk - a.pk);
    const from = place === undefined || wanted.length === 0 ? 0 : (place % wanted.length) + 1;
    const selections: Selection[] = [{ monitorPks, statuses }];
    const position = { before: wanted[from - 1]?.pk, limit, from: since, to };
    const found = await this.connections.read(({ reads }) => reads.newestResults(selections, position));
    const bytes = ({ timings }: ResultRow) => timings && Uint8Array.from(timings);
    expect(found.map((row): ResultRow => ({ ...row, timings: bytes(row) }))).toEqual(
      wanted.slice(from, from + limit),
    );
  }

  /** How many rows are results that were recorded before their day was packed. */
  async countPackedRows(): Promise<number> {
    const rows = await this.connections.query(
      `SELECT 1 FROM check_results WHERE NOT EXISTS (SELECT 1 FROM packed_days
         WHERE day = created_at - created_at % ${DAY} AND packed_at IS NULL AND pk > last_pk)`,
    );
    return rows.length;
  }
}
