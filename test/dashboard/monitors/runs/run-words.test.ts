import { expect, test } from "bun:test";
import type { JobRun } from "../../../../src/dashboard/web/data/api.ts";
import {
  describeOpen,
  lengthOf,
  openRunsOf,
  runDrawing,
} from "../../../../src/dashboard/web/monitors/runs/runs-card.tsx";

const MINUTE = 60_000;
const now = Date.parse("2026-11-27T03:12:00Z");
const ago = (minutes: number) => new Date(now - minutes * MINUTE).toISOString();

const ended: JobRun = {
  ...{ id: "1", rid: null, startedAt: ago(20), endedAt: ago(12), durationMs: 8 * MINUTE },
  ...{ outcome: "ok", exitCode: 0, outputBytes: 0 },
};
const open = (minutes: number, outcome: JobRun["outcome"] = "running"): JobRun => ({
  ...{ ...ended, startedAt: ago(minutes), endedAt: null, durationMs: null },
  ...{ outcome, exitCode: null },
});

test.each([
  [[], 8, ""],
  [[ended], 8, ""],
  [[open(12), ended], 8, "Running for 12 min, usually 8 min"],
  [[open(12)], null, "Running for 12 min"],
  [[open(2), ended, open(12)], 8, "2 runs are open, the first for 12 min, usually 8 min"],
  [[open(2), ended, open(12, "overrun")], 8, "Running for 2 min, usually 8 min"],
  [[open(12, "overrun"), open(30, "overrun")], 8, "2 runs are open, the first for 30 min, usually 8 min"],
  // The clock of the reader is behind.
  [[open(-1)], null, "Running for 0 ms"],
])("behavior 18.62: the runs %# are described", (runs, usual, words) => {
  expect(describeOpen(openRunsOf(runs), usual && usual * MINUTE, now)).toBe(words);
});

test("behavior 18.61: a run has a length while it is open, and none if its start or its end is not known", () => {
  expect(lengthOf(ended, now)).toBe(8 * MINUTE);
  expect(lengthOf(open(12), now)).toBe(12 * MINUTE);
  expect(lengthOf({ ...ended, durationMs: null, outcome: "replaced" }, now)).toBeNull();
  expect(lengthOf({ ...ended, durationMs: null, outcome: "logged" }, now)).toBeNull();
});

test("behavior 18.60: the chart has the lengths, those of failed runs as dots, and the limit", () => {
  const points = [
    { start: ago(90), durationMs: 8 * MINUTE, outcome: "ok" as const },
    { start: ago(30), durationMs: 412, outcome: "failed" as const },
  ];
  const { columns, describe, axis } = runDrawing(points, 12 * MINUTE);
  expect(columns).toEqual([
    [now / 1000 - 5400, now / 1000 - 1800],
    // A failed run leaves the line as it is.
    [8 * MINUTE, undefined],
    [null, 412],
    [12 * MINUTE, 12 * MINUTE],
  ]);
  expect(describe([8 * MINUTE, null, 12 * MINUTE])).toBe("8 min");
  expect(describe([undefined, 412, 12 * MINUTE])).toBe("failed after 412 ms");
  expect(describe([null])).toBe("");
  expect(axis?.format(90 * MINUTE)).toBe("1 h 30 min");
  expect(runDrawing(points, null).columns.at(-1)).toEqual([null, null]);
});
