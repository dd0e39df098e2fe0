import { describe, expect, test } from "bun:test";
import { downFor, downPart, downsOf } from "../../../src/domain/outages/outage.ts";

const ended = [
  { from: 10, to: 20 },
  { from: 30, to: 35 },
];

describe("behavior 14.53: the part of an outage in which its monitor was down", () => {
  test("begins with the first stretch, and is as long as all of them", () => {
    expect(downPart(ended, { to: 100 })).toEqual({ since: 10, ms: 15 });
    expect(downPart([...ended, { from: 40, to: null }], { to: 100 })).toEqual({ since: 10, ms: 75 });
  });

  test("is only what lies in a stretch of time", () => {
    expect(downPart(ended, { from: 15, to: 32 })).toEqual({ since: 15, ms: 7 });
    expect(downPart(ended, { from: 25, to: 100 })).toEqual({ since: 30, ms: 5 });
  });

  test("is none if the monitor was never down", () => {
    expect(downPart([], { to: 100 })).toBeNull();
    expect(downPart(ended, { to: 5 })).toBeNull();
  });
});

describe("behavior 15.26: the moment at which a monitor has been down for some time", () => {
  test.each<[string, number, number, number]>([
    ["in the first stretch", 0, 10, 20],
    ["in a later stretch", 0, 12, 32],
    ["counted from a later moment", 18, 4, 32],
    ["never, after all of them", 0, 16, Number.POSITIVE_INFINITY],
  ])("is %s", (_, from, ms, at) => {
    expect(downFor(ended, { from, ms })).toBe(at);
  });

  test("is in the future while it is down", () => {
    expect(downFor([...ended, { from: 40, to: null }], { from: 0, ms: 100 })).toBe(125);
  });
});

describe("behavior 14.53: the stored stretches of an outage", () => {
  const outage = { status: "down", startedAt: 10, endedAt: null } as const;

  test("last until its end at most", () => {
    const stored = [...ended, { from: 40, to: null }];
    expect(downsOf(outage, stored)).toEqual(stored);
    expect(downsOf({ ...outage, endedAt: 50 }, stored)).toEqual([...ended, { from: 40, to: 50 }]);
    expect(downsOf({ ...outage, status: "degraded" }, [])).toEqual([]);
  });

  test("are all of it by its worst status if a version without stretches began it", () => {
    expect(downsOf(outage, [])).toEqual([{ from: 10, to: null }]);
    expect(downsOf({ ...outage, endedAt: 50 }, [])).toEqual([{ from: 10, to: 50 }]);
  });

  test("count once if such a version ended none of them", () => {
    const open = [
      { from: 10, to: null },
      { from: 30, to: null },
    ];
    expect(downPart(downsOf(outage, open), { to: 100 })).toEqual({ since: 10, ms: 90 });
    const stored = open.map(({ from }) => ({ from, to: 60 }));
    expect(downPart(downsOf(outage, stored), { to: 100 })).toEqual({ since: 10, ms: 50 });
  });
});
