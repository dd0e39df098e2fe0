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

    test("can be one of the enabled monitors that notify nobody", async () => {
      const [channel, disabled] = [await world().channel(), await world().channel({ enabled: false })];
      await world().job(channel);
      await world().job(channel, disabled);
      const silent = [await world().job(), await world().site(disabled)];
      const paused = await world().job();
      await world().store.monitors.update(world().owner, paused, { enabled: false }, NOW);
      const outcome = await inBulk({ withoutChannels: true }, { addChannels: [channel] });
      expect(outcome.changed.map(({ id }) => id)).toEqual(silent);
      expect((await inBulk({ withoutChannels: true }, { addChannels: [channel] })).matched).toBe(0);
      expect(await channels(paused)).toEqual([]);
    });
  });

  describe("behavior 16.261: the channels of a monitor", () => {
    test("keep their timing, and only what is named changes", async () => {
      const [a, b, c] = [await world().channel(), await world().channel(), await world().channel()];
      const monitor = await world().site();
      const alertBindings = [a, b].map((alertChannelId) => ({ alertChannelId, after: 60, every: 300 }));
      await world().store.monitors.update(world().owner, monitor, { alertBindings }, NOW);
      await inBulk({ all: true }, { addChannels: [c, a], removeChannels: [b] });
      expect((await world().find(monitor)).alertBindings).toEqual([
        { alertChannelId: a, after: 60, every: 300 },
        { alertChannelId: c, after: 0, every: 0 },
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
    });
    expect(await Promise.all(monitors.map((id) => world().find(id)))).toEqual(before);
    expect(await inBulk({ all: true }, change)).toEqual(foretold);
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
