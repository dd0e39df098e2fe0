import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import {
  nextChangeAfter,
  openWindowAt,
  stateAt,
  windowsFrom,
  withEndedWindow,
} from "../../../src/domain/maintenance/windows.ts";
import { walks } from "../../support/long.ts";
import { DAY, HOUR, MINUTE, once, repeated } from "./definition.ts";
import { runsIn } from "./minute-oracle.ts";

// The oracle looks at each minute.
setDefaultTimeout(300_000);

const at = (text: string) => Date.parse(text);
const shown = (windows: readonly { startsAt: number; endsAt: number }[]) =>
  windows.map(({ startsAt, endsAt }) => [iso(startsAt), iso(endsAt)]);
const iso = (time: number) => new Date(time).toISOString().slice(0, 16);

describe("a single window", () => {
  const times = once(at("2026-11-22T10:00Z"), at("2026-11-22T11:00Z"));

  test.each([
    ["09:59:59.999", "scheduled"],
    ["10:00:00.000", "active"],
    ["10:59:59.999", "active"],
    ["11:00:00.000", "ended"],
  ])("behavior 14.30: at %s is %s", (time, state) => {
    expect(stateAt(times, at(`2026-11-22T${time}Z`))).toBe(state as never);
  });

  test("behavior 14.42: that is ended early ends then", () => {
    const now = at("2026-11-22T10:20Z");
    const ended = withEndedWindow(times, now);
    expect([openWindowAt(ended, now - 1)?.endsAt, openWindowAt(ended, now)]).toEqual([now, null]);
    expect(stateAt(ended, now)).toBe("ended");
  });
});

describe("runs of a cron expression", () => {
  test("behavior 14.30: have a duration that elapses, also over both changes of the clock", () => {
    const nightly = repeated("30 1 * * *", 7200, { timezone: "Europe/Berlin" });
    expect(shown(windowsFrom(nightly, at("2026-03-28T12:00Z"), 2))).toEqual([
      ["2026-03-29T00:30", "2026-03-29T02:30"],
      ["2026-03-29T23:30", "2026-03-30T01:30"],
    ]);
    expect(shown(windowsFrom(nightly, at("2026-10-24T12:00Z"), 2))).toEqual([
      ["2026-10-24T23:30", "2026-10-25T01:30"],
      ["2026-10-26T00:30", "2026-10-26T02:30"],
    ]);
  });

  test.each([
    ["30 2 * * *", "Europe/Berlin", "2026-03-29T01:00"],
    ["30 2 * * *", "America/New_York", "2026-03-08T07:00"],
    ["0 1,2 * * *", "America/New_York", "2026-03-08T07:00"],
    ["*/20 2 * * *", "Europe/Berlin", "2026-03-29T01:00"],
    ["15 2 * * *", "Australia/Lord_Howe", "2026-10-03T15:30"],
  ])("behavior 14.32: %s in %s starts when the clock skips that time", (cron, timezone, start) => {
    const times = repeated(cron, 600, { timezone });
    const [first] = windowsFrom(times, at(`${start}Z`) - 10 * MINUTE, 1);
    expect(first).toEqual({ startsAt: at(`${start}Z`), endsAt: at(`${start}Z`) + 10 * MINUTE });
  });

  test.each([
    ["30 2 * * *", "Europe/Berlin", "2026-10-25T00:30", "2026-10-26T01:30"],
    ["*/30 2 * * *", "Europe/Berlin", "2026-10-25T00:30", "2026-10-26T01:00"],
    ["30 1 * * *", "America/New_York", "2026-11-01T05:30", "2026-11-02T06:30"],
    ["45 1 * * *", "Australia/Lord_Howe", "2026-04-04T14:45", "2026-04-05T15:15"],
  ])(
    "behavior 14.32: %s in %s starts once although that time occurs twice",
    (cron, timezone, start, next) => {
      const times = repeated(cron, 60, { timezone });
      expect(windowsFrom(times, at(`${start}Z`), 2).map(({ startsAt }) => iso(startsAt))).toEqual([
        start,
        next,
      ]);
      expect(openWindowAt(times, at(`${start}Z`) + HOUR)).toBeNull();
    },
  );

  test("behavior 14.30: that overlap are open until the last ends", () => {
    const times = repeated("0 */2 * * *", 3 * 3600);
    const noon = at("2026-11-22T12:00Z");
    expect(openWindowAt(times, noon + HOUR)).toEqual({ startsAt: noon, endsAt: noon + 3 * HOUR });
    expect(openWindowAt(times, noon + 2.5 * HOUR)?.endsAt).toBe(noon + 5 * HOUR);
  });

  test("behavior 14.30: do not start after `until`, and the last one ends after it", () => {
    const noon = at("2026-11-22T12:00Z");
    const times = repeated("0 * * * *", 1800, { until: noon });
    expect(openWindowAt(times, noon + 10 * MINUTE)?.endsAt).toBe(noon + 30 * MINUTE);
    expect([stateAt(times, noon - 1), stateAt(times, noon + HOUR)]).toEqual(["scheduled", "ended"]);
    expect(windowsFrom(times, noon - 10 * MINUTE, 5)).toHaveLength(1);
  });

  test("behavior 14.42: that are ended early end then, also those before them; the next one starts", () => {
    const times = repeated("0 */2 * * *", 3 * 3600);
    const now = at("2026-11-22T14:30Z");
    const ended = withEndedWindow(times, now);
    expect(openWindowAt(ended, now)).toBeNull();
    expect(openWindowAt(ended, now - 1)).toEqual({ startsAt: at("2026-11-22T14:00Z"), endsAt: now });
    expect(windowsFrom(ended, now, 1)).toEqual([
      { startsAt: at("2026-11-22T16:00Z"), endsAt: at("2026-11-22T19:00Z") },
    ]);
  });
});

describe("over the changes of the clock", () => {
  const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"];
  // The days of both changes in these zones.
  const days = ["2026-03-08", "2026-03-29", "2026-04-04", "2026-10-03", "2026-10-25", "2026-11-01"];
  const minute = fc.constantFrom("0", "15", "30", "45", "0,30", "*/20");
  const hour = fc.constantFrom("0", "1", "2", "3", "1,2", "2,3", "*", "*/2");
  const cron = fc.tuple(minute, hour).map(([minute, hour]) => `${minute} ${hour} * * *`);

  test("behavior 14.30, 14.32: windows are those of a clock that is looked at each minute", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...days),
        cron,
        fc.integer({ min: 1, max: 10 * 60 }),
        (timezone, day, cron, minutes) => {
          const from = at(`${day}T00:00Z`);
          const to = from + DAY;
          const length = minutes * MINUTE;
          const runs = runsIn(cron, timezone, { from: from - length, to });
          const times = repeated(cron, minutes * 60, { timezone });
          const found = windowsFrom(times, from - 1, runs.length + 2).filter(
            ({ startsAt }) => startsAt >= from && startsAt < to,
          );
          expect(found.map(({ startsAt }) => iso(startsAt))).toEqual(
            runs.filter((run) => run >= from).map(iso),
          );
          for (let time = from; time < to; time += 13 * MINUTE) {
            const open = runs.findLast((run) => run <= time && time < run + length);
            expect(openWindowAt(times, time)?.startsAt ?? null).toBe(open ?? null);
          }
        },
      ),
      { numRuns: walks(40) },
    );
  });

  test("behavior 14.30: nothing changes before the next change", () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.constantFrom(...days), cron, (timezone, day, cron) => {
        const times = repeated(cron, 45 * 60, { timezone });
        const from = at(`${day}T00:00Z`);
        const end = Math.min(nextChangeAfter(times, from), from + DAY);
        for (let time = from; time < end; time += 5 * MINUTE)
          expect(openWindowAt(times, time)).toEqual(openWindowAt(times, from));
      }),
      { numRuns: walks(40) },
    );
  });
});
