import { expect, test } from "bun:test";
import { createWindowLimit } from "../../src/runner/rate-limit.ts";

const SECOND = 1000;

test("behavior 15.72: allows a number of requests in any period of the length, for each key", () => {
  let now = 0;
  const limit = createWindowLimit({ most: 3, period: 60 * SECOND, clock: { monotonic: () => now } });
  expect(limit.take("a")).toBe(0);
  now = 50 * SECOND;
  expect([limit.take("a"), limit.take("a"), limit.take("a")]).toEqual([0, 0, 10]);
  expect(limit.take("b")).toBe(0);
  now = 60 * SECOND - 1;
  expect(limit.take("a")).toBe(1);
  now = 60 * SECOND;
  // Refused requests do not count.
  expect([limit.take("a"), limit.take("a")]).toEqual([0, 50]);
  now = 110 * SECOND;
  expect([limit.take("a"), limit.take("a"), limit.take("a")]).toEqual([0, 0, 10]);
});

test("forgets the keys that were not used for the longest time, so that it stays small", () => {
  const limit = createWindowLimit({ most: 1, period: 60 * SECOND, clock: { monotonic: () => 0 } });
  expect(limit.take("first")).toBe(0);
  for (let at = 0; at < 9999; at++) limit.take(`key ${at}`);
  expect(limit.take("first")).toBe(60);
  expect(limit.take("key 0")).toBe(60);
  for (let at = 0; at < 10_000; at++) limit.take(`another ${at}`);
  expect(limit.take("first")).toBe(0);
});
