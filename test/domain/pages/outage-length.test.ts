import { describe, expect, test } from "bun:test";
import { isLong, longFrom, windowEndOf } from "../../../src/domain/pages/outage-view.ts";

const START = Date.UTC(2027, 5, 1);
const SECOND = 1000;

describe("behavior 15.15: an outage is long", () => {
  test.each<[string, { endedAt?: number; windowEndsAt?: number | null; minOutage?: number }, number]>([
    ["after more than minOutage", {}, START + 60 * SECOND + 1],
    ["after any time without minOutage", { minOutage: 0 }, START + 1],
    [
      "after more than minOutage since the end of the window",
      { windowEndsAt: START + 5000 },
      START + 65 * SECOND + 1,
    ],
    [
      "after more than minOutage since its start, if the window ended earlier",
      { windowEndsAt: START - 5000 },
      START + 60 * SECOND + 1,
    ],
    ["never while the window is open", { windowEndsAt: null }, Number.POSITIVE_INFINITY],
  ])("%s", (_, { minOutage = 60, ...values }, from) => {
    const outage = { startedAt: START, endedAt: null, ...values };
    expect(longFrom(outage, minOutage)).toBe(from);
    if (from === Number.POSITIVE_INFINITY) {
      expect(isLong(outage, { minOutage, now: Number.MAX_SAFE_INTEGER })).toBe(false);
      return;
    }
    expect(isLong(outage, { minOutage, now: from })).toBe(true);
    expect(isLong(outage, { minOutage, now: from - 1 })).toBe(false);
    // Its length is final after its end.
    expect(isLong({ ...outage, endedAt: from }, { minOutage, now: from - 1 })).toBe(true);
    expect(isLong({ ...outage, endedAt: from - 1 }, { minOutage, now: from + 1 })).toBe(false);
  });
});

describe("the window in which an outage began", () => {
  const windows = [
    { maintenanceId: "a", startsAt: START - 10, endsAt: START - 5 },
    { maintenanceId: "a", startsAt: START, endsAt: START + 5 },
    { maintenanceId: "b", startsAt: START - 20, endsAt: null },
  ];
  const endOf = (maintenanceId: string | null, startedAt: number) =>
    windowEndOf({ maintenanceId, startedAt }, windows);

  test("is one of its maintenance that was open then, its start included", () => {
    expect(endOf("a", START - 10)).toBe(START - 5);
    expect(endOf("a", START)).toBe(START + 5);
    expect(endOf("b", START)).toBeNull();
  });

  test("is none outside of all windows, and none without a maintenance", () => {
    expect(endOf("a", START - 5)).toBeUndefined();
    expect(endOf("a", START + 5)).toBeUndefined();
    expect(endOf("c", START)).toBeUndefined();
    expect(endOf(null, START)).toBeUndefined();
  });
});
