import { expect, test } from "bun:test";
import { createRetries } from "../../../src/runner/checks/scheduler.ts";
import { createTestClock } from "../../support/clock.ts";

const SECOND = 1000;
const check = { pk: 1, nextCheckAt: 5 };

/** The pauses after checks that fail again and again, in seconds. */
async function pausesOf(interval: number, runs: number): Promise<number[]> {
  const clock = createTestClock();
  const retries = createRetries(clock);
  const pauses: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = clock.monotonic();
    retries.failed(check, interval);
    while (retries.isWaiting(check)) await clock.advance(SECOND);
    pauses.push((clock.monotonic() - start) / SECOND);
  }
  return pauses;
}

test("a check that never gives a result is repeated less and less often, down to once per interval", async () => {
  expect(await pausesOf(60, 11)).toEqual([1, 1, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(await pausesOf(1, 5)).toEqual([1, 1, 1, 1, 1]);
  expect((await pausesOf(3600, 16)).at(-1)).toBe(3600);
});

test("a check that gives a result, and one after a change of the monitor, are not postponed", () => {
  const retries = createRetries(createTestClock());
  for (let runs = 0; runs < 9; runs++) retries.failed(check, 60);
  expect(retries.isWaiting(check)).toBe(true);
  expect(retries.isWaiting({ pk: 1, nextCheckAt: 6 })).toBe(false);
  expect(retries.isWaiting({ pk: 2, nextCheckAt: 5 })).toBe(false);
  retries.succeeded(1);
  expect(retries.isWaiting(check)).toBe(false);
});

test("a check whose result is held waits until the next slot, also if the clock is set back", async () => {
  const clock = createTestClock();
  const retries = createRetries(clock);
  expect(retries.wasHeld(check)).toBe(false);
  retries.held(check, 60 * SECOND);
  expect(retries.wasHeld(check)).toBe(true);
  expect(retries.wasHeld({ pk: 1, nextCheckAt: 6 })).toBe(false);
  clock.setBack(3600 * SECOND);
  await clock.advance(60 * SECOND - 1);
  expect(retries.isWaiting(check)).toBe(true);
  await clock.advance(1);
  expect(retries.isWaiting(check)).toBe(false);
});

test("behavior 13.53: offline, a check is repeated once per interval, and immediately when the network is back", async () => {
  const clock = createTestClock();
  const retries = createRetries(clock);
  const other = { pk: 2, nextCheckAt: 5 };
  retries.offline(check, 60);
  retries.held(other, 60 * SECOND);
  await clock.advance(60 * SECOND - 1);
  expect(retries.isWaiting(check)).toBe(true);
  await clock.advance(1);
  expect(retries.isWaiting(check)).toBe(false);
  retries.offline(check, 60);
  retries.held(other, 60 * SECOND);
  retries.online();
  expect([check, other].map(retries.isWaiting)).toEqual([false, true]);
});
