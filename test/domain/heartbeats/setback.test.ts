import { describe, expect, test } from "bun:test";
import { afterCheckin, afterPause, silentHeartbeat } from "../../../src/domain/heartbeats/heartbeat.ts";
import { at, DAY, HOUR, MINUTE, SECOND, Walk } from "./walk.ts";

function hourlyJob(config = {}) {
  return new Walk(config).checkin().every(HOUR, 20);
}

describe("a clock that is set back", () => {
  test.each([HOUR, DAY, 365 * DAY])("by %d ms leaves a dead job as late as it was", (by) => {
    const walk = hourlyJob().listen(hourlyJob().now + 10 * MINUTE);
    walk.setBack(by);
    expect(walk.left).toBe(62 * MINUTE);
    walk.listen(walk.now + 62 * MINUTE + SECOND);
    expect(walk.misses).toHaveLength(1);
  });

  test.each([SECOND, MINUTE, 10 * MINUTE])("by %d ms gives a dead job no more than a window", (by) => {
    const walk = hourlyJob()
      .listen(hourlyJob().now + 10 * MINUTE)
      .setBack(by);
    expect(walk.left).toBeWithin(62 * MINUTE, 72 * MINUTE + 1);
  });

  test("makes no living job late and teaches it no other rhythm", () => {
    const walk = hourlyJob()
      .listen(hourlyJob().now + 10 * MINUTE)
      .setBack(DAY);
    walk.checkin(walk.now + 50 * MINUTE).every(HOUR, 5);
    expect(walk.misses).toEqual([]);
    expect(walk.left).toBe(72 * MINUTE);
    expect(walk.state.gaps.map(({ length }) => length)).toEqual(Array(20).fill(HOUR));
  });

  test("after it was set ahead gives a dead job one window at most", () => {
    const walk = hourlyJob().listen(hourlyJob().now + 10 * MINUTE);
    walk
      .down(walk.now + HOUR)
      .listen(walk.now + 5 * MINUTE)
      .setBack(HOUR);
    expect(walk.left).toBe(67 * MINUTE);
  });

  test("by a little right after an outage leaves the time that the outage gave", () => {
    const walk = hourlyJob().listen(hourlyJob().now + 50 * MINUTE);
    walk
      .down(walk.now + 20 * MINUTE)
      .listen(walk.now + MINUTE)
      .setBack(5 * SECOND);
    expect(walk.left).toBe(71 * MINUTE);
  });

  test("leaves the window of a checkin that came before it was noticed", () => {
    const walk = hourlyJob();
    const { state, now, config } = walk;
    walk.state = afterCheckin(state, config, now - DAY);
    walk.setBack(DAY);
    expect(walk.left).toBe(72 * MINUTE);
  });

  test("moves no deadline of a paused or silent monitor", () => {
    const walk = hourlyJob();
    walk.state = afterPause(walk.state);
    expect(walk.setBack(DAY).left).toBeNull();
    walk.state = silentHeartbeat;
    expect(walk.setBack(DAY).state).toEqual(silentHeartbeat);
  });

  test("waits for the next run by cron on the clock that is right", () => {
    const walk = new Walk({ cron: "0 2 * * *" }).checkin(at("2027-01-15T02:00:05Z"));
    walk.listen(at("2027-01-15T10:00:00Z")).setBack(5 * DAY);
    expect(walk.state.deadline).toBe(at("2027-01-11T03:00:00Z"));
  });

  test("by minutes does not wait again for a run that came", () => {
    const walk = new Walk({ cron: "0 2 * * *" }).checkin(at("2027-01-15T02:00:05Z"));
    walk.listen(at("2027-01-15T02:05:00Z")).setBack(20 * MINUTE);
    expect(walk.state.deadline).toBe(at("2027-01-16T03:00:00Z"));
  });

  test("forgets the pause that the wrong clock showed", () => {
    const walk = hourlyJob();
    walk.checkin(walk.now + 3 * DAY).setBack(3 * DAY - HOUR);
    expect(walk.state.pauses.filter(({ length }) => length > HOUR)).toEqual([]);
  });
});

describe("a checkin under a wrong clock", () => {
  test("teaches no gap that starts in the future", () => {
    const { state, now } = hourlyJob();
    const heard = afterCheckin(state, {}, now - DAY);
    expect(heard.gaps).toEqual(state.gaps);
    expect(heard.lastCheckinAt).toBe(now - DAY);
    expect(heard.deadline).toBe(now - DAY + 72 * MINUTE);
  });
});
