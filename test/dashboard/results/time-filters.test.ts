import { describe, expect, test } from "bun:test";
import {
  describeStretch,
  namedStretch,
  timeFilters,
} from "../../../src/dashboard/web/results/time-filter.tsx";
import { stretchOf } from "../../../src/dashboard/web/ui/time-range.tsx";

test.each([
  ["", {}],
  ["from=2026-11-24T10:00:00%2B01:00", { from: "2026-11-24T09:00:00.000Z" }],
  [
    "from=2026-11-24T10:00:00Z&to=2026-11-24T11:00:00Z&problems=true",
    { from: "2026-11-24T10:00:00.000Z", to: "2026-11-24T11:00:00.000Z", problems: "true" },
  ],
  ["from=yesterday&to=&problems=yes&time=year", {}],
  [
    "time=day&from=2020-01-01T00:00:00Z&problems=true",
    { from: "2026-11-23T10:05:00.000Z", problems: "true" },
  ],
  ["time=week", { from: "2026-11-17T10:05:00.000Z" }],
  ["time=month", { from: "2026-10-25T10:05:00.000Z" }],
] as const)("behavior 16.205: the address ?%s filters results by %j", (address, expected) => {
  const now = Date.parse("2026-11-24T10:05:31.500Z");
  expect<object>(timeFilters(new URLSearchParams(address), now)).toEqual(expected);
});

describe("behavior 16.205: this night, in the reader's zone,", () => {
  const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute);
  const iso = (day: number, hour: number) => at(day, hour).toISOString();
  test.each([
    ["begins at 20:00 in the evening", at(24, 21), { from: iso(24, 20) }],
    ["goes on in the early morning", at(25, 3), { from: iso(24, 20) }],
    ["goes on until 08:00", at(25, 7, 59), { from: iso(24, 20) }],
    ["ends at 08:00", at(25, 8), { from: iso(24, 20), to: iso(25, 8) }],
    ["is the last one in the afternoon", at(25, 19, 59), { from: iso(24, 20), to: iso(25, 8) }],
  ] as const)("%s", (_, now, expected) => {
    expect<object>(namedStretch("night", now.getTime())).toEqual(expected);
  });
});

test("behavior 16.205: two days and their times are a stretch, of which the last minute is a part", () => {
  const whole = { from: "00:00", to: "23:59" };
  const iso = (...parts: [number, number, number, number?, number?]) => new Date(...parts).toISOString();
  // A day on which clocks change is a whole day.
  for (const [month, day] of [
    [2, 29],
    [9, 25],
    [10, 24],
  ] as const) {
    const text = `2026-${String(month + 1).padStart(2, "0")}-${day}`;
    expect(stretchOf({ first: text, last: text, times: whole })).toEqual({
      from: iso(2026, month, day),
      to: iso(2026, month, day + 1),
    });
  }
  const given = { first: "2026-11-20", last: "2026-11-24", times: { from: "22:00", to: "06:29" } };
  expect(stretchOf(given)).toEqual({ from: iso(2026, 10, 20, 22), to: iso(2026, 10, 24, 6, 30) });
  for (const wrong of [{ first: "" }, { last: "2026-11-19" }, { times: { from: "", to: "23:59" } }])
    expect(stretchOf({ ...given, ...wrong })).toBeUndefined();
});

test("behavior 16.205: a stretch in words has no times if it is whole days", () => {
  const iso = (day: number, hour = 0) => new Date(2026, 10, day, hour).toISOString();
  const words = (from?: string, to?: string) => describeStretch({ from, to }).replaceAll("\u202f", " ");
  expect(words()).toBe("Any time");
  expect(words(iso(24), iso(25))).toBe("Nov 24, 2026");
  expect(words(iso(20), iso(25))).toBe("Nov 20, 2026 to Nov 24, 2026");
  expect(words(iso(20))).toBe("Since Nov 20, 2026");
  expect(words(undefined, iso(25))).toBe("Until Nov 24, 2026");
  expect(words(iso(24, 6), iso(25))).toBe("Nov 24, 2026, 6:00 AM to Nov 25, 2026, 12:00 AM");
});
