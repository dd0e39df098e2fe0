import { describe, expect, test } from "bun:test";
import { checkTimeout, nextCheckAt } from "../../../src/domain/checks/check-slot.ts";

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0, 123);

describe("behavior 1.8: nextCheckAt", () => {
  test("is later than now by at most the interval", () => {
    for (const interval of [1, 7, 60, 86_400]) {
      const next = nextCheckAt("abc", interval, NOW);
      expect(next).toBeGreaterThan(NOW);
      expect(next).toBeLessThanOrEqual(NOW + interval * 1000);
    }
  });

  test("has the same slots for any now", () => {
    const first = nextCheckAt("abc", 60, NOW);
    expect(nextCheckAt("abc", 60, first - 1)).toBe(first);
    expect(nextCheckAt("abc", 60, first)).toBe(first + 60_000);
    expect(nextCheckAt("abc", 60, first + 59_999)).toBe(first + 60_000);
  });

  test("spreads monitors evenly over the interval", () => {
    const tenths = new Array<number>(10).fill(0);
    for (let at = 0; at < 10_000; at++) {
      const tenth = Math.floor((nextCheckAt(`monitor-${at}`, 60, NOW) % 60_000) / 6000);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    expect(Math.min(...tenths)).toBeGreaterThan(850);
    expect(Math.max(...tenths)).toBeLessThan(1150);
  });
});

test("behavior 1.10: a check takes 10 s at most, or the interval if that is shorter", () => {
  expect(checkTimeout({ interval: 60 })).toBe(10_000);
  expect(checkTimeout({ interval: 3 })).toBe(3000);
});

test("behavior 10.6: the timeout of a config replaces the default", () => {
  expect(checkTimeout({ interval: 60, timeout: 25 })).toBe(25_000);
});
