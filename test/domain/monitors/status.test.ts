import { describe, expect, test } from "bun:test";
import { isNotable, type Status, troubleFrom } from "../../../src/domain/monitors/status.ts";
import { summarize } from "../../../src/domain/monitors/status-summary.ts";

describe("summarize", () => {
  test.each([
    [{}, "operational"],
    [{ up: 2, ok: 1 }, "operational"],
    [{ up: 2, degraded: 1 }, "degraded"],
    [{ up: 2, havent_heard: 1 }, "degraded"],
    [{ up: 2, degraded: 1, down: 1 }, "incident"],
    [{ failed: 1 }, "incident"],
    [{ up: 1, unknown: 1 }, "incident"],
  ] as const)("of %p is %s overall", (counts, overall) => {
    const rows = Object.entries(counts).map(([status, count]) => ({ status: status as Status, count }));
    expect(summarize(rows).overall).toBe(overall);
  });

  test("counts every monitor once", () => {
    const rows = [
      { status: "up", count: 3 },
      { status: "degraded", count: 2 },
      { status: "unknown", count: 1 },
    ] as const;
    expect(summarize(rows)).toEqual({ total: 6, healthy: 3, warning: 2, down: 1, overall: "incident" });
  });
});

test.each([
  ["unknown", "up", false],
  ["unknown", "ok", false],
  ["unknown", "down", true],
  ["unknown", "degraded", true],
  ["up", "up", false],
  ["up", "down", true],
  ["down", "up", true],
  ["ok", "failed", true],
  ["failed", "failed", false],
] as const)("%s to %s: channels are told: %p", (from, to, told) => {
  expect(isNotable(from, to)).toBe(told);
});

test.each<[Status, number | null, number | null]>([
  ["up", null, null],
  ["up", 5, null],
  ["unknown", null, null],
  ["degraded", null, 9],
  ["down", null, 9],
  ["down", 5, 5],
  ["havent_heard", 5, 5],
])("a monitor that is %s after a trouble since %p is in trouble since %p", (status, before, since) => {
  expect(troubleFrom(status, before, 9)).toBe(since);
});
