import { describe, expect, test } from "bun:test";
import { costOf, createObservationLimit } from "../../../src/runner/locations/observation-limit.ts";
import { createTestClock } from "../../support/clock.ts";

const usual = (count: number) => ({ count, cost: count });

describe("behavior 13.37: observations of a location", () => {
  test("may be as many at once as its monitors give in a day, and 1,000 more", () => {
    const limit = createObservationLimit(createTestClock());
    expect(limit.take(1, usual(86_400 / 16 + 1000), 1 / 16)).toBe(0);
    expect(limit.take(1, usual(1), 1 / 16)).toBe(1);
  });

  test("may come four times as often as its monitors are checked, and one per second more", async () => {
    const clock = createTestClock();
    const limit = createObservationLimit(clock);
    expect(limit.take(1, usual(86_400 / 16 + 1000), 1 / 16)).toBe(0);
    expect(limit.take(1, usual(10), 1 / 16)).toBe(8);
    await clock.advance(7999);
    expect(limit.take(1, usual(10), 1 / 16)).toBe(1);
    await clock.advance(1);
    expect(limit.take(1, usual(10), 1 / 16)).toBe(0);
    expect(limit.take(1, usual(1), 1 / 16)).toBe(1);
  });

  test("may be 2,500 per second, or four times as many as its monitors give", async () => {
    const clock = createTestClock();
    const limit = createObservationLimit(clock);
    expect(limit.take(1, usual(10_000), 10)).toBe(0);
    expect(limit.take(1, usual(500), 10)).toBe(1);
    await clock.advance(200);
    expect(limit.take(1, usual(500), 10)).toBe(0);
    expect(limit.take(2, usual(40_000), 2000)).toBe(1);
    expect(limit.take(2, usual(32_000), 2000)).toBe(0);
  });

  test("of each location are counted by themselves", () => {
    const limit = createObservationLimit(createTestClock());
    expect(limit.take(1, usual(1000), 0)).toBe(0);
    expect(limit.take(1, usual(500), 0)).toBe(500);
    expect(limit.take(2, usual(500), 0)).toBe(0);
  });

  test("that the database could not take do not count", () => {
    const limit = createObservationLimit(createTestClock());
    limit.take(1, usual(1000), 0);
    limit.giveBack(1, usual(500));
    expect(limit.take(1, usual(500), 0)).toBe(0);
    expect(limit.take(1, usual(1), 0)).toBe(1);
  });

  test("count more for the second if they have many DNS records", async () => {
    const clock = createTestClock();
    const limit = createObservationLimit(clock);
    const values = Array(4096).fill("192.0.2.1");
    const answer = { lookups: [{ values }, { values }] };
    const observations = Array(10).fill({ evidence: { outcome: "looked_up", answer } });
    expect(costOf(observations)).toBe(10 * 820);
    expect(limit.take(1, { count: 10, cost: costOf(observations) }, 1)).toBe(0);
    expect(limit.take(1, { count: 10, cost: costOf(observations) }, 1)).toBe(3);
    expect(limit.take(1, usual(1000), 1)).toBe(0);
  });

  test.each([null, "text", {}, { answer: null }, { answer: { lookups: [null, { values: "text" }] } }])(
    "count as usual if their evidence is %p",
    (evidence) => {
      expect(costOf([{ evidence }, { evidence }])).toBe(2);
    },
  );
});
