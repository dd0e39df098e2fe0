import { expect, test } from "bun:test";
import type { Status } from "../../../src/domain/monitors/status.ts";
import { dayOf, hourOf, rollupAddition } from "../../../src/domain/results/rollup.ts";
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
    expect(rollupAddition(result, seen)).toMatchObject({ status, tenths });
  },
);
