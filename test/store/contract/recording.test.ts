import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import type { Recording } from "../../../src/domain/monitors/recording-plan.ts";
import type { Slot } from "../../../src/store/store.ts";
import { walks } from "../../support/long.ts";
import { alone } from "../../support/store/alone.ts";
import { pruneAll } from "../../support/store/packed.ts";
import { contractSuite } from "./suite.ts";
import { allPages, DAY, HOUR, MINUTE, NOW, SECOND, type World } from "./world.ts";

const invalid = { kind: "invalid" };

contractSuite("recording", (world, engine) => {
  describe("a batch", () => {
    test("reports each event, and null for a monitor that is gone or of another type", async () => {
      const { store, organizationId } = world();
      const [job, site] = [await world().job(), await world().site()];
      const events: Recording[] = [
        { kind: "checkin", monitorId: job, status: undefined, at: NOW },
        { kind: "checkin", monitorId: "none", status: "ok", at: NOW },
        { kind: "checkin", monitorId: site, status: "ok", at: NOW },
        failedCheck(site, NOW),
        { kind: "checkin", monitorId: job, status: "fail", at: NOW + HOUR },
      ];
      const base = { organizationId, missed: 0, asksHere: false };
      const slot = nextCheckAt(site, 60, NOW);
      expect(await store.recording.record(events)).toEqual([
        { ...base, type: "SCHEDULED", status: "ok", seen: "ok", notable: false, nextCheckAt: null },
        null,
        null,
        {
          ...{ ...base, type: "TCP", status: "down", seen: "down", notable: true, nextCheckAt: slot },
          look: { addresses: [], evidenceId: expect.any(String), port: 1 },
        },
        { ...base, type: "SCHEDULED", status: "failed", seen: "failed", notable: true, nextCheckAt: null },
      ]);
      expect(await store.recording.record([])).toEqual([]);
    });

    test("leaves what the same events one by one leave", async () => {
      const word = fc.constantFrom("ok", "fail");
      const event = fc.record({ job: fc.nat(2), word, gap: fc.integer({ min: 1, max: 40 * MINUTE }) });
      const walk = fc.asyncProperty(fc.array(event, { maxLength: 20 }), async (steps) => {
        const ends = [];
        for (const isBatch of [true, false]) {
          const own = await world().another();
          const jobs = [await own.job(), await own.job(), await own.job()];
          let at = NOW;
          const events = steps.map(({ job, word: status, gap }): Recording => {
            at += gap;
            return { kind: "checkin", monitorId: jobs[job] ?? "", status, at };
          });
          const recorded = isBatch ? await own.store.recording.record(events) : [];
          if (!isBatch) for (const one of events) recorded.push(...(await own.store.recording.record([one])));
          const reports = await Promise.all(jobs.map((job) => reportOf(own, job)));
          ends.push({ reports, recorded: recorded.map((one) => ({ ...one, organizationId: "" })) });
        }
        expect(ends[0]).toEqual(ends[1]);
      });
      await fc.assert(walk, { numRuns: walks(10) });
    });
  });

  describe("results", () => {
    test("keep status, latency and detail of each check", async () => {
      const site = await world().site();
      const phases = { resolve: 0.14, connect: 0.01 };
      await world().up(site, { latencyMs: 301.02, at: NOW, detail: { statusCode: 200, phases } });
      await world().down(site, NOW + MINUTE);
      await world().opened.reopen();
      const base = { id: expect.any(String), monitorId: site, alertOutcome: null };
      expect<object[]>(await world().results(site)).toMatchObject([
        { ...base, status: "down", latencyMs: null, detail: { reason: "refused" }, createdAt: NOW + MINUTE },
        { ...base, status: "up", latencyMs: 301.02, detail: { statusCode: 200, phases }, createdAt: NOW },
      ]);
    });

    test("behavior 7.23, 8.2: have pages, most recent first, that visit each result once", async () => {
      const sizes = fc.record({ results: fc.nat(25), limit: fc.integer({ min: 1, max: 9 }) });
      const walk = fc.asyncProperty(sizes, async ({ results, limit }) => {
        const own = await world().another();
        const job = await own.job();
        const times = Array.from({ length: results }, (_, at) => NOW + at * SECOND);
        for (const at of times) await own.checkin(job, "ok", at);
        const found = await own.results(job, limit);
        expect(found.map(({ createdAt }) => createdAt)).toEqual(times.toReversed());
        expect(
          found
            .map(({ id }) => id)
            .toSorted()
            .toReversed(),
        ).toEqual(found.map(({ id }) => id));
      });
      await fc.assert(walk, { numRuns: walks(15) });
    });

    test("behavior 7.25: are neither skipped nor repeated while new ones arrive", async () => {
      const { store, organizationId } = world();
      const job = await world().job();
      for (let at = 0; at < 10; at++) await world().checkin(job, "ok", NOW + at);
      const before = await world().results(job);
      let at = 10;
      const found = await allPages(async (cursor) => {
        await world().checkin(job, "fail", NOW + at++);
        return store.results.list(organizationId, { monitorId: job, limit: 3, cursor });
      });
      expect(found.slice(1)).toEqual(before);
    });

    test("behavior 7.24: a cursor works after its result was deleted, and a text that is no cursor is refused", async () => {
      const { store, organizationId } = world();
      const job = await world().job();
      for (let at = 0; at < 5; at++) await world().checkin(job, "ok", NOW - (5 - at) * DAY);
      const page = await store.results.list(organizationId, { monitorId: job, limit: 3 });
      await pruneAll(store, NOW - 2 * DAY - 1);
      const cursor = page.cursor ?? undefined;
      expect(await store.results.list(organizationId, { monitorId: job, limit: 3, cursor })).toEqual({
        items: [],
        cursor: null,
      });
      for (const wrong of ["", "x", " ".repeat(10)]) {
        const request = { monitorId: job, limit: 1, cursor: wrong };
        await expect(store.results.list(organizationId, request)).rejects.toMatchObject(invalid);
        await expect(store.results.listEvents(organizationId, request)).rejects.toMatchObject(invalid);
      }
    });

    test("have the fields of a result and no others", async () => {
      const job = await world().job();
      await world().checkin(job, "ok");
      const fields = ["alertOutcome", "createdAt", "detail", "id", "latencyMs", "monitorId", "status"];
      const [result = {}] = await world().results(job);
      expect(Object.keys(result).sort()).toEqual(fields);
    });

    test("belong to one organization", async () => {
      const { store } = world();
      const job = await world().job();
      await world().checkin(job, "ok");
      const { organizationId } = await world().another();
      await expect(store.results.list(organizationId, { monitorId: job, limit: 1 })).rejects.toMatchObject({
        kind: "not_found",
      });
      expect(await store.results.listEvents(organizationId, { limit: 1 })).toEqual({
        items: [],
        cursor: null,
      });
    });
  });

  describe("events", () => {
    test("are the results of all monitors that match type and status, after any walk of check-ins and deletes", async () => {
      const step = fc.record({
        act: fc.constantFrom("job", "site", "good", "good", "bad", "bad", "delete"),
        at: fc.nat(9),
      });
      const input = { steps: fc.array(step, { maxLength: 40 }), limit: fc.integer({ min: 1, max: 7 }) };
      const walk = fc.asyncProperty(fc.record(input), async ({ steps, limit }) => {
        const own = await world().another();
        let model: { monitorId: string; status: string; createdAt: number }[] = [];
        const monitors = new Map<string, "SCHEDULED" | "TCP">();
        for (const [turn, { act, at }] of steps.entries()) {
          const [id, type] = [...monitors][at % Math.max(monitors.size, 1)] ?? [];
          const createdAt = NOW + turn;
          if (act === "job" || act === "site" || !id || !type) {
            monitors.set(
              await (act === "site" ? own.site() : own.job()),
              act === "site" ? "TCP" : "SCHEDULED",
            );
          } else if (act === "delete") {
            await own.store.monitors.delete(own.organizationId, id);
            monitors.delete(id);
            model = model.filter(({ monitorId }) => monitorId !== id);
          } else {
            const isGood = act === "good";
            if (type === "SCHEDULED") await own.checkin(id, isGood ? "ok" : "fail", createdAt);
            else if (isGood) await own.up(id, { at: createdAt });
            else await own.down(id, createdAt);
            const statuses = type === "SCHEDULED" ? ["ok", "failed"] : ["up", "down"];
            model.unshift({ monitorId: id, status: statuses[isGood ? 0 : 1] ?? "", createdAt });
          }
        }
        for (const type of [undefined, "SCHEDULED", "TCP"] as const) {
          for (const status of [undefined, "ok", "failed", "down", "present"] as const) {
            const found = await allPages((cursor) =>
              own.store.results.listEvents(own.organizationId, { limit, cursor, type, status }),
            );
            const expected = model.filter(
              (one) =>
                (type === undefined || monitors.get(one.monitorId) === type) &&
                (status === undefined || one.status === status),
            );
            expect(
              found.map(({ monitorId, status, createdAt }) => ({ monitorId, status, createdAt })),
            ).toEqual(expected as typeof found);
          }
        }
        for (const [id] of monitors) {
          const expected = model.filter(({ monitorId }) => monitorId === id);
          expect<object[]>(await own.results(id, limit)).toMatchObject(expected);
        }
      });
      await fc.assert(walk, { numRuns: walks(15) });
    });

    test("behavior 7.47: have a summary of their monitor", async () => {
      const { store, organizationId } = world();
      const site = await world().site();
      await world().up(site);
      const { items } = await store.results.listEvents(organizationId, { limit: 1 });
      expect(items[0]?.monitor).toEqual({ id: site, name: "site", type: "TCP" });
    });
  });

  describe("checks", () => {
    test("behavior 1.11: are due until a result is recorded, the most overdue first", async () => {
      const { store, owner } = world();
      await world().job();
      const values = { name: "m", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
      const later = (await store.monitors.create(owner, values, NOW + 1)).id;
      const first = await world().site();
      const due = async (before: number) => {
        const { checks } = world().store;
        return checks.claim(await checks.listDueSlots(alone, { now: before, before }), alone, before);
      };
      expect(await due(NOW)).toEqual([]);
      expect(await due(NOW + 2)).toEqual([
        {
          pk: expect.any(Number),
          id: first,
          type: "TCP",
          config: values.config,
          status: "unknown",
          revision: 0,
          nextCheckAt: NOW,
          claim: expect.any(Number),
        },
        {
          pk: expect.any(Number),
          id: later,
          type: "TCP",
          config: values.config,
          status: "unknown",
          revision: 0,
          nextCheckAt: NOW + 1,
          claim: expect.any(Number),
        },
      ]);
      await world().opened.reopen();
      await world().up(first, { at: NOW + 2 });
      expect((await due(NOW + 2)).map(({ id }) => id)).toEqual([later]);
      const slot = nextCheckAt(first, 60, NOW + 2);
      expect((await due(slot + 1)).at(-1)).toMatchObject({ id: first, status: "up", nextCheckAt: slot });
    });

    test("are listed in pages, the most overdue first", async () => {
      const { checks } = world().store;
      const ids = [await world().site(), await world().site(), await world().site(), await world().site()];
      await world().up(ids[0] ?? "", { at: NOW });
      const when = { now: NOW, before: NOW + HOUR };
      const all = await checks.listDueSlots(alone, when);
      expect(all).toHaveLength(4);
      const listAfter = (after: Slot) => checks.listDueSlots(alone, { ...when, page: { after, limit: 2 } });
      const first = await listAfter({ nextCheckAt: -1, pk: 0 });
      const second = await listAfter(first[1] ?? { nextCheckAt: 0, pk: 0 });
      expect([first, second]).toEqual([all.slice(0, 2), all.slice(2)]);
      expect(await listAfter(all[3] ?? { nextCheckAt: 0, pk: 0 })).toEqual([]);
    });

    test("of paused and deleted monitors are not due", async () => {
      const { store, owner, organizationId } = world();
      const [paused, deleted, kept] = [await world().site(), await world().site(), await world().site()];
      const slots = await store.checks.listDueSlots(alone, { now: NOW, before: NOW + 1 });
      expect(slots).toHaveLength(3);
      await store.monitors.update(owner, paused, { enabled: false }, NOW);
      await store.monitors.delete(organizationId, deleted);
      expect((await store.checks.claim(slots, alone, NOW)).map(({ id }) => id)).toEqual([kept]);
      expect(await store.checks.listDueSlots(alone, { now: NOW, before: NOW + 1 })).toHaveLength(1);
      await store.monitors.update(owner, paused, { enabled: true }, NOW + 5);
      const resumed = await store.checks.listDueSlots(alone, { now: NOW + 5, before: NOW + 6 });
      expect(await store.checks.claim(resumed, alone, NOW + 5)).toMatchObject([
        { id: kept },
        { id: paused, revision: 2, nextCheckAt: NOW + 5 },
      ]);
    });

    test("are claimed in the order of the slots, without those that are not due then", async () => {
      const { store, owner } = world();
      const values = { name: "m", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
      for (const later of [2, 0, 1]) await store.monitors.create(owner, values, NOW + later);
      const [a, b, c] = await store.checks.listDueSlots(alone, { now: NOW, before: NOW + 3 });
      if (!a || !b || !c) throw new Error("not all are due");
      const claim = async (slots: Slot[]) => {
        const claimed = await store.checks.claim(slots, alone, NOW + 3);
        return claimed.map(({ pk, nextCheckAt: at }) => ({ pk, nextCheckAt: at }));
      };
      expect(await claim([b, { ...a, nextCheckAt: NOW - 1 }, { ...a, pk: 999_999 }, c])).toEqual([b, c]);
      expect(await claim([c, a])).toEqual([c, a]);
      expect(await claim([])).toEqual([]);
    });

    test("that are due too late after the clock was set back are due at once", async () => {
      const { checks } = world().store;
      const site = await world().site();
      await world().up(site, { at: NOW });
      expect(await checks.recall(NOW)).toBe(0);
      expect(await checks.recall(NOW - DAY)).toBe(1);
      const slots = await checks.listDueSlots(alone, { now: NOW - DAY, before: NOW - DAY + 1 });
      expect(slots).toMatchObject([{ nextCheckAt: NOW - DAY }]);
    });
  });

  test("results are known to be on the disk after a sync", async () => {
    const { store } = world();
    const channel = await world().channel();
    await world().checkin(await world().job(channel), "fail");
    const [due] = await store.deliveries.listDue(alone, { now: NOW, limit: 1 });
    expect(due).toBeDefined();
    expect(await store.deliveries.isSynced(due?.pk ?? 0)).toBe(!engine.syncsLater);
    await store.recording.syncResults();
    expect(await store.deliveries.isSynced(due?.pk ?? 0)).toBeTrue();
    await world().opened.reopen();
    expect(await world().store.deliveries.isSynced(due?.pk ?? 0)).toBe(!engine.syncsLater);
  });
});

function failedCheck(monitorId: string, at: number): Recording {
  return {
    kind: "check",
    monitorId,
    revision: 0,
    at,
    evidence: { outcome: "failed", reason: "refused", detail: {} },
  };
}

/** Everything that recordings leave, without IDs. */
async function reportOf(own: World, id: string) {
  const range = { id, range: "1d" } as const;
  const found = await own.store.monitors.findReport(own.organizationId, range, NOW + DAY);
  const report = { ...found, outages: found.outages.map(({ id: _, ...outage }) => outage) };
  const { status } = await own.find(id);
  const results = (await own.results(id)).map(({ status, createdAt }) => ({ status, createdAt }));
  return { status, report, results };
}
