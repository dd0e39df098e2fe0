import { describe, expect, test } from "bun:test";
import {
  type RhythmConfig,
  silentHeartbeat,
  type WindowEnd,
} from "../../../src/domain/heartbeats/heartbeat.ts";
import { afterMiss, afterOutage, afterWindowChange } from "../../../src/domain/heartbeats/missed-runs.ts";
import { afterCheckin } from "../../../src/domain/heartbeats/reports.ts";
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

  test("behavior 14.38: is held against it in a second window of the same silence", () => {
    const state = afterCheckin(silentHeartbeat, hourly, START);
    const windowEnd: WindowEnd = (at) => between(1, 2)(at) ?? between(3, 4)(at);
    const { missedAt } = afterMiss(state, hourly, { now: START + 4 * HOUR, windowEnd });
    expect(missedAt).toEqual([START + 2 * HOUR + 72 * MINUTE]);
  });

  test.each([
    ["overlap", 4.5],
    ["touch", 5],
  ])("behavior 14.38: is one window after the end of the last of several windows that %s", (_, from) => {
    const state = afterCheckin(silentHeartbeat, hourly, START);
    const windowEnd: WindowEnd = (at) => between(from, 7)(at) ?? between(1, 5)(at);
    const { state: after, missedAt } = afterMiss(state, hourly, { now: START + 7 * HOUR, windowEnd });
    expect([missedAt, after.deadline]).toEqual([[], START + 7 * HOUR + 72 * MINUTE]);
  });
});

/** Recurring windows: a part of each day or week. */
const recurring =
  (from: number, to: number, every = 24 * HOUR): WindowEnd =>
  (at) => {
    const start = START + Math.floor((at - START) / every) * every;
    return at >= start + from * HOUR && at < start + to * HOUR ? start + to * HOUR : null;
  };

const DAY = 24 * HOUR;
const atNight = recurring(2, 3);
const atNightOfWeek = recurring(2, 3, 7 * DAY);

interface Rhythm {
  config: RhythmConfig;
  /** Period and first time of the check-ins; milliseconds. */
  period: number;
  first?: number;
}

const runsInWindow: [string, WindowEnd, Rhythm][] = [
  ["a run by cron in it", atNight, { config: { cron: "30 2 * * *" }, period: DAY, first: 2.5 * HOUR }],
  ["only the deadline in it", atNight, { config: { cron: "30 1 * * *" }, period: DAY, first: 1.5 * HOUR }],
  ["both in it", atNight, { config: { cron: "5 2 * * *", grace: 60 }, period: DAY, first: 2.1 * HOUR }],
  ["a period", atNight, { config: { period: 86_400 }, period: DAY, first: 2.5 * HOUR }],
  ["a learned rhythm", atNight, { config: {}, period: DAY, first: 2.5 * HOUR }],
  ["each hour", atNight, { config: hourly, period: HOUR }],
  ["each week", atNightOfWeek, { config: { cron: "30 2 * * 0" }, period: 7 * DAY, first: 2.5 * HOUR }],
  ["a learned week", atNightOfWeek, { config: {}, period: 7 * DAY, first: 2.5 * HOUR }],
  [
    "a window of 23 hours",
    recurring(1, 24),
    { config: { cron: "30 2 * * *" }, period: DAY, first: 2.5 * HOUR },
  ],
];

/** A job that runs eight times and dies. @returns the state and the time of its last check-in */
function dead({ config, period, first = 0 }: Rhythm, windowEnd: WindowEnd) {
  let state = silentHeartbeat;
  let now = START + first;
  for (let run = 0; run < 8; run++) {
    now = START + first + run * period;
    state = afterCheckin(afterMiss(state, config, { now, windowEnd }).state, config, now);
  }
  return { state, now };
}

describe("behavior 14.38: a dead job with windows that recur", () => {
  test.each(runsInWindow)("is missed after one window: %s", (_, windowEnd, rhythm) => {
    const { state, now } = dead(rhythm, windowEnd);
    const { missedAt } = afterMiss(state, rhythm.config, { now: now + 60 * DAY, windowEnd });
    expect(missedAt[0]).toBeLessThan(now + 3 * rhythm.period + 2 * HOUR);
    const expected = Math.floor((60 * DAY) / rhythm.period);
    expect(missedAt.length).toBeGreaterThanOrEqual(expected - 26);
  });

  test.each(runsInWindow)(
    "is missed though the service restarts each hour too: %s",
    (_, windowEnd, rhythm) => {
      const { state, now } = dead(rhythm, windowEnd);
      const { config, period } = rhythm;
      let missed: number[] = [];
      let current = state;
      for (let at = now; missed.length === 0 && at < now + 60 * DAY; at += HOUR) {
        const times = { from: at + HOUR - MINUTE, to: at + HOUR, windowEnd };
        const after = afterOutage(current, config, times);
        [current, missed] = [after.state, after.missedAt];
      }
      expect(missed[0]).toBeLessThan(now + 5 * period + DAY);
    },
  );

  test.each(runsInWindow)("is missed though each window is ended early: %s", (_, windowEnd, rhythm) => {
    let { state, now } = dead(rhythm, windowEnd);
    const { config, period } = rhythm;
    const last = now;
    let missed: number[] = [];
    for (now += 10 * MINUTE; missed.length === 0 && now < last + 60 * DAY; now += 10 * MINUTE) {
      const after = afterMiss(state, config, { now, windowEnd });
      missed = after.missedAt;
      const windows = { before: windowEnd, after: () => null, now };
      state = windowEnd(now) === null ? after.state : afterWindowChange(after.state, config, windows);
    }
    expect(missed[0]).toBeLessThan(last + 3 * period + DAY);
  });

  test("has a new excuse after its next check-in", () => {
    const nightlyJob = { config: { cron: "30 2 * * *" }, period: DAY, first: 2.5 * HOUR };
    let { state, now } = dead(nightlyJob, atNight);
    for (let run = 0; run < 10; run++) {
      // Every other night, the maintenance prevents the run.
      now += 2 * DAY;
      const after = afterMiss(state, nightlyJob.config, { now, windowEnd: atNight });
      expect(after.missedAt).toEqual([]);
      state = afterCheckin(after.state, nightlyJob.config, now);
      expect(state.excusedUntil).toBeNull();
    }
  });
});

describe("behavior 3.22: an outage of stillup in the window of a maintenance that excuses a run", () => {
  const state = afterCheckin(silentHeartbeat, hourly, START);
  const windowEnd = between(0.5, 2);
  const afterWindow = START + 2 * HOUR + 72 * MINUTE;

  test.each([
    ["before the run", 40, 50],
    ["over the run", 50, 65],
    ["over its deadline", 65, 90],
    ["after its deadline", 75, 90],
  ])("%s leaves the job one window after the maintenance", (_, from, to) => {
    const outage = { from: START + from * MINUTE, to: START + to * MINUTE, windowEnd };
    const { state: after, missedAt } = afterOutage(state, hourly, outage);
    expect(missedAt).toEqual([]);
    const late = afterMiss(after, hourly, { now: afterWindow + 1, windowEnd });
    expect(late.missedAt).toEqual([afterWindow]);
  });

  test("that lasts longer than the window gives one window from its end", () => {
    const outage = { from: START + 40 * MINUTE, to: START + 3 * HOUR, windowEnd };
    expect(afterOutage(state, hourly, outage).state.deadline).toBe(START + 3 * HOUR + 72 * MINUTE);
  });

  test("follows the end of the window if it changes", () => {
    const [now, to] = [START + 80 * MINUTE, START + 65 * MINUTE];
    const { state: after } = afterOutage(state, hourly, { from: START + 50 * MINUTE, to, windowEnd });
    const windows = { before: windowEnd, after: () => null, now };
    expect(afterWindowChange(after, hourly, windows).deadline).toBe(now + 72 * MINUTE);
  });

  test("is followed by another one, which gives a window of its own", () => {
    const first = afterOutage(state, hourly, {
      from: START + 50 * MINUTE,
      to: START + 65 * MINUTE,
      windowEnd,
    });
    const outage = { from: START + 2.1 * HOUR, to: START + 3.5 * HOUR, windowEnd };
    expect(afterOutage(first.state, hourly, outage).state.deadline).toBe(START + 3.5 * HOUR + 72 * MINUTE);
  });

  test("leaves the deadline as it is if the window gave it, and it follows the end of the window still", () => {
    const window = between(1, 2);
    const outages = [
      [50, 55],
      [70, 75],
      [80, 90],
    ] as const;
    const after = outages.reduce(
      (before, [from, to]) =>
        afterOutage(before, hourly, {
          from: START + from * MINUTE,
          to: START + to * MINUTE,
          windowEnd: window,
        }).state,
      state,
    );
    expect(after.deadline).toBe(afterWindow);
    const now = START + 95 * MINUTE;
    const windows = { before: window, after: () => null, now };
    expect(afterWindowChange(after, hourly, windows).deadline).toBe(now + 72 * MINUTE);
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
