import { expect, test } from "bun:test";
import { dayShown, timeFilters } from "../../../src/dashboard/web/results/time-filter.tsx";

test.each([
  ["", {}],
  ["from=2026-11-24T10:00:00%2B01:00", { from: "2026-11-24T09:00:00.000Z" }],
  [
    "from=2026-11-24T10:00:00Z&to=2026-11-24T11:00:00Z&problems=true",
    { from: "2026-11-24T10:00:00.000Z", to: "2026-11-24T11:00:00.000Z", problems: "true" },
  ],
  ["from=yesterday&to=&problems=yes", {}],
] as const)("behavior 16.205: the address ?%s filters results by %j", (address, expected) => {
  expect<object>(timeFilters(new URLSearchParams(address))).toEqual(expected);
});

test("behavior 16.205: the date is that of a whole day in the reader's zone", () => {
  const start = new Date(2026, 9, 25).toISOString();
  const end = new Date(2026, 9, 26).toISOString();
  expect(dayShown(start, end)).toBe("2026-10-25");
  for (const [from, to] of [
    [undefined, end],
    [start, undefined],
    [start, new Date(2026, 9, 27).toISOString()],
    [new Date(2026, 9, 25, 1).toISOString(), end],
  ])
    expect(dayShown(from, to)).toBe("");
});
