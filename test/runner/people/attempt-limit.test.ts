import { describe, expect, test } from "bun:test";
import { createAttemptLimit } from "../../../src/runner/people/sign-in.ts";
import { createTestClock } from "../../support/clock.ts";

const MINUTE = 60_000;

describe("behavior 19.21: failed sign-ins", () => {
  test("are limited to 10 in 15 minutes for each key, counted before they are judged", async () => {
    const clock = createTestClock();
    const limit = createAttemptLimit(clock);
    for (let at = 0; at < 10; at++) expect(limit.begin(["email a", "address 1"])).toBe(0);
    expect(limit.begin(["email a", "address 2"])).toBe(900);
    expect(limit.begin(["email b", "address 1"])).toBe(900);
    expect(limit.begin(["email b", "address 2"])).toBe(0);
    await clock.advance(15 * MINUTE);
    expect(limit.begin(["email a", "address 1"])).toBe(0);
  });

  test("of an address can't be pushed out by 10,000 new keys", () => {
    const limit = createAttemptLimit(createTestClock());
    for (let at = 0; at < 10; at++) limit.begin(["email a"]);
    for (let at = 0; at < 10_100; at++) limit.begin([`email ${at}`]);
    expect(limit.begin(["email a"])).toBeGreaterThan(0);
  });

  test("count for no key if one of the keys has too many", () => {
    const limit = createAttemptLimit(createTestClock());
    for (let at = 0; at < 10; at++) limit.begin(["email a", "address 1"]);
    for (let at = 0; at < 20; at++) expect(limit.begin(["email a", "address 2"])).toBeGreaterThan(0);
    expect(limit.begin(["email b", "address 2"])).toBe(0);
  });

  test("a success is none, and clears no failure", () => {
    const limit = createAttemptLimit(createTestClock());
    for (let at = 0; at < 9; at++) limit.begin(["email a"]);
    for (let at = 0; at < 50; at++) {
      expect(limit.begin(["email a"])).toBe(0);
      limit.takeBack(["email a"]);
    }
    expect(limit.begin(["email a"])).toBe(0);
    expect(limit.begin(["email a"])).toBeGreaterThan(0);
    limit.forget("email a");
    expect(limit.begin(["email a"])).toBe(0);
  });
});
