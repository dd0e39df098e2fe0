import { describe, expect, test } from "bun:test";
import type { BulkChange, BulkSelector } from "../../../src/domain/monitors/bulk/bulk-request.ts";
import { contractSuite } from "./suite.ts";
import { channelsOf, MINUTE, NOW, type World } from "./world.ts";

const invalid = { kind: "invalid" };

contractSuite("bulk", (world) => {
  const inBulk = (selector: BulkSelector, change: BulkChange, isDryRun = false) =>
    world().store.monitors.changeInBulk(world().organizationId, { selector, change }, { isDryRun }, NOW);
  const channels = async (id: string) => channelsOf(await world().find(id));
  const tagged = async (id: string, ...tags: string[]) => {
    await world().store.monitors.update(world().owner, id, { tags }, NOW);
    return id;
  };

  describe("behavior 16.260: a change of many monitors", () => {
    test("is one of those that any part of the selector names", async () => {
      const channel = await world().channel();
      const [one, two, web, other] = [
        await world().job(),
        await world().job(),
        await tagged(await world().job(), "web"),
        await world().job(),
      ];
      const foreign = await (await world().another()).job();
      const outcome = await inBulk({ monitorIds: [one, two], tags: ["web"] }, { addChannels: [channel] });
      expect(outcome.matched).toBe(3);
      expect(outcome.changed.map(({ id }) => id)).toEqual([one, two, web]);
      expect(await Promise.all([one, two, web, other].map(channels))).toEqual([
        ...Array.from({ length: 3 }, () => [channel]),
        [],
      ]);
      expect((await inBulk({ all: true }, { removeChannels: [channel] })).matched).toBe(4);
      await expect(inBulk({ monitorIds: [one, foreign] }, { addChannels: [channel] })).rejects.toMatchObject({
        ...invalid,
        message: "selector.monitorIds.1 is not a monitor of this organization",
      });
    });

    test("behavior 16.266: can be one of the enabled monitors that notify nobody", async () => {
      const [channel, disabled] = [await world().channel(), await world().channel({ enabled: false })];
      await world().job(channel);
      await world().job(channel, disabled);
      const silent = [await world().job(), await world().site(disabled)];
      const paused = await world().job();
      await world().store.monitors.update(world().owner, paused, { enabled: false }, NOW);
      const { monitors, channels: all } = world().store;
      expect(await monitors.countUnnotified(world().organizationId)).toBe(2);
      expect(await monitors.listUnnotified(world().organizationId)).toEqual(silent);
      const outcome = await inBulk({ withoutChannels: true }, { addChannels: [channel] });
      expect(await monitors.countUnnotified(world().organizationId)).toBe(0);
      expect((await all.listMonitorIds(world().organizationId, channel)).length).toBe(4);
      expect(await all.listMonitorIds((await world().another()).organizationId, channel)).toEqual([]);
      expect(outcome.changed.map(({ id }) => id)).toEqual(silent);
      expect((await inBulk({ withoutChannels: true }, { addChannels: [channel] })).matched).toBe(0);
      expect(await channels(paused)).toEqual([]);
    });
  });

  describe("behavior 16.261: the channels of a monitor", () => {
    test("behavior 23.8: keep their timing, and only what is named changes", async () => {
      const [a, b, c] = [await world().channel(), await world().channel(), await world().channel()];
      const monitor = await world().site();
      const windows = [{ days: ["mon" as const], from: "08:00", to: "24:00" }];
      const hours = { timezone: "Europe/Berlin", windows, outside: "drop" as const };
      const alertBindings = [a, b].map((alertChannelId) => ({
        alertChannelId,
        after: 60,
        every: 300,
        hours,
      }));
      await world().store.monitors.update(world().owner, monitor, { alertBindings }, NOW);
      await inBulk({ all: true }, { addChannels: [c, a], removeChannels: [b] });
      expect((await world().find(monitor)).alertBindings).toEqual([
        { alertChannelId: a, after: 60, every: 300, hours },
        { alertChannelId: c, after: 0, every: 0, hours: null },
      ]);
    });

    test("behavior 14.7: no longer get what is pending for them after they are removed", async () => {
      const [a, b] = [await world().channel(), await world().channel()];
      const monitor = await world().site(a, b);
      await world().down(monitor);
      await inBulk({ all: true }, { removeChannels: [a] });
      expect((await world().due()).map(({ channel }) => channel.id)).toEqual([b]);
    });

    test("are refused as a whole if one of them is unknown, or added and removed", async () => {
      const [monitor, channel] = [await world().job(), await world().channel()];
      const foreign = await (await world().another()).channel();
      const refused = async (change: BulkChange, message: string) =>
        expect(inBulk({ all: true }, change)).rejects.toMatchObject({ ...invalid, message });
      await refused(
        { addChannels: [channel, foreign] },
        "change.addChannels.1 is not an alert channel of this organization",
      );
      await refused(
        { removeChannels: ["none"] },
        "change.removeChannels.0 is not an alert channel of this organization",
      );
      const both = { addChannels: [channel], removeChannels: [channel] };
      await refused(both, "change.addChannels.0 must not be in removeChannels too");
      expect(await channels(monitor)).toEqual([]);
    });
  });

  describe("behavior 16.310: other values of a monitor", () => {
    test("are its tags, of which only the named ones change", async () => {
      const [web, other] = [await tagged(await world().job(), "web", "shop"), await world().job()];
      const { changed } = await inBulk({ all: true }, { addTags: ["eu"], removeTags: ["shop"] });
      expect(changed).toMatchObject([
        { id: web, changed: ["tags"] },
        { id: other, changed: ["tags"] },
      ]);
      expect((await world().find(web)).tags).toEqual(["web", "eu"]);
      expect((await inBulk({ all: true }, { addTags: ["eu"] })).changed).toEqual([]);
    });

    test("are pause and resume: trouble of a paused one is over", async () => {
      const [channel] = [await world().channel()];
      const site = await world().site(channel);
      await world().down(site);
      await inBulk({ monitorIds: [site] }, { enabled: false });
      expect((await world().find(site)).enabled).toBe(false);
      const { items } = await world().store.outages.list(world().organizationId, { limit: 10, isOpen: true });
      expect(items).toEqual([]);
      await inBulk({ all: true }, { enabled: true });
      expect((await world().find(site)).enabled).toBe(true);
    });

    test("are the interval, except of a job, and a monitor that cannot have it is refused", async () => {
      const [site, job] = [await world().site(), await world().job()];
      const slow = await world().site();
      const { config } = await world().find(slow);
      const timeout = { ...config, interval: 60, timeout: 30 };
      await world().store.monitors.update(world().owner, slow, { config: timeout }, NOW);
      const outcome = await inBulk({ all: true }, { interval: 20 });
      expect(outcome).toMatchObject({ matched: 3, changed: [{ id: site, changed: ["config"] }] });
      expect(outcome.refused).toMatchObject([{ id: slow, error: expect.stringContaining("timeout") }]);
      expect((await world().find(site)).config).toMatchObject({ interval: 20 });
      expect((await world().find(slow)).config).toMatchObject({ interval: 60 });
      expect((await world().find(job)).config).not.toMatchObject({ interval: 20 });
    });
  });

  test("behavior 16.260: a part of the selector is the filters of the overview", async () => {
    const [web, job] = [await tagged(await world().site(), "web"), await tagged(await world().job(), "web")];
    const down = await world().site();
    await world().down(down);
    const idsOf = async (matching: NonNullable<BulkSelector["matching"]>) =>
      (await inBulk({ matching }, { addTags: ["x"] }, true)).changed.map(({ id }) => id);
    expect(await idsOf({ type: "SCHEDULED" })).toEqual([job]);
    expect(await idsOf({ tags: ["web"] })).toEqual([web, job]);
    expect(await idsOf({ status: "down" })).toEqual([down]);
    const { name } = await world().find(web);
    expect(await idsOf({ search: name.toUpperCase(), tags: ["web"] })).toEqual([web]);
  });

  test("behavior 16.311: many monitors are deleted at once, each with an entry in the audit log", async () => {
    const [channel] = [await world().channel()];
    const [site, job] = [await world().site(channel), await world().job()];
    const kept = await world().site();
    await world().down(site);
    const { monitors } = world().store.as({
      actor: { type: "key", id: "k", name: "me" },
      address: null,
      at: NOW,
    });
    const request = { selector: { monitorIds: [site, job] }, change: { delete: true as const } };
    const outcome = await monitors.changeInBulk(world().organizationId, request, { isDryRun: false }, NOW);
    expect(outcome).toMatchObject({ matched: 2, changed: [{ id: site }, { id: job }], refused: [] });
    for (const id of [site, job]) await expect(world().find(id)).rejects.toMatchObject({ kind: "not_found" });
    await world().find(kept);
    expect(await world().due()).toEqual([]);
    const { items } = await world().store.audit.list(world().organizationId, { limit: 200 });
    const deleted = items.filter(({ action }) => action === "monitor.deleted");
    expect(deleted.map(({ resource }) => resource.id).reverse()).toEqual([site, job]);
    await expect(inBulk({ all: true }, { delete: true, enabled: false })).rejects.toMatchObject(invalid);
  });

  test("behavior 16.262: each monitor that changes has an entry in the audit log", async () => {
    const channel = await world().channel();
    const [bound, one, two] = [await world().job(channel), await world().job(), await world().job()];
    const actor = { type: "key", id: "k", name: "me" } as const;
    const { monitors } = world().store.as({ actor, address: null, at: NOW });
    const request = { selector: { all: true as const }, change: { addChannels: [channel] } };
    await monitors.changeInBulk(world().organizationId, request, { isDryRun: false }, NOW);
    await monitors.changeInBulk(world().organizationId, request, { isDryRun: false }, NOW);
    const { items } = await world().store.audit.list(world().organizationId, { limit: 200 });
    const written = items.filter(({ action }) => action === "monitor.updated");
    expect(written.map(({ resource }) => resource.id).reverse()).toEqual([one, two]);
    expect(written).toMatchObject([{ changed: ["alertBindings"], actor }, { changed: ["alertBindings"] }]);
    expect(written.map(({ resource }) => resource.id)).not.toContain(bound);
  });

  test("behavior 16.263: a dry run says the same and changes nothing", async () => {
    const channel = await world().channel();
    const monitors = [await world().job(), await world().job(channel)];
    const before = await Promise.all(monitors.map((id) => world().find(id)));
    const change = { addChannels: [channel] };
    const foretold = await inBulk({ all: true }, change, true);
    expect(foretold).toEqual({
      matched: 2,
      changed: [{ id: before[0]?.id ?? "", name: before[0]?.name ?? "", changed: ["alertBindings"] }],
      refused: [],
    });
    expect(await Promise.all(monitors.map((id) => world().find(id)))).toEqual(before);
    expect(await inBulk({ all: true }, change)).toEqual(foretold);
  });

  test("behavior 16.312: nothing changes if another number of monitors is selected than expected", async () => {
    const sites = [await world().site(), await world().site()];
    const paused = (expectedMatched: number) => {
      const request = { selector: { all: true as const }, change: { enabled: false }, expectedMatched };
      return world().store.monitors.changeInBulk(world().organizationId, request, { isDryRun: false }, NOW);
    };
    await expect(paused(1)).rejects.toMatchObject({
      ...invalid,
      message: "2 monitors are selected now, not 1 as expected: check the selection",
    });
    for (const id of sites) expect((await world().find(id)).enabled).toBe(true);
    expect((await paused(2)).changed).toHaveLength(2);
  });

  test("an outage goes on, and its channels are those from its next notification on", async () => {
    const channel = await world().channel();
    const monitor = await world().site();
    await world().down(monitor);
    await inBulk({ all: true }, { addChannels: [channel] });
    await world().up(monitor, { at: NOW + MINUTE });
    expect(await statusesTo(world())).toEqual(["up"]);
  });
});

/** The new statuses of the notifications that are due. */
async function statusesTo(world: World): Promise<string[]> {
  return (await world.due()).map(({ event }) => ("status" in event ? event.status : "notice"));
}
