import { expect, test } from "bun:test";
import fc from "fast-check";
import { openLatencies } from "../../../src/domain/checks/latency-baseline.ts";
import { HOUR } from "../../../src/domain/duration.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import {
  addToOpenHour,
  joinRollups,
  type OpenHour,
  type Rollup,
  rollupOf,
  uncountedRollup,
} from "../../../src/domain/results/rollup.ts";

const result = (status: Status, latencyMs: number | null, hour = 0) =>
  rollupOf({ status, latencyMs, createdAt: hour * HOUR }, status);

test("an open hour grows while hour and status stay the same", () => {
  const { open, folded } = addToOpenHour(result("up", 1), result("up", 3));
  expect(open).toEqual(joinRollups(result("up", 1), result("up", 3)));
  expect(folded).toEqual([]);
});

test.each([
  ["a later hour", result("up", 1, 1)],
  ["an earlier hour", result("up", 1, -1)],
  ["another status", result("down", null)],
])("an open hour is folded by a result of %s, which begins the next one", (_, added) => {
  expect(addToOpenHour(result("up", 1), added)).toEqual({ open: added, folded: [result("up", 1)] });
});

test("behavior 14.34: an open hour is folded by a result that does not count, and only its day is marked", () => {
  const uncounted = uncountedRollup({ status: "up", createdAt: 1 });
  expect(addToOpenHour(result("up", 1), uncounted)).toEqual({
    open: null,
    folded: [result("up", 1), uncounted],
  });
  expect(addToOpenHour(null, uncounted)).toEqual({ open: null, folded: [uncounted] });
});

test("only the latencies of HTTP and TCP monitors belong to a baseline", () => {
  const latencies = { count: 1, sum: 15, sumOfSquares: 225 };
  const none = { count: 0, sum: 0, sumOfSquares: 0 };
  expect(openLatencies(null)).toEqual(none);
  const statuses: Status[] = ["up", "degraded", "down", "active", "present", "ok"];
  expect(statuses.map((status) => openLatencies(result(status, 1.5)))).toEqual([
    latencies,
    latencies,
    none,
    none,
    none,
    none,
  ]);
});

const added = fc.oneof(
  fc
    .record({
      status: fc.constantFrom<Status>("up", "degraded", "down"),
      latencyMs: fc.option(fc.integer({ min: 0, max: 50 })),
      hour: fc.integer({ min: 0, max: 2 }),
    })
    .map(({ status, latencyMs, hour }) => result(status, latencyMs, hour)),
  fc.constant(uncountedRollup({ status: "up", createdAt: 0 })),
);

test("what was folded and what is open are all results, whatever their order", () => {
  fc.assert(
    fc.property(fc.array(added), (results) => {
      const folded: Rollup[] = [];
      let open: OpenHour | null = null;
      for (const one of results) {
        const step = addToOpenHour(open, one);
        open = step.open;
        folded.push(...step.folded);
      }
      expect(totals(open ? [...folded, open] : folded)).toEqual(totals(results));
    }),
  );
});

/** One rollup for each hour and status. */
function totals(rollups: readonly Rollup[]): Record<string, Rollup> {
  const groups = Object.groupBy(rollups, ({ hour, status }) => `${hour} ${status}`);
  return Object.fromEntries(
    Object.entries(groups).flatMap(([key, group]) => (group ? [[key, group.reduce(joinRollups)]] : [])),
  );
}
