import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { RhythmConfig } from "../../../src/domain/heartbeats/heartbeat.ts";
import { walks } from "../../support/long.ts";
import { at, DAY, HOUR, MINUTE, SECOND, Walk } from "./walk.ts";

function hourlyJob() {
  return new Walk().checkin().every(HOUR, 20);
}

describe("behavior 3.20, 3.21: an outage of stillup", () => {
  test("without an expected run extends the deadline by its length", () => {
    const walk = hourlyJob();
    walk.listen(walk.now + 10 * MINUTE).down(walk.now + 20 * MINUTE);
    expect(walk.left).toBe(62 * MINUTE);
  });

  test("with an expected run gives a window from its end", () => {
    const walk = hourlyJob();
    walk.listen(walk.now + 30 * MINUTE).down(walk.now + 5 * HOUR);
    expect(walk.left).toBe(72 * MINUTE);
    expect(walk.misses).toEqual([]);
  });

  test("between a run and its deadline gives a window from its end, because a late check-in may be lost", () => {
    const walk = hourlyJob();
    walk.listen(walk.now + 65 * MINUTE).down(walk.now + MINUTE);
    expect(walk.left).toBe(72 * MINUTE);
  });

  test("after a deadline keeps that miss, and adds none for the outage", () => {
    const walk = hourlyJob();
    const last = walk.now;
    walk.now = last + 73 * MINUTE; // The outage starts before the miss is recorded.
    walk.down(last + 30 * HOUR);
    expect(walk.misses).toEqual([last + 72 * MINUTE]);
    expect(walk.left).toBe(72 * MINUTE);
  });

  test("before the first check-in changes nothing", () => {
    const walk = new Walk().down(at("2028-01-01T00:00:00Z"));
    expect(walk.state.deadline).toBeNull();
  });

  test("after the first check-in extends the 25 hours", () => {
    const walk = new Walk().checkin();
    expect(walk.down(walk.now + HOUR).left).toBe(25 * HOUR);
  });

  test("in which a check-in was lost does not make the learned period longer", () => {
    const walk = hourlyJob();
    walk.listen(walk.now + 50 * MINUTE).down(walk.now + 20 * MINUTE);
    walk.checkin(walk.now + 50 * MINUTE);
    expect(walk.misses).toEqual([]);
    expect(walk.left).toBe(72 * MINUTE);
  });

  test("counts from the last check-in, if that is later than the last alive time", () => {
    const walk = hourlyJob();
    const last = walk.now;
    walk.now = last - 10 * SECOND;
    expect(walk.down(last + 10 * MINUTE).left).toBe(72 * MINUTE);
  });

  test.each([{ period: 3600 }, { period: 3600, grace: 720 }, {}])("treats %p as an hourly job", (config) => {
    const walk = new Walk(config).checkin().every(HOUR, 3);
    walk.listen(walk.now + 59 * MINUTE).down(walk.now + 2 * MINUTE);
    expect(walk.left).toBe(72 * MINUTE);
  });
});

describe("an outage of stillup around a cron run", () => {
  const daily = () => new Walk({ cron: "0 2 * * *" }).checkin(at("2027-01-05T02:00:05Z"));

  test.each([
    ["before the run", "2027-01-05T10:00:00Z", "2027-01-05T10:01:00Z", "2027-01-06T03:01:00Z"],
    ["over the run", "2027-01-06T01:50:00Z", "2027-01-06T02:10:00Z", "2027-01-07T03:00:00Z"],
    ["within its grace", "2027-01-06T02:20:00Z", "2027-01-06T02:30:00Z", "2027-01-07T03:00:00Z"],
    ["of two weeks", "2027-01-05T12:00:00Z", "2027-01-19T12:00:00Z", "2027-01-20T03:00:00Z"],
  ])("%s, from %s to %s, makes the deadline %s", (_, from, to, deadline) => {
    const walk = daily().listen(at(from)).down(at(to));
    expect(walk.misses).toEqual([]);
    expect(walk.state.deadline).toBe(at(deadline));
  });

  test("behavior 3.22: gives that run its deadline, whatever earlier ones added, and no later run", () => {
    const walk = daily().listen(at("2027-01-05T10:00:00Z")).down(at("2027-01-05T10:10:00Z"));
    // The job may run early.
    walk.listen(at("2027-01-06T01:30:00Z")).down(at("2027-01-06T01:31:00Z"));
    expect(walk.state.deadline).toBe(at("2027-01-06T03:00:00Z"));
    walk.listen(at("2027-01-06T02:40:00Z")).down(at("2027-01-06T02:45:00Z"));
    expect(walk.state.deadline).toBe(at("2027-01-06T03:05:00Z"));
  });
});

test("behavior 3.29: an outage of stillup after clocks were set back leaves the job the longer window", () => {
  const walk = new Walk({}, at("2026-10-24T00:30:00Z")).checkin().every(HOUR, 24);
  const { deadline } = walk.state;
  expect(walk.left).toBe(3 * HOUR + 12 * MINUTE);
  walk.listen(at("2026-10-25T01:20:00Z")).down(at("2026-10-25T01:25:00Z"));
  expect(walk.state.deadline).toBe(deadline);
});

test("after two outages without a check-in between them, the second of years, a dead job is missed one window later", () => {
  const walk = new Walk({ cron: "* * * * *" }).checkin().every(MINUTE, 3);
  const last = walk.now;
  walk.listen(last + SECOND).down(last + 10 * MINUTE);
  walk.listen(walk.now + SECOND).down(walk.now + 20 * 365 * DAY);
  const back = walk.now;
  walk.listen(back + 4 * MINUTE);
  expect(walk.misses.length).toBe(1);
  walk.listen(back + 14 * MINUTE);
  expect(walk.misses.length).toBe(3);
});

describe("behavior 3.22: frequent restarts", () => {
  const configs = [{}, { period: 3600 }, { cron: "0 * * * *" }, { period: 3600, grace: 0 }];

  test.each(configs)("do not hide a dead job: %p", (config) => {
    const walk = new Walk(config).checkin().every(HOUR, 20);
    const last = walk.now;
    walk.misses = [];
    while (walk.misses.length === 0 && walk.now < last + DAY) {
      walk.listen(walk.now + 50 * SECOND).down(walk.now + 10 * SECOND);
    }
    expect(walk.misses[0]).toBeLessThan(last + 3.5 * HOUR);
  });

  test("at the time of each run do not hide a dead job", () => {
    const walk = new Walk({ cron: "0 2 * * *" }).checkin(at("2027-01-05T02:00:05Z"));
    for (let day = 0; day < 4; day++) {
      walk.listen(at("2027-01-06T01:59:00Z") + day * DAY).down(walk.now + 2 * MINUTE);
    }
    expect(walk.misses.length).toBeGreaterThan(0);
    expect(walk.misses[0]).toBeLessThan(at("2027-01-07T04:00:00Z"));
  });

  test("cause no miss while the job lives", () => {
    const walk = hourlyJob();
    for (let run = 0; run < 50; run++) {
      for (let restart = 0; restart < 5; restart++) {
        walk.listen(walk.now + 11 * MINUTE).down(walk.now + SECOND);
      }
      walk.checkin(walk.now + 5 * MINUTE - 5 * SECOND);
    }
    expect(walk.misses).toEqual([]);
    expect(walk.left).toBe(72 * MINUTE);
  });

  test("do not hide a change of rhythm forever", () => {
    const walk = hourlyJob();
    for (let day = 0; day < 5; day++) {
      walk.listen(walk.now + 12 * HOUR).down(walk.now + SECOND);
      walk.checkin(walk.now + 12 * HOUR - SECOND);
    }
    expect(walk.left).toBe(25 * HOUR);
  });
});

const START = at("2027-01-04T00:00:00Z");
const rhythms = fc.constantFrom<RhythmConfig>({}, { period: 3600 }, { cron: "0 * * * *" });

test("a single outage, at any time and of any length, causes no miss of a living job", () => {
  const outage = fc.record({ from: fc.nat({ max: 3 * HOUR }), length: fc.integer({ min: 1, max: 2 * DAY }) });
  const skew = fc.integer({ min: 0, max: 5 * MINUTE });
  fc.assert(
    fc.property(
      rhythms,
      outage,
      fc.array(skew, { minLength: 60, maxLength: 60 }),
      (config, { from, length }, skews) => {
        const walk = new Walk(config, START);
        const learned = 10;
        const down = { from: START + learned * HOUR + 5 * MINUTE + from, to: 0 };
        down.to = down.from + length;
        let isOver = false;
        for (const [index, late] of skews.entries()) {
          const time = START + index * HOUR + late;
          if (!isOver && time >= down.from) {
            walk.listen(down.from).down(down.to);
            isOver = true;
          }
          if (time > walk.now || !isOver) walk.checkin(time);
        }
        expect(walk.misses).toEqual([]);
      },
    ),
  );
});

test("a dead job is missed after stillup ran for two windows, and never before it ran for one", () => {
  const stretch = fc.record({ up: fc.nat({ max: HOUR }), down: fc.integer({ min: 1, max: 6 * HOUR }) });
  fc.assert(
    fc.property(rhythms, fc.array(stretch, { maxLength: 30 }), (config, stretches) => {
      const walk = new Walk(config, START).checkin().every(HOUR, 20);
      let listened = 0;
      for (const { up, down } of stretches) {
        if (walk.misses.length > 0) return;
        walk.listen(walk.now + up);
        listened += up;
        if (listened > 144 * MINUTE) expect(walk.misses).not.toEqual([]);
        if (config.cron === undefined && listened < 72 * MINUTE) expect(walk.misses).toEqual([]);
        walk.down(walk.now + down);
      }
    }),
    { numRuns: walks(500) },
  );
});

describe("behavior 3.31: an outage of stillup during a gap", () => {
  const WEEK = 7 * DAY;

  test.each([20 * HOUR, 3 * DAY])("of %d ms teaches no weekly pause", (outage) => {
    const walk = new Walk().checkin().every(HOUR, 20);
    walk.down(walk.now + outage).checkin(walk.now + 10 * MINUTE);
    const weekAfterItsStart = walk.now - outage + WEEK;
    while (walk.now < weekAfterItsStart) walk.checkin(walk.now + HOUR);
    expect(walk.left).toBe(72 * MINUTE);
  });

  test("of a minute leaves the pause that it interrupts learned", () => {
    const walk = new Walk().checkin().every(DAY, 4);
    walk
      .listen(walk.now + DAY)
      .down(walk.now + MINUTE)
      .checkin(walk.now + 2 * DAY - MINUTE);
    walk.every(DAY, 4);
    const missed = walk.misses.length;
    walk.checkin(walk.now + 3 * DAY);
    expect(walk.misses).toHaveLength(missed);
  });

  test.each([
    ["in a pause", 8 * HOUR - 10 * MINUTE, 64],
    ["from a pause to the third run after it", 8 * HOUR + 20 * MINUTE, 62],
  ])("%s leaves the pause learned that it hides", (_, outage, seen) => {
    const walk = new Walk().checkin().every(15 * MINUTE, 64);
    const nights = (times: number) => {
      for (let night = 0; night < times; night++) walk.checkin(walk.now + 8 * HOUR).every(15 * MINUTE, 64);
    };
    nights(8);
    const missed = walk.misses.length;
    const night = walk.now;
    walk.down(night + outage).checkin(night + 8 * HOUR + (64 - seen) * 15 * MINUTE);
    walk.every(15 * MINUTE, seen);
    nights(8);
    expect(walk.misses).toHaveLength(missed);
  });

  test("counts until the next check-in only", () => {
    const walk = new Walk().checkin().every(DAY, 4);
    walk.down(walk.now + 3 * DAY).checkin(walk.now + HOUR);
    expect(walk.state.unseen).toBe(0);
  });

  test("as long as the clock is set back later was a wrong clock, and no outage", () => {
    const walk = new Walk().checkin();
    walk.down(walk.now + DAY).setBack(DAY);
    expect(walk.state.unseen).toBe(0);
  });
});
