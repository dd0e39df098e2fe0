import { describe, expect, test } from "bun:test";
import { JobWalk } from "./job-walk.ts";
import { at, DAY, HOUR, MINUTE, SECOND } from "./walk.ts";

const last = <Item>(items: readonly Item[]): Item | undefined => items.at(-1);

describe("behavior 18.4: a run", () => {
  test("goes from a start to the next check-in, whose result says how long it took", () => {
    const walk = new JobWalk()
      .start()
      .wait(90 * SECOND)
      .end();
    expect(walk.outcomes).toEqual({ 1: "ok" });
    expect(walk.results).toEqual([
      {
        status: "ok",
        latencyMs: null,
        detail: { run: { id: "1", startedAt: "2027-01-04T00:00:00.000Z", durationMs: 90_000 } },
        createdAt: walk.now,
      },
    ]);
  });

  test("with a `rid` ends with the check-in that has it, in any order", () => {
    const walk = new JobWalk().start("a").wait(MINUTE).start("b").wait(MINUTE).start();
    walk.wait(MINUTE).end("b").wait(MINUTE).end().wait(MINUTE).end("a");
    expect(walk.outcomes).toEqual({ 1: "ok", 2: "ok", 3: "ok" });
    const ended = [{ id: "2" }, { id: "3" }, { id: "1" }].map((run) => ({ detail: { run } }));
    expect(walk.results).toMatchObject(ended);
  });

  test("without a `rid` is not ended by a check-in with one, nor the other way round", () => {
    const walk = new JobWalk().start().start("a").end("b");
    expect(walk.outcomes).toEqual({ 1: "open", 2: "open" });
    expect(last(walk.results)?.detail).toBeNull();
  });

  test("that ended is not ended again: the second check-in is one without a run", () => {
    const walk = new JobWalk().start().wait(SECOND).end().wait(SECOND).end();
    expect(walk.results.map(({ detail }) => detail !== null)).toEqual([true, false]);
  });

  test("that starts records no result and changes no deadline of a job that is not late", () => {
    const walk = new JobWalk({ period: 86_400 }).end().wait(30 * MINUTE);
    const before = walk.left;
    walk.start();
    expect(walk.results).toHaveLength(1);
    expect(walk.left).toBe(before);
  });

  test("takes no negative time if the clock was set back in it", () => {
    const walk = new JobWalk().start();
    walk.now -= HOUR;
    walk.end();
    expect(last(walk.results)?.detail).toMatchObject({ run: { durationMs: 0 } });
  });
});

describe("behavior 18.7: an exit code", () => {
  test("other than 0 is a failure with the code", () => {
    const walk = new JobWalk().end(undefined, { code: 3 });
    expect(walk.results).toMatchObject([{ status: "failed", detail: { exitCode: 3 } }]);
  });

  test("of 0 is a success without one", () => {
    const walk = new JobWalk().end(undefined, { code: 0 });
    expect(walk.results).toMatchObject([{ status: "ok", detail: null }]);
  });
});

describe("behavior 18.5: an open run", () => {
  test("is replaced by a second start with the same `rid`, or without one by one without", () => {
    const walk = new JobWalk().start().start("a").start().start("a");
    expect(walk.outcomes).toEqual({ 1: "replaced", 2: "replaced", 3: "open", 4: "open" });
  });

  test("is replaced if it is the oldest of more than 100", () => {
    const walk = new JobWalk();
    for (let run = 0; run < 102; run++) walk.start(`r${run}`);
    expect(Object.values(walk.outcomes).filter((outcome) => outcome === "replaced")).toHaveLength(2);
    expect(walk.outcomes).toMatchObject({ 1: "replaced", 2: "replaced", 3: "open" });
  });
});

describe("behavior 18.11, 18.12: an output", () => {
  test("of the start, of logs and of the end is appended", () => {
    const walk = new JobWalk().start("a", "1 ").log("2 ", "a").end("a", { output: "3" });
    expect(walk.outputs).toEqual({ 1: "1 2 3" });
  });

  test("ends after 10,000 bytes in all, between two characters", () => {
    const walk = new JobWalk().start("a", "x".repeat(9999)).log("é", "a").end("a", { output: "y" });
    expect(walk.outputs[1]).toBe(`${"x".repeat(9999)}y`);
    walk.start("b", "é".repeat(5000)).log("z", "b");
    expect(walk.outputs[2]).toBe("é".repeat(5000));
  });

  test("without an open run gets a run of its own, which counts for nothing", () => {
    const walk = new JobWalk().log("a").end(undefined, { code: 2, output: "b" }).end("x", { output: "c" });
    expect(walk.outcomes).toEqual({ 1: "logged", 2: "failed", 3: "ok" });
    expect(walk.results.map(({ detail }) => detail)).toEqual([{ exitCode: 2 }, null]);
    expect(walk.heartbeat.runs).toMatchObject({ lengths: [], paired: 0, open: [] });
  });

  test("of a log is no check-in", () => {
    const walk = new JobWalk({ period: 60, grace: 0 })
      .end()
      .wait(30 * SECOND)
      .log("a");
    expect(walk.results).toHaveLength(1);
    expect(walk.wait(HOUR).troubles[0]).toBe("havent_heard 1");
  });
});

describe("behavior 18.15: a run that is open for longer than `maxRunTime`", () => {
  const config = { maxRunTime: 600, period: 3600, grace: 0 };

  test("fails once, at that moment", () => {
    const walk = new JobWalk(config)
      .end()
      .start()
      .wait(40 * MINUTE);
    expect(walk.troubles).toEqual(["overrun 10"]);
  });

  test("ends as it ends, later", () => {
    const walk = new JobWalk(config)
      .end()
      .start()
      .wait(40 * MINUTE)
      .end();
    expect(last(walk.results)).toMatchObject({ status: "ok", detail: { run: { durationMs: 40 * MINUTE } } });
    expect(walk.wait(59 * MINUTE).troubles).toEqual(["overrun 10"]);
  });

  test("fails although its end, or another start, comes before the next look at its deadline", () => {
    const walk = new JobWalk(config).end().start("a").start("b");
    walk.now += 10 * MINUTE + 1;
    walk.end("a");
    expect(walk.troubles).toEqual(["overrun 10", "overrun 10"]);
    expect(last(walk.results)?.status).toBe("ok");
    walk.start("c");
    walk.now += 11 * MINUTE;
    walk.start("d");
    expect(walk.troubles).toHaveLength(3);
  });

  test("fails also if it is not the only one, each once", () => {
    const walk = new JobWalk(config)
      .start("a")
      .wait(MINUTE)
      .start("b")
      .wait(40 * MINUTE);
    expect(walk.troubles).toEqual(["overrun 10", "overrun 11"]);
  });

  test("fails at once after an edit that makes the limit shorter", () => {
    const walk = new JobWalk({ period: 86_400 })
      .end()
      .start()
      .wait(30 * MINUTE);
    walk.edit({ ...config, period: 86_400 });
    expect(walk.wait(SECOND).troubles).toEqual(["overrun 30"]);
  });

  test("fails before the first check-in of its job too", () => {
    expect(new JobWalk({ maxRunTime: 60 }).start().wait(HOUR).troubles).toEqual(["overrun 1"]);
  });

  test("is not longer because the clock was set back", () => {
    const walk = new JobWalk({ ...config, period: 86_400 })
      .end()
      .start()
      .wait(5 * MINUTE);
    walk.setBack(3 * HOUR).wait(5 * MINUTE + SECOND);
    expect(walk.troubles).toHaveLength(1);
  });

  test("after 100 years of silence is one result", () => {
    const walk = new JobWalk({ maxRunTime: 1 }).start();
    walk.now += 100 * 365 * DAY;
    walk.take({ kind: "silence", at: walk.now });
    expect(walk.troubles.filter((one) => one.startsWith("overrun"))).toHaveLength(1);
  });
});

describe("behavior 18.16: without `maxRunTime`, the limit", () => {
  const hourly = (length: number, times = 5) => new JobWalk().runs(times, { period: HOUR, length }).start();

  test("is learned after five runs that ended ok, and not before", () => {
    const four = hourly(20 * MINUTE, 4).wait(DAY);
    expect(four.troubles.filter((one) => one.startsWith("overrun"))).toEqual([]);
    const five = hourly(20 * MINUTE).wait(31 * MINUTE);
    expect(five.troubles).toEqual(["overrun 330"]);
  });

  test("is one and a half of the longest, and at least 60 s more than it", () => {
    expect(hourly(20 * MINUTE).wait(30 * MINUTE).troubles).toEqual([]);
    expect(hourly(10 * SECOND).wait(71 * SECOND).troubles).toHaveLength(1);
    expect(hourly(10 * SECOND).wait(70 * SECOND).troubles).toEqual([]);
  });

  test("does not count runs that failed, and forgets those before the last 20", () => {
    const walk = new JobWalk().runs(5, { period: HOUR, length: 40 * MINUTE });
    walk.runs(19, { period: HOUR, length: MINUTE });
    expect(walk.start().wait(50 * MINUTE).troubles).toEqual([]);
    walk.end(undefined, { code: 1 }).wait(10 * MINUTE);
    walk
      .runs(1, { period: HOUR, length: MINUTE })
      .start()
      .wait(10 * MINUTE);
    expect(walk.troubles).toHaveLength(1);
  });
});

describe("behavior 18.18: while a run is open, its job is not late", () => {
  test("before its limit, counted from the first start since the last check-in", () => {
    const walk = new JobWalk({ period: 600, grace: 0, maxRunTime: 1800 })
      .end()
      .wait(5 * MINUTE)
      .start();
    expect(walk.left).toBe(30);
    walk.wait(10 * MINUTE).start();
    expect(walk.left).toBe(20);
    expect(walk.wait(21 * MINUTE).troubles).toEqual(["havent_heard 35"]);
  });

  test("for an hour after the start while the limit is unknown, if that is later than its deadline", () => {
    const walk = new JobWalk({ period: 600, grace: 0 })
      .end()
      .wait(5 * MINUTE)
      .start();
    expect(walk.left).toBe(60);
    expect(walk.wait(61 * MINUTE).troubles).toEqual(["havent_heard 65"]);
    const daily = new JobWalk({ period: 86_400, grace: 0 })
      .end()
      .wait(5 * MINUTE)
      .start();
    expect(daily.left).toBe(1435);
  });

  test("but is late again when the run has ended", () => {
    const walk = new JobWalk({ period: 600, grace: 0, maxRunTime: 1800 })
      .end()
      .wait(5 * MINUTE)
      .start();
    walk.wait(20 * MINUTE).end();
    expect(walk.left).toBe(10);
  });
});

describe("behavior 18.19: a paused job", () => {
  const config = { maxRunTime: 600, period: 86_400 };

  test("records runs, but never an overrun of its pause", () => {
    const walk = new JobWalk(config)
      .end()
      .start("before")
      .wait(5 * MINUTE)
      .pause();
    walk.start("in it").wait(DAY).resume().wait(HOUR);
    expect(walk.troubles).toEqual([]);
    walk.end("in it");
    expect(walk.outcomes).toEqual({ 1: "open", 2: "ok" });
  });

  test("judges a run that goes on after the pause, and began before it", () => {
    const walk = new JobWalk(config)
      .end()
      .start()
      .wait(2 * MINUTE)
      .pause()
      .wait(MINUTE)
      .resume();
    expect(walk.wait(HOUR).troubles).toEqual(["overrun 10"]);
  });

  test("records no overlap", () => {
    const walk = new JobWalk({ overlap: "fail" }).pause().start("a").start("b");
    expect(walk.results).toEqual([]);
  });
});

describe("behavior 18.20: `overlap: fail`", () => {
  test("fails once for each start while another run is open, and both go on", () => {
    const walk = new JobWalk({ overlap: "fail" }).start("a").start("b").start().start("a");
    expect(walk.troubles).toEqual(["overlap 0", "overlap 0", "overlap 0"]);
    walk.end("b").end();
    expect(walk.outcomes).toEqual({ 1: "replaced", 2: "ok", 3: "ok", 4: "open" });
  });

  test("is not a start that replaces the only open run", () => {
    expect(new JobWalk({ overlap: "fail" }).start().start().start().results).toEqual([]);
  });

  test("is nothing without it", () => {
    expect(new JobWalk().start("a").start("b").results).toEqual([]);
  });

  test("is no check-in: the job is late as before", () => {
    const walk = new JobWalk({ overlap: "fail", period: 600, grace: 0 }).end().wait(5 * MINUTE);
    walk.start("a").wait(MINUTE).start("b").end("a").end("b");
    expect(walk.left).toBe(10);
  });
});

describe("behavior 18.21: if each of the last three check-ins ended a run, the starts decide", () => {
  const nightly = (config = {}) =>
    new JobWalk({ cron: "0 3 * * *", grace: 600, ...config }, at("2027-01-04T03:01:00Z"));

  test("on a cron job whose run takes longer than its grace", () => {
    const walk = nightly({ maxRunTime: 3 * 3600 });
    walk.runs(5, { period: DAY, length: 2 * HOUR });
    expect(walk.troubles).toEqual([]);
  });

  test("on a start that does not come: it is missed by the grace, although the last run ended late", () => {
    const walk = nightly({ maxRunTime: 3 * 3600 }).runs(4, { period: DAY, length: 2 * HOUR });
    expect(walk.wait(10 * MINUTE).troubles).toEqual(["havent_heard 5769"]);
  });

  test("on the learned rhythm: runs of changing length that start on time are never late", () => {
    const walk = new JobWalk();
    for (let run = 0; run < 60; run++) {
      const length = (10 + ((run * 7) % 10)) * MINUTE;
      walk
        .start()
        .wait(length)
        .end()
        .wait(HOUR - length);
    }
    expect(walk.troubles).toEqual([]);
    expect(walk.wait(12 * MINUTE - SECOND).troubles).toEqual([]);
    expect(walk.wait(2 * SECOND).troubles).toEqual(["havent_heard 3612"]);
  });

  test("before the limit of its runs is learned, without an alarm for runs that take hours", () => {
    for (const length of [2 * HOUR, 4 * HOUR])
      expect(new JobWalk().runs(12, { period: 6 * HOUR, length }).troubles).toEqual([]);
  });

  test("not any more after a check-in without a start", () => {
    const walk = new JobWalk({ period: 3600, grace: 0 }).runs(4, { period: HOUR, length: 30 * MINUTE });
    expect(walk.left).toBe(0);
    walk.end();
    expect(walk.left).toBe(60);
  });

  test("not of a job that only starts: it is not healthy", () => {
    const walk = nightly().runs(6, { period: DAY, length: HOUR });
    for (let day = 0; day < 3; day++) walk.start().wait(DAY);
    expect(walk.troubles.length).toBeGreaterThanOrEqual(3);
    const never = new JobWalk({ period: 3600, grace: 0 });
    for (let hour = 0; hour < 5; hour++) never.start().wait(HOUR);
    expect(never.troubles.length).toBeGreaterThanOrEqual(3);
  });

  test("on a run that takes longer than the period: the job is not late when it ends", () => {
    const walk = new JobWalk({ period: 3600, grace: 0, maxRunTime: 7200 });
    walk.runs(4, { period: HOUR, length: 30 * MINUTE });
    walk
      .start()
      .wait(90 * MINUTE)
      .end();
    expect(walk.left).toBe(60);
    expect(walk.troubles).toEqual([]);
  });
});

describe("behavior 18.22: a run that took too long counts as the missed run", () => {
  test("if it started in time", () => {
    const walk = new JobWalk({ cron: "0 3 * * *", grace: 3600 }, at("2027-01-04T03:01:00Z"));
    walk.runs(5, { period: DAY, length: 10 * MINUTE }).start();
    expect(walk.wait(23 * HOUR).troubles).toEqual([`overrun ${5 * 1440 + 15}`]);
    expect(walk.wait(3 * HOUR).troubles).toHaveLength(2);
  });

  test("if its job is late because of it alone", () => {
    const walk = new JobWalk({ period: 600, grace: 0, maxRunTime: 1800 }).end().wait(MINUTE).start();
    expect(walk.wait(31 * MINUTE).troubles).toEqual(["overrun 31"]);
  });

  test("but not if the job is late some time after it", () => {
    const walk = new JobWalk({ period: 3600, grace: 0, maxRunTime: 60 }).end().start();
    expect(walk.wait(61 * MINUTE).troubles).toEqual(["overrun 1", "havent_heard 60"]);
  });
});
