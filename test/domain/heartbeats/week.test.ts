import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { afterResume } from "../../../src/domain/heartbeats/heartbeat.ts";
import { at, DAY, HOUR, MINUTE, SECOND, Walk } from "./walk.ts";

/** 09:00 on Monday, 4 January 2027. */
const MONDAY = at("2027-01-04T09:00:00Z");

/** The days of these weeks, counted from that Monday, on which a job of weekdays runs. */
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

describe("a job of weekdays", () => {
  test.each([0, 1, 2, 3, 4])(
    "that begins on day %d of a week alarms on its first weekend at most",
    (from) => {
      const walk = run(weekdays(10, { from }));
      expect(missedDays(walk).every((day) => day === 5 || day === 6)).toBe(true);
    },
  );

  test("that comes some minutes later or earlier each day does so too", () => {
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

  test.each([1, 2, 5, 9])("that misses the Tuesday of week %d is late on that day", (week) => {
    const tuesday = week * 7 + 1;
    const walk = run(weekdays(12).filter((day) => day !== tuesday));
    expect(walk.misses.filter((miss) => miss > MONDAY + 7 * DAY)).toEqual([MONDAY + tuesday * DAY + HOUR]);
  });

  test("that misses every other Tuesday is late on each", () => {
    const tuesdays = [15, 29, 43];
    const walk = run(weekdays(8).filter((day) => !tuesdays.includes(day)));
    expect(missedDays(walk).filter((day) => day > 6)).toEqual(tuesdays);
  });

  test("that misses a Monday is late on that day, and its next weekend alarms nobody", () => {
    const monday = 21;
    const walk = run(weekdays(8).filter((day) => day !== monday));
    expect(walk.misses.filter((miss) => miss > MONDAY + 7 * DAY)).toEqual([MONDAY + monday * DAY + HOUR]);
  });

  test("that misses a Friday alarms on that weekend and not on the next but one", () => {
    const friday = 25;
    const walk = run(weekdays(8).filter((day) => day !== friday));
    const late = missedDays(walk).filter((day) => day > 6);
    // The next weekend too: the checkin a week before its Friday was missed.
    expect(late).toEqual([25, 26, 27, 33, 34]);
  });

  test("that dies on a weekend is missed on Monday, and then once a day", () => {
    const walk = run(weekdays(3));
    walk.misses = [];
    walk.listen(MONDAY + 23.5 * DAY);
    expect(walk.misses).toEqual([21, 22, 23].map((day) => MONDAY + day * DAY + HOUR));
  });

  test("with a grace has that in the place of the hour, over the weekend too", () => {
    const walk = run(weekdays(3), new Walk({ grace: 600 }, MONDAY));
    expect(walk.left).toBe(3 * DAY + 10 * MINUTE);
  });

  test("whose runs each call twice is not late on a weekend, even if the last one called once", () => {
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

describe("the checkin of a week before", () => {
  const friday = MONDAY + 11 * DAY;

  test.each([
    ["an hour after it", HOUR, 3 * DAY + HOUR],
    ["an hour before it", -HOUR, 3 * DAY + HOUR],
    ["more than an hour after it", HOUR + SECOND, 25 * HOUR],
    ["more than an hour before it", -HOUR - SECOND, 25 * HOUR],
  ])("counts within an hour: a checkin %s", (_, later, window) => {
    const walk = run(weekdays(2).slice(0, -1)).checkin(friday + later);
    expect(walk.left).toBe(window);
  });

  test("is the nearest one, for a job that runs many times a day", () => {
    const walk = new Walk({}, MONDAY);
    const hours = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    for (const day of weekdays(2)) for (const hour of hours) walk.checkin(MONDAY + day * DAY + hour * HOUR);
    // After 17:00 on Friday it rests until Monday; after 16:00 it does not.
    expect(walk.left).toBe(64 * HOUR + HOUR);
    const before = new Walk({}, MONDAY);
    for (const day of weekdays(2))
      for (const hour of hours) if (day < 11 || hour < 8) before.checkin(MONDAY + day * DAY + hour * HOUR);
    expect(before.left).toBe(72 * MINUTE);
  });

  test("gives no shorter window than the rhythm", () => {
    const walk = new Walk({}, MONDAY).every(HOUR, 24 * 8).every(3 * HOUR, 24);
    expect(walk.left).toBe(3 * HOUR + 36 * MINUTE);
  });
});

describe("a job of office hours", () => {
  test("alarms nobody from its second week on", () => {
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
  test("has a window of a week and an hour from its second checkin on", () => {
    const walk = new Walk().checkin().every(7 * DAY, 1);
    expect(walk.left).toBe(7 * DAY + HOUR);
    walk.misses = [];
    for (let week = 0; week < 30; week++) expect(walk.every(7 * DAY, 1).left).toBe(7 * DAY + HOUR);
    expect(walk.misses).toEqual([]);
  });

  test("that was daily before is believed", () => {
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

describe("an outage of ours around a weekend", () => {
  const FRIDAY = MONDAY + 25 * DAY;

  test.each([
    ["over the last run of the week", FRIDAY - HOUR, FRIDAY + HOUR],
    ["on the Sunday", FRIDAY + 2 * DAY, FRIDAY + 2 * DAY + MINUTE],
    ["over the first run of the next week", FRIDAY + 3 * DAY - HOUR, FRIDAY + 3 * DAY + HOUR],
    ["from Wednesday to Saturday", FRIDAY - 2 * DAY - HOUR, FRIDAY + DAY],
    ["from one Friday to the next", FRIDAY - HOUR, FRIDAY + 7 * DAY + HOUR],
    ["of three weeks, to a Friday", FRIDAY - 10 * DAY, FRIDAY + 7 * DAY + HOUR],
  ])("does not make a job of weekdays late: %s", (_, from, to) => {
    const days = weekdays(7);
    const walk = run(days.filter((day) => MONDAY + day * DAY < from));
    walk.misses = [];
    walk.listen(from).down(to);
    // The run after those that were lost comes in time.
    for (const day of days.filter((one) => MONDAY + one * DAY > to).slice(0, 1))
      walk.checkin(MONDAY + day * DAY);
    expect(walk.misses).toEqual([]);
  });

  test("leaves a job that died at the weekend to be missed one window after the end", () => {
    const walk = run(weekdays(3)).listen(MONDAY + 21 * DAY - HOUR);
    walk.misses = [];
    walk.down(MONDAY + 21 * DAY + HOUR);
    expect(walk.left).toBe(25 * HOUR);
  });
});

test("a resume on a weekend waits for Monday", () => {
  const { state } = run(weekdays(3));
  const saturday = MONDAY + 19 * DAY;
  expect(afterResume(state, {}, saturday).deadline).toBe(MONDAY + 21 * DAY + HOUR);
});

test("what is kept of a week stays small, however often a job runs", () => {
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

test("the pauses of more than a week ago are forgotten", () => {
  const walk = run(weekdays(3));
  expect(walk.every(10 * MINUTE, 6 * 24 * 9).state.pauses).toEqual([]);
});
