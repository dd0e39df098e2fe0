import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import type { Recording } from "../../../src/domain/monitors/recording-plan.ts";
import { transitionOf } from "../../support/alerts/transitions.ts";
import { walks } from "../../support/long.ts";
import { alone } from "../../support/store/alone.ts";
import { contractSuite } from "./suite.ts";
import { MINUTE, NOW, SECOND, type World } from "./world.ts";

const DELAY = 20 * SECOND;
const down: Evidence = { outcome: "failed", reason: "refused", detail: { message: "no" } };
const up: Evidence = { outcome: "reached", latencyMs: 10, detail: {} };

contractSuite("confirmation", (world) => {
  describe("a suspicion", () => {
    test("behavior 11.8, 11.10: survives a restart, with the time of the next check", async () => {
      const channel = await world().channel();
      const id = await site(world(), { confirmations: 1, recoveries: 1 }, channel);
      await world().up(id, { at: NOW });
      await world().check(id, down, NOW + MINUTE);
      await world().opened.reopen();
      expect(await dueAt(world())).toEqual([NOW + MINUTE + DELAY]);
      expect(await report(world(), id)).toMatchObject({
        suspicion: {
          status: "down",
          reason: "refused",
          message: "no",
          checks: 1,
          needed: 2,
          since: NOW + MINUTE,
        },
        outages: [],
      });
      expect((await world().find(id)).status).toBe("up");
      expect(await world().due()).toEqual([]);

      await world().check(id, down, NOW + MINUTE + DELAY);
      await world().opened.reopen();
      expect(await dueAt(world())).toEqual([nextCheckAt(id, 60, NOW + MINUTE + DELAY)]);
      const outages = [{ start: NOW + MINUTE, end: null, status: "down" }];
      expect(await report(world(), id)).toMatchObject({ suspicion: null, outages, since: NOW + MINUTE });
      expect(
        (await world().due()).map((one) => [transitionOf(one).status, transitionOf(one).changedAt]),
      ).toEqual([["down", NOW + MINUTE]]);
    });

    test("behavior 11.7, 11.9: is in the results, and its checks count as what they are recorded as", async () => {
      const id = await site(world(), { confirmations: 1, recoveries: 1 });
      await world().up(id, { at: NOW });
      const walk = [down, up, down, down, up, down, up, up];
      for (const [at, evidence] of walk.entries()) await world().check(id, evidence, NOW + (at + 1) * DELAY);
      const results = (await world().results(id)).toReversed();
      expect(
        results.map(({ status, latencyMs, detail }) => [status, latencyMs, detail?.seen ?? null]),
      ).toEqual([
        ["up", 10, null],
        ["up", null, { status: "down", reason: "refused", message: "no" }],
        ["up", 10, null],
        ["up", null, { status: "down", reason: "refused", message: "no" }],
        ["down", null, null],
        ["down", 10, { status: "up" }],
        ["down", null, null],
        ["down", 10, { status: "up" }],
        ["up", 10, null],
      ]);
      const { uptime, outages } = await report(world(), id);
      expect(uptime["90d"]).toBe("55.55%");
      expect(outages).toMatchObject([{ start: NOW + 3 * DELAY, end: NOW + 7 * DELAY }]);
    });

    test.each<[string, (own: World, id: string) => Promise<unknown>, number]>([
      ["goes on after another name", (own, id) => update(own, id, { name: "z" }), 2],
      ["goes on after the same config", (own, id) => update(own, id, { config: CONFIG }), 2],
      [
        "goes on after other numbers, which hold from the next check",
        (own, id) => update(own, id, { confirmations: 5 }),
        2,
      ],
      [
        "is confirmed by the next check after a lower number",
        (own, id) => update(own, id, { confirmations: 0 }),
        0,
      ],
      ["ends with another config", (own, id) => update(own, id, { config: { ...CONFIG, port: 2 } }), 1],
      ["ends with a pause", (own, id) => pauseAndResume(own, id), 1],
      ["ends with a pause of all", (own, id) => pauseAll(own, id), 1],
    ])("behavior 11.10: %s", async (_, act, checks) => {
      const id = await site(world(), { confirmations: 2, recoveries: 0 });
      await world().up(id, { at: NOW });
      await world().check(id, down, NOW + 1);
      await act(world(), id);
      const { store } = world();
      const slots = await store.checks.listDueSlots(alone, { now: NOW, before: Number.MAX_SAFE_INTEGER });
      const [due] = await store.checks.claim(slots, alone, NOW);
      expect((await report(world(), id)).suspicion?.checks ?? 0).toBe(checks === 1 ? 0 : 1);
      const check = { kind: "check", monitorId: id, revision: due?.revision ?? 0, evidence: down } as const;
      await store.recording.record([{ ...check, at: NOW + 3 }]);
      expect((await report(world(), id)).suspicion?.checks ?? 0).toBe(checks);
      expect((await world().find(id)).status).toBe(checks === 0 ? "down" : "up");
    });

    test("is the same after a batch as after the same events one by one", async () => {
      const word = fc.constantFrom("ok", "fail");
      const numbers = fc.record({ confirmations: fc.nat(2), recoveries: fc.nat(2) });
      const walk = fc.asyncProperty(numbers, fc.array(word, { maxLength: 15 }), async (numbers, words) => {
        const ends = [];
        for (const isBatch of [true, false]) {
          const job = await world().job();
          await update(world(), job, numbers);
          const events = words.map(
            (status, at): Recording => ({
              kind: "checkin",
              monitorId: job,
              status,
              at: NOW + at,
            }),
          );
          if (isBatch) await world().store.recording.record(events);
          else for (const one of events) await world().store.recording.record([one]);
          const { status } = await world().find(job);
          const results = (await world().results(job)).map(({ status, detail }) => ({ status, detail }));
          const found = await report(world(), job);
          const outages = found.outages.map(({ id: _, ...outage }) => outage);
          ends.push({ status, results, report: { ...found, outages } });
        }
        expect(ends[0]).toEqual(ends[1]);
      });
      await fc.assert(walk, { numRuns: walks(15) });
    });
  });

  test("behavior 11.1: a monitor keeps the numbers that are not sent", async () => {
    const id = await site(world(), { confirmations: 3, recoveries: 4 });
    await update(world(), id, { recoveries: 5 });
    await world().opened.reopen();
    expect(await world().find(id)).toMatchObject({ confirmations: 3, recoveries: 5 });
  });

  test("behavior 11.9: a confirmed status changes the marker of the monitors, although another one began later", async () => {
    const [slow, other] = [await site(world(), { confirmations: 1 }), await site(world(), {})];
    const read = async () => (await world().store.changes.findMarkers(world().organizationId)).monitors;
    await world().up(slow, { at: NOW });
    await world().check(slow, down, NOW + 1);
    await world().check(other, down, NOW + 2);
    const before = await read();
    await world().check(slow, down, NOW + 3);
    expect(await read()).not.toBe(before);
  });
});

const CONFIG = { host: "a", port: 1, interval: 60 };

async function site(own: World, numbers: object, ...alertChannelIds: string[]): Promise<string> {
  const values = { name: "site", type: "TCP", config: CONFIG, alertChannelIds, ...numbers } as const;
  return (await own.store.monitors.create(own.owner, values, NOW)).id;
}

function update(own: World, id: string, changes: object) {
  return own.store.monitors.update(own.owner, id, changes, NOW + 2);
}

async function pauseAndResume(own: World, id: string): Promise<void> {
  await update(own, id, { enabled: false });
  await update(own, id, { enabled: true });
}

async function pauseAll(own: World, id: string): Promise<void> {
  await own.store.monitors.pauseAll(own.organizationId, NOW + 2);
  expect((await report(own, id)).suspicion).toBeNull();
  await update(own, id, { enabled: true });
}

function report(own: World, id: string) {
  return own.store.monitors.findReport(own.organizationId, { id, range: "1d" }, NOW + MINUTE);
}

async function dueAt(own: World): Promise<number[]> {
  const slots = await own.store.checks.listDueSlots(alone, { now: NOW, before: Number.MAX_SAFE_INTEGER });
  return slots.map(({ nextCheckAt }) => nextCheckAt);
}
