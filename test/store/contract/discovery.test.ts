import { describe, expect, test } from "bun:test";
import type { Author } from "../../../src/domain/accounts/audit.ts";
import type { Missing } from "../../../src/domain/discovery/plan-discovered.ts";
import { contractSuite } from "./suite.ts";
import { HOUR, MINUTE, NOW } from "./world.ts";

const author: Author = { actor: { type: "cli", id: null, name: "discovery" }, address: null, at: NOW };

const web = { type: "HTTP", config: { url: "https://web.example.com/" } };
const db = { type: "TCP", config: { host: "127.0.0.1", port: 5432 } };
const NONE: Missing = { gone: [], deleted: [] };

contractSuite("discovery", (world) => {
  const discover = (
    monitors: Record<string, object>,
    {
      missing = {},
      defaults = {},
      now = NOW,
    }: { missing?: Partial<Missing>; defaults?: object; now?: number } = {},
  ) =>
    world()
      .store.as(author)
      .discovery.apply(world().organizationId, { defaults, monitors }, { ...NONE, ...missing }, now);

  const list = () => world().store.discovery.list(world().organizationId);
  const entries = async () => (await world().store.audit.list(world().organizationId, { limit: 100 })).items;
  const apply = (document: object, prune: "none" | "all" = "all") =>
    world()
      .store.as(author)
      .configuration.apply(world().organizationId, document, { prune, isDryRun: false }, NOW);

  /** The states of the monitors by ref. */
  async function states() {
    return Object.fromEntries((await list()).map(({ ref, enabled, goneAt }) => [ref, { enabled, goneAt }]));
  }

  async function idOf(ref: string): Promise<string> {
    return (await list()).find((one) => one.ref === ref)?.id ?? "";
  }

  const pause = async (ref: string, enabled = false) =>
    world().store.monitors.update(world().owner, await idOf(ref), { enabled }, NOW);

  describe("behavior 28.14: what sources ask for", () => {
    test("is created under the defaults, with an interval of a minute, and rows in the audit log", async () => {
      const defaults = { tags: ["found"], config: { timeout: 5 } };
      const { changes, faults } = await discover({ "docker/web": web, "docker/db": db }, { defaults });
      expect(faults).toEqual([]);
      expect(changes).toMatchObject([
        { action: "create", kind: "monitor", ref: "docker/web" },
        { action: "create", kind: "monitor", ref: "docker/db" },
      ]);
      const found = await world().find(await idOf("docker/web"));
      expect(found).toMatchObject({
        ref: "docker/web",
        name: "docker/web",
        enabled: true,
        tags: ["found"],
        config: { url: "https://web.example.com/", interval: 60, timeout: 5 },
      });
      expect(await entries()).toMatchObject([
        { action: "monitor.created", actor: { name: "discovery" } },
        { action: "monitor.created", actor: { name: "discovery" } },
      ]);
    });

    test("keeps the interval of an entry, or of the defaults", async () => {
      const own = { ...web, config: { ...web.config, interval: 30 } };
      await discover({ "docker/web": own, "docker/db": db }, { defaults: { config: { interval: 300 } } });
      expect(await world().find(await idOf("docker/web"))).toMatchObject({ config: { interval: 30 } });
      expect(await world().find(await idOf("docker/db"))).toMatchObject({ config: { interval: 300 } });
    });

    test("changes nothing a second time, and nothing else", async () => {
      const site = await world().site();
      await apply({ monitors: { shop: { type: "TCP", config: { host: "a", port: 1, interval: 60 } } } });
      await discover({ "docker/web": web });
      const before = await world().find(site);
      const { store, organizationId } = world();
      const outcome = await store.discovery.apply(
        organizationId,
        { monitors: { "docker/web": web } },
        NONE,
        NOW,
      );
      expect(outcome).toEqual({ changes: [], faults: [] });
      expect(await world().find(site)).toEqual(before);
      expect((await list()).map(({ ref }) => ref)).toEqual(["docker/web"]);
    });
  });

  describe("behavior 28.15: an entry with a fault", () => {
    test("is left out, and all others are applied", async () => {
      await discover({ "docker/web": web });
      const before = await world().find(await idOf("docker/web"));
      const outcome = await discover({
        "docker/web": { ...web, config: { url: "ftp://user:secret@h/" }, name: "other" },
        "docker/job": { type: "TCP", config: { host: "h", port: 70_000 } },
        "docker/child": { ...db, dependsOn: ["docker/job"] },
        "docker/Bad name": db,
        "docker/deep": { ...web, config: { url: "\ud800" } },
        "docker/db": db,
      });
      expect(outcome.changes.map(({ ref }) => ref)).toEqual(["docker/db"]);
      expect(Object.fromEntries(outcome.faults.map(({ entry, message }) => [entry, message]))).toEqual({
        "docker/web":
          "config.url must be a full URL that begins with http:// or https://, without user name or password: give them as basicAuth",
        "docker/job": "config.port must be a whole number from 1 to 65535, got 70000",
        "docker/child": 'dependsOn.0 is not the ref of a monitor, got "docker/job"',
        "docker/Bad name":
          "must have a ref as its name, which must be docker, kubernetes, files or http, a slash, and 1 to 100 characters of " +
          "a-z, 0-9 and . _ -, of which the first is a letter or a digit",
        "docker/deep": "must be Unicode text: it has an unpaired surrogate",
      });
      expect(await world().find(await idOf("docker/web"))).toEqual(before);
    });

    test("that only the stored monitors make wrong is left out too", async () => {
      await discover({ "docker/web": web });
      const many = Array.from({ length: 150 }, (_, at) => [`docker/many${at}`, { ...db, dependsOn: ["no"] }]);
      const { changes, faults } = await discover({
        "docker/web": db,
        "docker/db": db,
        ...Object.fromEntries(many),
      });
      expect(changes.map(({ ref }) => ref)).toEqual(["docker/db"]);
      expect(faults).toHaveLength(151);
      expect(faults).toContainEqual({
        entry: "docker/web",
        message: "type must be HTTP: the type of what exists cannot change",
      });
    });

    test("whose ping can't be sent is left out", async () => {
      const { id, pk } = await world().location("fra");
      await world().store.locations.noteSeen(pk, { now: NOW, version: "1.0.0", ping: "closed" });
      const ping = { type: "TCP", config: { host: "h", protocol: "icmp" } };
      const { changes, faults } = await discover({
        "docker/here": ping,
        "docker/there": { ...ping, locations: [id] },
        "docker/nowhere": { ...ping, locations: ["no"] },
      });
      expect(changes.map(({ ref }) => ref)).toEqual(["docker/here"]);
      expect(faults).toEqual([
        { entry: "docker/there", message: expect.stringContaining("config.protocol can't be icmp") },
        { entry: "docker/nowhere", message: expect.stringContaining("locations") },
      ]);
    });

    test("stays, although a list says that it is gone", async () => {
      await discover({ "docker/web": web });
      const wrong = { "docker/web": { ...web, config: {} }, "docker/db": { type: "\ud800" } };
      await discover(wrong, { missing: { gone: ["docker/web", "docker/db"], deleted: ["docker/web"] } });
      expect(await states()).toEqual({ "docker/web": { enabled: true, goneAt: null } });
    });
  });

  test("behavior 28.15: a limit of the plan leaves out what is beyond it", async () => {
    const free = await world().another("starter");
    const many = Array.from({ length: 300 }, (_, at) => [`docker/c${at}`, db]);
    const { changes, faults } = await free.store
      .as(author)
      .discovery.apply(
        free.organizationId,
        { defaults: { config: { interval: 300 } }, monitors: Object.fromEntries(many) },
        NONE,
        NOW,
      );
    expect(changes).toHaveLength(10);
    expect(faults).toHaveLength(290);
    expect(faults.at(-1)).toEqual({ entry: "docker/c299", message: "Monitor limit reached" });
  });

  describe("behavior 28.16: a monitor that its source lacks", () => {
    test("is paused and noted with the first time, and paused again if somebody enables it", async () => {
      await discover({ "docker/web": web, "docker/db": db });
      const missing = { gone: ["docker/web"] };
      const { changes } = await discover({ "docker/db": db }, { missing, now: NOW + MINUTE });
      expect(changes).toEqual([
        { action: "update", kind: "monitor", ref: "docker/web", fields: ["enabled"] },
      ]);
      const gone = { enabled: false, goneAt: NOW + MINUTE };
      expect(await states()).toEqual({ "docker/web": gone, "docker/db": { enabled: true, goneAt: null } });
      expect((await entries())[0]).toMatchObject({ action: "monitor.updated", changed: ["enabled"] });
      expect(await discover({ "docker/db": db }, { missing, now: NOW + HOUR })).toMatchObject({
        changes: [],
      });
      await pause("docker/web", true);
      await discover({ "docker/db": db }, { missing, now: NOW + HOUR });
      expect((await states())["docker/web"]).toEqual(gone);
    });
  });

  describe("behavior 28.17: a monitor that comes back", () => {
    const missing = { gone: ["docker/web"] };

    test("is enabled again, and no longer gone", async () => {
      await discover({ "docker/web": web });
      await discover({}, { missing });
      const { changes } = await discover({ "docker/web": web });
      expect(changes).toEqual([
        { action: "update", kind: "monitor", ref: "docker/web", fields: ["enabled"] },
      ]);
      expect(await states()).toEqual({ "docker/web": { enabled: true, goneAt: null } });
    });

    test("stays paused if a person has paused it, also while it was there all the time", async () => {
      await discover({ "docker/web": web });
      await pause("docker/web");
      expect(await discover({ "docker/web": web })).toEqual({ changes: [], faults: [] });
      await discover({}, { missing });
      expect((await states())["docker/web"]).toEqual({ enabled: false, goneAt: NOW });
      await discover({ "docker/web": web });
      expect((await states())["docker/web"]).toEqual({ enabled: false, goneAt: null });
      await discover({ "docker/web": { ...web, enabled: true } });
      expect((await states())["docker/web"]).toEqual({ enabled: true, goneAt: null });
    });

    test("with a fault stays paused, and its time of grace begins again", async () => {
      await discover({ "docker/web": web });
      await discover({}, { missing });
      await discover({ "docker/web": { ...web, config: {} } }, { now: NOW + HOUR });
      expect((await states())["docker/web"]).toEqual({ enabled: false, goneAt: NOW + HOUR });
      await discover({ "docker/web": web });
      expect((await states())["docker/web"]).toEqual({ enabled: true, goneAt: null });
    });
  });

  test("behavior 28.18: only what was noted as gone before is deleted, with a row in the audit log", async () => {
    await discover({ "docker/web": web, "docker/db": { ...db, dependsOn: ["docker/web"] } });
    const missing = { gone: ["docker/web"], deleted: ["docker/web"] };
    await discover({ "docker/db": db }, { missing });
    expect(Object.keys(await states())).toEqual(["docker/web", "docker/db"]);
    const { changes } = await discover({ "docker/db": db }, { missing });
    expect(changes).toEqual([{ action: "delete", kind: "monitor", ref: "docker/web", fields: [] }]);
    expect(await states()).toEqual({ "docker/db": { enabled: true, goneAt: null } });
    expect((await entries())[0]).toMatchObject({ action: "monitor.deleted", actor: { name: "discovery" } });
    const others = { gone: ["docker/none"], deleted: ["docker/none", "docker/db"] };
    expect(await discover({ "docker/db": db }, { missing: others })).toEqual({ changes: [], faults: [] });
  });

  test("behavior 28.19: the discovered monitors of an organization are listed", async () => {
    const other = await world().another();
    await world().site();
    await discover({ "docker/web": { ...web, name: "Web" }, "files/db": db });
    expect(await list()).toEqual([
      { ref: "docker/web", id: expect.any(String), name: "Web", enabled: true, goneAt: null },
      { ref: "files/db", id: expect.any(String), name: "files/db", enabled: true, goneAt: null },
    ]);
    expect(await other.store.discovery.list(other.organizationId)).toEqual([]);
  });

  test("behavior 28.24: the addresses of all monitors are listed once", async () => {
    await world().site();
    await world().site();
    await world().job();
    await discover({ "docker/web": web, "docker/db": db });
    expect((await world().store.discovery.listTargets(world().organizationId)).toSorted()).toEqual([
      ...["127.0.0.1", "127.0.0.1:5432", "a", "a:1", "localhost", "localhost:5432"],
      ...["web.example.com", "web.example.com:443"],
    ]);
  });

  describe("behavior 28.12: discovered monitors", () => {
    test("are never pruned or counted, but may be named", async () => {
      const refs = Array.from({ length: 12 }, (_, at) => `docker/c${at}`);
      await discover(Object.fromEntries(refs.map((ref) => [ref, db])));
      const own = { type: "TCP", config: { host: "a", port: 1, interval: 60 }, dependsOn: ["docker/c1"] };
      await apply({
        monitors: { own, other: own },
        pages: { public: { slug: "p", components: [{ monitorId: "docker/c2" }] } },
        maintenances: {
          rack: { selector: { monitorIds: ["docker/c3"] }, cron: "0 2 * * *", duration: 600 },
        },
      });
      const { changes } = await apply({ monitors: { own } });
      expect(changes.map(({ action, ref }) => `${action} ${ref}`)).toEqual([
        ...["delete public", "delete rack", "delete other"],
      ]);
      expect(await list()).toHaveLength(12);
    });

    test("are left out of the export and of set-refs, which name them", async () => {
      await discover({ "docker/db": db });
      const own = { type: "TCP", config: { host: "a", port: 1, interval: 60 }, dependsOn: ["docker/db"] };
      await apply({ monitors: { own } });
      const { store, organizationId } = world();
      const { document } = await store.configuration.export(organizationId, NOW);
      expect(document.monitors).toEqual({ own: expect.objectContaining({ dependsOn: ["docker/db"] }) });
      expect((await apply(document)).changes).toEqual([]);
      expect(await store.configuration.storeRefs(organizationId, NOW)).toEqual([]);
    });

    test("keep the schedules that they use", async () => {
      const { store, organizationId } = world();
      const ana = {
        organizationId,
        email: "ana@example.com",
        role: "viewer",
        name: "Ana",
        token: "t",
      } as const;
      await store.people.create(ana, NOW);
      const layers = [{ personIds: [ana.email], every: "week", startsAt: "2027-06-01T00:00:00Z" }];
      await apply({ schedules: { night: { layers } } });
      await discover({ "docker/db": { ...db, alertBindings: [{ scheduleId: "night" }] } });
      await expect(apply({ monitors: {} })).rejects.toThrow(
        "schedules.night: can't be deleted: a discovered monitor uses it",
      );
    });
  });
});
