import { describe, expect, test } from "bun:test";
import { hasRun, isCronExpression, lastRun, nextRun } from "../../../src/domain/heartbeats/cron.ts";
import { at, DAY, HOUR, MINUTE, SECOND, Walk } from "./walk.ts";

/** The runs from a moment on, as the hours and minutes of UTC on their day. */
function runs(cron: string, timezone: string, { from, count }: { from: string; count: number }): string[] {
  const found: string[] = [];
  let run = at(from);
  while (found.length < count) {
    run = nextRun({ cron, timezone }, run);
    found.push(new Date(run).toISOString().slice(8, 16));
  }
  return found;
}

const BERLIN = "Europe/Berlin";
const NEW_YORK = "America/New_York";

describe("the runs of a cron expression", () => {
  test("are later than the given moment, to the millisecond", () => {
    const daily = { cron: "0 2 * * *" };
    const run = at("2027-01-05T02:00:00Z");
    expect(nextRun(daily, run - 1)).toBe(run);
    expect(nextRun(daily, run)).toBe(run + DAY);
    expect(nextRun(daily, run + 1)).toBe(run + DAY);
    expect(lastRun(daily, run - 1)).toBe(run - DAY);
    expect(lastRun(daily, run)).toBe(run);
    expect(lastRun(daily, run + 1)).toBe(run);
  });

  test.each([
    [
      "are not expected in the hour that is skipped",
      "30 2 * * *",
      BERLIN,
      "2027-03-27T00:00:00Z",
      ["27T01:30", "29T00:30"],
    ],
    [
      "are not expected in the hour that is skipped",
      "30 2 * * *",
      NEW_YORK,
      "2027-03-13T00:00:00Z",
      ["13T07:30", "15T06:30"],
    ],
    [
      "are expected at the end of the hour that is skipped",
      "0 3 * * *",
      BERLIN,
      "2027-03-27T00:00:00Z",
      ["27T02:00", "28T01:00", "29T01:00"],
    ],
    [
      "are expected once in the hour that repeats",
      "30 2 * * *",
      BERLIN,
      "2027-10-30T00:00:00Z",
      ["30T00:30", "31T00:30", "01T01:30"],
    ],
    [
      "are expected once in the hour that repeats",
      "30 1 * * *",
      NEW_YORK,
      "2027-11-06T00:00:00Z",
      ["06T05:30", "07T05:30", "08T06:30"],
    ],
    [
      "of a list are expected once in the hour that repeats",
      "0,30 2 * * *",
      BERLIN,
      "2027-10-31T00:00:00Z",
      ["31T00:30", "01T01:00"],
    ],
    [
      "of a range with steps are expected once in the hour that repeats",
      "0 0-23/2 * * *",
      BERLIN,
      "2027-10-30T23:00:00Z",
      ["31T00:00", "31T03:00"],
    ],
    [
      "of each hour continue through the hour that repeats",
      "0 * * * *",
      BERLIN,
      "2027-10-30T23:30:00Z",
      ["31T00:00", "31T01:00", "31T02:00"],
    ],
    [
      "of each hour continue through the hour that is skipped",
      "0 * * * *",
      BERLIN,
      "2027-03-28T00:00:00Z",
      ["28T01:00", "28T02:00"],
    ],
    [
      "of a range with steps are expected once in a half hour that repeats",
      "45 1-2/1 * * *",
      "Australia/Lord_Howe",
      "2027-04-03T12:00:00Z",
      ["03T14:45", "03T16:15", "04T15:15"],
    ],
  ])("%s: %s in %s", (_, cron, timezone, from, expected) => {
    expect(runs(cron, timezone, { from, count: expected.length })).toEqual(expected);
  });
});

/** Runs of different schedulers in the two nights in which clocks change. */
const nights: [string, string, string, string[]][] = [
  ["a skipped time without a run", "30 2 * * *", BERLIN, ["2027-03-27T01:30:00Z", "2027-03-29T00:30:00Z"]],
  [
    "a skipped time whose run is later",
    "30 2 * * *",
    BERLIN,
    ["2027-03-27T01:30:00Z", "2027-03-28T01:00:00Z", "2027-03-29T00:30:00Z"],
  ],
  ["a skipped time without a run", "30 2 * * *", NEW_YORK, ["2027-03-13T07:30:00Z", "2027-03-15T06:30:00Z"]],
  [
    "a skipped time whose run is later",
    "30 2 * * *",
    NEW_YORK,
    ["2027-03-13T07:30:00Z", "2027-03-14T07:00:00Z", "2027-03-15T06:30:00Z"],
  ],
  [
    "a repeated time run once",
    "30 2 * * *",
    BERLIN,
    ["2027-10-30T00:30:00Z", "2027-10-31T00:30:00Z", "2027-11-01T01:30:00Z"],
  ],
  [
    "a repeated time run twice",
    "30 2 * * *",
    BERLIN,
    ["2027-10-30T00:30:00Z", "2027-10-31T00:30:00Z", "2027-10-31T01:30:00Z", "2027-11-01T01:30:00Z"],
  ],
  [
    "a repeated time run once",
    "30 1 * * *",
    NEW_YORK,
    ["2027-11-06T05:30:00Z", "2027-11-07T05:30:00Z", "2027-11-08T06:30:00Z"],
  ],
  [
    "a repeated time run twice",
    "30 1 * * *",
    NEW_YORK,
    ["2027-11-06T05:30:00Z", "2027-11-07T05:30:00Z", "2027-11-07T06:30:00Z", "2027-11-08T06:30:00Z"],
  ],
];

const AUGUST = { from: "2027-07-31T12:00:00Z", to: "2027-09-01T00:00:00Z" };

/** The days of August 2027, of which the first one is a Sunday. */
function daysOfAugust(cron: string): number[] {
  const days: number[] = [];
  for (let run = nextRun({ cron }, at(AUGUST.from)); run < at(AUGUST.to); run = nextRun({ cron }, run))
    days.push(new Date(run).getUTCDate());
  return days;
}

describe("behavior 3.28: the day fields", () => {
  test.each([
    ["0 0 1-7 * */7", [1]],
    ["0 0 */10 * 1", []],
    ["0 0 */10 * 0,3", [1, 11]],
    ["0 0 */10 * */2", [1, 21, 31]],
    ["0 0 ? * 1", [2, 9, 16, 23, 30]],
    ["0 0 15 * *", [15]],
    ["0 0 15 * 1", [2, 9, 15, 16, 23, 30]],
    ["0 0 15 * 1-1/7", [2, 9, 15, 16, 23, 30]],
  ])("of %s must both match if one begins with a wildcard, otherwise one of them", (cron, days) => {
    expect(daysOfAugust(cron)).toEqual(days);
    for (const day of days)
      expect(lastRun({ cron }, at(AUGUST.from) + day * DAY)).toBe(Date.UTC(2027, 7, day));
  });

  test("that never match both are no schedule", () => {
    expect(isCronExpression("0 0 31 4 */2")).toBe(false);
    expect(isCronExpression("0 0 31 4 1")).toBe(true);
    expect(hasRun({ cron: "30 2 8-14 3 */7", timezone: NEW_YORK })).toBe(false);
  });
});

describe("behavior 3.14: a clock change", () => {
  test.each(nights)("causes no miss: %s, %s in %s", (_, cron, timezone, checkins) => {
    for (const skew of [-20 * SECOND, 0, 40 * SECOND, 10 * MINUTE]) {
      const walk = new Walk({ cron, timezone });
      for (const time of checkins) walk.checkin(at(time) + skew);
      expect(walk.misses).toEqual([]);
    }
  });

  test.each([
    ["0 * * * *", HOUR],
    ["*/5 * * * *", 5 * MINUTE],
    ["*/30 * * * *", 30 * MINUTE],
  ])("causes no miss of a job that runs %s in both nights", (cron, step) => {
    for (const noon of ["2027-03-27T12:00:00Z", "2027-10-30T12:00:00Z"]) {
      const walk = new Walk({ cron, timezone: BERLIN }, at(noon)).checkin().every(step, DAY / step);
      expect(walk.misses).toEqual([]);
    }
  });

  test("does not hide a dead job", () => {
    const walk = new Walk({ cron: "30 2 * * *", timezone: BERLIN }).checkin(at("2027-10-30T00:30:05Z"));
    walk.listen(at("2027-11-01T12:00:00Z"));
    expect(walk.misses).toEqual(["2027-10-31T02:30:00Z", "2027-11-01T02:30:00Z"].map(at));
  });

  test.each([
    ["30 2 * * *", BERLIN, "2027-10-30T00:30:05Z", "2027-10-31T01:30:05Z"],
    ["30 1 * * *", NEW_YORK, "2027-11-06T05:30:05Z", "2027-11-07T06:30:05Z"],
    ["45 1 * * *", "Australia/Lord_Howe", "2027-04-02T14:45:05Z", "2027-04-03T15:15:05Z"],
  ])("leaves %s in %s the grace from the second time that it shows", (cron, timezone, before, second) => {
    for (const late of [0, 10 * MINUTE, HOUR - 6 * SECOND]) {
      const walk = new Walk({ cron, timezone }).checkin(at(before)).checkin(at(second) + late);
      expect(walk.misses).toEqual([]);
      walk.listen(walk.now + 22 * HOUR);
      expect(walk.misses).toEqual([]);
      walk.listen(walk.now + 4 * HOUR);
      expect(walk.misses).toHaveLength(1);
    }
  });
});

describe("behavior 3.10, 3.15: a check-in with cron", () => {
  const daily = { cron: "0 2 * * *" };
  const hourly = { cron: "0 * * * *" };

  test.each([
    ["on time", daily, "2027-01-05T02:00:00Z", "2027-01-06T03:00:00Z"],
    ["seconds early", daily, "2027-01-05T01:59:57Z", "2027-01-06T03:00:00Z"],
    ["as early as the grace", daily, "2027-01-05T01:00:00Z", "2027-01-06T03:00:00Z"],
    ["earlier than the grace", daily, "2027-01-05T00:59:59Z", "2027-01-05T03:00:00Z"],
    ["late", daily, "2027-01-05T09:00:00Z", "2027-01-06T03:00:00Z"],
    ["on time", hourly, "2027-01-05T02:00:00Z", "2027-01-05T03:12:00Z"],
    ["as early as the grace", hourly, "2027-01-05T01:48:00Z", "2027-01-05T03:12:00Z"],
    ["earlier than the grace", hourly, "2027-01-05T01:47:59Z", "2027-01-05T02:12:00Z"],
    [
      "a quarter early with a long grace",
      { ...hourly, grace: 2400 },
      "2027-01-05T01:45:00Z",
      "2027-01-05T03:40:00Z",
    ],
    ["earlier than a quarter", { ...hourly, grace: 2400 }, "2027-01-05T01:44:59Z", "2027-01-05T02:40:00Z"],
    ["a second early without grace", { ...daily, grace: 0 }, "2027-01-05T01:59:59Z", "2027-01-05T02:00:00Z"],
    ["before a weekend", { cron: "0 2 * * 1-5" }, "2027-01-08T02:00:09Z", "2027-01-11T03:00:00Z"],
  ])("%s, %p, at %s makes the deadline %s", (_, config, time, deadline) => {
    expect(new Walk(config).checkin(at(time)).state.deadline).toBe(at(deadline));
  });

  describe("behavior 3.30: that may be for two runs", () => {
    /** Ends 50 minutes after it starts. */
    const slow = { ...hourly, grace: 3300 };
    const START = at("2027-01-05T00:00:00Z");
    const end = (run: number) => START + run * HOUR + 50 * MINUTE;

    test.each([1, 2, 3, 4, 5, 6, 7, 8])("is for the run that is open: run %d is missed", (skipped) => {
      const walk = new Walk(slow);
      for (let run = 0; run < 10; run++) if (run !== skipped) walk.checkin(end(run));
      expect(walk.misses).toEqual([START + skipped * HOUR + 55 * MINUTE]);
    });

    test("counts once for a run, also if it is repeated", () => {
      const walk = new Walk(slow);
      for (const run of [0, 1, 2, 3, 5]) walk.checkin(end(run)).checkin(end(run) + 5 * SECOND);
      expect(walk.misses).toEqual([START + 4 * HOUR + 55 * MINUTE]);
    });

    test("is for the open run, though an outage moved its deadline", () => {
      const walk = new Walk(slow).checkin(end(0)).listen(end(1) - 40 * MINUTE);
      walk
        .down(walk.now + MINUTE)
        .checkin(end(1))
        .checkin(end(2));
      expect(walk.misses).toEqual([]);
      walk.listen(end(5));
      expect(walk.misses).toContain(START + 3 * HOUR + 55 * MINUTE);
    });

    test("is for the open run after a run that was late", () => {
      const walk = new Walk(slow)
        .checkin(end(0))
        .checkin(end(1) + 7 * MINUTE)
        .checkin(end(2));
      walk.misses = [];
      walk.checkin(end(4));
      expect(walk.misses).toEqual([START + 3 * HOUR + 55 * MINUTE]);
    });

    test("is for the next run, if the present one has its check-in and the clock of the job is fast", () => {
      for (const grace of [0, 60, 3600, 7200]) {
        const twice = { cron: "0 8,9 * * *", grace };
        const walk = new Walk(twice);
        for (let day = 0; day < 9; day++)
          for (const hour of [8, 9])
            walk.checkin(START + day * DAY + hour * HOUR - Math.min(2, grace) * SECOND);
        expect(walk.misses).toEqual([]);
      }
    });

    test("is for both runs, if the grace is longer than the gap", () => {
      const walk = new Walk({ ...hourly, grace: 5400 });
      for (const run of [0, 1, 2, 4, 5]) walk.checkin(START + run * HOUR + 80 * MINUTE);
      expect(walk.misses).toEqual([]);
      walk.listen(walk.now + 130 * MINUTE + SECOND);
      expect(walk.misses).toEqual([walk.now - SECOND]);
    });
  });

  test("is never missed over a year with a skew of seconds", () => {
    const walk = new Walk({ cron: "30 2 * * 1-5", timezone: NEW_YORK });
    let run = walk.now;
    for (let index = 0; index < 260; index++) {
      run = nextRun({ cron: "30 2 * * 1-5", timezone: NEW_YORK }, run);
      walk.checkin(run + ((index * 7) % 61) * SECOND - 30 * SECOND);
    }
    expect(walk.misses).toEqual([]);
  });

  test("that does not arrive is missed at each run", () => {
    const walk = new Walk({ cron: "0 2 * * 1-5" }).checkin(at("2027-01-07T02:00:09Z"));
    walk.listen(at("2027-01-12T12:00:00Z"));
    const missed = ["2027-01-08T03:00:00Z", "2027-01-11T03:00:00Z", "2027-01-12T03:00:00Z"];
    expect(walk.misses).toEqual(missed.map(at));
  });

  test("that does not arrive is missed at most every 300 s", () => {
    const walk = new Walk({ cron: "* * * * *" }).checkin(at("2027-01-07T02:00:00Z"));
    walk.listen(at("2027-01-07T02:13:00Z"));
    const missed = ["2027-01-07T02:02:00Z", "2027-01-07T02:07:00Z", "2027-01-07T02:12:00Z"];
    expect(walk.misses).toEqual(missed.map(at));
  });
});

test("a time zone has the same clock in any case of its name", () => {
  const { DateTimeFormat } = Intl;
  let created = 0;
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct: (target, given) => {
      created++;
      return Reflect.construct(target, given);
    },
  });
  try {
    const name = "pacific/auckland";
    for (let letter = 0; letter < name.length; letter++) {
      const timezone = name.slice(0, letter) + name.charAt(letter).toUpperCase() + name.slice(letter + 1);
      expect(runs("30 2 * * *", timezone, { from: "2027-07-01T00:00:00Z", count: 1 })).toEqual(["01T14:30"]);
    }
  } finally {
    Intl.DateTimeFormat = DateTimeFormat;
  }
  expect(created).toBeLessThan(4);
});

test("the runs of many schedules are the same each time", () => {
  const schedules = Array.from({ length: 1100 }, (_, index) => ({
    cron: `${index % 60} ${Math.floor(index / 60)} * * *`,
  }));
  const from = at("2027-01-05T00:00:00Z");
  for (const round of [0, 1]) {
    for (const [index, schedule] of schedules.entries()) {
      const run = from + index * MINUTE;
      expect(nextRun(schedule, from + round - 1)).toBe(round === 1 && index === 0 ? run + DAY : run);
      expect(lastRun(schedule, from - 1)).toBe(run - DAY);
    }
  }
});
