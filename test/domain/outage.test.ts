import { describe, expect, test } from "bun:test";
import { at, DAY, HOUR, MINUTE, SECOND, Walk } from "./walk.ts";

function hourlyJob() {
  return new Walk().checkin().every(HOUR, 20);
}

describe("an outage of ours", () => {
  test("in which no run was expected moves the deadline on by its length", () => {
    const walk = hourlyJob();
    walk.listen(walk.now + 10 * MINUTE).down(walk.now + 20 * MINUTE);
    expect(walk.left).toBe(62 * MINUTE);
  });

  test("in which a run was expected gives a window from its end", () => {
    const walk = hourlyJob();
    walk.listen(walk.now + 30 * MINUTE).down(walk.now + 5 * HOUR);
    expect(walk.left).toBe(72 * MINUTE);
    expect(walk.misses).toEqual([]);
  });

  test("between a run and its deadline gives a window from its end, for a late run may have been lost", () => {
    const walk = hourlyJob();
    walk.listen(walk.now + 65 * MINUTE).down(walk.now + MINUTE);
    expect(walk.left).toBe(72 * MINUTE);
  });

  test("after a deadline leaves the miss that was, and counts none within", () => {
    const walk = hourlyJob();
    const last = walk.now;
    walk.now = last + 73 * MINUTE; // Down before anybody looked.
    walk.down(last + 30 * HOUR);
    expect(walk.misses).toEqual([last + 72 * MINUTE]);
    expect(walk.left).toBe(72 * MINUTE);
  });

  test("before the first checkin changes nothing", () => {
    const walk = new Walk().down(at("2028-01-01T00:00:00Z"));
    expect(walk.state.deadline).toBeNull();
  });

  test("after the first checkin moves the 25 hours on", () => {
    const walk = new Walk().checkin();
    expect(walk.down(walk.now + HOUR).left).toBe(25 * HOUR);
  });

  test("that swallowed a run teaches no longer rhythm", () => {
    const walk = hourlyJob();
    walk.listen(walk.now + 50 * MINUTE).down(walk.now + 20 * MINUTE);
    walk.checkin(walk.now + 50 * MINUTE);
    expect(walk.misses).toEqual([]);
    expect(walk.left).toBe(72 * MINUTE);
  });

  test("counts from the last checkin, where that came after we were last known to run", () => {
    const walk = hourlyJob();
    const last = walk.now;
    walk.now = last - 10 * SECOND;
    expect(walk.down(last + 10 * MINUTE).left).toBe(72 * MINUTE);
  });

  test.each([{ period: 3600 }, { period: 3600, grace: 720 }, {}])("treats %p as the hour it is", (config) => {
    const walk = new Walk(config).checkin().every(HOUR, 3);
    walk.listen(walk.now + 59 * MINUTE).down(walk.now + 2 * MINUTE);
    expect(walk.left).toBe(72 * MINUTE);
  });
});

describe("an outage of ours over a run by cron", () => {
  const daily = () => new Walk({ cron: "0 2 * * *" }).checkin(at("2027-01-05T02:00:05Z"));

  test.each([
    ["before the run", "2027-01-05T10:00:00Z", "2027-01-05T10:01:00Z", "2027-01-06T03:01:00Z"],
    ["over the run", "2027-01-06T01:50:00Z", "2027-01-06T02:10:00Z", "2027-01-07T03:00:00Z"],
    ["within its grace", "2027-01-06T02:20:00Z", "2027-01-06T02:30:00Z", "2027-01-07T03:00:00Z"],
    ["of two weeks", "2027-01-05T12:00:00Z", "2027-01-19T12:00:00Z", "2027-01-20T03:00:00Z"],
  ])("%s, from %s to %s, waits until %s", (_, from, to, deadline) => {
    const walk = daily().listen(at(from)).down(at(to));
    expect(walk.misses).toEqual([]);
    expect(walk.state.deadline).toBe(at(deadline));
  });
});

describe("frequent restarts", () => {
  const configs = [{}, { period: 3600 }, { cron: "0 * * * *" }, { period: 3600, grace: 0 }];

  test.each(configs)("keep no dead job from being noticed: %p", (config) => {
    const walk = new Walk(config).checkin().every(HOUR, 20);
    const last = walk.now;
    walk.misses = [];
    while (walk.misses.length === 0 && walk.now < last + DAY) {
      walk.listen(walk.now + 50 * SECOND).down(walk.now + 10 * SECOND);
    }
    expect(walk.misses[0]).toBeLessThan(last + 3.5 * HOUR);
  });

  test("always when the run is due keep no dead job from being noticed", () => {
    const walk = new Walk({ cron: "0 2 * * *" }).checkin(at("2027-01-05T02:00:05Z"));
    for (let day = 0; day < 4; day++) {
      walk.listen(at("2027-01-06T01:59:00Z") + day * DAY).down(walk.now + 2 * MINUTE);
    }
    expect(walk.misses.length).toBeGreaterThan(0);
    expect(walk.misses[0]).toBeLessThan(at("2027-01-07T04:00:00Z"));
  });

  test("alarm nobody while the job lives", () => {
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

  test("hide no change of rhythm for ever", () => {
    const walk = hourlyJob();
    for (let day = 0; day < 5; day++) {
      walk.listen(walk.now + 12 * HOUR).down(walk.now + SECOND);
      walk.checkin(walk.now + 12 * HOUR - SECOND);
    }
    expect(walk.left).toBe(25 * HOUR);
  });
});
