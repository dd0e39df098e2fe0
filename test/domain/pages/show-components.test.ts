import { describe, expect, test } from "bun:test";
import type { Status } from "../../../src/domain/monitors/status.ts";
import type { ComponentStatus } from "../../../src/domain/pages/component-status.ts";
import type { DayLevel } from "../../../src/domain/pages/public-page.ts";
import {
  component,
  counts,
  DAY,
  factsOf,
  HOUR,
  MINUTE,
  maintenance,
  NOW,
  outage,
  run,
  show,
} from "./facts.ts";

const shown = (...given: Parameters<typeof show>) => show(...given).page.components;

describe("the status of a component", () => {
  test.each<[Status, ComponentStatus]>([
    ["unknown", "operational"],
    ["up", "operational"],
    ["degraded", "degraded_performance"],
    ["down", "major_outage"],
    ["active", "operational"],
    ["expiring_soon", "degraded_performance"],
    ["expired", "major_outage"],
    ["no_cert", "major_outage"],
    ["present", "operational"],
    ["changed", "degraded_performance"],
    ["missing", "major_outage"],
    ["ok", "operational"],
    ["havent_heard", "degraded_performance"],
    ["failed", "major_outage"],
  ])("behavior 15.20: of a monitor that is %s is %s", (status, expected) => {
    expect(shown(factsOf({ components: [component("a", { status })] }))).toMatchObject([
      { status: expected },
    ]);
  });

  test("behavior 15.20: is under_maintenance in a window that names its monitor, however bad it is", () => {
    const components = [component("a", { status: "down" }), component("b", { status: "down" })];
    const maintenances = [maintenance(NOW, NOW + HOUR, { selector: { monitorIds: ["monitor a"] } })];
    const statuses = (now: number) =>
      shown(factsOf({ components, maintenances }), now).map(({ status }) => status);
    expect(statuses(NOW - 1)).toEqual(["major_outage", "major_outage"]);
    expect(statuses(NOW)).toEqual(["under_maintenance", "major_outage"]);
    expect(statuses(NOW + HOUR - 1)).toEqual(["under_maintenance", "major_outage"]);
    expect(statuses(NOW + HOUR)).toEqual(["major_outage", "major_outage"]);
  });

  test("behavior 15.20: of a paused monitor is operational, also in a window", () => {
    const facts = factsOf({
      components: [component("a", { enabled: false, status: "down" })],
      maintenances: [maintenance(NOW, NOW + HOUR)],
    });
    expect(shown(facts)).toMatchObject([{ status: "operational" }]);
  });
});

describe("the time of the last change of a component", () => {
  const since = (facts: Partial<Parameters<typeof factsOf>[0]>, now = NOW) =>
    shown(factsOf(facts), now)[0]?.since;

  test("behavior 15.21: is that of its monitor, or its creation before the first result", () => {
    expect(since({ components: [component("a", { statusSince: 5 })] })).toBe(5);
    expect(since({ components: [component("a", { statusSince: null, createdAt: 3 })] })).toBe(3);
  });

  test("behavior 15.21: is the start of the window that is open, and its end after it", () => {
    const facts = {
      components: [component("a", { statusSince: NOW - DAY })],
      maintenances: [maintenance(NOW - HOUR, NOW + HOUR)],
      runs: [run(NOW - HOUR, NOW + HOUR)],
    };
    expect(since(facts, NOW)).toBe(NOW - HOUR);
    expect(since(facts, NOW + 2 * HOUR)).toBe(NOW + HOUR);
  });
});

test("behavior 15.22: components of one group follow each other, at the place of the first one", () => {
  const [one, two] = [
    { id: "1", name: "One" },
    { id: "2", name: "Two" },
  ];
  const components = [
    component("a"),
    component("b", { group: one }),
    component("c"),
    component("d", { group: two }),
    component("e", { group: { ...one } }),
    component("f"),
  ];
  expect(shown(factsOf({ components })).map(({ id }) => id)).toEqual(["a", "b", "e", "c", "d", "f"]);
});

describe("the history of a component", () => {
  test.each<[Partial<Record<Status, number>>, DayLevel, string | null]>([
    [{}, "none", null],
    [{ up: 1000 }, "good", "100.00%"],
    [{ up: 999, degraded: 1 }, "partial", "100.00%"],
    [{ up: 999, down: 1 }, "partial", "99.90%"],
    [{ up: 95, down: 5 }, "partial", "95.00%"],
    [{ up: 94, down: 6 }, "down", "94.00%"],
    [{ ok: 19, havent_heard: 1 }, "partial", "95.00%"],
    [{ ok: 18, havent_heard: 1 }, "down", "94.73%"],
    [{ active: 5, expiring_soon: 5 }, "partial", "100.00%"],
  ])("behavior 15.27: a day with %p is %p", (results, level, uptime) => {
    const facts = factsOf({ components: [component("a", { latestCounts: counts(0, results) })] });
    const [{ days, uptime: whole } = { days: [], uptime: "" }] = shown(facts);
    expect(days.at(-1)).toEqual({ date: "2026-11-22", level, uptime });
    expect(whole).toBe(uptime);
  });

  test.each([7, 30, 90])("behavior 15.27: of a page of %p days ends today", (days) => {
    const facts = factsOf({ page: { days }, components: [component("a"), component("b")] });
    for (const { days: shownDays } of shown(facts)) {
      expect(shownDays).toHaveLength(days);
      expect(shownDays.at(-1)?.date).toBe("2026-11-22");
      expect(shownDays[0]?.date).toBe(new Date(NOW - (days - 1) * DAY).toISOString().slice(0, 10));
    }
  });

  test("behavior 15.27: each day has its own results, and the uptime is that of all of them", () => {
    const facts = factsOf({
      page: { days: 7 },
      components: [
        component("a", { latestCounts: [...counts(1, { up: 10 }), ...counts(0, { up: 9, down: 1 })] }),
      ],
    });
    const past = {
      "monitor a": [...counts(6, { up: 8, down: 1 }), ...counts(6, { down: 1 }), ...counts(2, { up: 10 })],
    };
    const [{ days, uptime } = { days: [], uptime: "" }] = shown(facts, NOW, past);
    expect(days.map((day) => day.uptime)).toEqual([
      "80.00%",
      null,
      null,
      null,
      "100.00%",
      "100.00%",
      "90.00%",
    ]);
    expect(uptime).toBe("92.50%");
  });
});

describe("today", () => {
  const today = (values: Partial<Parameters<typeof component>[1]>, changes = {}) =>
    shown(factsOf({ components: [component("a", values)], ...changes }))[0]?.days.at(-1)?.level;
  const mostlyUp = { latestCounts: counts(0, { up: 99, down: 1 }) };

  test("behavior 17.1: is an outage while the component is down, and has problems while it is degraded", () => {
    expect(today({ ...mostlyUp })).toBe("partial");
    expect(today({ ...mostlyUp, status: "down" })).toBe("down");
    expect(today({ status: "down" })).toBe("down");
    expect(today({ status: "degraded" })).toBe("partial");
    expect(today({ latestCounts: counts(0, { up: 9, down: 9 }), status: "degraded" })).toBe("down");
  });

  test("behavior 17.1: is not worse because of a component that is paused or in a maintenance", () => {
    expect(today({ status: "down", enabled: false })).toBe("none");
    const maintenances = [maintenance(NOW - HOUR, NOW + HOUR)];
    expect(today({ ...mostlyUp, status: "down" }, { maintenances })).toBe("partial");
  });
});

describe("the time without service", () => {
  test("behavior 15.106: of a day is that of its outages, also of those that became an incident", () => {
    const start = NOW - (NOW % DAY) - 30 * MINUTE;
    const outages = [
      outage("1", { startedAt: start, endedAt: start + HOUR }),
      outage("2", { startedAt: NOW - HOUR, endedAt: NOW - HOUR + 10 * MINUTE, isWritten: true }),
      outage("short", { startedAt: NOW - 3 * HOUR, endedAt: NOW - 3 * HOUR + MINUTE }),
      outage("degraded", { startedAt: NOW - 5 * HOUR, endedAt: NOW - 4 * HOUR, downs: [] }),
    ];
    const { page } = show(factsOf({ components: [component("a"), component("b")], outages }));
    expect(page.components.map(({ downMs }) => downMs)).toEqual([
      { "2026-11-21": 30 * MINUTE, "2026-11-22": 40 * MINUTE },
      {},
    ]);
  });

  test("behavior 15.41: the uptime of a page is the mean of its components, rounded down", () => {
    const components = [
      component("a", { latestCounts: counts(0, { up: 2, down: 1 }) }),
      component("b", { latestCounts: counts(0, { up: 1000 }) }),
      component("new"),
    ];
    expect(show(factsOf({ components })).page.uptime).toBe("83.33%");
    expect(show(factsOf({ components: [component("new")] })).page.uptime).toBeNull();
  });
});
