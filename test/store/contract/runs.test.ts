import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { RunReport } from "../../../src/domain/heartbeats/job-runs.ts";
import type { Recording } from "../../../src/domain/monitors/recording-plan.ts";
import type { JobRun } from "../../../src/store/store.ts";
import { walks } from "../../support/long.ts";
import { alone } from "../../support/store/alone.ts";
import { contractSuite } from "./suite.ts";
import { allPages, DAY, HOUR, MINUTE, NOW, SECOND, untilDone, type World } from "./world.ts";

const fail = (_: string, error: unknown) => {
  throw error;
};

const bytes = (text: string) => new TextEncoder().encode(text);

contractSuite("runs", (world, _, slow) => {
  describe("behavior 18.25: the runs of a job", () => {
    test("are listed with their end, their length and what is kept of their output, the newest first", async () => {
      const job = await world().job();
      await report(world(), job, [
        ["start", { rid: "a", output: bytes("é") }, NOW],
        ["start", {}, NOW + SECOND],
        ["checkin", { rid: "a", exitCode: 3, output: bytes("12") }, NOW + MINUTE],
        ["log", { rid: "x", output: bytes("own") }, NOW + 2 * MINUTE],
      ]);
      expect(await listed(world(), job)).toEqual([
        {
          ...{ id: "3", rid: "x", startedAt: NOW + 2 * MINUTE, endedAt: NOW + 2 * MINUTE, durationMs: null },
          ...{ outcome: "logged", exitCode: null, outputBytes: 3 },
        },
        {
          ...{ id: "2", rid: null, startedAt: NOW + SECOND, endedAt: null, durationMs: null },
          ...{ outcome: "running", exitCode: null, outputBytes: 0 },
        },
        {
          ...{ id: "1", rid: "a", startedAt: NOW, endedAt: NOW + MINUTE, durationMs: MINUTE },
          ...{ outcome: "failed", exitCode: 3, outputBytes: 4 },
        },
      ]);
    });

    test("are `overrun` while they are open beyond their limit", async () => {
      const job = await world().jobWith({ maxRunTime: 60 });
      await report(world(), job, [["start", {}, NOW]]);
      const outcomeAt = async (now: number) => (await listed(world(), job, now))[0]?.outcome;
      expect(await outcomeAt(NOW + MINUTE)).toBe("running");
      expect(await outcomeAt(NOW + MINUTE + 1)).toBe("overrun");
      await report(world(), job, [["checkin", {}, NOW + HOUR]]);
      expect(await outcomeAt(NOW + HOUR)).toBe("ok");
    });

    test("that started and ended in one batch, or in two, are the same", async () => {
      const [one, other] = [await world().job(), await world().job()];
      const steps: Step[] = [
        ["start", { output: bytes("a") }, NOW],
        ["start", {}, NOW + 1],
        ["log", { output: bytes("b") }, NOW + 2],
        ["checkin", { output: bytes("c") }, NOW + 3],
      ];
      await report(world(), one, steps);
      for (const step of steps) await report(world(), other, [step]);
      expect(await listed(world(), one)).toEqual(await listed(world(), other));
      expect(await outputs(world(), one)).toEqual({ 1: "a", 2: "bc" });
      expect(await outputs(world(), other)).toEqual({ 1: "a", 2: "bc" });
    });

    test("of another organization, of another type or of an unknown monitor are not found", async () => {
      const { store, organizationId } = world();
      const [site, other] = [await world().site(), await world().another()];
      const foreign = await other.job();
      for (const monitorId of [site, foreign, "none"]) {
        const wanted = { monitorId, limit: 5, now: NOW };
        const list = store.runs.list(organizationId, wanted);
        expect(await list.catch((error) => error)).toMatchObject({ kind: "not_found" });
        const output = store.runs.findOutput(organizationId, { monitorId, number: 1 });
        expect(await output.catch((error) => error)).toMatchObject({ kind: "not_found" });
      }
    });

    test("have pages, also after new ones, and refuse a cursor that is none", async () => {
      const job = await world().job();
      await report(
        world(),
        job,
        [0, 1, 2, 3, 4].map((at) => ["start", { rid: `r${at}` }, NOW + at]),
      );
      const page = (cursor?: string) =>
        world().store.runs.list(world().organizationId, { monitorId: job, limit: 2, cursor, now: NOW });
      const first = await page();
      await report(world(), job, [["start", { rid: "new" }, NOW + 9]]);
      const second = await page(first.cursor ?? "");
      expect([first, second].map(({ items }) => items.map(({ id }) => id))).toEqual([
        ["5", "4"],
        ["3", "2"],
      ]);
      expect((await page(second.cursor ?? "")).cursor).toBeNull();
      for (const wrong of ["", "0", "-1", "1.5", "x", "99999999999"])
        expect(await page(wrong).catch((error) => error)).toMatchObject({ kind: "invalid" });
    });
  });

  test("behavior 18.60: the report of a job has the limit of its runs, as configured or as learned", async () => {
    const limitOf = async (id: string) => {
      const { store, organizationId } = world();
      return (await store.monitors.findReport(organizationId, { id, range: "1d" }, NOW + DAY)).runLimit;
    };
    const set = await world().jobWith({ maxRunTime: 90 });
    expect(await limitOf(set)).toBeNull();
    await report(world(), set, [["start", {}, NOW]]);
    expect(await limitOf(set)).toBe(90 * SECOND);
    const learning = await world().job();
    for (let run = 0; run < 5; run++) {
      const at = NOW + run * HOUR;
      expect(await limitOf(learning)).toBeNull();
      await report(world(), learning, [
        ["start", {}, at],
        ["checkin", {}, at + 8 * MINUTE],
      ]);
    }
    expect(await limitOf(learning)).toBe(12 * MINUTE);
  });

  describe("behavior 18.26: the output of a run", () => {
    test("is what was sent, byte for byte, also with zeros", async () => {
      const job = await world().job();
      const output = new Uint8Array(10_000);
      await report(world(), job, [["log", { output }, NOW]]);
      const found = await world().store.runs.findOutput(world().organizationId, {
        monitorId: job,
        number: 1,
      });
      expect(new Uint8Array(found)).toEqual(output);
    });

    test("is empty without one, and not found without a run", async () => {
      const job = await world().job();
      await report(world(), job, [["start", {}, NOW]]);
      const output = (number: number | null) =>
        world().store.runs.findOutput(world().organizationId, { monitorId: job, number });
      expect((await output(1)).length).toBe(0);
      for (const number of [null, 2])
        expect(await output(number).catch((error) => error)).toMatchObject({ kind: "not_found" });
    });

    slow("behavior 18.13: only the newest 50 runs of a monitor keep their outputs", async () => {
      const job = await world().job();
      for (let run = 0; run < 52; run++)
        await report(world(), job, [["start", { rid: `r${run}`, output: bytes(`${run}`) }, NOW + run]]);
      await report(world(), job, [["log", { rid: "r0", output: bytes("late") }, NOW + HOUR]]);
      const kept = (await listed(world(), job)).filter(({ outputBytes }) => outputBytes > 0);
      expect(kept.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 50 }, (_, at) => at + 3),
      );
    });
  });

  slow("behavior 18.5: the newest 10,000 runs of a monitor are kept, and its pages end there", async () => {
    const job = await world().job();
    for (let batch = 0; batch < 21; batch++)
      await report(
        world(),
        job,
        Array.from({ length: 500 }, (_, at): Step => ["start", {}, NOW + batch * 1000 + at]),
      );
    const runs = await listed(world(), job);
    expect([runs.length, runs[0]?.id, runs.at(-1)?.id]).toEqual([10_000, "10500", "501"]);
  });

  test("behavior 18.5, 18.13: old runs are deleted with their outputs, but none that is open", async () => {
    const { store, organizationId } = world();
    const [job, other] = [await world().job(), await world().job()];
    await report(world(), job, [
      ["start", { rid: "open", output: bytes("1") }, NOW - 40 * DAY],
      ["start", { output: bytes("2") }, NOW - 39 * DAY],
      ["checkin", {}, NOW - 31 * DAY],
      ["start", { output: bytes("3") }, NOW - 31 * DAY],
      ["checkin", { output: bytes("!") }, NOW - 29 * DAY],
    ]);
    await report(world(), other, [["log", { output: bytes("kept") }, NOW]]);
    await pruneRuns(world(), NOW - 30 * DAY);
    expect(await outputs(world(), job)).toEqual({ 1: "1", 3: "3!" });
    expect(await outputs(world(), other)).toEqual({ 1: "kept" });
    const gone = store.runs.findOutput(organizationId, { monitorId: job, number: 2 });
    expect(await gone.catch((error) => error)).toMatchObject({ kind: "not_found" });
    await report(world(), job, [["checkin", { rid: "open" }, NOW]]);
    expect(await listed(world(), job)).toMatchObject([{ id: "3" }, { id: "1", outcome: "ok", endedAt: NOW }]);
  });

  test("the runs of a deleted monitor are deleted in the background", async () => {
    const { store, organizationId } = world();
    const job = await world().job();
    const steps = Array.from({ length: 250 }, (_, at): Step => ["log", { output: bytes("x") }, NOW + at]);
    await report(world(), job, steps);
    await store.monitors.delete(organizationId, job);
    await untilDone(() => store.housekeeping.sweepDeletedMonitors());
    const next = await world().job();
    expect(await listed(world(), next)).toEqual([]);
    for (const table of ["job_runs", "run_outputs"])
      expect(await world().opened.db.rows(`SELECT * FROM ${table}`)).toEqual([]);
  });

  test("behavior 18.15: an overrun is found by its time, once, and its job is not late before", async () => {
    const { store } = world();
    const job = await world().jobWith({ period: 600, grace: 0, maxRunTime: 1200 });
    await world().checkin(job, "ok");
    await report(world(), job, [["start", {}, NOW + MINUTE]]);
    const overrunAt = NOW + MINUTE + 1200 * SECOND;
    const overdue = async (now: number) =>
      (await store.heartbeats.claimOverdue(alone, { now, limit: 5 })).map(({ monitorId }) => monitorId);
    expect(await overdue(overrunAt)).toEqual([]);
    expect(await overdue(overrunAt + 1)).toEqual([job]);
    const silence = { kind: "silence", monitorId: job, at: overrunAt + 1 } as const;
    await store.recording.record([silence, silence]);
    const [result, ...rest] = await world().results(job);
    expect(result).toMatchObject({ status: "failed", detail: { reason: "overrun" }, createdAt: overrunAt });
    expect(rest).toHaveLength(1);
    expect(await overdue(overrunAt + 1)).toEqual([]);
  });

  describe("behavior 18.70, 18.17: that are open in an outage of stillup", () => {
    test.each([
      ["of an hour", 3600, {}],
      ["of some seconds, long before anything is due", 8, { dueBefore: NOW + 2 * MINUTE }],
    ])("%s are unknown after it, also of a paused monitor", async (_, seconds, outage) => {
      const { store, owner } = world();
      const [job, paused] = [await world().job(), await world().job()];
      for (const one of [job, paused])
        await store.monitors.update(
          owner,
          one,
          { config: { interval: 300, period: 86_400, maxRunTime: 600 } },
          NOW,
        );
      for (const one of [job, paused]) await report(world(), one, [["start", {}, NOW]]);
      await store.monitors.update(owner, paused, { enabled: false }, NOW + SECOND);
      await store.heartbeats.noteAlive(NOW + MINUTE);
      const end = NOW + MINUTE + seconds * SECOND;
      await store.heartbeats.excuseOutage(end, fail, outage);
      await store.monitors.update(owner, paused, { enabled: true }, end);
      const overdue = async (now: number) =>
        (await store.heartbeats.claimOverdue(alone, { now, limit: 5 })).length;
      expect([await overdue(end + 600 * SECOND), await overdue(end + 600 * SECOND + 1)]).toEqual([0, 2]);
      for (const one of [job, paused]) {
        expect(await listed(world(), one, end + 600 * SECOND)).toMatchObject([{ outcome: "running" }]);
        expect(await listed(world(), one, end + 600 * SECOND + 1)).toMatchObject([{ outcome: "overrun" }]);
        await report(world(), one, [["checkin", {}, end + MINUTE]]);
      }
      expect((await listed(world(), job))[0]).toMatchObject({ durationMs: end + MINUTE - NOW });
    });

    test("in which the clock jumped ahead do not take longer by it, and a clock that is set back takes it back", async () => {
      const { store } = world();
      const job = await world().job();
      await report(world(), job, [["start", {}, NOW]]);
      await store.heartbeats.noteAlive(NOW + 2 * SECOND);
      await store.heartbeats.excuseOutage(NOW + HOUR, fail, { jump: HOUR - 2 * SECOND });
      await report(world(), job, [["checkin", {}, NOW + HOUR + SECOND]]);
      expect(await listed(world(), job)).toMatchObject([{ durationMs: 3 * SECOND }]);
    });
  });

  test("an edit of `maxRunTime` moves the time at which a run is judged, and a pause ends it", async () => {
    const { store, owner } = world();
    const job = await world().jobWith({ period: 86_400, maxRunTime: 7200 });
    await report(world(), job, [["start", {}, NOW]]);
    const overdue = async (now: number) =>
      (await store.heartbeats.claimOverdue(alone, { now, limit: 5 })).length;
    expect(await overdue(NOW + 2 * HOUR)).toBe(0);
    const config = { interval: 300, period: 86_400, maxRunTime: 600 };
    await store.monitors.update(owner, job, { config }, NOW + MINUTE);
    expect(await overdue(NOW + 600 * SECOND)).toBe(0);
    expect(await overdue(NOW + 600 * SECOND + 1)).toBe(1);
    await store.monitors.update(owner, job, { enabled: false }, NOW + 2 * MINUTE);
    expect(await overdue(NOW + 10 * DAY)).toBe(0);
  });

  test("any walk of reports leaves the runs of a plain list", async () => {
    const rid = fc.constantFrom(undefined, undefined, "a", "b");
    const step = fc.record({
      kind: fc.constantFrom("start", "start", "checkin", "log"),
      rid,
      text: fc.constantFrom("", "", "x", "yz"),
      isLater: fc.constantFrom(false, false, false, true),
    });
    const walk = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const own = await world().another();
      const job = await own.job();
      const model: { rid: string | null; outcome: string; text: string; isOpen: boolean }[] = [];
      /** The `rid`s of the last hour that ended. */
      const over = new Map<string, "ended" | "again">();
      let at = NOW;
      for (const { kind, rid = null, text, isLater } of steps) {
        at += isLater ? HOUR : SECOND;
        if (isLater) over.clear();
        const report_ = { ...(rid && { rid }), ...(text && { output: bytes(text) }) };
        await report(own, job, [[kind as Step[0], report_, at]]);
        const open = model.findLast((run) => run.isOpen && run.rid === rid);
        if (rid && !open && kind === "start" && over.has(rid)) {
          over.set(rid, "again");
        } else if (rid && !open && kind === "checkin" && over.get(rid) === "ended") {
          // A repeated end.
        } else if (kind === "start") {
          if (open) Object.assign(open, { isOpen: false, outcome: "replaced" });
          model.push({ rid, outcome: "running", text, isOpen: true });
        } else if (open) {
          open.text += text;
          if (kind === "checkin") Object.assign(open, { isOpen: false, outcome: "ok" });
        } else if (text !== "") {
          model.push({ rid, outcome: kind === "log" ? "logged" : "ok", text, isOpen: false });
        }
        if (rid && kind === "checkin") over.set(rid, "ended");
      }
      const found = (await listed(own, job)).toReversed();
      expect(found.map(({ rid, outcome }) => [rid, outcome])).toEqual(
        model.map(({ rid, outcome }) => [rid, outcome]),
      );
      const texts = model.flatMap(({ text }, number) => (text ? [[String(number + 1), text]] : []));
      expect(await outputs(own, job)).toEqual(Object.fromEntries(texts));
    });
    await fc.assert(walk, { numRuns: walks(10) });
  });
});

type Step = [kind: "start" | "log" | "checkin", report: RunReport, at: number];

async function report({ store }: World, monitorId: string, steps: Step[]): Promise<void> {
  await store.recording.record(
    steps.map(([kind, report, at]): Recording => {
      if (kind !== "checkin") return { kind, monitorId, report, at };
      return { kind, monitorId, report, at, status: report.exitCode ? "fail" : "ok" };
    }),
  );
}

function listed({ store, organizationId }: World, monitorId: string, now = NOW): Promise<JobRun[]> {
  return allPages((cursor) => store.runs.list(organizationId, { monitorId, limit: 200, cursor, now }));
}

/** The outputs that are kept, by the ID of the run. */
async function outputs(world: World, monitorId: string): Promise<Record<string, string>> {
  const runs = (await listed(world, monitorId)).filter(({ outputBytes }) => outputBytes > 0);
  const texts = runs.map(async ({ id }) => {
    const number = Number(id);
    const output = await world.store.runs.findOutput(world.organizationId, { monitorId, number });
    return [id, new TextDecoder().decode(output)];
  });
  return Object.fromEntries(await Promise.all(texts));
}

async function pruneRuns({ store }: World, before: number): Promise<void> {
  for (let after: number | null = 0; after !== null; )
    after = await store.housekeeping.pruneRuns(before, after);
}
