import { describe, expect, test } from "bun:test";
import { isNotable, troubleFrom } from "../../../src/domain/monitors/planned-result.ts";
import {
  bySeverity,
  countsAsDown,
  groupOf,
  type Status,
  statusesOf,
} from "../../../src/domain/monitors/status.ts";
import { statusLabel } from "../../../src/domain/monitors/status-label.ts";
import { summarize } from "../../../src/domain/monitors/status-schema.ts";

describe("behavior 1.2, 2.1, 2.9: the table of statuses", () => {
  // Databases store a status by its position: this test must fail if one moves.
  test("keeps the position of each status", () => {
    expect(statusesOf).toEqual({
      HTTP: ["up", "down", "degraded"],
      TCP: ["up", "down", "degraded"],
      TLS: ["active", "expiring_soon", "expired", "no_cert"],
      DNS: ["present", "missing", "changed"],
      SCHEDULED: ["ok", "failed", "havent_heard"],
    });
  });

  test("is the one of behavior 1.2", async () => {
    const rows = (await Bun.file("docs/behavior/01-statuses-and-checks.md").text()).matchAll(
      /^ {2}\| ([A-Z, ]+) \| `(\w+)` \| (\w+) \| (\d) \| (yes|no) \| (.+) \|$/gm,
    );
    const documented = [...rows].flatMap(([, types = "", ...row]) =>
      types.split(", ").map((type) => [type, ...row]),
    );
    const table = Object.entries(statusesOf).flatMap(([type, statuses]) =>
      statuses.map((status) => [
        type,
        status,
        groupOf[status],
        String(bySeverity[type as keyof typeof statusesOf].indexOf(status) + 1),
        countsAsDown[status] ? "yes" : "no",
        statusLabel[status],
      ]),
    );
    expect(table.sort()).toEqual(documented.sort());
  });

  test("has at most eight statuses for each type, because a history keeps them as the bits of one byte", () => {
    for (const statuses of Object.values(statusesOf)) expect(statuses.length).toBeLessThanOrEqual(8);
  });
});

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
] as const)("behavior 5.2: from %s to %s, channels are notified: %p", (from, to, notified) => {
  expect(isNotable(from, to)).toBe(notified);
});

test.each<[Status, number | null, number | null]>([
  ["up", null, null],
  ["up", 5, null],
  ["unknown", null, null],
  ["degraded", null, 9],
  ["down", null, 9],
  ["down", 5, 5],
  ["havent_heard", 5, 5],
])("a monitor that is %s, after trouble since %p, is in trouble since %p", (status, before, since) => {
  expect(troubleFrom(status, before, 9)).toBe(since);
});
