import { expect, test } from "bun:test";
import {
  boundsOf,
  isBelow,
  monthLabel,
  offeredMonths,
  targetIn,
} from "../../../src/dashboard/web/reports/monthly-report.tsx";

test("behavior 14.98: reports are offered of this month and the twelve before it", () => {
  const months = offeredMonths(Date.parse("2026-02-28T23:59:59Z"));
  expect(months.slice(0, 3)).toEqual(["2026-02", "2026-01", "2025-12"]);
  expect([months.length, months.at(-1)]).toEqual([13, "2025-02"]);
  expect(offeredMonths(Date.parse("2026-03-31T12:00:00Z"))[1]).toBe("2026-02");
});

test("behavior 14.98: a month is from its first day to that of the next one, in UTC", () => {
  expect(boundsOf("2026-12")).toEqual({ from: "2026-12-01T00:00:00.000Z", to: "2027-01-01T00:00:00.000Z" });
  expect(monthLabel("2026-10", "en")).toBe("October 2026");
});

test("behavior 14.98: a target is a percentage, also with a comma, and an uptime below it misses it", () => {
  expect(["99.9", " 99,95 ", "100", "0", "101", "a", "1e1", "", null].map(targetIn)).toEqual([
    ...[99.9, 99.95, 100],
    ...[null, null, null, null, null, null],
  ]);
  expect(isBelow("99.89%", 99.9)).toBe(true);
  expect([isBelow("99.90%", 99.9), isBelow(null, 99.9), isBelow("1.00%", null)]).toEqual([
    false,
    false,
    false,
  ]);
});
