import { describe, expect, test } from "bun:test";
import type { PageFacts } from "../../../src/domain/pages/component-status.ts";
import { weekdaysOf } from "../../../src/domain/pages/show-maintenances.ts";
import { repeated } from "../maintenance/definition.ts";
import { component, DAY, factsOf, HOUR, MINUTE, maintenance, NOW, run, show } from "./facts.ts";

const components = [component("a", { tags: ["web"] }), component("b")];

function shown(facts: Partial<PageFacts>, now = NOW) {
  return show(factsOf({ components, ...facts, page: {} }), now).page.maintenances;
}

const times = (facts: Partial<PageFacts>, now = NOW) =>
  shown(facts, now).map(({ state, startsAt, endsAt }) => [state, startsAt, endsAt]);

const cron = (expression: string, duration: number) => ({
  ...repeated(expression, duration),
  message: null,
  updatedAt: NOW - DAY,
});

describe("a maintenance", () => {
  test("behavior 15.28: is shown with the components that it names", () => {
    const names = { title: "Move", message: "All of it." };
    expect(
      shown({ maintenances: [maintenance(NOW, NOW + HOUR, { selector: { tags: ["web"] }, ...names })] }),
    ).toEqual([
      {
        id: expect.stringMatching(/^m./),
        series: "m",
        repeats: null,
        title: "Move",
        message: "All of it.",
        state: "active",
        startsAt: NOW,
        endsAt: NOW + HOUR,
        componentIds: ["a"],
        updatedAt: NOW - 50 * DAY,
      },
    ]);
  });

  test("behavior 15.30: that names no component is not shown", () => {
    const selector = { monitorIds: ["another"] };
    const maintenances = [
      maintenance(NOW, NOW + HOUR, { selector }),
      maintenance(NOW + HOUR, NOW + DAY, { selector }),
    ];
    expect(shown({ maintenances, runs: [run(NOW - HOUR, NOW - 1, { selector })] })).toEqual([]);
  });

  test("behavior 15.28: goes from scheduled to active to ended, each window with one ID", () => {
    const window = maintenance(NOW, NOW + HOUR);
    const [before] = shown({ maintenances: [window] }, NOW - 1);
    const [within] = shown({ maintenances: [window], runs: [run(NOW, null)] }, NOW + 1);
    // The definition of a window that is over is not read.
    const [unnoticed] = shown({ runs: [run(NOW, null)] }, NOW + HOUR);
    const [after] = shown({ runs: [run(NOW, NOW + HOUR)] }, NOW + HOUR);
    const all = [before, within, unnoticed, after];
    expect(all.map((one) => one?.state)).toEqual(["scheduled", "active", "ended", "ended"]);
    expect(new Set(all.map((one) => one?.id)).size).toBe(1);
    expect(all.map((one) => one?.endsAt)).toEqual(Array(4).fill(NOW + HOUR));
  });

  test("behavior 15.28: is not shown longer than 30 days before and after", () => {
    const maintenances = [
      maintenance(NOW + 30 * DAY, NOW + 31 * DAY),
      maintenance(NOW + 30 * DAY + 1, NOW + 31 * DAY, { id: "n" }),
    ];
    const runs = [run(NOW - 31 * DAY, NOW - 30 * DAY), run(NOW - 32 * DAY, NOW - 30 * DAY - 1)];
    expect(times({ maintenances, runs })).toEqual([
      ["scheduled", NOW + 30 * DAY, NOW + 31 * DAY],
      ["ended", NOW - 31 * DAY, NOW - 30 * DAY],
    ]);
  });
});

describe("windows of one maintenance", () => {
  test("behavior 15.28: are shown as the open one, the next one and the last 20", () => {
    const runs = Array.from({ length: 30 }, (_, index) =>
      run(NOW - (index + 1) * DAY, NOW - (index + 1) * DAY + HOUR),
    );
    const all = times({ maintenances: [cron("0 12 * * *", 3600)], runs });
    expect(all.map(([state]) => state)).toEqual(["active", "scheduled", ...Array(20).fill("ended")]);
    expect(all[1]).toEqual(["scheduled", NOW + DAY, NOW + DAY + HOUR]);
    expect(all[2]).toEqual(["ended", NOW - DAY, NOW - DAY + HOUR]);
  });

  test("behavior 15.28: hide no other maintenance, neither ahead nor back", () => {
    const night = cron("30 3 * * *", 3600);
    const runs = Array.from({ length: 25 }, (_, index) =>
      run(NOW - (index + 1) * DAY, NOW - (index + 1) * DAY + 1),
    );
    const move = { id: "n", title: "Move of the data centre" };
    const ended = run(NOW - 28 * DAY, NOW - 27 * DAY, { maintenanceId: "old", title: "Old move" });
    const all = shown({
      maintenances: [night, maintenance(NOW + 25 * DAY, NOW + 26 * DAY, move)],
      runs: [...runs, ended],
    });
    expect(all.filter(({ state }) => state === "scheduled").map(({ title }) => title)).toEqual([
      night.title,
      move.title,
    ]);
    expect(all.at(-1)?.title).toBe("Old move");
  });

  test("behavior 15.28: are one if they touch or overlap", () => {
    // At 12:00, 12:30 and 13:00, each for 40 minutes; then from 14:00.
    const maintenances = [cron("0,30 12,14 * * *", 40 * 60)];
    const open = [run(NOW, null)];
    expect(times({ maintenances, runs: open }, NOW + 35 * MINUTE).slice(0, 2)).toEqual([
      ["active", NOW, NOW + 70 * MINUTE],
      ["scheduled", NOW + 2 * HOUR, NOW + 2 * HOUR + 70 * MINUTE],
    ]);
    const touching = [cron("0,30 12 * * *", 30 * 60)];
    expect(times({ maintenances: touching }, NOW - HOUR)[0]).toEqual(["scheduled", NOW, NOW + HOUR]);
  });

  test("behavior 15.28: of an expression that is always open are one", () => {
    for (const duration of [60, 120]) {
      const maintenances = [cron("* * * * *", duration)];
      expect(times({ maintenances, runs: [run(NOW - DAY, null)] })).toEqual([
        ["active", NOW - DAY, expect.any(Number)],
      ]);
    }
  });

  test("behavior 15.28: of several maintenances are in the order of time", () => {
    const maintenances = [cron("0 6 * * *", 60), { ...cron("0 5 * * *", 60), id: "n" }];
    expect(shown({ maintenances }).map(({ startsAt }) => startsAt)).toEqual([
      NOW + 17 * HOUR,
      NOW + 18 * HOUR,
    ]);
  });
});

test("behavior 15.29: a page says when the next window starts or ends", () => {
  const maintenances = [maintenance(NOW + 10, NOW + 20)];
  const until = (now: number, selector = {}) =>
    show(factsOf({ components, maintenances: maintenances.map((one) => ({ ...one, ...selector })) }), now)
      .validUntil;
  expect(until(NOW)).toBe(NOW + 10);
  expect(until(NOW + 10)).toBe(NOW + 20);
  expect(until(NOW + 20)).toBe(NOW + 20 + MINUTE);
  expect(until(NOW, { selector: { monitorIds: ["another"] } })).toBe(NOW + MINUTE);
});

describe("a maintenance that repeats", () => {
  test.each([
    ["30 2 * * *", [0, 1, 2, 3, 4, 5, 6]],
    ["0 2 * * 2,4", [2, 4]],
    ["0 2 * * TUE,Thu", [2, 4]],
    ["0 2 * * 1-5", [1, 2, 3, 4, 5]],
    ["0 2 * * 5-7", [0, 5, 6]],
    ["0 2 * * */3", [0, 3, 6]],
    ["0 2 1 * *", null],
    ["0 2,14 * * *", null],
    ["*/5 * * * *", null],
    ["0 2 * 6 1", null],
    ["0 2 * * 1#2", null],
  ])("behavior 15.105: %p is on the days %p of the week", (expression, days) => {
    expect(weekdaysOf(expression)).toEqual(days);
  });

  test("behavior 15.105: has one entry with its next window, and the windows of 30 days for calendars", () => {
    const [next, ...others] = shown({ maintenances: [cron("30 3 * * *", 3600)] });
    expect(others).toEqual([]);
    expect(next).toMatchObject({ state: "scheduled", repeats: { weekdays: [0, 1, 2, 3, 4, 5, 6] } });
    const starts = next?.repeats?.windows.map(({ startsAt }) => startsAt) ?? [];
    expect(starts).toHaveLength(31);
    expect(starts[0]).toBe(next?.startsAt ?? 0);
    expect(new Set(starts.map((at, index) => at - index * DAY)).size).toBe(1);
  });

  test("behavior 15.105: a single window, and windows that are open or over, do not repeat", () => {
    const maintenances = [
      maintenance(NOW + HOUR, NOW + 2 * HOUR, { id: "single" }),
      cron("0 12 * * *", 3600),
    ];
    const entries = shown({ maintenances }).map(({ state, repeats }) => [state, repeats !== null]);
    expect(entries).toEqual([
      ["active", false],
      ["scheduled", false],
      ["scheduled", true],
    ]);
  });
});
