import { expect, test } from "bun:test";
import { runsOf } from "../../../scripts/simulator/truth/cron-runs.ts";

function runs(cron: string, timezone: string, from: string, to: string): string[] {
  return runsOf({ cron, timezone }, Date.parse(from), Date.parse(to)).map(
    ({ at, local }) => `${new Date(at).toISOString().slice(0, 16)} ${local}`,
  );
}

test("A daily run follows the clock of its zone", () => {
  expect(runs("30 6 * * *", "Europe/Berlin", "2026-03-28T00:00Z", "2026-03-30T00:00Z")).toEqual([
    "2026-03-28T05:30 once",
    "2026-03-29T04:30 once",
  ]);
});

test("A local time that a clock change skips is a run at the end of the gap", () => {
  expect(runs("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00Z", "2026-03-31T00:00Z")).toEqual([
    "2026-03-28T01:30 once",
    "2026-03-29T01:00 skipped",
    "2026-03-30T00:30 once",
  ]);
});

test("A local time that a clock change repeats is two runs", () => {
  expect(runs("30 2 * * *", "Europe/Berlin", "2026-10-25T00:00Z", "2026-10-26T00:00Z")).toEqual([
    "2026-10-25T00:30 first",
    "2026-10-25T01:30 again",
  ]);
  // The clock of Lord Howe Island is set back by half an hour.
  expect(runs("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T12:00Z", "2026-04-05T12:00Z")).toEqual([
    "2026-04-04T14:45 first",
    "2026-04-04T15:15 again",
  ]);
});

test("Steps, lists and ranges are understood", () => {
  expect(runs("*/20 8 * * 1-5", "UTC", "2026-06-06T00:00Z", "2026-06-09T00:00Z")).toEqual([
    "2026-06-08T08:00 once",
    "2026-06-08T08:20 once",
    "2026-06-08T08:40 once",
  ]);
  expect(runs("5 0,12 1 * *", "UTC", "2026-06-01T00:00Z", "2026-06-30T00:00Z")).toHaveLength(2);
});
