import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { walks } from "../../support/long.ts";
import { alone } from "../../support/store/alone.ts";
import { contractSuite } from "./suite.ts";
import { DAY, HOUR, MINUTE, NOW, SECOND, type World } from "./world.ts";

const PERIOD = { period: 600, grace: 60 };
/** From a check-in of such a job to its deadline. */
const WINDOW = 660 * SECOND;

contractSuite("heartbeats", (world) => {
  test("jobs are overdue after their deadline, the earliest deadline first", async () => {
    const [late, later, silent] = [await periodic(world()), await periodic(world()), await world().job()];
    await world().checkin(later, "ok", NOW + 1);
    await world().checkin(late, "fail", NOW);
    expect(await deadlineOf(world(), late)).toBe(NOW + WINDOW);
    expect(await deadlineOf(world(), silent)).toBeNull();
    const claimed = overdue(world());
    expect(await claimed(NOW + WINDOW, 10)).toEqual([]);
    expect(await claimed(NOW + WINDOW + 1, 10)).toEqual([late]);
    expect(await claimed(NOW + DAY, 10)).toEqual([late, later]);
    expect(await claimed(NOW + DAY, 1)).toEqual([late]);
  });

  test("a missed run is recorded once, at the time of its deadline", async () => {
    const { store } = world();
    const job = await periodic(world());
    await world().checkin(job, "ok");
    const silence = { kind: "silence", monitorId: job, at: NOW + WINDOW + 5 * SECOND } as const;
    expect(await store.recording.record([silence])).toMatchObject([{ status: "havent_heard", missed: 1 }]);
    expect(await store.recording.record([silence])).toMatchObject([{ missed: 0 }]);
    const found = (await world().results(job)).map(({ status, createdAt }) => [status, createdAt]);
    expect(found).toEqual([
      ["havent_heard", NOW + WINDOW],
      ["ok", NOW],
    ]);
    expect(await deadlineOf(world(), job)).toBe(NOW + WINDOW + 600 * SECOND);
  });

  test("any walk of check-ins, pauses and deletes leaves the deadlines of a plain map", async () => {
    const step = fc.record({
      act: fc.constantFrom("create", "check in", "check in", "pause", "resume", "postpone", "delete"),
      at: fc.nat(9),
      gap: fc.integer({ min: 1, max: 300 * SECOND }),
    });
    const walk = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const own = await world().another();
      const { store, owner, organizationId } = own;
      const model = new Map<string, { deadline: number | null; hasCheckedIn: boolean; isPaused: boolean }>();
      let now = NOW;
      for (const { act, at, gap } of steps) {
        now += gap;
        const [id, before] = [...model][at % Math.max(model.size, 1)] ?? [];
        if (act === "create" || !id || !before) {
          model.set(await periodic(own), { deadline: null, hasCheckedIn: false, isPaused: false });
        } else if (act === "check in") {
          await own.checkin(id, "ok", now);
          const deadline = before.isPaused ? null : now + WINDOW;
          model.set(id, { ...before, hasCheckedIn: true, deadline });
        } else if (act === "pause") {
          await store.monitors.update(owner, id, { enabled: false }, now);
          model.set(id, { ...before, isPaused: true, deadline: null });
        } else if (act === "resume" && before.isPaused) {
          await store.monitors.update(owner, id, { enabled: true }, now);
          const deadline = before.hasCheckedIn ? now + WINDOW : null;
          model.set(id, { ...before, isPaused: false, deadline });
        } else if (act === "postpone") {
          await store.heartbeats.postponeDeadline(id, now + DAY);
          if (before.deadline !== null) model.set(id, { ...before, deadline: now + DAY });
        } else if (act === "delete") {
          await store.monitors.delete(organizationId, id);
          model.delete(id);
        }
      }
      for (const [id, { deadline }] of model) expect(await deadlineOf(own, id)).toBe(deadline);
      const found = await overdue(own)(now + WINDOW, 1000);
      const expected = [...model].filter(([, { deadline }]) => deadline !== null && deadline < now + WINDOW);
      const order = expected.toSorted(([, a], [, b]) => (a.deadline ?? 0) - (b.deadline ?? 0));
      expect(found.filter((id) => model.has(id))).toEqual(order.map(([id]) => id));
    });
    const postponed = ["create", "check in", "postpone"].map((act) => ({ act, at: 0, gap: SECOND }));
    await fc.assert(walk, { numRuns: walks(15), examples: [[postponed]] });
  });

  describe("an outage of stillup", () => {
    test("behavior 3.20: extends the deadlines that had not passed, and records those that had as missed", async () => {
      const [waiting, missed] = [await periodic(world()), await periodic(world())];
      await world().checkin(missed, "ok", NOW - HOUR);
      await world().checkin(waiting, "ok", NOW - MINUTE);
      await world().store.heartbeats.noteAlive(NOW);
      await world().opened.reopen();
      const { heartbeats } = world().store;
      const recorded = await heartbeats.excuseOutage(NOW + 30 * SECOND, fail);
      expect(recorded).toMatchObject([{ status: "havent_heard" }]);
      expect((await world().results(missed))[0]?.status).toBe("havent_heard");
      expect((await world().results(waiting)).map(({ status }) => status)).toEqual(["ok"]);
      expect(await deadlineOf(world(), waiting)).toBe(NOW - MINUTE + WINDOW + 30 * SECOND);
      expect(await heartbeats.excuseOutage(NOW + 30 * SECOND, fail)).toEqual([]);
      expect(await deadlineOf(world(), waiting)).toBe(NOW - MINUTE + WINDOW + 30 * SECOND);
    });

    test("has no effect at the first start", async () => {
      const job = await periodic(world());
      await world().checkin(job, "ok", NOW - DAY);
      expect(await world().store.heartbeats.excuseOutage(NOW, fail)).toEqual([]);
      expect(await deadlineOf(world(), job)).toBe(NOW - DAY + WINDOW);
    });

    test("moves the deadlines back if the clock was set back since", async () => {
      const job = await periodic(world());
      await world().checkin(job, "ok", NOW);
      await world().store.heartbeats.noteAlive(NOW + MINUTE);
      expect(await world().store.heartbeats.excuseOutage(NOW + MINUTE - DAY, fail)).toEqual([]);
      expect(await deadlineOf(world(), job)).toBe(NOW - DAY + WINDOW);
    });
  });

  test("a clock that is set back moves every deadline back", async () => {
    const { heartbeats } = world().store;
    const jobs = [await periodic(world()), await periodic(await world().another())];
    for (const job of jobs) await world().checkin(job, "ok", NOW);
    await heartbeats.recallDeadlines({ from: NOW + MINUTE, to: NOW + MINUTE - DAY }, fail);
    expect(await overdue(world())(NOW - DAY + WINDOW, 10)).toEqual([]);
    expect((await overdue(world())(NOW - DAY + WINDOW + 1, 10)).toSorted()).toEqual(jobs.toSorted());
    // The service is alive at the new time, so a restart then excuses nothing.
    expect(await heartbeats.excuseOutage(NOW + MINUTE - DAY, fail)).toEqual([]);
    expect(await deadlineOf(world(), jobs[0] ?? "")).toBe(NOW - DAY + WINDOW);
  });

  test("a check-in whose rhythm cannot be computed records nothing", async () => {
    // No request can create this schedule, but an older version may have stored it.
    const job = await world().jobWith({ cron: "no schedule" });
    await expect(world().checkin(job, "ok")).rejects.toThrow();
    expect(await world().results(job)).toEqual([]);
    expect((await world().find(job)).status).toBe("unknown");
  });
});

function periodic(own: World): Promise<string> {
  return own.jobWith(PERIOD);
}

async function deadlineOf({ store, organizationId }: World, id: string): Promise<number | null> {
  return (await store.monitors.findReport(organizationId, { id, range: "1d" }, NOW)).deadline;
}

/** Claims overdue monitors. @returns their IDs */
function overdue({ store }: World) {
  return async (now: number, limit: number): Promise<string[]> => {
    const found = await store.heartbeats.claimOverdue(alone, { now, limit });
    return found.map(({ monitorId }) => monitorId);
  };
}

function fail(monitorId: string, error: unknown): void {
  throw new Error(`the rhythm of ${monitorId} was not computed`, { cause: error });
}
