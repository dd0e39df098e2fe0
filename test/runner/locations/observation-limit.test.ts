import { describe, expect, test } from "bun:test";
import { createObservationLimit } from "../../../src/runner/locations/observation-limit.ts";
import { createTestClock } from "../../support/clock.ts";

describe("behavior 13.37: observations of a location", () => {
  test("may be as many at once as its monitors give in a day, and 1,000 more", () => {
    const limit = createObservationLimit(createTestClock());
    expect(limit.take(1, 86_400 / 16 + 1000, 1 / 16)).toBe(0);
    expect(limit.take(1, 1, 1 / 16)).toBe(1);
  });

  test("may come four times as often as its monitors are checked, and one per second more", async () => {
    const clock = createTestClock();
    const limit = createObservationLimit(clock);
    expect(limit.take(1, 86_400 / 16 + 1000, 1 / 16)).toBe(0);
    expect(limit.take(1, 10, 1 / 16)).toBe(8);
    await clock.advance(7999);
    expect(limit.take(1, 10, 1 / 16)).toBe(1);
    await clock.advance(1);
    expect(limit.take(1, 10, 1 / 16)).toBe(0);
    expect(limit.take(1, 1, 1 / 16)).toBe(1);
  });

  test("may be 2,500 per second, or four times as many as its monitors give", async () => {
    const clock = createTestClock();
    const limit = createObservationLimit(clock);
    expect(limit.take(1, 10_000, 10)).toBe(0);
    expect(limit.take(1, 500, 10)).toBe(1);
    await clock.advance(200);
    expect(limit.take(1, 500, 10)).toBe(0);
    expect(limit.take(2, 40_000, 2000)).toBe(1);
    expect(limit.take(2, 32_000, 2000)).toBe(0);
  });

  test("of each location are counted by themselves", () => {
    const limit = createObservationLimit(createTestClock());
    expect(limit.take(1, 1000, 0)).toBe(0);
    expect(limit.take(1, 500, 0)).toBe(500);
    expect(limit.take(2, 500, 0)).toBe(0);
  });

  test("that the database could not take do not count", () => {
    const limit = createObservationLimit(createTestClock());
    limit.take(1, 1000, 0);
    limit.giveBack(1, 500);
    expect(limit.take(1, 500, 0)).toBe(0);
    expect(limit.take(1, 1, 0)).toBe(1);
  });
});
