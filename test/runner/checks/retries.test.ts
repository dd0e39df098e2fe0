import { expect, test } from "bun:test";
import { createRetries } from "../../../src/runner/checks/retries.ts";

const SECOND = 1000;
const check = { pk: 1, nextCheckAt: 5 };

/** The pauses behind checks that fail again and again, in seconds. */
function pausesOf(interval: number, runs: number): number[] {
  let now = 0;
  const retries = createRetries(() => now);
  return Array.from({ length: runs }, () => {
    const start = now;
    retries.failed(check, interval);
    while (retries.isWaiting(check)) now += SECOND / 2;
    return (now - start) / SECOND;
  });
}

test("a check that never gives a result is repeated less and less often, down to its interval", () => {
  expect(pausesOf(60, 11)).toEqual([1, 1, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(pausesOf(1, 5)).toEqual([1, 1, 1, 1, 1]);
  expect(pausesOf(86_400, 21).at(-1)).toBe(86_400);
});

test("a check that gives a result, and one after a change of the monitor, wait for nothing", () => {
  const retries = createRetries(() => 0);
  for (let runs = 0; runs < 9; runs++) retries.failed(check, 60);
  expect(retries.isWaiting(check)).toBe(true);
  expect(retries.isWaiting({ pk: 1, nextCheckAt: 6 })).toBe(false);
  expect(retries.isWaiting({ pk: 2, nextCheckAt: 5 })).toBe(false);
  retries.succeeded(1);
  expect(retries.isWaiting(check)).toBe(false);
});
