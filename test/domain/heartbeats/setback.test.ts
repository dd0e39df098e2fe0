import { describe, expect, test } from "bun:test";
import { afterPause, silentHeartbeat } from "../../../src/domain/heartbeats/heartbeat.ts";
import { afterCheckin } from "../../../src/domain/heartbeats/reports.ts";
import { afterResume } from "../../../src/domain/heartbeats/run-steps.ts";
import { at, DAY, HOUR, MINUTE, SECOND, Walk } from "./walk.ts";

function hourlyJob(config = {}) {
  return new Walk(config).checkin().every(HOUR, 20);
}

describe("a clock that is set back", () => {
  test.each([HOUR, DAY, 365 * DAY])(
    "by %d ms leaves the time until the deadline of a dead job unchanged",
    (by) => {
      const walk = hourlyJob().listen(hourlyJob().now + 10 * MINUTE);
      walk.setBack(by);
      expect(walk.left).toBe(62 * MINUTE);
      walk.listen(walk.now + 62 * MINUTE + SECOND);
      expect(walk.misses).toHaveLength(1);
    },
  );

  test.each([SECOND, MINUTE, 10 * MINUTE])("by %d ms gives a dead job at most one window", (by) => {
    const walk = hourlyJob()
      .listen(hourlyJob().now + 10 * MINUTE)
      .setBack(by);
    expect(walk.left).toBeWithin(62 * MINUTE, 72 * MINUTE + 1);
  });

  test.each([SECOND, MINUTE, 9 * MINUTE])(
    "by %d ms gives a dead job no more time if its last check-in is older than the step",
    (by) => {
      const walk = hourlyJob().listen(hourlyJob().now + 10 * MINUTE);
      walk.setBack(by);
      expect(walk.left).toBe(62 * MINUTE);
    },
  );

  test("causes no miss of a living job, and does not change its rhythm", () => {
    const walk = hourlyJob()
      .listen(hourlyJob().now + 10 * MINUTE)
      .setBack(DAY);
    walk.checkin(walk.now + 50 * MINUTE).every(HOUR, 5);
    expect(walk.misses).toEqual([]);
    expect(walk.left).toBe(72 * MINUTE);
    expect(walk.state.gaps.map(({ length }) => length)).toEqual(Array(20).fill(HOUR));
  });

  test("after it was set forward gives a dead job at most one window", () => {
    const walk = hourlyJob().listen(hourlyJob().now + 10 * MINUTE);
    walk
      .down(walk.now + HOUR)
      .listen(walk.now + 5 * MINUTE)
      .setBack(HOUR);
    expect(walk.left).toBe(67 * MINUTE);
  });

  test("by a little after an outage keeps the window that the outage gave", () => {
    const walk = hourlyJob().listen(hourlyJob().now + 50 * MINUTE);
    walk
      .down(walk.now + 20 * MINUTE)
      .listen(walk.now + MINUTE)
      .setBack(5 * SECOND);
    expect(walk.left).toBe(71 * MINUTE);
  });

  test("keeps the window of a check-in that arrived before the change was noticed", () => {
    const walk = hourlyJob();
    const { state, now, config } = walk;
    walk.state = afterCheckin(state, config, now - DAY);
    walk.setBack(DAY);
    expect(walk.left).toBe(72 * MINUTE);
  });

  test("gives a job that checked in before, was paused then and is resumed one window", () => {
    const walk = hourlyJob();
    walk.state = afterResume(afterPause(walk.state), walk.config, walk.now - DAY);
    expect(walk.state.deadline).toBe(walk.now - DAY + 72 * MINUTE);
  });

  test("before an outage of stillup does not keep it from extending the window that a maintenance gave", () => {
    const walk = hourlyJob();
    walk.state = { ...walk.state, excusedUntil: walk.now + 50 * MINUTE };
    walk.listen(walk.now + 10 * MINUTE).setBack(DAY);
    expect(walk.down(walk.now + 20 * MINUTE).left).toBe(62 * MINUTE);
  });

  test("sets no deadline for a monitor that is paused or never checked in", () => {
    const walk = hourlyJob();
    walk.state = afterPause(walk.state);
    expect(walk.setBack(DAY).left).toBeNull();
    walk.state = silentHeartbeat;
    expect(walk.setBack(DAY).state).toEqual(silentHeartbeat);
  });

  test("makes the deadline that of the next cron run by the new clock", () => {
    const walk = new Walk({ cron: "0 2 * * *" }).checkin(at("2027-01-15T02:00:05Z"));
    walk.listen(at("2027-01-15T10:00:00Z")).setBack(5 * DAY);
    expect(walk.state.deadline).toBe(at("2027-01-11T03:00:00Z"));
  });

  test("by minutes does not expect the last run again", () => {
    const walk = new Walk({ cron: "0 2 * * *" }).checkin(at("2027-01-15T02:00:05Z"));
    walk.listen(at("2027-01-15T02:05:00Z")).setBack(20 * MINUTE);
    expect(walk.state.deadline).toBe(at("2027-01-16T03:00:00Z"));
  });

  test("behavior 3.31: and forward again teaches no pause at a time at which the job did not check in", () => {
    const week = 7 * DAY;
    const walk = hourlyJob();
    const start = walk.now;
    walk.checkin(start + 3 * HOUR).every(HOUR, (week + HOUR) / HOUR);
    const last = walk.now;
    walk
      .listen(last + 10 * MINUTE)
      // The last check-in seems to be a week after the start of the gap of 3 hours.
      .setBack(4 * HOUR)
      .listen(last + 12 * MINUTE - 4 * HOUR)
      .down(last + 12 * MINUTE)
      .checkin(last + HOUR);
    while (walk.now < start + 2 * week) walk.checkin(walk.now + HOUR);
    expect(walk.left).toBe(72 * MINUTE);
  });

  test("deletes the long gap that the wrong clock measured", () => {
    const walk = hourlyJob();
    walk.checkin(walk.now + 3 * DAY).setBack(3 * DAY - HOUR);
    expect(walk.state.pauses.filter(({ length }) => length > HOUR)).toEqual([]);
  });
});

describe("a check-in with a wrong clock", () => {
  test("behavior 3.7: adds no gap that starts in the future", () => {
    const { state, now } = hourlyJob();
    const heard = afterCheckin(state, {}, now - DAY);
    expect(heard.gaps).toEqual(state.gaps);
    expect(heard.lastCheckinAt).toBe(now - DAY);
    expect(heard.deadline).toBe(now - DAY + 72 * MINUTE);
  });
});
