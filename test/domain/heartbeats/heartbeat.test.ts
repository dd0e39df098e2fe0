import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { afterPause, silentHeartbeat } from "../../../src/domain/heartbeats/heartbeat.ts";
import { afterMiss } from "../../../src/domain/heartbeats/missed-runs.ts";
import { afterCheckin, afterPausedCheckin } from "../../../src/domain/heartbeats/reports.ts";
import { afterEdit, afterResume } from "../../../src/domain/heartbeats/run-steps.ts";
import { at, DAY, HOUR, MINUTE, SECOND, Walk } from "./walk.ts";

describe("behavior 3.1, 3.2: the first check-ins", () => {
  test("a job that never checked in has no deadline", () => {
    const walk = new Walk().listen(at("2030-01-01T00:00:00Z"));
    expect(walk.state).toEqual(silentHeartbeat);
    expect(walk.misses).toEqual([]);
  });

  test.each([{}, { grace: 0 }, { grace: 60 }])(
    "the first check-in gives 25 hours, with the grace of %p",
    (config) => {
      expect(new Walk(config).checkin().left).toBe(25 * HOUR);
    },
  );

  test("a grace of more than an hour is added to the first day", () => {
    expect(new Walk({ grace: 2 * 3600 }).checkin().left).toBe(26 * HOUR);
  });

  test("silence after the first check-in is a miss after 25 hours, and after each further day", () => {
    const walk = new Walk().checkin();
    const first = walk.now;
    walk.listen(first + 74 * HOUR);
    expect(walk.misses).toEqual([25, 49, 73].map((hours) => first + hours * HOUR));
  });
});

describe("behavior 12.67: a check-in that is recorded after a newer one", () => {
  const job = () => new Walk({ period: 600, grace: 60 }).checkin().every(10 * MINUTE, 5);

  test("changes neither the deadline nor the rhythm", () => {
    const { state, config, now } = job();
    for (const late of [1, SECOND, 20 * SECOND])
      expect(afterCheckin(state, config, now - late)).toEqual(state);
    const paused = afterPause(state);
    expect(afterPausedCheckin(paused, config, now - SECOND)).toEqual(paused);
  });

  test("counts by itself after a longer time, because the clock was set back", () => {
    const { state, config, now } = job();
    const early = now - 2 * MINUTE;
    expect(afterCheckin(state, config, early)).toMatchObject({
      ...{ lastCheckinAt: early, deadline: early + 11 * MINUTE },
    });
  });
});

describe("the second and the third check-in", () => {
  test.each([
    ["twice within seconds, as by hand or by a retry", [5 * SECOND]],
    ["three times within seconds", [5 * SECOND, SECOND]],
    ["after an hour and after another", [HOUR, HOUR]],
    ["late, and once more", [3 * DAY, HOUR]],
  ])("%s, still leave 25 hours", (_, gaps) => {
    const walk = new Walk().checkin().checkins(...gaps);
    expect(walk.left).toBe(25 * HOUR);
  });

  test("have a longer window if their gaps are longer", () => {
    expect(new Walk({ grace: 2 * 3600 }).checkin().every(24 * HOUR, 2).left).toBe(26 * HOUR);
    expect(new Walk().checkin().every(3 * DAY, 2).left).toBe(3 * DAY + HOUR);
  });

  test("are followed by one miss a day, whatever their gaps", () => {
    const walk = new Walk().checkin().checkins(5 * SECOND, 5 * SECOND);
    const last = walk.now;
    walk.listen(last + 74 * HOUR);
    expect(walk.misses).toEqual([25, 49, 73].map((hours) => last + hours * HOUR));
  });

  test("and a fourth have the window of the longest of the three gaps", () => {
    expect(new Walk().checkin().checkins(HOUR, 5 * SECOND, 50 * MINUTE).left).toBe(72 * MINUTE);
  });

  test("sent by hand on the day before do not make a daily job late", () => {
    const walk = new Walk()
      .checkin()
      .checkins(5 * SECOND, 20 * HOUR)
      .every(DAY, 30);
    expect(walk.misses).toEqual([]);
    expect(walk.left).toBe(25 * HOUR);
  });
});

describe("a regular job", () => {
  test.each([
    ["every second", SECOND, 5 * MINUTE],
    ["every minute", MINUTE, 5 * MINUTE],
    ["every 4 minutes", 4 * MINUTE, 5 * MINUTE],
    ["every 5 minutes", 5 * MINUTE, 6 * MINUTE],
    ["hourly", HOUR, 72 * MINUTE],
    ["every 5 hours", 5 * HOUR, 6 * HOUR],
    ["daily", DAY, 25 * HOUR],
  ])("that runs %s has a window of its period and a fifth, in bounds", (_, gap, window) => {
    const walk = new Walk().checkin().every(gap, 30);
    expect(walk.left).toBe(window);
    expect(walk.misses).toEqual([]);
  });

  test("that runs on Mondays and Thursdays is not missed after both of its gaps were seen", () => {
    const walk = new Walk().checkin().checkins(3 * DAY, 4 * DAY);
    walk.misses = [];
    for (let week = 0; week < 20; week++) walk.checkins(3 * DAY, 4 * DAY);
    expect(walk.misses).toEqual([]);
    expect(walk.left).toBe(4 * DAY + HOUR);
  });

  test("whose gaps vary has the window of the longest of the last 20", () => {
    const walk = new Walk().checkin().checkins(HOUR, 70 * MINUTE, ...Array(18).fill(HOUR));
    expect(walk.left).toBe(84 * MINUTE);
    expect(walk.every(HOUR, 2).left).toBe(72 * MINUTE);
  });
});

describe("behavior 3.17, 3.18: a job that dies", () => {
  test("is missed once for each run, at its deadline, however late the misses are computed", () => {
    const walk = new Walk().checkin().every(HOUR, 5);
    const last = walk.now;
    walk.listen(last + 4.5 * HOUR);
    expect(walk.misses).toEqual([72, 132, 192, 252].map((minutes) => last + minutes * MINUTE));
  });

  test("has the same misses, whether they are computed each second or once", () => {
    const alive = new Walk().checkin().every(5 * MINUTE, 5);
    const step = new Walk().checkin().every(5 * MINUTE, 5);
    const until = alive.now + HOUR;
    while (step.now < until) step.listen(step.now + SECOND);
    expect(step.misses).toEqual(alive.listen(until).misses);
    expect(step.state).toEqual(alive.state);
  });

  test("is missed at most every 300 s, however short its period is", () => {
    const walk = new Walk({ period: 10, grace: 0 }).checkin();
    const last = walk.now;
    walk.listen(last + 11 * MINUTE);
    expect(walk.misses).toEqual([10, 310, 610].map((seconds) => last + seconds * SECOND));
  });

  test("behavior 3.19: and returns has the same window as before", () => {
    const walk = new Walk().checkin().every(5 * MINUTE, 20);
    walk.checkins(DAY, 5 * MINUTE);
    expect(walk.left).toBe(6 * MINUTE);
  });

  test("and returns from time to time is missed each time", () => {
    const walk = new Walk().checkin().every(5 * MINUTE, 20);
    for (const times of [3, 4, 5]) {
      walk.misses = [];
      walk.checkins(HOUR);
      expect(walk.misses).toHaveLength(11);
      expect(walk.every(5 * MINUTE, times).left).toBe(6 * MINUTE);
    }
  });

  test("is not late exactly at the deadline", () => {
    const { state, now, config } = new Walk({ period: 60, grace: 0 }).checkin();
    expect(afterMiss(state, config, { now: now + MINUTE }).missedAt).toEqual([]);
    expect(afterMiss(state, config, { now: now + MINUTE + 1 }).missedAt).toEqual([now + MINUTE]);
  });
});

describe("behavior 3.3: a change of rhythm", () => {
  test("to a longer one is learned after two consecutive late gaps", () => {
    const walk = new Walk().checkin().every(5 * MINUTE, 20);
    expect(walk.checkins(HOUR).left).toBe(6 * MINUTE);
    expect(walk.checkins(HOUR).left).toBe(72 * MINUTE);
    walk.misses = [];
    walk.every(HOUR, 50);
    expect(walk.misses).toEqual([]);
    expect(walk.left).toBe(72 * MINUTE);
  });

  test("to a shorter one is learned after 20 gaps", () => {
    const walk = new Walk().checkin().every(HOUR, 20).every(MINUTE, 19);
    expect(walk.left).toBe(72 * MINUTE);
    expect(walk.every(MINUTE, 1).left).toBe(5 * MINUTE);
  });

  test("at the start: a weekly rhythm is learned with the third check-in", () => {
    const walk = new Walk().checkin().every(7 * DAY, 2);
    expect(walk.left).toBe(7 * DAY + HOUR);
  });
});

describe("behavior 3.8, 3.9: a configured rhythm", () => {
  test.each([
    [{ period: 10 }, 70 * SECOND],
    [{ period: 10, grace: 0 }, 10 * SECOND],
    [{ period: 3600 }, 72 * MINUTE],
    [{ period: 3600, grace: 1 }, HOUR + SECOND],
    [{ period: 31_536_000, grace: 31_536_000 }, 730 * DAY],
  ])("of %p gives period plus grace from the first check-in on", (config, window) => {
    expect(new Walk(config).checkin().left).toBe(window);
  });

  test("a grace alone is added to the learned period", () => {
    expect(new Walk({ grace: 7200 }).checkin().every(HOUR, 3).left).toBe(3 * HOUR);
  });
});

describe("behavior 3.23, 3.24: a pause", () => {
  const config = {};
  const { state, now } = new Walk().checkin().every(HOUR, 3);

  test("has no deadline", () => {
    expect(afterMiss(afterPause(state), config, { now: now + 10 * DAY }).missedAt).toEqual([]);
  });

  test("still learns from check-ins", () => {
    const heard = afterPausedCheckin(afterPause(state), config, now + 2 * HOUR);
    expect(heard).toMatchObject({ lastCheckinAt: now + 2 * HOUR, deadline: null });
    expect(heard.gaps.at(-1)).toEqual({ length: 2 * HOUR, kind: "late" });
  });

  test("gives the job a full window when it ends", () => {
    const resumed = afterResume(afterPause(state), config, now + 70 * MINUTE);
    expect(resumed.deadline).toBe(now + 142 * MINUTE);
    const daily = { cron: "0 2 * * *" };
    const heard = afterCheckin(silentHeartbeat, daily, at("2027-01-04T02:00:05Z"));
    expect(afterResume(afterPause(heard), daily, at("2027-01-05T02:30:00Z")).deadline).toBe(
      at("2027-01-06T03:00:00Z"),
    );
  });

  test("of a job that never checked in ends without a deadline", () => {
    expect(afterResume(silentHeartbeat, config, now)).toEqual(silentHeartbeat);
  });
});

describe("behavior 3.26, 3.27: an edit", () => {
  const { state, now } = new Walk().checkin().every(HOUR, 3);
  const edit = (after: { period?: number; cron?: string; grace?: number }, time: number) =>
    afterEdit(state, { before: {}, after }, time).deadline;

  test("that leaves the rhythm unchanged leaves the deadline unchanged", () => {
    expect(afterEdit(state, { before: { grace: 60 }, after: { grace: 60 } }, now + DAY)).toBe(state);
  });

  test("counts from the last check-in, if the job is on time by the new rhythm", () => {
    expect(edit({ period: 7200, grace: 60 }, now + MINUTE)).toBe(now + 121 * MINUTE);
  });

  test("counts from now, if the job would already be late", () => {
    expect(edit({ period: 60, grace: 60 }, now + HOUR)).toBe(now + 62 * MINUTE);
  });

  test("to a cron expression makes the deadline that of the next run", () => {
    const time = at("2027-01-04T09:30:00Z");
    expect(edit({ cron: "0 8 * * *" }, time)).toBe(at("2027-01-05T09:00:00Z"));
  });

  test("of a monitor that is paused or never checked in sets no deadline", () => {
    const change = { before: {}, after: { period: 60 } };
    expect(afterEdit(afterPause(state), change, now).deadline).toBeNull();
    expect(afterEdit(silentHeartbeat, change, now).deadline).toBeNull();
  });
});

const gaps = fc.array(fc.integer({ min: 0, max: 40 * DAY }), { maxLength: 60 });

test("behavior 3.4: a learned deadline is at least 300 s after the check-in", () => {
  fc.assert(
    fc.property(gaps, fc.option(fc.nat({ max: 31_536_000 }), { nil: undefined }), (lengths, grace) => {
      const walk = new Walk(grace === undefined ? {} : { grace }).checkin().checkins(...lengths);
      expect(walk.left).toBeGreaterThanOrEqual(300 * SECOND);
      expect(walk.state.gaps.length).toBeLessThanOrEqual(20);
    }),
  );
});

test("a state survives JSON", () => {
  fc.assert(
    fc.property(gaps, (lengths) => {
      const { state } = new Walk().checkin().checkins(...lengths);
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    }),
  );
});

test("two misses are at least 300 s apart, and none is returned twice", () => {
  fc.assert(
    fc.property(gaps, fc.array(fc.integer({ min: 1, max: DAY }), { maxLength: 20 }), (lengths, looks) => {
      const walk = new Walk().checkin().checkins(...lengths);
      walk.misses = [];
      for (const look of looks) walk.listen(walk.now + look);
      for (const [index, miss] of walk.misses.slice(1).entries())
        expect(miss - (walk.misses[index] ?? 0)).toBeGreaterThanOrEqual(300 * SECOND);
    }),
  );
});
