import { describe, expect, test } from "bun:test";
import {
  type Layer,
  listTurns,
  listTurnsFrom,
  onCallAt,
  type Rota,
  type Turn,
} from "../../../src/domain/on-call/rotation.ts";
import { isLong } from "../../support/long.ts";
import { randomNumbers } from "../../support/people/random-numbers.ts";
import { ZONES } from "../heartbeats/local-jobs.ts";
import { at, DAY, HOUR, MINUTE } from "../heartbeats/walk.ts";
import { watchedMinutes } from "./oracle.ts";

const everybody = () => true;
const WEEK: Layer = { personIds: ["ana", "ben", "eva"], every: "week", startsAt: at("2026-03-02T08:00:00Z") };

function rotaOf(layers: Layer[], rest: Partial<Rota> = {}): Rota {
  return { timezone: "UTC", layers, overrides: [], ...rest };
}

const who = (rota: Rota, time: string, isAvailable = everybody as (id: string) => boolean) =>
  onCallAt(rota, at(time), isAvailable)?.personId ?? null;

test("behavior 23.20: people take turns, each a week, and nobody is on call before the first turn", () => {
  const rota = rotaOf([WEEK]);
  expect(who(rota, "2026-03-02T07:59:59Z")).toBeNull();
  expect(who(rota, "2026-03-02T08:00:00Z")).toBe("ana");
  expect(who(rota, "2026-03-09T07:59:59Z")).toBe("ana");
  expect(who(rota, "2026-03-09T08:00:00Z")).toBe("ben");
  expect(who(rota, "2026-03-23T08:00:00Z")).toBe("ana");
  expect(onCallAt(rota, at("2026-03-10T12:00:00Z"), everybody)).toEqual({
    personId: "ben",
    until: at("2026-03-16T08:00:00Z"),
  });
});

test("behavior 23.21: days and weeks turn at the same local time after a change of clocks, seconds elapse", () => {
  const startsAt = at("2026-03-27T07:00:00Z");
  const berlin = (every: Layer["every"]) => {
    const rota = rotaOf([{ personIds: ["ana", "ben"], every, startsAt }], { timezone: "Europe/Berlin" });
    return listTurns(rota, { from: startsAt, to: startsAt + 5 * DAY - HOUR }, everybody).map(
      ({ from }) => from,
    );
  };
  expect(berlin("day").map((time) => new Date(time).toISOString().slice(5, 16))).toEqual([
    ...["03-27T07:00", "03-28T07:00", "03-29T06:00", "03-30T06:00", "03-31T06:00"],
  ]);
  expect(berlin(86_400)).toEqual([0, 1, 2, 3, 4].map((day) => startsAt + day * DAY));
});

test("behavior 23.21: a turn at a time that does not exist begins after the gap, and at one that occurs twice the first time", () => {
  const days = (start: string, day: string) => {
    const rota = rotaOf([{ personIds: ["ana", "ben"], every: "day", startsAt: at(start) }], {
      timezone: "Europe/Berlin",
    });
    const from = at(`${day}T00:00:00Z`) - HOUR;
    return listTurns(rota, { from, to: from + 6 * HOUR }, everybody).at(1)?.from;
  };
  expect(days("2026-03-20T01:30:00Z", "2026-03-29")).toBe(at("2026-03-29T01:00:00Z"));
  expect(days("2026-10-20T00:30:00Z", "2026-10-25")).toBe(at("2026-10-25T00:30:00Z"));
});

test("behavior 23.22: outside of the hours of a layer, the next layer counts", () => {
  const hours = { windows: [{ days: ["mon" as const], from: "22:00", to: "06:00" }] };
  const rota = rotaOf([
    { personIds: ["night"], every: "day", startsAt: 0, hours },
    { personIds: ["day"], every: "day", startsAt: at("2026-03-01T00:00:00Z") },
  ]);
  expect(who(rota, "2026-03-02T21:59:00Z")).toBe("day");
  expect(who(rota, "2026-03-03T05:59:00Z")).toBe("night");
  expect(who(rota, "2026-03-03T06:00:00Z")).toBe("day");
  expect(who(rota, "2026-02-01T00:00:00Z")).toBeNull();
});

test("behavior 23.23: the next one takes the turn of a disabled person, and the turns of the others stay", () => {
  const rota = rotaOf([WEEK, { personIds: ["max"], every: "day", startsAt: 0 }]);
  const without =
    (...gone: string[]) =>
    (id: string) =>
      !gone.includes(id);
  const weeks = ["2026-03-02", "2026-03-09", "2026-03-16", "2026-03-23"];
  const of = (...gone: string[]) => weeks.map((day) => who(rota, `${day}T08:00:00Z`, without(...gone)));
  expect(of("ben")).toEqual(["ana", "eva", "eva", "ana"]);
  expect(of("eva")).toEqual(["ana", "ben", "ana", "ana"]);
  expect(of("ana", "ben", "eva")).toEqual(["max", "max", "max", "max"]);
});

test("behavior 23.24: of several overrides, that which began last counts, and one of a disabled person does not", () => {
  const one = {
    id: "1",
    personId: "ben",
    startsAt: at("2026-03-03T00:00:00Z"),
    endsAt: at("2026-03-05T00:00:00Z"),
  };
  const other = {
    ...one,
    id: "2",
    personId: "max",
    startsAt: one.startsAt + HOUR,
    endsAt: one.startsAt + 2 * HOUR,
  };
  const rota = rotaOf([WEEK], { overrides: [other, one] });
  expect(who(rota, "2026-03-02T23:59:00Z")).toBe("ana");
  expect(who(rota, "2026-03-03T00:30:00Z")).toBe("ben");
  expect(who(rota, "2026-03-03T01:00:00Z")).toBe("max");
  expect(who(rota, "2026-03-03T02:00:00Z")).toBe("ben");
  expect(who(rota, "2026-03-05T00:00:00Z")).toBe("ana");
  expect(who(rota, "2026-03-03T01:00:00Z", (id) => id !== "max")).toBe("ben");
});

test("behavior 23.25: until is null if nobody else is on call within 92 days, and neighbors are one item", () => {
  const always = rotaOf([{ personIds: ["ana"], every: 3600, startsAt: 0 }]);
  expect(onCallAt(always, at("2026-03-03T00:00:00Z"), everybody)).toEqual({ personId: "ana", until: null });
  const range = { from: 10 * DAY, to: 102 * DAY };
  expect(listTurns(always, range, everybody)).toEqual([{ personId: "ana", ...range }]);
  const ending = {
    ...always,
    overrides: [{ id: "1", personId: "ben", startsAt: 100 * DAY, endsAt: 101 * DAY }],
  };
  expect(onCallAt(ending, 8 * DAY, everybody)).toEqual({ personId: "ana", until: 100 * DAY });
  expect(onCallAt(ending, 8 * DAY - 1, everybody)).toEqual({ personId: "ana", until: null });
  expect(
    listTurns(rotaOf([WEEK]), { from: WEEK.startsAt - DAY, to: WEEK.startsAt + HOUR }, everybody),
  ).toEqual([
    { personId: null, from: WEEK.startsAt - DAY, to: WEEK.startsAt },
    { personId: "ana", from: WEEK.startsAt, to: WEEK.startsAt + HOUR },
  ]);
});

test("behavior 23.33: the first of the turns from a moment on has its own start, whatever the moment is", () => {
  const lists = (rota: Rota, now: string) => listTurnsFrom(rota, at(now), at(now) + DAY, everybody);
  const alone = rotaOf([{ ...WEEK, personIds: ["ana"], every: "day" }]);
  for (const now of [
    "2026-03-02T08:00:00Z",
    "2026-03-09T09:00:00Z",
    "2027-09-01T08:00:00Z",
    "2029-03-01T00:00:00Z",
  ])
    expect(lists(alone, now)).toEqual([{ personId: "ana", from: WEEK.startsAt, to: at(now) + DAY }]);
  const begun = { from: WEEK.startsAt + 7 * DAY, to: at("2026-03-11T00:00:00Z") };
  expect(lists(rotaOf([WEEK]), "2026-03-10T00:00:00Z")).toEqual([{ personId: "ben", ...begun }]);
  const old = rotaOf([{ ...WEEK, personIds: ["ana"], startsAt: 0 }]);
  const [one, other] = ["2026-03-10T00:00:00Z", "2026-03-10T00:00:01Z"].map(
    (now) => lists(old, now)[0]?.from,
  );
  expect(one).toBe(other as number);
});

const SEEDS = isLong ? Array.from({ length: 20 }, (_, at) => at + 1) : [1];
const SAMPLE = ZONES.filter((_, at) => isLong || at % 3 === 1);
const YEARS = { from: at("2026-01-01T00:00:00Z"), to: at("2028-01-01T00:00:00Z") };
const NAMES = ["ana", "ben", "eva", "max", "zoe"];
const TIMES = ["00:00", "00:30", "01:45", "02:00", "02:30", "03:00", "08:00", "18:00", "23:30"];
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

function randomRota(random: (limit: number) => number, timezone: string): Rota {
  const some = <Item>(items: readonly Item[]) => items.filter(() => random(1) === 0);
  const one = <Item>(items: readonly Item[]) => items[random(items.length - 1)] as Item;
  const minute = (from: number, length: number) => from + random(length / MINUTE - 1) * MINUTE;
  const layers = Array.from({ length: 1 + random(2) }, (_, index): Layer => {
    const windows = Array.from({ length: 1 + random(1) }, () => ({
      days: [one(DAYS), ...some(DAYS)].filter((day, at, all) => all.indexOf(day) === at),
      from: one(TIMES),
      to: one([...TIMES, "24:00"]),
    }));
    return {
      personIds: [one(NAMES), ...some(NAMES)],
      every: one(["day", "week", 3600 * (1 + random(199)), 5400] as const),
      startsAt: minute(YEARS.from - 40 * DAY, 90 * DAY),
      ...((index === 0 || random(1) === 0) && { hours: { windows } }),
    };
  });
  const overrides = Array.from({ length: random(29) }, (_, index) => {
    const startsAt = minute(YEARS.from, 700 * DAY);
    return { id: `${index}`, personId: one(NAMES), startsAt, endsAt: minute(startsAt + MINUTE, 10 * DAY) };
  });
  return { timezone, layers, overrides };
}

describe("behavior 23.20 to 23.24: two years by the minute", () => {
  test.each(SAMPLE.flatMap((zone) => SEEDS.map((seed) => [zone, seed] as const)))(
    "in %s, seed %d, as a clock on the wall says",
    (zone, seed) => {
      const random = randomNumbers(seed * 1000 + ZONES.indexOf(zone));
      const rota = randomRota(random, zone);
      const disabled = NAMES[random(2 * NAMES.length - 1)];
      const isAvailable = (id: string) => id !== disabled;
      const expected: Turn[] = [];
      for (const { at, personId } of watchedMinutes(rota, YEARS, isAvailable)) {
        const last = expected.at(-1);
        if (last?.personId === personId) last.to = at + MINUTE;
        else expected.push({ personId, from: at, to: at + MINUTE });
      }
      expect(listTurns(rota, YEARS, isAvailable)).toEqual(expected);
      // A moment alone gives the same, also on both sides of a turn.
      for (const { personId, from } of expected.filter((_, index) => index % 50 === 1)) {
        expect(onCallAt(rota, from, isAvailable)?.personId ?? null).toBe(personId);
        expect(onCallAt(rota, from - 1, isAvailable)?.personId ?? null).not.toBe(personId);
      }
    },
  );
});
