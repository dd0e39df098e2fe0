import { expect, test } from "bun:test";
import fc from "fast-check";
import { LatencySteps, latencyPoints, percentilesOf } from "../../../src/domain/results/latency-points.ts";
import { emptyColumns } from "../../../src/domain/results/segments/segment.ts";
import { at, SECOND } from "../heartbeats/walk.ts";

const START = at("2026-11-21T14:05:00Z");

function check(seconds: number, latencyMs: number | null, phases = {}) {
  return { createdAt: START + seconds * SECOND, latencyMs, phases };
}

test("behavior 16.231: each check is a point, unless several are in one step", () => {
  const checks = [check(31, 30), check(1, 10), check(33, 90), check(62, null)];
  const points = latencyPoints(checks, { step: 30 * SECOND, hasPhases: false });
  expect(points).toEqual([
    { start: START, mean: 10, shortest: 10, longest: 10, p50: 10, p95: 10 },
    { start: START + 30 * SECOND, mean: 60, shortest: 30, longest: 90, p50: 30, p95: 90 },
  ]);
});

test("behavior 16.234: the phases of a point are the means of those that its checks have", () => {
  const checks = [check(1, 10, { resolve: 2, connect: 4 }), check(2, 20, { connect: 8, firstByte: 5 })];
  const [point] = latencyPoints(checks, { step: 30 * SECOND, hasPhases: true });
  expect(point?.phases).toEqual({ resolve: 2, connect: 6, firstByte: 5 });
  const [without] = latencyPoints([check(1, 10)], { step: 30 * SECOND, hasPhases: true });
  expect(without).not.toHaveProperty("phases");
});

test("behavior 16.233: percentiles are the least latencies that 50 and 95 percent of the checks do not exceed", () => {
  expect(percentilesOf([])).toBeNull();
  expect(percentilesOf([check(1, null)])).toBeNull();
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e5, noNaN: true }), { minLength: 1 }), (latencies) => {
      const found = percentilesOf(latencies.map((latency, second) => check(second, latency)));
      expect(found?.count).toBe(latencies.length);
      for (const [percent, value = 0] of [
        [50, found?.p50],
        [95, found?.p95],
      ] as const) {
        const needed = (percent / 100) * latencies.length;
        expect(latencies).toContain(value);
        expect(latencies.filter((one) => one <= value).length).toBeGreaterThanOrEqual(needed);
        expect(latencies.filter((one) => one < value).length).toBeLessThan(needed);
      }
    }),
  );
});

test("behavior 16.233: percentiles by steps are those of the checks of each step, and of all of them", () => {
  const [step, good, latencyBit] = [1000, 1, 4];
  const measured = fc.record({
    time: fc.nat(5 * step - 1),
    hundredths: fc.option(fc.nat(5000)),
    status: fc.constantFrom(good, 2),
  });
  fc.assert(
    fc.property(fc.array(fc.array(measured)), (segments) => {
      const steps = new LatencySteps(step, new Set([good]));
      for (const results of segments) {
        const columns = emptyColumns(results.length);
        for (const [at, { time, hundredths, status }] of results.entries()) {
          [columns.times[at], columns.statuses[at]] = [time, status];
          columns.parts[at] = hundredths === null ? 1 : 1 << latencyBit;
          (columns.durations[latencyBit] as Float64Array)[at] = hundredths ?? 0;
        }
        steps.add(columns);
      }
      const checks = segments
        .flat()
        .filter(({ status }) => status === good)
        .map(({ time, hundredths }) => {
          return { createdAt: time, latencyMs: hundredths === null ? null : hundredths / 100, phases: {} };
        });
      const expected = latencyPoints(checks, { step, hasPhases: false });
      const sums = expected.map(({ p50: _, p95: __, ...point }) => point);
      const completed = steps.complete(sums);
      let next = completed.next();
      while (!next.done) next = completed.next();
      expect(next.value).toEqual({ latencies: expected, percentiles: percentilesOf(checks) });
    }),
  );
});
