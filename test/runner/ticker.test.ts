import { afterEach, expect, jest, test } from "bun:test";
import { createTicker, type Ticker } from "../../src/runner/ticker.ts";
import { eventually } from "../support/eventually.ts";

let ticker: Ticker;
afterEach(() => {
  ticker.stop();
  jest.useRealTimers();
});

test("a job goes on when the clock is put back", async () => {
  let runs = 0;
  ticker = createTicker(
    5,
    async () => {
      runs++;
    },
    () => {},
  );
  ticker.start();
  await eventually(() => runs > 2);
  jest.setSystemTime(Date.now() - 3_600_000);
  const before = runs;
  await eventually(() => runs > before + 2);
});

test("a job goes on after it has thrown, and its error is told", async () => {
  const errors: unknown[] = [];
  const fail = () => Promise.reject(new Error("fails for a test"));
  ticker = createTicker(5, fail, (error) => errors.push(error));
  ticker.start();
  await eventually(() => errors.length > 2);
});

test("a job that takes longer than its period never runs twice at the same time", async () => {
  let [running, most, runs] = [0, 0, 0];
  const slow = async () => {
    most = Math.max(most, ++running);
    await Bun.sleep(20);
    running--;
    runs++;
  };
  ticker = createTicker(5, slow, () => {});
  ticker.start();
  await eventually(() => runs > 2);
  expect(most).toBe(1);
});
