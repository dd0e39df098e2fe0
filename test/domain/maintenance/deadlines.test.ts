import { describe, expect, test } from "bun:test";
import {
  afterCheckin,
  afterMiss,
  afterWindowChange,
  silentHeartbeat,
  type WindowEnd,
} from "../../../src/domain/heartbeats/heartbeat.ts";
import { HOUR, MINUTE } from "./definition.ts";

const START = Date.UTC(2026, 10, 22);
/** Every hour, with a grace of 12 minutes. */
const hourly = { period: 3600, grace: 720 };
/** At 02:30 each day, with a grace of an hour. */
const nightly = { cron: "30 2 * * *", grace: 3600 };

/** The windows from one hour of the day to another. */
const between =
  (from: number, to: number): WindowEnd =>
  (at) =>
    at >= START + from * HOUR && at < START + to * HOUR ? START + to * HOUR : null;

describe("the deadline of a job in a maintenance", () => {
  test("behavior 14.38: that passes in the window is one window after its end", () => {
    const state = afterCheckin(silentHeartbeat, hourly, START);
    const windowEnd = between(1, 5);
    const { state: after, missedAt } = afterMiss(state, hourly, { now: START + 2 * HOUR, windowEnd });
    expect([missedAt, after.deadline]).toEqual([[], START + 5 * HOUR + 72 * MINUTE]);
    const late = afterMiss(after, hourly, { now: START + 7 * HOUR, windowEnd });
    expect(late.missedAt).toEqual([START + 5 * HOUR + 72 * MINUTE]);
  });

  test("behavior 14.38: is not held against it if the run was expected in the window, and the deadline is after it", () => {
    const state = afterCheckin(silentHeartbeat, nightly, START);
    const windowEnd = between(2, 3);
    expect(state.deadline).toBe(START + 3.5 * HOUR);
    const { state: after, missedAt } = afterMiss(state, nightly, { now: START + 4 * HOUR, windowEnd });
    expect([missedAt, after.deadline]).toEqual([[], START + 27.5 * HOUR]);
  });

  test("behavior 14.38: of a run at the end of the window is held against it", () => {
    const state = afterCheckin(silentHeartbeat, nightly, START);
    const windowEnd = between(1, 2.5);
    expect(afterMiss(state, nightly, { now: START + 4 * HOUR, windowEnd }).missedAt).toEqual([
      START + 3.5 * HOUR,
    ]);
  });

  test("behavior 14.38: of a run before the window is held against it if the deadline is before it too", () => {
    const state = afterCheckin(silentHeartbeat, hourly, START);
    const windowEnd = between(1.5, 2);
    expect(afterMiss(state, hourly, { now: START + 2 * HOUR, windowEnd }).missedAt).toEqual([
      START + 72 * MINUTE,
    ]);
  });

  test("behavior 14.38: passes again after one window, if a second window follows", () => {
    const state = afterCheckin(silentHeartbeat, hourly, START);
    const windowEnd: WindowEnd = (at) => between(1, 2)(at) ?? between(3, 4)(at);
    const { state: after, missedAt } = afterMiss(state, hourly, { now: START + 4.5 * HOUR, windowEnd });
    expect([missedAt, after.deadline]).toEqual([[], START + 4 * HOUR + 72 * MINUTE]);
  });
});

describe("the change of a window", () => {
  const before = between(1, 5);
  const now = START + 2 * HOUR;
  const excused = afterMiss(afterCheckin(silentHeartbeat, hourly, START), hourly, {
    now,
    windowEnd: before,
  }).state;

  test("behavior 14.39: that ends early moves the deadline to one window after that", () => {
    const after = between(1, 2);
    expect(afterWindowChange(excused, hourly, { before, after, now }).deadline).toBe(now + 72 * MINUTE);
  });

  test("behavior 14.39: that ends later moves the deadline to one window after that", () => {
    const after = between(1, 8);
    const { deadline } = afterWindowChange(excused, hourly, { before, after, now });
    expect(deadline).toBe(START + 8 * HOUR + 72 * MINUTE);
  });

  test.each([
    ["ends it early", START + 65 * MINUTE, START + 65 * MINUTE],
    ["forgets it after its end", START + 70 * MINUTE, START + 1.1 * HOUR],
  ])("behavior 14.39: that %s excuses a run that was expected in it", (_, now, end) => {
    const state = afterCheckin(silentHeartbeat, hourly, START);
    const windows = { before: between(1, now === end ? 5 : 1.1), after: () => null, now };
    expect(afterWindowChange(state, hourly, windows).deadline).toBe(end + 72 * MINUTE);
  });

  test("behavior 14.39: leaves any other deadline", () => {
    const state = afterCheckin(silentHeartbeat, hourly, START + 1.5 * HOUR);
    const after = between(1, 2);
    expect(afterWindowChange(state, hourly, { before, after, now })).toBe(state);
    expect(afterWindowChange(excused, hourly, { before, after: before, now })).toBe(excused);
    expect(afterWindowChange(silentHeartbeat, hourly, { before, after, now })).toBe(silentHeartbeat);
  });
});
