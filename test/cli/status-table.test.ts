import { expect, test } from "bun:test";
import { statusTable } from "../../src/cli/status.ts";
import type { ServerStatus } from "../../src/cli/status-access.ts";
import { countStandings } from "../../src/domain/monitors/standing.ts";

const NOW = Date.parse("2027-01-31T12:00:00Z");
const MINUTE = 60_000;
const FILE = { now: NOW, width: Number.POSITIVE_INFINITY, hasColors: false, hasHeader: false };

const counts = (some: Partial<ServerStatus["counts"]>): ServerStatus["counts"] => ({
  ...countStandings([]),
  ...some,
});

type Listed = ServerStatus["monitors"][number];

const monitor = (name: string, values: Partial<Listed> = {}): Listed => ({
  id: "x",
  name,
  status: "down",
  standing: "down",
  since: NOW - 75 * MINUTE,
  maintenance: null,
  acknowledgement: null,
  reason: "no answer within 10 s",
  ...values,
});

test("behavior 9.106: a healthy server has one line, and an empty one too", () => {
  expect(statusTable({ counts: counts({ healthy: 97, paused: 1 }), monitors: [] }, FILE)).toBe(
    "97 healthy, 1 paused\n",
  );
  expect(statusTable({ counts: counts({}), monitors: [] }, FILE)).toBe("no monitors\n");
});

test("behavior 9.106: monitors in trouble are in aligned columns, also with letters that take two", () => {
  const monitors = [
    monitor("Shop"),
    monitor("日本語のサイト", { status: "expiring_soon", since: null, reason: "" }),
    monitor("Tab\there\u001b[2J", { status: "havent_heard", reason: "no check-in\nsince" }),
  ];
  expect(statusTable({ counts: counts({ down: 1, warning: 2 }), monitors }, FILE).split("\n")).toEqual([
    "Shop                    Down          for 1 h 15 min  no answer within 10 s",
    "日本語のサイト          Expires soon",
    "Tab\\u0009here\\u001b[2J  No check-in   for 1 h 15 min  no check-in\\u000asince",
    "1 down, 2 warning",
    "",
  ]);
});

test("behavior 9.106: a long name is cut, a line is no wider than the terminal, and the others are counted", () => {
  const monitors = [monitor("監視".repeat(60)), monitor("b", { reason: "x".repeat(200) })];
  const lines = statusTable({ counts: counts({ down: 230 }), monitors }, { ...FILE, width: 70 }).split("\n");
  expect(lines[0]).toStartWith(`${"監視".repeat(9)}監…  Down`);
  for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(70);
  expect(lines[1]).toEndWith("…");
  expect(lines.slice(2)).toEqual(["and 228 more", "230 down", ""]);
});

test("behavior 9.106: a terminal gets the status in color, and nothing else", () => {
  const monitors = [monitor("Down"), monitor("b", { status: "degraded", reason: "" })];
  const lines = statusTable(
    { counts: counts({ down: 1, warning: 1 }), monitors },
    { ...FILE, hasColors: true },
  );
  expect(lines).toContain("Down  \u001b[31mDown\u001b[0m      for");
  expect(lines).toContain("b     \u001b[33mDegraded\u001b[0m  for");
});

test("behavior 9.106: a terminal gets the names of the columns, if there is a row", () => {
  const terminal = { ...FILE, hasHeader: true };
  const monitors = [monitor("b", { status: "degraded", since: null }), monitor("Shop", { reason: "" })];
  expect(statusTable({ counts: counts({ down: 1, warning: 1 }), monitors }, terminal).split("\n")).toEqual([
    "MONITOR  STATUS    DURATION    REASON",
    "b        Degraded              no answer within 10 s",
    "Shop     Down      1 h 15 min",
    "1 down, 1 warning",
    "",
  ]);
  expect(statusTable({ counts: counts({ healthy: 2 }), monitors: [] }, terminal)).toBe("2 healthy\n");
});

test("behavior 9.106: what somebody works on, and what is in maintenance, says so", () => {
  const monitors = [
    monitor("Shop", {
      standing: "acknowledged",
      acknowledgement: { by: "Mia", note: "disk full" },
    }),
    monitor("Lab", { standing: "maintenance", maintenance: "New switch", reason: "" }),
  ];
  const lines = statusTable({ counts: counts({ acknowledged: 1, maintenance: 3 }), monitors }, FILE).split(
    "\n",
  );
  expect(lines[0]).toEndWith("acknowledged by Mia: disk full · no answer within 10 s");
  expect(lines[1]).toEndWith("in maintenance: New switch");
  expect(lines.slice(2)).toEqual(["1 acknowledged, 3 in maintenance", ""]);
});
