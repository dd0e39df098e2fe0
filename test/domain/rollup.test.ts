import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  addToRollup,
  dayOf,
  emptyRollup,
  hourOf,
  mergeRollups,
  type Rollup,
} from "../../src/domain/rollup.ts";
import type { Status } from "../../src/domain/status.ts";
import { isBad, uptime } from "../../src/domain/uptime.ts";
import { at } from "./walk.ts";

interface Result {
  status: Status;
  latencyMs: number | null;
}

const status = fc.constantFrom<Status>("up", "down", "degraded", "ok", "failed", "havent_heard");
const latencyMs = fc.option(fc.integer({ min: 0, max: 100_000 }).map((tenths) => tenths / 10));
const results = fc.array(fc.record({ status, latencyMs }), { maxLength: 100 });

function rollup(all: Result[]): Rollup {
  return all.reduce((sum, result) => addToRollup(sum, result.status, result.latencyMs), emptyRollup);
}

describe("a rollup", () => {
  test("equals a full scan of its results", () => {
    fc.assert(
      fc.property(results, (all) => {
        const tenths = all.flatMap((result) =>
          result.latencyMs === null || isBad(result.status) ? [] : [Math.round(result.latencyMs * 10)],
        );
        const counts: Record<string, number> = {};
        for (const result of all) counts[result.status] = (counts[result.status] ?? 0) + 1;
        expect(rollup(all)).toEqual({
          counts,
          latency: {
            count: tenths.length,
            sum: tenths.reduce((sum, value) => sum + value, 0),
            sumOfSquares: tenths.reduce((sum, value) => sum + value * value, 0),
          },
          shortest: tenths.length > 0 ? Math.min(...tenths) : null,
          longest: tenths.length > 0 ? Math.max(...tenths) : null,
        });
      }),
    );
  });

  test("is the same, however its results were grouped", () => {
    fc.assert(
      fc.property(fc.array(results, { maxLength: 10 }), (groups) => {
        expect(groups.map(rollup).reduce(mergeRollups, emptyRollup)).toEqual(rollup(groups.flat()));
      }),
    );
  });

  test("takes no latency from a failed check", () => {
    expect(addToRollup(emptyRollup, "down", 12)).toEqual({ ...emptyRollup, counts: { down: 1 } });
  });

  test("stands under the hour or day of its results", () => {
    expect(hourOf(at("2027-03-28T01:59:59.999Z"))).toBe(at("2027-03-28T01:00:00Z"));
    expect(dayOf(at("2027-03-28T23:59:59.999Z"))).toBe(at("2027-03-28T00:00:00Z"));
  });
});

describe("the uptime", () => {
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
