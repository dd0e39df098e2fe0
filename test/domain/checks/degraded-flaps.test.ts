import { describe, expect, test } from "bun:test";
import { changesOf } from "../../support/latency/latency-walk.ts";
import { isLong } from "../../support/long.ts";

const DAYS = 12;
const SEEDS = isLong ? [1, 2, 3] : [1];

const weekly = (count: number) => (count * 7) / DAYS;
const step = (before: number, after: number) => (day: number) => (day > 0 ? after : before);

describe.each(SEEDS)("behavior 2.10: of 12 days at an interval of 60 s (seed %d)", (seed) => {
  test.each([
    ["rises from 20 to 200 ms", 0.05, step(20, 200)],
    ["rises from 200 to 400 ms", 0.03, step(200, 400)],
  ])("a latency that %s for good changes the status at most four times a week", (_, sigma, median) => {
    const changes = changesOf({ sigma, median }, { seed, days: DAYS });
    expect(changes.length).toBeGreaterThanOrEqual(2);
    expect(weekly(changes.length)).toBeLessThanOrEqual(4);
    expect(changes[0]).toBeLessThan(0.1);
  });

  test("a steady latency changes it at most twice a week", () => {
    const changes = changesOf({ sigma: 0.05, median: () => 100 }, { seed, days: DAYS });
    expect(weekly(changes.length)).toBeLessThanOrEqual(2);
  });
});

test("behavior 2.10: two confirmations keep a latency that varies much from changing the status", () => {
  const numbers = { confirmations: 2, recoveries: 0 };
  const changes = changesOf({ sigma: 0.5, median: () => 100 }, { seed: 1, days: DAYS, numbers });
  expect(weekly(changes.length)).toBeLessThanOrEqual(2);
});
