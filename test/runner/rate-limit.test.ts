import { describe, expect, test } from "bun:test";
import { createRateLimit } from "../../src/runner/rate-limit.ts";

describe("a limit of 3 at once and 2 a second", () => {
  const limitOf3 = () => createRateLimit({ burst: 3, perSecond: 2 });

  test("lets 3 pass, then one each half a second", () => {
    const limit = limitOf3();
    expect([0, 0, 0, 0, 499].map((at) => limit.take("a", at))).toEqual([0, 0, 0, 1, 1]);
    expect([500, 501, 1000, 1499, 1500].map((at) => limit.take("a", at))).toEqual([0, 1, 0, 1, 0]);
  });

  test("never refuses who keeps the rate, for however long", () => {
    const limit = limitOf3();
    for (let at = 0; at < 100_000; at += 500) expect(limit.take("a", at)).toBe(0);
  });

  test("is whole again after a pause", () => {
    const limit = limitOf3();
    for (let count = 0; count < 10; count++) limit.take("a", 0);
    expect([1500, 1500, 1500, 1500].map((at) => limit.take("a", at))).toEqual([0, 0, 0, 1]);
  });

  test("counts each for itself", () => {
    const limit = limitOf3();
    for (let count = 0; count < 10; count++) limit.take("a", 0);
    expect(limit.take("b", 0)).toBe(0);
  });

  test("counts nothing of what is to be forgotten", () => {
    const limit = limitOf3();
    for (let count = 0; count < 10; count++) limit.take("a", 0);
    limit.forget("a");
    expect([0, 0, 0, 0].map((at) => limit.take("a", at))).toEqual([0, 0, 0, 1]);
  });

  test("refuses for no longer where the clock is put back", () => {
    const limit = limitOf3();
    for (let count = 0; count < 3; count++) limit.take("a", 1_000_000);
    expect(limit.take("a", 0)).toBe(1);
    expect(limit.take("a", 500)).toBe(0);
  });

  test("forgets those it has not heard of for longest, and not who goes on", () => {
    const limit = limitOf3();
    for (let count = 0; count < 10; count++) limit.take("loud", 0);
    for (let other = 0; other < 20_000; other++) {
      limit.take(`other ${other}`, 0);
      if (other % 100 === 0) expect(limit.take("loud", 0)).toBe(1);
    }
    for (let count = 0; count < 3; count++) expect(limit.take("other 0", 0)).toBe(0);
  });
});
