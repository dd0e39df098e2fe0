import { describe, expect, test } from "bun:test";
import { JobWalk } from "./job-walk.ts";
import { DAY, HOUR, MINUTE, SECOND } from "./walk.ts";

const limited = { maxRunTime: 600, period: 86_400 };

const lengthOf = (walk: JobWalk) =>
  (walk.results.at(-1)?.detail?.run as { durationMs: number } | undefined)?.durationMs;

describe("behavior 18.17: the time that stillup did not see", () => {
  test("is not the run's if the clock jumped ahead: neither of its length nor of the learned limit", () => {
    const walk = new JobWalk(limited)
      .end()
      .start()
      .wait(2 * SECOND)
      .jump(30 * MINUTE)
      .wait(8 * SECOND);
    expect(walk.troubles).toEqual([]);
    expect(lengthOf(walk.end())).toBe(10 * SECOND);
    expect(walk.heartbeat.runs?.lengths).toEqual([10 * SECOND]);
  });

  test("is a part of the length of a run, but not of the learned limit, if no server ran", () => {
    const walk = new JobWalk(limited)
      .end()
      .start()
      .wait(MINUTE)
      .down(8 * MINUTE)
      .wait(MINUTE)
      .end();
    expect(lengthOf(walk)).toBe(10 * MINUTE);
    expect(walk.heartbeat.runs?.lengths).toEqual([2 * MINUTE]);
  });

  test("counts from the start of a run that began in the last second before it", () => {
    const walk = new JobWalk(limited).end().start();
    walk.now += MINUTE;
    walk.take({ kind: "outage", from: walk.now - 2 * MINUTE, at: walk.now });
    expect(walk.wait(MINUTE).end().heartbeat.runs?.lengths).toEqual([MINUTE]);
  });

  test("is counted once if the clock was set back as far again", () => {
    const walk = new JobWalk(limited).end().start().wait(MINUTE).jump(HOUR).wait(MINUTE).setBack(HOUR);
    expect(lengthOf(walk.wait(MINUTE).end())).toBe(3 * MINUTE);
  });
});

describe("behavior 18.70: a run that was open in an outage of stillup", () => {
  test("is too long when its whole limit has passed since the outage, not before", () => {
    const walk = new JobWalk(limited)
      .end()
      .start()
      .wait(5 * MINUTE)
      .down(25 * MINUTE);
    expect(walk.troubles).toEqual([]);
    expect(walk.wait(HOUR).troubles).toEqual(["overrun 40"]);
  });

  test("is too long by its limit if that passed before the outage", () => {
    const walk = new JobWalk(limited)
      .end()
      .start()
      .wait(10 * MINUTE)
      .wait(SECOND / 2)
      .down(HOUR);
    expect(walk.wait(HOUR).troubles).toEqual(["overrun 10"]);
  });

  test("whose end was lost does not make the job late while the next run, which started in time, is open", () => {
    const walk = new JobWalk({ period: 3600, grace: 600 }).runs(6, { period: HOUR, length: 40 * MINUTE });
    const before = walk.minuteOf(walk.now);
    walk
      .start()
      .wait(38 * MINUTE)
      .down(4 * MINUTE)
      .wait(18 * MINUTE)
      .start()
      .wait(41 * MINUTE);
    expect(walk.troubles).toEqual([]);
    walk
      .end()
      .wait(19 * MINUTE)
      .start()
      .wait(40 * MINUTE)
      .end();
    expect(walk.troubles).toEqual([]);
    expect(walk.minuteOf(walk.now) - before).toBe(160);
  });

  test("with an unknown limit makes the job late an hour after the outage, also with `cron`", () => {
    const walk = new JobWalk({ cron: "0 2 * * *", grace: 60 }, Date.parse("2027-01-04T02:00:00Z")).end();
    walk
      .wait(DAY)
      .start()
      .wait(20 * MINUTE)
      .down(20 * SECOND);
    expect(walk.wait(59 * MINUTE).troubles).toEqual([]);
    const late = 1440 + 80 + 1 / 3;
    expect(walk.wait(12 * HOUR).troubles).toEqual([`havent_heard ${late}`]);
  });

  test("keeps its job from being late for a window if the next start was expected in the outage too", () => {
    const walk = new JobWalk({ cron: "0 2 * * *", grace: 60 }, Date.parse("2027-01-04T02:00:00Z")).end();
    walk
      .wait(DAY)
      .start()
      .wait(20 * MINUTE)
      .down(26 * HOUR)
      .wait(21 * HOUR);
    expect(walk.troubles).toEqual([]);
    expect(walk.wait(2 * HOUR).troubles).toHaveLength(1);
  });

  test("is found although stillup restarts often", () => {
    const walk = new JobWalk(limited).end().start();
    for (let restart = 0; restart < 20; restart++) walk.wait(5 * MINUTE).down(MINUTE);
    expect(walk.troubles).toHaveLength(1);
  });

  test("is not hidden by starts that never end, although stillup restarts before each", () => {
    const walk = new JobWalk({ period: 600, grace: 0, maxRunTime: 900 }).end();
    for (let restart = 0; restart < 20; restart++)
      walk
        .start()
        .wait(9 * MINUTE)
        .down(MINUTE);
    expect(walk.troubles.length).toBeGreaterThan(0);
  });

  test("of a paused monitor is unknown after the pause too", () => {
    const walk = new JobWalk(limited).end().start().wait(MINUTE).pause().wait(MINUTE).down(HOUR).resume();
    expect(walk.wait(9 * MINUTE).troubles).toEqual([]);
    expect(walk.wait(DAY / 2).troubles).toEqual(["overrun 72"]);
  });
});

describe("behavior 18.71: a start with `overlap: fail`", () => {
  const config = { ...limited, overlap: "fail" } as const;

  test("does not overlap with a run that is beyond its limit, whose end may be lost", () => {
    const walk = new JobWalk(config).end().start("lost").wait(HOUR);
    for (const rid of ["a", "b"]) walk.start(rid).wait(MINUTE).end(rid).wait(HOUR);
    expect(walk.troubles).toEqual(["overrun 10"]);
  });

  test("does not overlap with a run that reached its limit in a pause", () => {
    const walk = new JobWalk(config).end().start("lost").pause().wait(HOUR).resume().start("a");
    expect(walk.troubles).toEqual([]);
  });

  test("does not overlap with a run that was open in an outage of stillup", () => {
    const walk = new JobWalk(config).end().start("lost").wait(MINUTE).down(MINUTE).start("a");
    expect(walk.troubles).toEqual([]);
    expect(walk.start("b").troubles).toEqual(["overlap 2"]);
  });

  test("overlaps with a run whose limit became longer than it is open", () => {
    const walk = new JobWalk(config)
      .end()
      .start("long")
      .wait(MINUTE)
      .edit({ ...config, maxRunTime: 7200 });
    expect(walk.wait(HOUR).start("a").troubles).toEqual(["overlap 61"]);
  });
});

describe("behavior 18.74: in a maintenance", () => {
  test("a run that reaches its limit is too long at the end of the maintenance, if it is open then", () => {
    const hung = new JobWalk(limited).maintenance(5, 30).end().start().wait(HOUR);
    expect(hung.troubles).toEqual(["overrun 30"]);
    const ended = new JobWalk(limited)
      .maintenance(5, 30)
      .end()
      .start()
      .wait(20 * MINUTE)
      .end()
      .wait(HOUR);
    expect(ended.troubles).toEqual([]);
  });

  test("a run that starts in it and reaches its limit in it is too long in it", () => {
    const walk = new JobWalk(limited).maintenance(0, 30).end().wait(MINUTE).start().wait(HOUR);
    expect(walk.troubles).toEqual(["overrun 11"]);
  });

  test("behavior 18.71: a run that is beyond its limit is not open for an overlap, although it is held", () => {
    const walk = new JobWalk({ ...limited, overlap: "fail" })
      .maintenance(5, 30)
      .end()
      .start("lost")
      .wait(20 * MINUTE)
      .start("next")
      .wait(MINUTE)
      .end("next");
    expect(walk.troubles).toEqual([]);
  });

  test("a run is held over windows that follow one another", () => {
    const walk = new JobWalk(limited).maintenance(5, 30).maintenance(30, 40).end().start().wait(HOUR);
    expect(walk.troubles).toEqual(["overrun 40"]);
  });

  test("a job that is late in it only because of an open run is late at its end, and once", () => {
    const config = { cron: "0 2 * * *", grace: 60 };
    const begin = Date.parse("2027-01-04T02:00:00Z");
    const hung = new JobWalk(config, begin)
      .maintenance(1440 + 30, 1440 + 90)
      .end()
      .wait(DAY)
      .start();
    expect(hung.wait(89 * MINUTE).troubles).toEqual([]);
    expect(hung.wait(12 * HOUR).troubles).toEqual(["havent_heard 1530"]);
    const ended = new JobWalk(config, begin)
      .maintenance(1440 + 30, 1440 + 90)
      .end()
      .wait(DAY)
      .start();
    expect(
      ended
        .wait(70 * MINUTE)
        .end()
        .wait(12 * HOUR).troubles,
    ).toEqual([]);
  });
});
