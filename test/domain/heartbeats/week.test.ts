import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { afterResume } from "../../../src/domain/heartbeats/run-steps.ts";
import { at, DAY, HOUR, MINUTE, SECOND, Walk } from "./walk.ts";

/** 09:00 on Monday, 4 January 2027. */
const MONDAY = at("2027-01-04T09:00:00Z");

/** The days, counted from `MONDAY`, on which a weekday job runs. */
function weekdays(weeks: number, { from = 0 } = {}): number[] {
  return Array.from({ length: weeks * 7 }, (_, day) => day).filter((day) => day >= from && day % 7 < 5);
}

function run(days: number[], walk = new Walk({}, MONDAY)): Walk {
  for (const day of days) walk.checkin(MONDAY + day * DAY);
  return walk;
}

function missedDays({ misses }: Walk): number[] {
  return misses.map((miss) => Math.floor((miss - MONDAY) / DAY));
}

describe("behavior 3.5: a weekday job", () => {
  test.each([0, 1, 2, 3, 4])(
    "that starts on day %d of a week is missed on its first weekend at most",
    (from) => {
      const walk = run(weekdays(10, { from }));
      expect(missedDays(walk).every((day) => day === 5 || day === 6)).toBe(true);
    },
  );

  test("that checks in some minutes later or earlier each day is missed on its first weekend at most", () => {
    const skew = fc.integer({ min: -14 * MINUTE, max: 14 * MINUTE });
    const start = fc.nat({ max: 4 });
    fc.assert(
      fc.property(start, fc.array(skew, { minLength: 50, maxLength: 50 }), (from, skews) => {
        const walk = new Walk({}, MONDAY);
        for (const [index, day] of weekdays(10, { from }).entries())
          walk.checkin(MONDAY + day * DAY + (skews[index] ?? 0));
        expect(missedDays(walk).filter((day) => day > 6)).toEqual([]);
      }),
    );
  });

  test.each([1, 2, 5, 9])("that skips the Tuesday of week %d is missed on that day", (week) => {
    const tuesday = week * 7 + 1;
    const walk = run(weekdays(12).filter((day) => day !== tuesday));
    expect(walk.misses.filter((miss) => miss > MONDAY + 7 * DAY)).toEqual([MONDAY + tuesday * DAY + HOUR]);
  });

  test("that skips every other Tuesday is missed on each", () => {
    const tuesdays = [15, 29, 43];
    const walk = run(weekdays(8).filter((day) => !tuesdays.includes(day)));
    expect(missedDays(walk).filter((day) => day > 6)).toEqual(tuesdays);
  });

  test("that skips a Monday is missed on that day, and not on the next weekend", () => {
    const monday = 21;
    const walk = run(weekdays(8).filter((day) => day !== monday));
    expect(walk.misses.filter((miss) => miss > MONDAY + 7 * DAY)).toEqual([
      MONDAY + monday * DAY + 75 * MINUTE,
    ]);
  });

  test("that skips a Friday is missed on that weekend and the next, and then no more", () => {
    const friday = 25;
    const walk = run(weekdays(8).filter((day) => day !== friday));
    const late = missedDays(walk).filter((day) => day > 6);
    // Also on the next weekend, because there is no check-in a week before its Friday.
    expect(late).toEqual([25, 26, 27, 33, 34]);
  });

  test("that dies on a weekend is missed on Monday, and then once a day", () => {
    const walk = run(weekdays(3));
    walk.misses = [];
    walk.listen(MONDAY + 23.5 * DAY);
    expect(walk.misses).toEqual([21, 22, 23].map((day) => MONDAY + day * DAY + 75 * MINUTE));
  });

  test("with a configured grace has that grace, also over the weekend", () => {
    const walk = run(weekdays(3), new Walk({ grace: 600 }, MONDAY));
    expect(walk.left).toBe(3 * DAY + 25 * MINUTE);
  });

  test("that checks in twice for each run is not missed on a weekend, even if the last run checked in once", () => {
    const walk = new Walk({}, MONDAY);
    for (const day of weekdays(3)) {
      walk.checkin(MONDAY + day * DAY);
      if (day < 18) walk.checkin(walk.now + 5 * SECOND);
    }
    walk.misses = [];
    walk.listen(MONDAY + 21 * DAY + 30 * MINUTE);
    expect(walk.misses).toEqual([]);
  });
});

describe("behavior 3.5: the check-in a week before", () => {
  const friday = MONDAY + 11 * DAY;

  test.each([
    ["75 minutes after it", 75 * MINUTE, 3 * DAY + 75 * MINUTE],
    ["75 minutes before it", -75 * MINUTE, 3 * DAY + 75 * MINUTE],
    ["later", 75 * MINUTE + SECOND, 25 * HOUR],
    ["earlier", -75 * MINUTE - SECOND, 25 * HOUR],
  ])("counts within 75 minutes: a check-in %s", (_, later, window) => {
    const walk = run(weekdays(2).slice(0, -1)).checkin(friday + later);
    expect(walk.left).toBe(window);
  });

  test("is the nearest one, for a job that runs many times a day", () => {
    const walk = new Walk({}, MONDAY);
    const hours = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    for (const day of weekdays(2)) for (const hour of hours) walk.checkin(MONDAY + day * DAY + hour * HOUR);
    // After 17:00 on Friday the job pauses until Monday; after 16:00 it does not.
    expect(walk.left).toBe(64 * HOUR + HOUR + 15 * MINUTE);
    const before = new Walk({}, MONDAY);
    for (const day of weekdays(2))
      for (const hour of hours) if (day < 11 || hour < 8) before.checkin(MONDAY + day * DAY + hour * HOUR);
    expect(before.left).toBe(72 * MINUTE);
  });

  test("never makes the window shorter than that of the period", () => {
    const walk = new Walk({}, MONDAY).every(HOUR, 24 * 8).every(3 * HOUR, 24);
    expect(walk.left).toBe(3 * HOUR + 36 * MINUTE);
  });
});

describe("a job of office hours", () => {
  test("is not missed from its second week on", () => {
    for (const minutes of [5, 20, 60]) {
      const walk = new Walk({}, MONDAY);
      for (const day of weekdays(4))
        for (let minute = 0; minute <= 480; minute += minutes)
          walk.checkin(MONDAY + day * DAY + minute * MINUTE);
      expect(missedDays(walk).filter((day) => day > 7)).toEqual([]);
    }
  });
});

describe("a weekly job", () => {
  test("has a window of a week and an hour from its second check-in on", () => {
    const walk = new Walk().checkin().every(7 * DAY, 1);
    expect(walk.left).toBe(7 * DAY + HOUR);
    walk.misses = [];
    // Behavior 3.29: clocks are set back in some zone in two of these weeks.
    const windows = Array.from({ length: 30 }, () => walk.every(7 * DAY, 1).left);
    expect(windows.filter((window) => window !== 7 * DAY + HOUR)).toEqual(
      Array(2).fill(7 * DAY + 75 * MINUTE),
    );
    expect(walk.misses).toEqual([]);
  });

  test("that was daily before is learned", () => {
    const walk = new Walk()
      .checkin()
      .every(DAY, 30)
      .every(7 * DAY, 2);
    walk.misses = [];
    walk.every(7 * DAY, 2);
    const last = walk.now;
    expect(walk.misses).toEqual([]);
    walk.listen(last + 14 * DAY + 2 * HOUR);
    expect(walk.misses).toEqual([7, 14].map((days) => last + days * DAY + HOUR));
  });
});

describe("behavior 3.21: an outage of stillup around a weekend", () => {
  const FRIDAY = MONDAY + 25 * DAY;

  test.each([
    ["over the last run of the week", FRIDAY - HOUR, FRIDAY + HOUR],
    ["on the Sunday", FRIDAY + 2 * DAY, FRIDAY + 2 * DAY + MINUTE],
    ["over the first run of the next week", FRIDAY + 3 * DAY - HOUR, FRIDAY + 3 * DAY + HOUR],
    ["from Wednesday to Saturday", FRIDAY - 2 * DAY - HOUR, FRIDAY + DAY],
    ["from one Friday to the next", FRIDAY - HOUR, FRIDAY + 7 * DAY + HOUR],
    ["of three weeks, to a Friday", FRIDAY - 10 * DAY, FRIDAY + 7 * DAY + HOUR],
  ])("causes no miss of a weekday job: %s", (_, from, to) => {
    const days = weekdays(7);
    const walk = run(days.filter((day) => MONDAY + day * DAY < from));
    walk.misses = [];
    walk.listen(from).down(to);
    // The first run after the outage is on time.
    for (const day of days.filter((one) => MONDAY + one * DAY > to).slice(0, 1))
      walk.checkin(MONDAY + day * DAY);
    expect(walk.misses).toEqual([]);
  });

  test("lets a job that died at the weekend be missed one window after its end", () => {
    const walk = run(weekdays(3)).listen(MONDAY + 21 * DAY - HOUR);
    walk.misses = [];
    walk.down(MONDAY + 21 * DAY + HOUR);
    expect(walk.left).toBe(25 * HOUR);
  });
});

test("after a resume on a weekend, the deadline is on Monday", () => {
  const { state } = run(weekdays(3));
  const saturday = MONDAY + 19 * DAY;
  expect(afterResume(state, {}, saturday).deadline).toBe(MONDAY + 21 * DAY + 75 * MINUTE);
});

test("behavior 3.5: a job that was dead for over a week gets one window after a resume a week later", () => {
  const walk = new Walk().checkin().every(DAY, 10);
  walk.checkin(walk.now + 14 * DAY).every(DAY, 2);
  expect(afterResume(walk.state, {}, walk.now + HOUR).deadline).toBe(walk.now + HOUR + DAY + HOUR);
});

test("the state of a job stays small, however often it runs", () => {
  const gap = fc.oneof(fc.integer({ min: 0, max: 2 * MINUTE }), fc.integer({ min: 0, max: 2 * HOUR }));
  fc.assert(
    fc.property(fc.array(gap, { minLength: 300, maxLength: 400 }), (gaps) => {
      const { state } = new Walk().checkin().checkins(...gaps);
      expect(state.gaps.length).toBeLessThanOrEqual(20);
      expect(state.pauses.length).toBeLessThanOrEqual(50);
      expect(JSON.stringify(state).length).toBeLessThan(6000);
    }),
    { numRuns: 20 },
  );
  expect(new Walk().checkin().every(MINUTE, 12_000).state.pauses.length).toBeLessThanOrEqual(1);
});

test("long gaps of more than a week ago are deleted", () => {
  const walk = run(weekdays(3));
  expect(walk.every(10 * MINUTE, 6 * 24 * 9).state.pauses).toEqual([]);
});
