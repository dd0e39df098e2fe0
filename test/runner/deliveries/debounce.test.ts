import { expect, test } from "bun:test";
import { debounce } from "../../../src/runner/deliveries/debounce.ts";
import { createTestClock } from "../../support/clock.ts";

test("the first request runs the work immediately, and later ones share a run after the pause", async () => {
  const clock = createTestClock();
  const runs: number[] = [];
  const work = debounce(async () => void runs.push(clock.monotonic()), { pause: () => 20, clock });
  for (let at = 0; at < 10; at++) work.request();
  await clock.advance(5);
  for (let at = 0; at < 10; at++) work.request();
  await clock.advance(100);
  expect(runs).toEqual([0, 20]);
});

test("a request during a run is followed by another run, and runs never overlap", async () => {
  const clock = createTestClock();
  let runs = 0;
  let running = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  const work = debounce(
    async () => {
      runs++;
      most = Math.max(most, ++running);
      await gate.promise;
      running--;
    },
    { pause: () => 0, clock },
  );
  work.request();
  await clock.advance(0);
  work.request();
  work.request();
  await clock.advance(100);
  expect(runs).toBe(1);
  gate.resolve();
  await clock.until(() => runs === 2);
  expect(most).toBe(1);
});

test("nothing runs after a stop", async () => {
  const clock = createTestClock();
  let runs = 0;
  const work = debounce(async () => void runs++, { pause: () => 0, clock });
  work.request();
  work.stop();
  work.request();
  await clock.advance(100);
  expect(runs).toBe(0);
});
