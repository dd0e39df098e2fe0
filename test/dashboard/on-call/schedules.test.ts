import { describe, expect, test } from "bun:test";
import { nameById } from "../../../src/dashboard/web/on-call/person-name.ts";
import { layerOf, scheduleFaults, shownLayer } from "../../../src/dashboard/web/on-call/schedule-form.tsx";
import { offeredTimes, turnsOn } from "../../../src/dashboard/web/on-call/schedules.ts";
import { weekAt } from "../../../src/dashboard/web/ui/days.ts";
import { sentencesOf } from "../form/said.ts";

const at = (text: string) => Date.parse(text);

describe("behavior 23.41: the week of a schedule", () => {
  test("has seven days from Monday, also over the end of a year", () => {
    const week = weekAt(new Date(2027, 0, 1, 12).getTime());
    expect(week.map(({ start }) => new Date(start).getDate())).toEqual([28, 29, 30, 31, 1, 2, 3]);
    expect(new Date(week[0]?.start ?? 0).getDay()).toBe(1);
    for (const [number, { end }] of week.entries()) expect(week[number + 1]?.start ?? end).toBe(end);
  });

  test("has the parts of turns on a day, and gaps", () => {
    const turns = [
      { personId: "a", from: "2026-11-22T00:00:00Z", to: "2026-11-23T08:00:00Z" },
      { personId: null, from: "2026-11-23T08:00:00Z", to: "2026-11-24T00:00:00Z" },
      { personId: "b", from: "2026-11-24T00:00:00Z", to: "2026-11-30T00:00:00Z" },
    ];
    const day = { start: at("2026-11-23T00:00:00Z"), end: at("2026-11-24T00:00:00Z") };
    expect(turnsOn(day, turns)).toEqual([
      { personId: "a", startsAt: day.start, endsAt: at("2026-11-23T08:00:00Z") },
      { personId: null, startsAt: at("2026-11-23T08:00:00Z"), endsAt: day.end },
    ]);
  });

  test("names people, nobody, and somebody who was deleted", () => {
    const people = [{ id: "a", name: null, email: "a@example.com" }];
    expect(["a", "b", null].map((id) => nameById(id, people))).toEqual([
      "a@example.com",
      "A deleted person",
      "Nobody",
    ]);
  });
});

describe("behavior 23.42: an override is offered", () => {
  const now = at("2026-11-23T03:00:30Z");

  test.each([
    [
      "until the present turn ends",
      { endsAt: at("2026-11-23T08:00:00Z") },
      "03:00",
      "2026-11-23T08:00:00.000Z",
    ],
    ["for twelve hours at most", { endsAt: at("2026-11-30T08:00:00Z") }, "03:00", "2026-11-23T15:00:00.000Z"],
    ["for twelve hours, if no end is known", {}, "03:00", "2026-11-23T15:00:00.000Z"],
    [
      "for the whole turn that is chosen",
      { startsAt: at("2026-11-23T06:00:00Z"), endsAt: at("2026-11-24T00:00:00Z") },
      "06:00",
      "2026-11-24T00:00:00.000Z",
    ],
    [
      "for the rest of a turn that has begun",
      { startsAt: at("2026-11-23T00:00:00Z"), endsAt: at("2026-11-24T00:00:00Z") },
      "03:00",
      "2026-11-24T00:00:00.000Z",
    ],
  ])("%s", (_, turn, from, endsAt) => {
    expect(offeredTimes(now, turn)).toEqual({ startsAt: `2026-11-23T${from}:00.000Z`, endsAt });
  });
});

describe("behavior 23.43: the form of a schedule", () => {
  const layer = { personIds: ["a"], every: "week" as const, startsAt: "2026-11-23T08:00:00.000Z" };

  test("shows the first turn by the clocks of the schedule, and keeps all others", () => {
    const hours = { windows: [{ days: ["sat" as const], from: "08:00", to: "20:00" }] };
    const shown = shownLayer({ ...layer, hours }, "Europe/Berlin");
    expect(shown).toEqual({ ...layer, hours, startsAt: "2026-11-23T09:00" });
    expect(layerOf(shown, "Europe/Berlin")).toEqual({ ...layer, hours });
    expect(layerOf(shown, "UTC").startsAt).toBe("2026-11-23T09:00:00.000Z");
  });

  test("shows seconds as hours", () => {
    const shown = shownLayer({ ...layer, every: 5400 }, "UTC");
    expect(shown.every).toEqual({ hours: "1.5" });
    expect(layerOf(shown, "UTC").every).toBe(5400);
  });

  test.each([
    [{ timezone: "Nowhere" }, /^timezone must be/],
    [{ name: "" }, /^name must be/],
    [{ layers: [{ ...layer, personIds: [] }] }, /^layers: Each layer needs a person\.$/],
  ])("refuses %j", (changes, fault) => {
    expect(sentencesOf(scheduleFaults(formOf(changes)))[0]).toMatch(fault);
  });

  test("accepts a schedule", () => {
    expect(scheduleFaults(formOf({}))).toEqual([]);
  });

  function formOf(changes: object): FormData {
    const layers = [{ ...layer, startsAt: "2026-11-23T09:00" }];
    const data = new FormData();
    for (const [name, value] of Object.entries({ name: "Operations", timezone: "UTC", layers, ...changes }))
      data.set(name, typeof value === "string" ? value : JSON.stringify(value));
    return data;
  }
});
