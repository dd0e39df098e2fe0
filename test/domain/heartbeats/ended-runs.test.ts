import { describe, expect, test } from "bun:test";
import { JobWalk } from "./job-walk.ts";
import { HOUR, MINUTE, SECOND } from "./walk.ts";

const config = { maxRunTime: 600, period: 3600, grace: 0, overlap: "fail" } as const;

describe("behavior 18.72: a start that arrives after the end of its run", () => {
  test("opens no run, overlaps with nothing, and hides no silence", () => {
    const walk = new JobWalk(config).start("a").wait(SECOND).end("a").start("a");
    expect(walk.outcomes).toEqual({ 1: "ok" });
    walk.start("b").wait(MINUTE).end("b");
    expect(walk.wait(HOUR + SECOND).troubles).toHaveLength(1);
    expect(walk.troubles[0]).toStartWith("havent_heard");
  });

  test("opens no run either if its end arrived without a start", () => {
    const walk = new JobWalk(config)
      .end("a")
      .wait(4 * SECOND)
      .start("a")
      .wait(59 * MINUTE);
    expect([walk.outcomes, walk.troubles]).toEqual([{}, []]);
  });

  test("of an earlier node's clock opens no run", () => {
    const walk = new JobWalk(config).start("a").wait(MINUTE).end("a");
    walk.now -= 30 * SECOND;
    expect(walk.start("a").outcomes).toEqual({ 1: "ok" });
  });

  test("an hour later opens a run", () => {
    const walk = new JobWalk(config)
      .start("a")
      .end("a")
      .wait(HOUR - 1);
    expect(walk.start("a").outcomes).toEqual({ 1: "ok" });
    expect(walk.wait(1).start("a").outcomes).toEqual({ 1: "ok", 2: "open" });
  });

  test("without a `rid` opens a run", () => {
    expect(new JobWalk(config).start().end().start().outcomes).toEqual({ 1: "ok", 2: "open" });
  });

  test("of a job with one `rid` for all its runs opens none, but the ends count as check-ins", () => {
    const walk = new JobWalk({ period: 600, grace: 0 }).runs(0, { period: 1, length: 1 });
    for (let run = 0; run < 20; run++)
      walk
        .start("main")
        .wait(MINUTE)
        .end("main")
        .wait(8 * MINUTE);
    expect([walk.troubles, walk.results.length]).toEqual([[], 20]);
  });

  test("is found among many", () => {
    const walk = new JobWalk(config);
    const rids = Array.from({ length: 900 }, (_, run) => `run-${run}`);
    for (const rid of rids) walk.start(rid).wait(SECOND).end(rid);
    for (const rid of rids) walk.start(rid);
    expect(walk.heartbeat.runs?.open).toEqual([]);
  });

  test("takes no more memory for more than 1,000 runs an hour", () => {
    const walk = new JobWalk(config);
    for (let run = 0; run < 1500; run++) walk.end(`run-${run}`);
    expect(JSON.stringify(walk.heartbeat.runs).length).toBeLessThan(50_000);
    expect(walk.wait(HOUR).end("last").heartbeat.runs?.ended).toEqual([[expect.any(String), walk.now]]);
  });
});

describe("behavior 18.73: an end that is repeated", () => {
  test("within an hour counts once, also as another one and with an output", () => {
    const walk = new JobWalk(config).start("a").wait(MINUTE).end("a", { code: 3 });
    const before = walk.heartbeat;
    walk.wait(SECOND).end("a", { code: 3, output: "again" }).end("a");
    expect(walk.results).toHaveLength(1);
    expect(walk.heartbeat).toEqual(before);
    expect(walk.wait(HOUR).end("a").results.length).toBeGreaterThan(1);
  });

  test("counts once without a start too", () => {
    expect(new JobWalk(config).end("a").end("a").results).toHaveLength(1);
  });

  test("ends the run that is open with its `rid` nevertheless", () => {
    const walk = new JobWalk(config).start("a").end("a").wait(HOUR).start("a").wait(MINUTE).end("a");
    expect(walk.outcomes).toEqual({ 1: "ok", 2: "ok" });
  });

  test("without a `rid` counts each time", () => {
    expect(new JobWalk(config).start().end().end().results).toHaveLength(2);
  });

  test("of a run that is over keeps the output of a late log", () => {
    const walk = new JobWalk(config).start("a").end("a").log("late", "a");
    expect([walk.outcomes, walk.outputs]).toEqual([{ 1: "ok", 2: "logged" }, { 2: "late" }]);
  });
});
