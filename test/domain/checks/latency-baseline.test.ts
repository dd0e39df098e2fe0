import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  addLatency,
  type Baseline,
  baselineStart,
  degradedAbove,
  dropLatencies,
  isDegraded,
  noLatency,
} from "../../../src/domain/checks/latency-baseline.ts";
import { at } from "../heartbeats/walk.ts";

function baselineOf(latencies: number[]): Baseline {
  return latencies.reduce(addLatency, noLatency);
}

const times = (count: number, latency: number) => Array<number>(count).fill(latency);

describe("behavior 2.2: a check is degraded", () => {
  test("behavior 2.4: never with fewer than 10 successful checks", () => {
    expect(degradedAbove(baselineOf(times(9, 20)))).toBeNull();
    expect(isDegraded(baselineOf(times(9, 20)), 9999, "up")).toBe(false);
    expect(isDegraded(baselineOf(times(10, 20)), 9999, "up")).toBe(true);
  });

  test.each([
    ["50 ms, if it is short and steady", times(10, 20), 70],
    ["half its mean, if it is long and steady", times(10, 400), 600],
    ["three deviations, if it varies", [...times(10, 100), ...times(10, 300)], 500],
  ])("above its mean by %s", (_, latencies, threshold) => {
    const baseline = baselineOf(latencies);
    expect(degradedAbove(baseline)).toBe(threshold);
    expect(isDegraded(baseline, threshold, "up")).toBe(false);
    expect(isDegraded(baseline, threshold + 0.1, "up")).toBe(true);
  });

  test.each([
    ["that is short and steady", times(10, 20), 45],
    ["that is long and steady", times(10, 400), 500],
    ["that varies", [...times(10, 100), ...times(10, 300)], 350],
  ])("behavior 2.10: again until it exceeds a mean %s by half of that only", (_, latencies, usual) => {
    const baseline = baselineOf(latencies);
    expect(isDegraded(baseline, usual + 0.1, "degraded")).toBe(true);
    expect(isDegraded(baseline, usual, "degraded")).toBe(false);
    for (const previous of ["up", "down", "unknown"] as const)
      expect(isDegraded(baseline, usual + 0.1, previous)).toBe(false);
  });

  test("behavior 2.10: no more, with fewer than 10 successful checks", () => {
    expect(isDegraded(baselineOf(times(9, 20)), 9999, "degraded")).toBe(false);
  });

  test("never because of rounding: a million equal latencies have no deviation", () => {
    const baseline = { count: 1_000_000, sum: 99_999 * 1_000_000, sumOfSquares: 99_999 ** 2 * 1_000_000 };
    expect(degradedAbove(baseline)).toBe(9999.9 * 1.5);
  });
});

test("behavior 2.3: the baseline begins 30 days before the current hour", () => {
  expect(baselineStart(at("2027-03-31T14:59:59.999Z"))).toBe(at("2027-03-01T14:00:00Z"));
});

const hours = fc.array(fc.array(fc.double({ min: 0, max: 10_000, noNaN: true }), { maxLength: 30 }), {
  minLength: 1,
  maxLength: 40,
});

test("a baseline without its oldest hours equals one that never had them", () => {
  fc.assert(
    fc.property(hours, fc.nat(), (latencies, seed) => {
      const dropped = seed % latencies.length;
      const moving = latencies
        .slice(0, dropped)
        .map(baselineOf)
        .reduce(dropLatencies, baselineOf(latencies.flat()));
      expect(moving).toEqual(baselineOf(latencies.slice(dropped).flat()));
    }),
  );
});

test("the threshold equals that of the plain formula", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 10_000 }), { minLength: 10, maxLength: 200 }), (latencies) => {
      const mean = latencies.reduce((sum, latency) => sum + latency, 0) / latencies.length;
      const variance = latencies.reduce((sum, latency) => sum + (latency - mean) ** 2, 0) / latencies.length;
      const expected = mean + Math.max(3 * Math.sqrt(variance), mean / 2, 50);
      expect(degradedAbove(baselineOf(latencies))).toBeCloseTo(expected, 4);
    }),
  );
});
