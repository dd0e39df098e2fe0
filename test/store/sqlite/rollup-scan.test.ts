import { expect, test } from "bun:test";
import fc from "fast-check";
import { baselineStart } from "../../../src/domain/checks/latency-baseline.ts";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import { bucketsOf, worstOf } from "../../../src/domain/results/history.ts";
import { RANGES, rangeStart } from "../../../src/domain/results/range.ts";
import { hourOf } from "../../../src/domain/results/rollup.ts";
import { statusCodes } from "../../../src/store/status-codes.ts";
import type { Store } from "../../../src/store/store.ts";
import { walks } from "../../support/long.ts";
import { createSqliteDatabase } from "../../support/store/sqlite/sqlite-database.ts";

const NOW = Date.UTC(2027, 5, 15, 13, 37);
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** Times near the limits of hours, of days and of the 90 days. */
const time = fc
  .record({
    day: fc.integer({ min: 0, max: 91 }),
    hour: fc.integer({ min: 0, max: 24 }),
    ms: fc.integer({ min: -2, max: 2 }),
  })
  .map(({ day, hour, ms }) => Math.floor(NOW / DAY) * DAY - day * DAY + hour * HOUR + ms)
  .filter((at) => at <= NOW);
/** Tenths of a millisecond; too short to be degraded. */
const tenths = fc.integer({ min: 1, max: 400 });
const results = fc.array(fc.record({ at: time, up: fc.boolean(), tenths }), { minLength: 1, maxLength: 60 });

test("rollups, uptime and history equal those of a full scan of the results", async () => {
  await fc.assert(
    fc.asyncProperty(results, results, fc.constantFrom(...RANGES), async (given, late, range) => {
      using database = await createSqliteDatabase();
      const { db, store, owner } = database;
      const values = { name: "m", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
      const { id } = await store.monitors.create(owner, values, NOW);
      const query = { type: undefined, range };
      await recordAll(store, id, given);
      // Past hours are cached: later results in these hours must still count.
      await Array.fromAsync(store.monitors.list(owner.organizationId, query, NOW));
      await recordAll(store, id, late);
      const [[found] = []] = await Array.fromAsync(store.monitors.list(owner.organizationId, query, NOW));
      const all = [...given, ...late];
      for (const table of ["hourly_totals", "daily_totals"]) {
        expect(db.$client.query(SUMS(table)).get()).toEqual(scanLatencies(all));
      }
      expect(found?.uptime ?? null).toBe(scanUptime(all));
      expect(found?.history.map(({ status }) => status)).toEqual(scanHistory(all, range));
    }),
    { numRuns: walks(60) },
  );
});

const steps = fc.array(
  fc.record({
    hours: fc.oneof(fc.integer({ min: -2, max: 3 }), fc.integer({ min: -2000, max: 2000 })),
    up: fc.boolean(),
    tenths,
  }),
  { minLength: 1, maxLength: 60 },
);

const numbers = fc.record({ confirmations: fc.nat(2), recoveries: fc.nat(2) });

/** The first latencies leave the baseline, which is then empty, and are in it again. */
const LEFT_AND_ENTERED: [Walk, { confirmations: number; recoveries: number }] = [
  [
    { hours: 0, up: true, tenths: 1 },
    { hours: 721, up: false, tenths: 1 },
    { hours: -1, up: false, tenths: 1 },
  ],
  { confirmations: 0, recoveries: 0 },
];

test("behavior 2.7, 11.7: after any jump of the clock, a baseline equals a full scan of its 30 days and of later hours", async () => {
  await fc.assert(
    fc.asyncProperty(steps, numbers, async (walk, numbers) => {
      using database = await createSqliteDatabase();
      const { db, store, owner } = database;
      const values = { name: "m", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
      const { id } = await store.monitors.create(owner, { ...values, ...numbers }, NOW);
      let at = NOW;
      for (const { hours, ...seen } of walk) {
        at += hours * HOUR;
        await recordAll(store, id, [{ at, ...seen }]);
      }
      const scanned = db.$client
        .query(`${SUMS("hourly_totals")} WHERE start >= ?`)
        .get(baselineStart(at) / HOUR);
      const { count, sum, squares } = scanned as ReturnType<typeof scanLatencies>;
      expect(db.$client.query(BASELINE).get()).toEqual({
        count: count ?? 0,
        sum: sum ?? 0,
        squares: squares ?? 0,
      });
    }),
    { numRuns: walks(60), examples: [LEFT_AND_ENTERED] },
  );
});

/** The stored sums, and the latencies of the open hour. */
const BASELINE = `SELECT coalesce(sum(count), 0) AS count, coalesce(sum(sum), 0) AS sum, coalesce(sum(squares), 0) AS squares
  FROM (
    SELECT baseline_count AS count, baseline_sum AS sum, baseline_squares AS squares FROM location_states
    UNION ALL
    SELECT open_latency_count, open_latency_sum, open_latency_squares FROM monitor_states WHERE open_start IS NOT NULL
  )`;

async function recordAll(store: Store, monitorId: string, given: Given): Promise<void> {
  const checks = given
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, up, tenths }) => ({
      kind: "check" as const,
      monitorId,
      revision: 0,
      evidence: evidenceOf(up, tenths),
      at,
    }));
  await store.recording.record(checks);
}

function evidenceOf(up: boolean, tenths: number): Evidence {
  if (up) return { outcome: "reached", latencyMs: tenths / 10, detail: {} };
  return { outcome: "failed", reason: "refused", detail: {} };
}

type Walk = { hours: number; up: boolean; tenths: number }[];

type Given = { at: number; up: boolean; tenths: number }[];

const SUMS = (table: string) => `SELECT
  coalesce(sum(count) FILTER (WHERE status = ${statusCodes.up}), 0) AS up,
  coalesce(sum(count) FILTER (WHERE status = ${statusCodes.down}), 0) AS down, sum(latency_count) AS count,
  sum(latency_sum) AS sum, sum(latency_squares) AS squares, min(shortest) AS shortest, max(longest) AS longest FROM ${table}`;

/** The latencies of healthy results. */
function scanLatencies(given: Given) {
  const good = given.filter(({ up }) => up).map(({ tenths }) => tenths);
  return {
    up: good.length,
    down: given.length - good.length,
    count: good.length,
    sum: good.reduce((sum, one) => sum + one, 0),
    squares: good.reduce((sum, one) => sum + one * one, 0),
    shortest: good.length > 0 ? Math.min(...good) : null,
    longest: good.length > 0 ? Math.max(...good) : null,
  };
}

/** The trailing 90 days begin at the start of an hour. */
function scanUptime(given: Given): string | null {
  const within = given.filter(({ at }) => at >= hourOf(rangeStart("90d", NOW)));
  if (within.length === 0) return null;
  const hundredths = Math.floor((within.filter(({ up }) => up).length * 10_000) / within.length);
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}%`;
}

function scanHistory(given: Given, range: (typeof RANGES)[number]): Status[] {
  const buckets = bucketsOf(range, NOW);
  return buckets.map(({ start }, at) => {
    const end = buckets[at + 1]?.start ?? Number.POSITIVE_INFINITY;
    const within = given.filter((one) => one.at >= start && one.at < end);
    return worstOf(
      "TCP",
      within.map(({ up }) => (up ? "up" : "down")),
    );
  });
}
