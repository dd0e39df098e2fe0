import { expect, test } from "bun:test";
import type { Status } from "../../../src/domain/monitors/status.ts";
import { dayOf, hourOf, joinRollups, rollupOf, uncountedRollup } from "../../../src/domain/results/rollup.ts";
import { at } from "../heartbeats/walk.ts";

test("a rollup starts with the hour or day of its results", () => {
  expect(hourOf(at("2027-03-28T01:59:59.999Z"))).toBe(at("2027-03-28T01:00:00Z"));
  expect(dayOf(at("2027-03-28T23:59:59.999Z"))).toBe(at("2027-03-28T00:00:00Z"));
});

test.each<[Status, Status, number | null]>([
  ["up", "up", 15],
  ["degraded", "degraded", 15],
  ["up", "degraded", 15],
  ["up", "down", null],
  ["down", "up", null],
  ["down", "down", null],
])(
  "behavior 11.7: the latency of a result that is %s, of a check that saw %s, adds %p tenths",
  (status, seen, tenths) => {
    const result = { status, latencyMs: 1.5, createdAt: 0 };
    expect(rollupOf(result, seen)).toMatchObject({ status, shortest: tenths });
  },
);

const good = (tenths: number) => rollupOf({ status: "up", latencyMs: tenths / 10, createdAt: 0 }, "up");

test("rollups of one hour and status are joined, whichever of them have latencies", () => {
  const bare = rollupOf({ status: "up", latencyMs: null, createdAt: 0 }, "up");
  const joined = {
    count: 3,
    latencyCount: 2,
    latencySum: 30,
    latencySquares: 500,
    shortest: 10,
    longest: 20,
  };
  expect(joinRollups(joinRollups(good(20), bare), good(10))).toMatchObject(joined);
  expect(joinRollups(bare, joinRollups(good(10), good(20)))).toMatchObject(joined);
  expect(joinRollups(bare, bare)).toMatchObject({ count: 2, latencyCount: 0, shortest: null, longest: null });
});

test("behavior 14.34: a result in a maintenance window has a rollup without a count", () => {
  const createdAt = at("2027-03-28T01:59:59.999Z");
  expect(uncountedRollup({ status: "down", createdAt })).toMatchObject({
    hour: at("2027-03-28T01:00:00Z"),
    status: "down",
    count: 0,
  });
});
