import { expect, test } from "bun:test";
import { createPaces, isQuick, SLOW, UNKNOWN } from "../../../src/runner/checks/concurrency-limit.ts";

test("the pace of each monitor is remembered, however high its number, and that of the others is unknown", () => {
  const paces = createPaces();
  const known: [pk: number, pace: number][] = [
    [0, 1],
    [3, SLOW],
    [5000, 8],
    [2_000_000, 2],
  ];
  for (const [pk, pace] of known) paces.set(pk, pace);
  for (const [pk, pace] of known) expect(paces.of(pk)).toBe(pace);
  for (const pk of [1, 4999, 1_999_999, 3_000_000, 50_000_000]) expect(paces.of(pk)).toBe(UNKNOWN);
  paces.set(50_000_000, 1);
  expect(paces.of(50_000_000)).toBe(UNKNOWN);
  expect([1, 8, UNKNOWN, SLOW].map(isQuick)).toEqual([true, true, false, false]);
});
