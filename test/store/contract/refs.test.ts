import { describe, expect, test } from "bun:test";
import type { Subscription } from "../../../src/domain/accounts/organization.ts";
import type { MonitorRequest } from "../../../src/domain/monitors/monitor-update.ts";
import type { Component } from "../../../src/domain/pages/page-request.ts";
import { contractSuite } from "./suite.ts";
import { HOUR, NOW, WEBHOOK } from "./world.ts";

const LATER = NOW + HOUR;
const shop = { ref: "shop", name: "Shop", type: "HTTP", config: { url: "http://a/", interval: 60 } } as const;
const ops = { ref: "ops", name: "Ops", type: "WEBHOOK", config: WEBHOOK } as const;

contractSuite("refs", (world) => {
  const owner = (subscription: Subscription = "active") => ({ ...world().owner, subscription });
  const putMonitor = (request: MonitorRequest & { ref: string }, now = NOW) =>
    world().store.monitors.createOrReplace(owner(), request, now);
  const isUsed = (kind: "monitors" | "alertChannels", ref: string) =>
    world().store.refs.isUsed(world().organizationId, { kind, ref });

  describe("behavior 16.4, 16.5: a ref", () => {
    test("of a monitor creates it, and then replaces all of its values", async () => {
      const { store, organizationId } = world();
      const [parent, channel] = [await world().site(), await world().channel()];
      const lists = { tags: ["a"], dependsOn: [parent], alertChannelIds: [channel] };
      const created = await putMonitor({ ...shop, ...lists, enabled: false, confirmations: 2 });
      expect(created).toMatchObject({ isNew: true, monitor: { ...shop, enabled: false, confirmations: 2 } });
      const { id } = created.monitor;
      expect(await isUsed("monitors", "shop")).toBe(true);
      const replaced = await putMonitor({ ...shop, name: " Front " }, LATER);
      const defaults = { enabled: true, confirmations: 0, tags: [], dependsOn: [], alertBindings: [] };
      expect(replaced).toMatchObject({
        isNew: false,
        monitor: { ...shop, ...defaults, id, name: "Front", createdAt: NOW, updatedAt: LATER },
      });
      expect(await store.monitors.find(organizationId, id)).toEqual(replaced.monitor as never);
    });

    test("of a channel creates it, and then replaces all of its values", async () => {
      const { store } = world();
      const put = (request: Parameters<typeof store.channels.createOrReplace>[1], now: number) =>
        store.channels.createOrReplace(owner(), request, now);
      const { isNew, channel } = await put({ ...ops, enabled: false, notifyOn: ["down"] }, NOW);
      expect([isNew, channel]).toMatchObject([true, { ...ops, enabled: false }]);
      expect(await put({ ...ops, name: "Night" }, LATER)).toEqual({
        isNew: false,
        channel: {
          ...channel,
          ...{ name: "Night", enabled: true, notifyOn: ["down", "warning", "healthy"], updatedAt: LATER },
        },
      });
    });

    test("of a maintenance creates it, and then replaces all of its values", async () => {
      const { store, organizationId } = world();
      const rack = { ref: "rack", title: "Rack", selector: { all: true } } as const;
      const nightly = { cron: "30 2 * * *", duration: 600, timezone: "Europe/Berlin" };
      const values = { ...rack, ...nightly, message: "m", notifyChannelIds: [await world().channel()] };
      const { isNew, maintenance } = await store.maintenances.createOrReplace(organizationId, values, NOW);
      expect([isNew, maintenance]).toMatchObject([true, values]);
      const hourly = { ...rack, cron: "0 * * * *", duration: 60 };
      expect(await store.maintenances.createOrReplace(organizationId, hourly, LATER)).toMatchObject({
        isNew: false,
        maintenance: { ...hourly, id: maintenance.id, timezone: "UTC", message: null, notifyChannelIds: [] },
      });
    });

    test("behavior 16.7: of a page creates it, and then replaces its values, but not the IDs of its components", async () => {
      const { store, organizationId } = world();
      const [a, b] = [await world().site(), await world().site()];
      const put = (request: object) =>
        store.pages.createOrReplace(organizationId, { ref: "p", slug: "p", title: "P", ...request }, NOW);
      const { page } = await put({
        days: 7,
        description: "d",
        components: [{ monitorId: a }, { monitorId: b }],
      });
      const [first, second] = page.components as [Component, Component];
      const replaced = await put({ components: [{ monitorId: b, name: "B" }, { monitorId: a }] });
      expect(replaced).toEqual({
        isNew: false,
        page: {
          ...page,
          days: 90,
          description: null,
          components: [{ ...second, name: "B" } as never, first],
        },
      });
    });
  });

  test("behavior 16.2: a ref is unique in its organization for its kind only", async () => {
    const { store, organizationId } = world();
    const { monitor } = await putMonitor(shop);
    const foreign = await world().another();
    await store.monitors.createOrReplace({ ...foreign.owner, subscription: "active" }, shop, NOW);
    const { channel } = await store.channels.createOrReplace(owner(), { ...ops, ref: "shop" }, NOW);
    const { maintenance } = await store.maintenances.createOrReplace(
      organizationId,
      { ref: "shop", title: "Shop", selector: { all: true }, cron: "0 0 * * *", duration: 60 },
      NOW,
    );
    const { page } = await store.pages.createOrReplace(
      organizationId,
      { ref: "shop", slug: "s", title: "S" },
      NOW,
    );
    const taken = "ref is taken: it must be unique in the organization for its kind";
    const other = await world().site();
    await expect(store.monitors.update(owner(), other, { ref: "shop" }, NOW)).rejects.toThrow(taken);
    await expect(store.monitors.create(owner(), shop, NOW)).rejects.toThrow(taken);
    await expect(store.channels.create(owner(), { ...ops, ref: "shop" }, NOW)).rejects.toThrow(taken);
    const channelId = await world().channel();
    await expect(store.channels.update(organizationId, channelId, { ref: "shop" }, NOW)).rejects.toThrow(
      taken,
    );
    const copy = {
      ref: "shop",
      title: "x",
      selector: { all: true },
      cron: "0 0 * * *",
      duration: 60,
    } as const;
    await expect(store.maintenances.create(organizationId, copy, NOW)).rejects.toThrow(taken);
    await expect(
      store.pages.create(organizationId, { ref: "shop", slug: "t", title: "T" }, NOW),
    ).rejects.toThrow(taken);
    expect(await store.monitors.update(owner(), monitor.id, { ref: "shop" }, NOW)).toMatchObject({
      ref: "shop",
    });
    await store.channels.update(organizationId, channel.id, { ref: "shop" }, NOW);
    await store.maintenances.update(organizationId, maintenance.id, { ref: "front" }, NOW);
    await store.pages.update(organizationId, page.id, { ref: "front" }, NOW);
    expect((await store.maintenances.create(organizationId, copy, NOW)).ref).toBe("shop");
  });

  test("behavior 16.4: without a subscription a ref replaces, but does not create", async () => {
    const { store } = world();
    await putMonitor(shop);
    await store.channels.createOrReplace(owner(), ops, NOW);
    await store.monitors.createOrReplace(owner("inactive"), shop, NOW);
    await store.channels.createOrReplace(owner("inactive"), ops, NOW);
    const none = "No active subscription";
    await expect(
      store.monitors.createOrReplace(owner("inactive"), { ...shop, ref: "other" }, NOW),
    ).rejects.toThrow(none);
    await expect(
      store.channels.createOrReplace(owner("inactive"), { ...ops, ref: "other" }, NOW),
    ).rejects.toThrow(none);
    expect(await isUsed("alertChannels", "other")).toBe(false);
  });

  test("behavior 16.130: a push token is unique on the server, and finds its monitor", async () => {
    const { store, organizationId } = world();
    const foreign = await world().another();
    const job = { name: "job", type: "SCHEDULED", config: { interval: 300, pushToken: "Token001" } } as const;
    const { id } = await store.monitors.create(owner(), job, NOW);
    expect(await store.monitors.findIdByPushToken("Token001")).toBe(id);
    expect(await store.monitors.findIdByPushToken("token001")).toBeNull();
    const taken = "config.pushToken is taken: it must be unique on this server";
    await expect(store.monitors.create(foreign.owner, job, NOW)).rejects.toThrow(taken);
    const other = await foreign.job();
    await expect(
      store.monitors.update(foreign.owner, other, { config: { pushToken: "Token001" } }, NOW),
    ).rejects.toThrow(taken);
    await store.monitors.update(owner(), id, { config: { pushToken: "Token002" } }, NOW);
    expect(await store.monitors.findIdByPushToken("Token001")).toBeNull();
    expect(await store.monitors.findIdByPushToken("Token002")).toBe(id);
    await store.monitors.delete(organizationId, id);
    expect(await store.monitors.findIdByPushToken("Token002")).toBeNull();
  });

  test("behavior 16.6: the type of what exists cannot change", async () => {
    await putMonitor(shop);
    const job = { ...shop, type: "SCHEDULED", config: {} } as const;
    await expect(putMonitor(job)).rejects.toThrow("type must be HTTP: the type of what exists cannot change");
    const { store } = world();
    await store.channels.createOrReplace(owner(), ops, NOW);
    const mail = { ...ops, type: "EMAIL", config: { to: "a@example.com" } } as const;
    await expect(store.channels.createOrReplace(owner(), mail, NOW)).rejects.toThrow("type must be WEBHOOK");
  });
});
