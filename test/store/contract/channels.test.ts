import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { walks } from "../../support/long.ts";
import { contractSuite } from "./suite.ts";
import { channelsOf, NOW, WEBHOOK } from "./world.ts";

const unknown = { kind: "not_found" };

contractSuite("channels", (world) => {
  describe("a channel", () => {
    test("is found as it was created, and notified of every change by default", async () => {
      const { store, owner, organizationId } = world();
      const values = { name: "c", type: "WEBHOOK", config: WEBHOOK, enabled: false } as const;
      const created = await store.channels.create(owner, values, NOW);
      const notifyOn = ["down", "warning", "healthy"];
      expect<object>(created).toEqual({
        ...values,
        notifyOn,
        language: null,
        ref: null,
        id: created.id,
        createdAt: NOW,
        updatedAt: NOW,
      });
      await world().opened.reopen();
      const found = await world().store.channels.find(organizationId, created.id);
      expect(found).toEqual({ ...created, bindings: [] });
    });

    test("behavior 5.8: keeps each group of notifyOn once, worst first", async () => {
      const { store, organizationId } = world();
      const id = await world().channel({ notifyOn: ["healthy", "down", "healthy"] });
      expect((await store.channels.find(organizationId, id)).notifyOn).toEqual(["down", "healthy"]);
      const changes = { notifyOn: ["warning" as const, "down" as const] };
      const updated = await store.channels.update(organizationId, id, changes, NOW);
      expect(updated.notifyOn).toEqual(["down", "warning"]);
    });

    test("changes only what an update contains", async () => {
      const { store, organizationId } = world();
      const { bindings: _, ...before } = await store.channels.find(organizationId, await world().channel());
      const config = { url: "http://127.0.0.1:2/" };
      const update = (changes: object, at: number) =>
        store.channels.update(organizationId, before.id, changes, at);
      const named = await update({ name: "z" }, NOW + 1);
      expect(named).toEqual({ ...before, name: "z", updatedAt: NOW + 1 });
      const moved = await update({ config, enabled: false }, NOW + 2);
      expect(moved).toEqual({ ...named, config, enabled: false, updatedAt: NOW + 2 });
      expect(await store.channels.list(organizationId)).toEqual([{ ...moved, bindings: [] }]);
      await expect(update({ name: "y", config: { to: "a@example.com" } }, NOW)).rejects.toThrow("config");
      expect((await store.channels.find(organizationId, before.id)).name).toBe("z");
    });

    test("is not found by another organization", async () => {
      const { channels } = world().store;
      const id = await world().channel();
      const { organizationId } = await world().another();
      await expect(channels.find(organizationId, id)).rejects.toMatchObject(unknown);
      await expect(channels.update(organizationId, id, {}, NOW)).rejects.toMatchObject(unknown);
      await expect(channels.delete(organizationId, id)).rejects.toMatchObject(unknown);
      expect(await channels.list(organizationId)).toEqual([]);
      await expect(channels.list("none")).rejects.toMatchObject(unknown);
    });

    test("is refused above the limit of the plan", async () => {
      const starter = await world().another("starter");
      const id = await starter.channel();
      await expect(starter.channel()).rejects.toMatchObject({ kind: "limit_reached" });
      await starter.store.channels.delete(starter.organizationId, id);
      await starter.channel();
    });
  });

  describe("bindings", () => {
    test("are refused for a channel that does not exist or belongs to another organization", async () => {
      const { store, owner } = world();
      const [own, foreign] = [await world().channel(), await (await world().another()).channel()];
      const job = await world().job(own);
      for (const wrong of [foreign, "none", ""]) {
        const changes = { name: "x", alertChannelIds: [own, wrong] };
        await expect(store.monitors.update(owner, job, changes, NOW)).rejects.toThrow(
          "alertChannelIds.1 is not an alert channel of this organization",
        );
      }
      expect(await world().find(job)).toMatchObject({
        name: "job 1",
        alertBindings: [{ alertChannelId: own }],
      });
    });

    test("are read for more channels than one statement takes", async () => {
      const { store, owner, organizationId } = world();
      const ids: string[] = [];
      for (let count = 0; count < 510; count++) ids.push(await world().channel());
      const job = await world().job();
      await store.monitors.update(owner, job, { alertChannelIds: ids.toReversed() }, NOW);
      expect(channelsOf(await world().find(job))).toEqual(ids);
      const bound = await store.channels.list(organizationId);
      expect(bound.map((one) => [one.id, monitorsOf(one)])).toEqual(ids.map((id) => [id, [job]]));
      const counted = await store.channels.listCounted(organizationId);
      expect(counted.map(({ id, boundMonitors }) => [id, boundMonitors])).toEqual(ids.map((id) => [id, 1]));
    });

    test("are the same from both sides after any walk of binds and deletes", async () => {
      const step = fc.record({
        act: fc.constantFrom("channel", "job", "bind", "bind", "delete channel", "delete job"),
        at: fc.nat(9),
        bound: fc.array(fc.nat(9), { maxLength: 4 }),
      });
      const walk = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const own = await world().another();
        const { store, owner, organizationId } = own;
        /** Channels and jobs, oldest first. */
        let channels: string[] = [];
        const jobs = new Map<string, Set<string>>();
        for (const { act, at, bound } of steps) {
          const [channel, job] = [pick(channels, at), pick([...jobs.keys()], at)];
          const chosen = bound.flatMap((one) => pick(channels, one) ?? []);
          if (act === "channel") channels.push(await own.channel());
          else if (act === "job") jobs.set(await own.job(...chosen), new Set(chosen));
          else if (act === "bind" && job) {
            await store.monitors.update(owner, job, { alertChannelIds: chosen }, NOW);
            jobs.set(job, new Set(chosen));
          } else if (act === "delete channel" && channel) {
            await store.channels.delete(organizationId, channel);
            channels = channels.filter((id) => id !== channel);
            for (const ids of jobs.values()) ids.delete(channel);
          } else if (act === "delete job" && job) {
            await store.monitors.delete(organizationId, job);
            jobs.delete(job);
          }
        }
        const found = await store.channels.list(organizationId);
        expect(found.map((one) => [one.id, monitorsOf(one)])).toEqual(
          channels.map((id) => [id, [...jobs].filter(([, ids]) => ids.has(id)).map(([job]) => job)]),
        );
        const counted = await store.channels.listCounted(organizationId);
        expect(counted.map(({ id, boundMonitors }) => [id, boundMonitors])).toEqual(
          found.map(({ id, bindings }) => [id, bindings.length]),
        );
        for (const [job, ids] of jobs) {
          const expected = channels.filter((id) => ids.has(id));
          expect(channelsOf(await own.find(job))).toEqual(expected);
        }
      });
      await fc.assert(walk, { numRuns: walks(15) });
    });
  });
});

function pick<Item>(items: Item[], at: number): Item | undefined {
  return items[at % Math.max(items.length, 1)];
}

function monitorsOf({ bindings }: { bindings: { monitorId: string }[] }): string[] {
  return bindings.map(({ monitorId }) => monitorId);
}
