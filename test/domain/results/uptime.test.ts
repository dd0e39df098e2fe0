import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { uptime } from "../../../src/domain/results/uptime.ts";

describe("behavior 6.1, 6.2: the uptime", () => {
  test.each([
    ["100.00%", { up: 5 }],
    ["100.00%", { up: 5, degraded: 3 }],
    ["99.99%", { up: 999_999, down: 1 }],
    ["99.99%", { up: 99_999_999_999, down: 1 }],
    ["66.66%", { up: 2, down: 1 }],
    ["50.00%", { ok: 2, failed: 1, havent_heard: 1 }],
    ["29.00%", { up: 29, down: 71 }],
    ["1.15%", { up: 115, down: 9885 }],
    ["0.05%", { up: 1, down: 1999 }],
    ["0.00%", { down: 3 }],
    [null, {}],
    [null, { up: 0 }],
  ])("is %p of %p", (expected, counts) => {
    expect(uptime(counts)).toBe(expected);
  });

  const many = fc.integer({ min: 0, max: 1_000_000_000 });

  test("is 100.00% if and only if no result was bad", () => {
    fc.assert(
      fc.property(many, many, (up, down) => {
        fc.pre(up + down > 0);
        expect(uptime({ up, down }) === "100.00%").toBe(down === 0);
      }),
    );
  });

  test("is rounded down, never up", () => {
    fc.assert(
      fc.property(many, many, (up, down) => {
        fc.pre(up + down > 0);
        const hundredths = BigInt((uptime({ up, down }) ?? "").replace(/[.%]/g, ""));
        const all = BigInt(up + down);
        expect(hundredths * all <= BigInt(up) * 10_000n).toBe(true);
        expect((hundredths + 1n) * all > BigInt(up) * 10_000n).toBe(true);
      }),
    );
  });
});
