import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import { soonest } from "../../../src/domain/locations/silence.ts";
import { walks } from "../../support/long.ts";
import { alone } from "../../support/store/alone.ts";
import { contractSuite } from "./suite.ts";
import { allSlices, channelsOf, HOUR, MINUTE, NOW, type World } from "./world.ts";

const unknown = { kind: "not_found" };
const invalid = { kind: "invalid" };

contractSuite("monitors", (world, _, slow) => {
  describe("a requested check", () => {
    /** When this server checks the only monitor. */
    const dueAt = async () => {
      const slots = await world().store.checks.listDueSlots(alone, { now: NOW, before: NOW + 2 * HOUR });
      return slots.map((slot) => slot.nextCheckAt);
    };

    /** A check that is due within 1.5 s is soon enough. */
    const asked = (id: string) => [soonest(nextCheckAt(id, 60, NOW), NOW + 1)];

    test("behavior 16.247: is due at once, and once however often it is requested", async () => {
      const own = world();
      const id = await own.site();
      await own.up(id);
      expect(await dueAt()).toEqual([nextCheckAt(id, 60, NOW)]);
      const { requestCheck } = own.store.monitors;
      expect(await requestCheck(own.organizationId, id, NOW + 1)).toEqual({ id });
      await requestCheck(own.organizationId, id, NOW + 2);
      expect(await dueAt()).toEqual<unknown>(asked(id));
    });

    test("behavior 16.247: is asked of each location of the monitor", async () => {
      const own = world();
      const { id: location, pk } = await own.location();
      const id = await own.placed([location, "here"]);
      const evidence = { outcome: "reached", latencyMs: 1, detail: {} } as const;
      const seen = { sequence: 1, monitorId: id, revision: 0, at: NOW, startAt: NOW, evidence };
      const batch = { location: pk, stream: "a".repeat(22), receivedAt: NOW, observations: [seen] };
      await own.store.recording.recordObservations(batch);
      await own.store.monitors.requestCheck(own.organizationId, id, NOW + 1);
      expect((await own.store.locations.findRechecks(pk)).rechecks).toEqual([{ monitorId: id, at: NOW + 1 }]);
    });

    test("behavior 16.247: is refused for a paused monitor, a job and an unknown monitor", async () => {
      const { store, owner, organizationId } = world();
      const id = await world().site();
      await store.monitors.update(owner, id, { enabled: false }, NOW);
      const { requestCheck } = store.monitors;
      expect(requestCheck(organizationId, id, NOW)).rejects.toMatchObject(invalid);
      expect(requestCheck(organizationId, await world().job(), NOW)).rejects.toMatchObject(invalid);
      const foreign = await (await world().another()).site();
      expect(requestCheck(organizationId, foreign, NOW)).rejects.toMatchObject(unknown);
    });
  });

  describe("a monitor", () => {
    test("is found as it was created, with its channels oldest first", async () => {
      const { store, owner } = world();
      const channels = [await world().channel(), await world().channel()];
      const values = { name: "m", type: "HTTP", config: { url: "http://a/", interval: 60 } } as const;
      const alertChannelIds = [...channels.toReversed(), ...channels];
      const created = await store.monitors.create(owner, { ...values, alertChannelIds }, NOW);
      const placement = { locations: ["here"], downWhen: "majority" } as const;
      const lists = { tags: [], dependsOn: [] };
      const defaults = {
        enabled: true,
        ref: null,
        blindSince: null,
        confirmations: 0,
        recoveries: 0,
        ...lists,
        ...placement,
      };
      const given = { ...values, id: created.id, ...defaults, createdAt: NOW, updatedAt: NOW };
      expect(created).toEqual({ ...given, locations: ["here"], status: "unknown" });
      await world().opened.reopen();
      expect(await world().find(created.id)).toEqual({
        ...created,
        alertBindings: channels.map((alertChannelId) => ({
          alertChannelId,
          after: 0,
          every: 0,
          hours: null,
        })),
      });
    });

    test.each(["a\0b", "\0", "\ufdd0", "\ufdd00", "\ufdd0\0\ufdd01", "\u202e🦊\u{10ffff}"])(
      "behavior 12.60: may have any character in its name and config: %j",
      async (name) => {
        const { store, owner } = world();
        const channel = await world().channel({ name });
        const config = { host: "a", port: 1, interval: 60, send: name } as const;
        const { id } = await store.monitors.create(
          owner,
          { name, type: "TCP", config, alertChannelIds: [channel] },
          NOW,
        );
        expect(await world().find(id)).toMatchObject({ name, config });
        expect(await store.channels.list(owner.organizationId)).toMatchObject([{ name }]);
        const [listed] = await allSlices(store.monitors.listSnapshots(owner.organizationId, { now: NOW }));
        expect(listed?.name).toBe(name);
        await world().down(id);
        expect(await world().due()).toMatchObject([{ event: { monitor: { name } } }]);
        await expect(world().find(name)).rejects.toMatchObject(unknown);
      },
    );

    test("behavior 7.39: has the default channels of the organization if it names none", async () => {
      const { store, owner, organizationId } = world();
      const defaultAlertChannelIds = [await world().channel(), await world().channel()];
      await store.organizations.updateSettings(organizationId, { defaultAlertChannelIds });
      const values = { name: "m", type: "SCHEDULED", config: { interval: 300 } } as const;
      const { id } = await store.monitors.create(owner, values, NOW);
      expect(channelsOf(await world().find(id))).toEqual(defaultAlertChannelIds);
      expect(channelsOf(await world().find(await world().job()))).toEqual([]);
    });

    test("behavior 20.37: pings from this server as long as it is enabled", async () => {
      const { store, owner } = world();
      const { anyPingsHere } = store.monitors;
      const config = { host: "a", protocol: "icmp", interval: 60 } as const;
      await world().site();
      const { id: location, pk } = await world().location();
      await store.locations.noteSeen(pk, { now: NOW, version: "1.0.0", ping: "open" });
      await world().placed([location], { type: "TCP", config });
      expect(await anyPingsHere()).toBe(false);
      const id = await world().placed(["here"], { type: "TCP", config });
      expect(await anyPingsHere()).toBe(true);
      await store.monitors.update(owner, id, { enabled: false }, NOW);
      expect(await anyPingsHere()).toBe(false);
    });

    test("is not found by another organization", async () => {
      const { store } = world();
      const id = await world().job();
      const other = await world().another();
      await expect(other.find(id)).rejects.toMatchObject(unknown);
      await expect(store.monitors.update(other.owner, id, { name: "x" }, NOW)).rejects.toMatchObject(unknown);
      await expect(store.monitors.delete(other.organizationId, id)).rejects.toMatchObject(unknown);
      await expect(world().find("none")).rejects.toMatchObject(unknown);
      expect((await world().find(id)).name).not.toBe("x");
    });

    test("has a config that requests can name, except those of another organization", async () => {
      const { store, owner, organizationId } = world();
      const config = { url: "http://a/", interval: 60, headers: { "X-Key": "s3cret" } };
      const { id } = await store.monitors.create(owner, { name: "m", type: "HTTP", config }, NOW);
      expect(await store.monitors.findConfig(organizationId, id)).toEqual(config);
      const other = await world().another();
      await expect(store.monitors.findConfig(other.organizationId, id)).rejects.toMatchObject(invalid);
    });

    test("has a config that a configuration file can name, except those of another organization", async () => {
      const { store, owner, organizationId } = world();
      const config = { url: "http://a/", interval: 60, headers: { "X-Key": "s3cret" } };
      await store.monitors.create(owner, { name: "m", type: "HTTP", config, ref: "shop" }, NOW);
      expect(await store.monitors.findConfigByRef(organizationId, "shop")).toEqual(config);
      expect(await store.monitors.findConfigByRef(organizationId, "cart")).toBeUndefined();
      const other = await world().another();
      expect(await store.monitors.findConfigByRef(other.organizationId, "shop")).toBeUndefined();
    });

    test("is deleted with its bindings", async () => {
      const { store, organizationId } = world();
      const channel = await world().channel();
      const [gone, kept] = [await world().job(channel), await world().job(channel)];
      expect(await store.monitors.delete(organizationId, gone)).toEqual({ id: gone });
      await expect(world().find(gone)).rejects.toMatchObject(unknown);
      await expect(store.monitors.delete(organizationId, gone)).rejects.toMatchObject(unknown);
      expect((await store.channels.find(organizationId, channel)).bindings).toMatchObject([
        { monitorId: kept },
      ]);
      expect(await world().checkin(gone, "ok")).toEqual([null]);
    });

    test("is reported over the limit only after an unknown channel", async () => {
      const starter = await world().another("starter");
      for (let count = 0; count < 10; count++) await starter.job();
      await expect(starter.job("none")).rejects.toMatchObject(invalid);
      await expect(starter.job()).rejects.toMatchObject({ kind: "limit_reached" });
      expect(await starter.store.monitors.countStatuses(starter.organizationId)).toEqual([
        { status: "unknown", count: 10 },
      ]);
    });
  });

  describe("an update", () => {
    test("changes only what it contains", async () => {
      const { store, owner } = world();
      const channel = await world().channel();
      const before = await world().find(await world().site(channel));
      const named = await store.monitors.update(owner, before.id, { name: "z" }, NOW + 1);
      expect(named).toEqual({ ...before, name: "z", updatedAt: NOW + 1 });
      const config = { host: "b", port: 2, interval: 30 };
      const moved = await store.monitors.update(owner, before.id, { config, alertChannelIds: [] }, NOW + 2);
      expect(moved).toEqual({ ...named, config, alertBindings: [], updatedAt: NOW + 2 });
      expect(await world().find(before.id)).toEqual(moved);
    });

    test("behavior 1.14: discards the result of a check that began before", async () => {
      const { store, owner } = world();
      const site = await world().site();
      await store.monitors.update(owner, site, { config: { host: "b", port: 1, interval: 60 } }, NOW);
      expect(await world().up(site)).toEqual([null]);
      expect(await world().results(site)).toEqual([]);
    });

    test("of the name alone keeps the result of a check that began before, and is a part of later changes", async () => {
      const { store, owner } = world();
      const site = await world().site();
      const stored = await world().find(site);
      const name = "\u202ea\0b\ufdd0";
      const renamed = await store.monitors.update(owner, site, { name }, NOW + 1);
      expect(renamed).toEqual({ ...stored, name, updatedAt: NOW + 1 });
      expect(await world().find(site)).toEqual(renamed);
      expect(await world().up(site)).toHaveLength(1);
      expect(await world().results(site)).toHaveLength(1);
      await store.monitors.update(owner, site, { enabled: false }, NOW + 2);
      expect(await world().find(site)).toMatchObject({ name, enabled: false });
      const pro = await world().another("pro");
      await expect(pro.store.monitors.update(pro.owner, site, { name }, NOW)).rejects.toMatchObject(unknown);
    });

    test("reports a short interval, then an unknown monitor, then a wrong config, then an unknown channel", async () => {
      const pro = await world().another("pro");
      const site = await pro.site();
      const update = (id: string, changes: object) => pro.store.monitors.update(pro.owner, id, changes, NOW);
      const short = { config: { host: "", port: 0, interval: 1 }, alertChannelIds: ["none"] };
      await expect(update("none", short)).rejects.toMatchObject({ errorCode: "interval_too_short" });
      const wrong = { config: { host: "a", port: 0, interval: 60 }, alertChannelIds: ["none"] };
      await expect(update("none", wrong)).rejects.toMatchObject(unknown);
      await expect(update(site, wrong)).rejects.toThrow("config.port");
      await expect(update(site, { alertChannelIds: ["none"] })).rejects.toThrow("alertChannelIds.0");
    });
  });

  describe("behavior 7.50: the monitors that are related to one", () => {
    const related = async (id: string, relation: "dependencies" | "dependents") =>
      world().store.monitors.listRelated(world().organizationId, { id, relation });

    test("are those that it depends on, or that depend on it, directly or not, each once", async () => {
      const channels = [await world().channel(), await world().channel({ enabled: false })];
      const job = async (name: string, dependsOn: string[], ...alertChannelIds: string[]) =>
        world().placed(["here"], { name, dependsOn, alertChannelIds });
      const power = await job("power", [], ...channels);
      const router = await job("router", [power], channels[1] ?? "");
      const shop = await job("shop", [router, power]);
      const pay = await job("pay", [shop, power], channels[0] ?? "");
      await job("other", []);
      const before = await related(shop, "dependencies");
      const notified = before.map(({ name, isNotified }) => `${name} ${isNotified}`);
      expect(notified.sort()).toEqual(["power true", "router false", "shop false"]);
      expect(before[0]).toEqual({
        ...{ id: shop, name: "shop", status: "unknown", enabled: true, isNotified: false },
        dependsOn: [power, router],
      });
      const after = await related(power, "dependents");
      expect(after[0]?.id).toBe(power);
      expect(after.map(({ name }) => name).sort()).toEqual(["pay", "power", "router", "shop"]);
      expect(await related(pay, "dependents")).toMatchObject([{ id: pay, dependsOn: [power, shop] }]);
      const another = await world().another();
      await expect(
        world().store.monitors.listRelated(another.organizationId, { id: shop, relation: "dependents" }),
      ).rejects.toMatchObject(unknown);
    });

    slow("are at most 1,000, the nearest first", async () => {
      const document = {
        monitors: Object.fromEntries(
          Array.from({ length: 1010 }, (_, at) => [
            `m${at}`,
            { type: "SCHEDULED", dependsOn: at === 0 ? [] : [at > 1000 ? "m1" : "m0"] },
          ]),
        ),
      };
      const { store, organizationId } = world();
      await store.configuration.apply(organizationId, document, { prune: "none", isDryRun: false }, NOW);
      const listed = await allSlices(store.monitors.listSnapshots(organizationId, { now: NOW }));
      const id = listed.find(({ name }) => name === "m0")?.id ?? "";
      const found = await related(id, "dependents");
      expect(found).toHaveLength(1001);
      expect(found.slice(1).every(({ dependsOn }) => dependsOn[0] === id)).toBe(true);
    });
  });

  describe("a pause", () => {
    test("of all monitors leaves them as a pause of each does", async () => {
      const { store } = world();
      const [one, all, bystander] = [await prepared(world), await prepared(world), await prepared(world)];
      const resting = await stateOf(bystander);
      for (const id of one.ids) await store.monitors.update(one.owner, id, { enabled: false }, NOW + HOUR);
      expect(await store.monitors.pauseAll(all.organizationId, NOW + HOUR)).toBe(2);
      expect(await stateOf(all)).toEqual(await stateOf(one));
      expect(await stateOf(bystander)).toEqual(resting);
      expect(await store.monitors.pauseAll(all.organizationId, NOW + HOUR)).toBe(0);
      await expect(store.monitors.pauseAll("none", NOW)).rejects.toMatchObject(unknown);
    });

    test("ends an outage, and another begins after it", async () => {
      const { store, owner } = world();
      const job = await world().job();
      await world().checkin(job, "fail", NOW);
      await store.monitors.update(owner, job, { enabled: false }, NOW + MINUTE);
      await world().checkin(job, "fail", NOW + 2 * MINUTE);
      expect(await outagesOf(world(), job)).toMatchObject([{ start: NOW, end: NOW + MINUTE }]);
      await store.monitors.update(owner, job, { enabled: true }, NOW + 3 * MINUTE);
      await world().checkin(job, "fail", NOW + 4 * MINUTE);
      expect(await outagesOf(world(), job)).toMatchObject([
        { start: NOW + 4 * MINUTE, end: null },
        { start: NOW },
      ]);
    });
  });

  test("any walk of creates, updates, check-ins and deletes leaves the statuses of a plain map", async () => {
    const step = fc.record({
      act: fc.constantFrom("create", "rename", "pause", "ok", "fail", "delete"),
      at: fc.nat(9),
    });
    const walk = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const own = await world().another();
      const { store, organizationId } = own;
      const model = new Map<string, { name: string; enabled: boolean; status: string }>();
      for (const [turn, { act, at }] of steps.entries()) {
        const [id, before] = [...model][at % Math.max(model.size, 1)] ?? [];
        if (act === "create" || !id || !before) {
          const created = await own.job();
          model.set(created, { name: (await own.find(created)).name, enabled: true, status: "unknown" });
        } else if (act === "delete") {
          await store.monitors.delete(organizationId, id);
          model.delete(id);
        } else if (act === "rename") {
          await store.monitors.update(own.owner, id, { name: `${turn}` }, NOW + turn);
          model.set(id, { ...before, name: `${turn}` });
        } else if (act === "pause") {
          await store.monitors.update(own.owner, id, { enabled: !before.enabled }, NOW + turn);
          model.set(id, { ...before, enabled: !before.enabled });
        } else {
          await own.checkin(id, act, NOW + turn);
          model.set(id, { ...before, status: act === "ok" ? "ok" : "failed" });
        }
      }
      for (const [id, expected] of model) expect(await own.find(id)).toMatchObject(expected);
      const counts = await store.monitors.countStatuses(organizationId);
      expect(Object.fromEntries(counts.map(({ status, count }) => [status, count]))).toEqual(
        countBy([...model.values()].map(({ status }) => status)),
      );
    });
    await fc.assert(walk, { numRuns: walks(15) });
  });

  test("certificates are those of the latest checks of enabled TLS monitors", async () => {
    const { store, owner, organizationId } = world();
    const validTo = "2027-09-01T00:00:00.000Z";
    const [seen, paused, failing] = [
      await tls(world(), "seen"),
      await tls(world(), "p"),
      await tls(world(), "f"),
    ];
    await tls(world(), "never checked");
    for (const id of [seen, paused, failing]) await world().check(id, certified(validTo));
    await store.monitors.update(owner, paused, { enabled: false }, NOW);
    await world().down(failing, NOW + 1);
    await tls(await world().another(), "theirs");
    expect(await store.monitors.listCertificateExpiries(organizationId)).toEqual([
      { name: "seen", end: validTo },
    ]);
  });
});

/** An organization with a job and a site that are in an outage. */
async function prepared(world: () => World) {
  const own = await world().another();
  const ids = [await own.job(), await own.site()];
  await own.checkin(ids[0] ?? "", "fail");
  await own.down(ids[1] ?? "");
  return Object.assign(own, { ids });
}

/** The fields that a pause changes, without the IDs. */
function stateOf(own: World & { ids: string[] }) {
  return Promise.all(
    own.ids.map(async (id) => {
      const { name, status, enabled, updatedAt } = await own.find(id);
      const range = { id, range: "1d" } as const;
      const report = await own.store.monitors.findReport(own.organizationId, range, NOW);
      const outages = report.outages.map(({ id: _, ...outage }) => outage);
      return { name, status, enabled, updatedAt, deadline: report.deadline, outages };
    }),
  );
}

async function outagesOf({ store, organizationId }: World, id: string) {
  return (await store.monitors.findReport(organizationId, { id, range: "1d" }, NOW)).outages;
}

function countBy(words: string[]): Record<string, number> {
  const groups = Map.groupBy(words, (word) => word);
  return Object.fromEntries([...groups].map(([word, all]) => [word, all.length]));
}

async function tls({ store, owner }: World, name: string): Promise<string> {
  const values = { name, type: "TLS", config: { host: "a", port: 443, interval: 300 } } as const;
  return (await store.monitors.create(owner, values, NOW)).id;
}

function certified(validTo: string) {
  const certificate = {
    authorized: true,
    authorizationError: null,
    subject: "a",
    issuer: "b",
    names: ["a"],
    validFrom: "2027-01-01T00:00:00.000Z",
    validTo,
    fingerprint: "00:11",
    protocol: "TLSv1.3",
  };
  return { outcome: "certified", latencyMs: 5, certificate, detail: {} } as const;
}
