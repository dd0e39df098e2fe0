import { describe, expect, test } from "bun:test";
import { createRateLimit } from "../../src/runner/rate-limit.ts";
import { createTestClock } from "../support/clock.ts";

/** @returns takes at a time in milliseconds, which never goes back */
function limitOf3() {
  const clock = createTestClock();
  const limit = createRateLimit({ burst: 3, perSecond: 2, clock });
  const take = async (key: string, at: number) => {
    await clock.advance(at - clock.monotonic());
    return limit.take(key);
  };
  const takeAll = (key: string, times: number[]) =>
    times.reduce<Promise<number[]>>(
      async (waits, at) => [...(await waits), await take(key, at)],
      Promise.resolve([]),
    );
  return { ...limit, clock, take, takeAll };
}

describe("a limit of 3 at once and 2 per second", () => {
  test("accepts 3, then one every half second", async () => {
    const limit = limitOf3();
    expect(await limit.takeAll("a", [0, 0, 0, 0, 499])).toEqual([0, 0, 0, 1, 1]);
    expect(await limit.takeAll("a", [500, 501, 1000, 1499, 1500])).toEqual([0, 1, 0, 1, 0]);
  });

  test("never rejects a key that keeps to the rate", async () => {
    const limit = limitOf3();
    for (let at = 0; at < 100_000; at += 500) expect(await limit.take("a", at)).toBe(0);
  });

  test("accepts a full burst again after a pause", async () => {
    const limit = limitOf3();
    await limit.takeAll("a", Array(10).fill(0));
    expect(await limit.takeAll("a", [1500, 1500, 1500, 1500])).toEqual([0, 0, 0, 1]);
  });

  test("counts each key separately", async () => {
    const limit = limitOf3();
    await limit.takeAll("a", Array(10).fill(0));
    expect(await limit.take("b", 0)).toBe(0);
  });

  test("accepts a full burst of a key that is reset", async () => {
    const limit = limitOf3();
    await limit.takeAll("a", Array(10).fill(0));
    limit.forget("a");
    expect(await limit.takeAll("a", [0, 0, 0, 0])).toEqual([0, 0, 0, 1]);
  });

  test("rejects no longer than before if the clock is set back", async () => {
    const limit = limitOf3();
    await limit.takeAll("a", [0, 0, 0]);
    limit.clock.setBack(1_000_000);
    expect(await limit.takeAll("a", [0, 500])).toEqual([1, 0]);
  });

  test("drops the keys that are least recently used, and keeps those in use", () => {
    const limit = createRateLimit({ burst: 3, perSecond: 2, clock: createTestClock() });
    for (let count = 0; count < 10; count++) limit.take("loud");
    for (let other = 0; other < 20_000; other++) {
      limit.take(`other ${other}`);
      if (other % 100 === 0) expect(limit.take("loud")).toBe(1);
    }
    for (let count = 0; count < 3; count++) expect(limit.take("other 0")).toBe(0);
  });
});
