import { expect, test } from "bun:test";
import { measureLag } from "../../src/runner/metrics/gauges.ts";
import { createMetrics } from "../../src/runner/metrics/metrics.ts";

/** The lag in seconds of ticks at some times of both clocks, in milliseconds. */
async function lagsOf(ticks: { now: number; monotonic: number }[]): Promise<number[]> {
  const { process: registry } = createMetrics();
  let time = { now: 0, monotonic: 0 };
  let tick: () => unknown = () => {};
  const every = (_: number, task: () => unknown) => {
    tick = task;
    return () => {};
  };
  measureLag(registry, { now: () => time.now, monotonic: () => time.monotonic, every });
  const sums = [0];
  for (time of ticks) {
    tick();
    const [, sum] = /^stillup_event_loop_lag_seconds_sum (\S+)$/m.exec(await registry.metrics()) ?? [];
    sums.push(Number(sum));
  }
  return sums.slice(1).map((sum, at) => Math.round((sum - (sums[at] ?? 0)) * 1000) / 1000);
}

test("the lag is how late the work of a second begins, also if that of each second is late", async () => {
  const ticks = [1000, 2040, 3040, 4000].map((at) => ({ now: 60_000 + at, monotonic: at }));
  expect(await lagsOf(ticks)).toEqual([0, 0.04, 0.04, 0]);
});

test("a stall of some seconds is a lag of these seconds", async () => {
  const ticks = [1000, 4200, 5000].map((at) => ({ now: 60_000 + at, monotonic: at }));
  expect(await lagsOf(ticks)).toEqual([0, 2.2, 0]);
});
