import { describe, expect, test } from "bun:test";
import {
  isOpen,
  nextClosing,
  nextOpening,
  WEEKDAYS,
  type Windows,
} from "../../../src/domain/alerts/hours.ts";
import { localMoment } from "../../../src/domain/local-time.ts";
import { isLong, walks } from "../../support/long.ts";
import { ZONES } from "../heartbeats/local-jobs.ts";
import { at, DAY, HOUR, MINUTE } from "../heartbeats/walk.ts";
import { localClock, minutesBetween } from "../maintenance/minute-oracle.ts";

/** The stretches in which windows are open, as the domain finds them. */
function stretchesOf(windows: Windows, zone: string, { from, to }: Span): Span[] {
  const found: Span[] = [];
  for (let time = from; ; ) {
    const opens = nextOpening(windows, zone, time);
    if (opens === null || opens >= to) return found;
    const closes = nextClosing(windows, zone, opens) ?? to;
    found.push({ from: opens, to: Math.min(closes, to) });
    time = closes;
    if (time >= to) return found;
  }
}

interface Span {
  from: number;
  to: number;
}

/**
 * An independent computation: it looks at each minute, on the clock of the zone. A window opens when its start is first shown or
 * skipped, and closes when its end is.
 */
function steppedStretches(all: readonly Windows[], zone: string, { from, to }: Span): Span[][] {
  const local = localClock(zone);
  const open = all.map(() => new Set<number>());
  const found = all.map((): Span[] => []);
  let latest = local(from - 2 * DAY - MINUTE);
  for (let time = from - 2 * DAY; time < to; time += MINUTE) {
    const shown = local(time);
    const first = shown > latest ? [...minutesBetween(latest, shown), shown] : [];
    latest = Math.max(latest, shown);
    for (const [place, windows] of all.entries()) {
      const ends = open[place] ?? new Set();
      for (const minute of first) {
        ends.delete(minute);
        for (const end of endsFrom(windows, minute)) ends.add(end);
      }
      const spans = found[place] ?? [];
      const last = spans.at(-1);
      if (time < from || ends.size === 0) continue;
      if (last && last.to === time) last.to = time + MINUTE;
      else spans.push({ from: time, to: time + MINUTE });
    }
  }
  return found;
}

/** The ends of the windows that begin at a local time. */
function endsFrom(windows: Windows, local: number): number[] {
  const shown = new Date(local);
  const day = WEEKDAYS[(shown.getUTCDay() + 6) % 7] ?? "mon";
  const time = shown.toISOString().slice(11, 16);
  return windows
    .filter(({ days, from }) => from === time && days.includes(day))
    .map(({ from, to }) => local + (minutesOf(to) - minutesOf(from) + (to > from ? 0 : 1440)) * MINUTE);
}

const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

const WORK: Windows = [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "08:00", to: "18:00" }];
const NIGHT: Windows = [{ days: ["fri", "sat", "sun"], from: "22:00", to: "06:00" }];
const ALWAYS: Windows = [{ days: [...WEEKDAYS], from: "00:00", to: "24:00" }];
const OFTEN = [
  WORK,
  NIGHT,
  ALWAYS,
  [{ days: ["sun" as const], from: "02:30", to: "02:40" }],
  [{ days: ["sun" as const], from: "01:30", to: "02:30" }],
  [
    { days: ["sat" as const], from: "12:00", to: "02:30" },
    { days: ["sun" as const], from: "02:30", to: "12:00" },
  ],
];

/** @param random from 0 to 1 */
function drawWindows(random: () => number): Windows {
  const time = (last: number) => {
    const minute = Math.floor(random() * last) * (random() < 0.5 ? 1 : 30);
    const of = minute % (24 * 60);
    return `${String(Math.floor(of / 60)).padStart(2, "0")}:${String(of % 60).padStart(2, "0")}`;
  };
  const days = () => WEEKDAYS.filter(() => random() < 0.4);
  return Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
    const chosen = days();
    const to = random() < 0.1 ? "24:00" : time(24 * 60);
    return { days: chosen.length > 0 ? chosen : ["sun"], from: time(24 * 60), to };
  });
}

const START = at("2026-01-01T00:00:00Z");
const END = at("2028-01-01T00:00:00Z");

/** The days around each change of the clocks; with the long tests the whole two years. */
function spansOf(zone: string): Span[] {
  if (isLong) return [{ from: START, to: END }];
  const local = localClock(zone);
  const spans: Span[] = [];
  for (let time = START; time < END; time += HOUR)
    if (local(time) - local(time - HOUR) !== HOUR) spans.push({ from: time - 3 * DAY, to: time + 3 * DAY });
  return spans.length > 0 ? spans : [{ from: START, to: START + 14 * DAY }];
}

describe("behavior 23.3: two years with changes of clocks", () => {
  test.each(ZONES)(
    "open and close hours in %s as its clocks show them, stepped minute by minute",
    (zone) => {
      const drawn = Array.from({ length: walks(25) }, () => drawWindows(Math.random));
      const all = [...OFTEN, ...drawn];
      for (const span of spansOf(zone)) {
        const stepped = steppedStretches(all, zone, span);
        for (const [place, windows] of all.entries()) {
          const found = stretchesOf(windows, zone, span);
          expect({ windows, found }).toEqual({ windows, found: stepped[place] ?? [] });
          for (const { from, to } of found) {
            const isOpenAt = (time: number) => isOpen(windows, zone, time);
            expect([from, from + 1, to - 1].every(isOpenAt)).toBe(true);
            if (from > span.from) expect(isOpenAt(from - 1)).toBe(false);
            if (to < span.to) expect(isOpenAt(to)).toBe(false);
          }
        }
      }
    },
    600_000,
  );
});

const BERLIN = "Europe/Berlin";
const berlin = (text: string) => localMoment(Temporal.PlainDateTime.from(text), BERLIN);

test("behavior 23.3: a local time that is skipped is the first moment after the gap, one that is shown twice its first occurrence", () => {
  expect(berlin("2026-03-29T02:30")).toBe(at("2026-03-29T01:00:00Z"));
  expect(berlin("2026-03-29T03:00")).toBe(at("2026-03-29T01:00:00Z"));
  expect(berlin("2026-10-25T02:30")).toBe(at("2026-10-25T00:30:00Z"));
  expect(berlin("2026-10-25T03:00")).toBe(at("2026-10-25T02:00:00Z"));
  const apia = Temporal.PlainDateTime.from("2011-12-30T12:00");
  expect(localMoment(apia, "Pacific/Apia")).toBe(at("2011-12-30T10:00:00Z"));
});

test("behavior 23.2: a window that runs over midnight belongs to the day on which it begins, and 24:00 is the end of its day", () => {
  expect(isOpen(NIGHT, BERLIN, berlin("2026-06-01T05:59"))).toBe(true);
  expect(isOpen(NIGHT, BERLIN, berlin("2026-06-01T06:00"))).toBe(false);
  expect(isOpen(NIGHT, BERLIN, berlin("2026-06-01T22:00"))).toBe(false);
  const day: Windows = [{ days: ["mon"], from: "00:00", to: "24:00" }];
  expect(nextOpening(day, BERLIN, berlin("2026-05-31T12:00"))).toBe(berlin("2026-06-01T00:00"));
  expect(nextClosing(day, BERLIN, berlin("2026-06-01T12:00"))).toBe(berlin("2026-06-02T00:00"));
  const whole: Windows = [{ days: ["mon"], from: "09:00", to: "09:00" }];
  expect(nextClosing(whole, BERLIN, berlin("2026-06-01T12:00"))).toBe(berlin("2026-06-02T09:00"));
});

test("behavior 23.3: hours that are always open never close, and the opening of open hours is now", () => {
  expect(nextClosing(ALWAYS, BERLIN, START)).toBe(null);
  expect(nextOpening(ALWAYS, BERLIN, START)).toBe(START);
  expect(nextClosing(WORK, BERLIN, berlin("2026-06-06T12:00"))).toBe(berlin("2026-06-06T12:00"));
});
