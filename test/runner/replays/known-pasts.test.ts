import { expect, test } from "bun:test";
import type { PastChecks, ReplayedPast } from "../../../src/domain/replay/history.ts";
import { KnownPasts, type NeededPast } from "../../../src/runner/replays/known-pasts.ts";
import { createTestClock } from "../../support/clock.ts";

const MINUTE = 60_000;

function pastOf(results: number): ReplayedPast {
  const checks: PastChecks = {
    ...{ count: results, kinds: [], times: new Float64Array(results), kindOf: new Uint16Array(results) },
    ...{ latencies: new Float32Array(results), isAfterUsual: new Uint8Array(results) },
  };
  const monitor = { id: "m", name: "m", type: "TCP", tags: [], isSelected: true, settings: [] } as const;
  return {
    range: { from: 0, to: 1 },
    monitors: new Map([["m", { ...monitor, checks, outages: [], notifications: [] }]]),
    ...{ calendar: { windowOf: () => null }, defaultChannelIds: [], channels: new Map(), onCall: new Map() },
  };
}

function setUp(most?: number) {
  const clock = createTestClock();
  const known = new KnownPasts(clock, most);
  let loads = 0;
  const wanted = { organizationId: "o", selector: { all: true }, days: 30, version: "1" } as const;
  /** @returns whether the past was read */
  const reads = async (needed: Partial<NeededPast> = {}, results = 10) => {
    const before = loads;
    await known.find({ ...wanted, ...needed }, async () => {
      loads++;
      return pastOf(results);
    });
    return loads > before;
  };
  return { clock, known, reads };
}

test("behavior 25.35: a past is read once for the same monitors and days, within a minute", async () => {
  const { clock, reads } = setUp();
  expect(await reads()).toBe(true);
  expect(await reads()).toBe(false);
  for (const other of [
    { organizationId: "p" },
    { days: 31 },
    { selector: { tags: ["a"] } },
    { version: "2" },
  ])
    expect(await reads(other)).toBe(true);
  expect(await reads()).toBe(false);
  await clock.advance(MINUTE + 1);
  expect(await reads()).toBe(true);
});

test("behavior 25.35: a past with slower results serves replays that need fewer", async () => {
  const { reads } = setUp();
  expect(await reads()).toBe(true);
  expect(await reads({ slowerThan: 500 })).toBe(true);
  expect(await reads({ slowerThan: 700 })).toBe(false);
  expect(await reads()).toBe(false);
  expect(await reads({ slowerThan: 400 })).toBe(true);
  expect(await reads({ warnDays: 20 })).toBe(true);
  expect(await reads({ warnDays: 20 })).toBe(false);
  expect(await reads({ warnDays: 21 })).toBe(true);
});

test("the oldest pasts are forgotten if they are too large together, and a larger one is never kept", async () => {
  const { reads } = setUp(100_000);
  expect(await reads({ days: 1 }, 2500)).toBe(true);
  expect(await reads({ days: 2 }, 2500)).toBe(true);
  expect(await reads({ days: 1 }, 2500)).toBe(false);
  expect(await reads({ days: 3 }, 2500)).toBe(true);
  expect(await reads({ days: 2 }, 2500)).toBe(false);
  expect(await reads({ days: 1 }, 2500)).toBe(true);
  expect(await reads({ days: 4 }, 25_000)).toBe(true);
  expect(await reads({ days: 4 }, 25_000)).toBe(true);
});

test("no timer is left after all are forgotten", async () => {
  const { known, reads } = setUp();
  await reads();
  known.clear();
  expect(await reads()).toBe(true);
});
