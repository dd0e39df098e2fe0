import { describe, expect, test } from "bun:test";
import type { Author } from "../../../src/domain/accounts/audit.ts";
import { FaultsError } from "../../../src/domain/configuration/history.ts";
import type { PruneMode } from "../../../src/domain/configuration/plan.ts";
import { SMALL_GIF } from "../../support/pages/small-gif.ts";
import { alone } from "../../support/store/alone.ts";
import { contractSuite } from "./suite.ts";
import { HOUR, NOW, WEBHOOK, type World } from "./world.ts";

const author: Author = { actor: { type: "cli", id: null, name: "test" }, address: null, at: NOW };
const LATER = NOW + HOUR;

const shop = { type: "HTTP", config: { url: "https://shop.example.com/", interval: 60 } } as const;
const ops = { type: "WEBHOOK", config: { url: "https://hooks.example.com/" } } as const;

/** Every kind, and every reference. */
const everything = {
  channels: { ops, mail: { type: "EMAIL", config: { to: "ops@example.com" }, notifyOn: ["down"] } },
  monitors: {
    shop: {
      ...shop,
      alertBindings: [{ alertChannelId: "ops", after: 60 }],
      dependsOn: ["router"],
      tags: ["web"],
    },
    router: {
      type: "TCP",
      config: { host: "router", port: 22, interval: 60 },
      alertChannelIds: ["mail", "ops"],
    },
    backup: { name: "Nightly backup", type: "SCHEDULED", config: { cron: "0 3 * * *" }, enabled: false },
  },
  maintenances: {
    rack: {
      selector: { monitorIds: ["shop"] },
      cron: "0 2 * * *",
      duration: 600,
      notifyChannelIds: ["mail"],
    },
  },
  pages: {
    public: { slug: "shop", components: [{ monitorId: "shop", name: "Front" }, { monitorId: "router" }] },
  },
};

contractSuite("configuration", (world, _, slow) => {
  const apply = (
    document: unknown,
    { prune = "none", isDryRun = false, now = NOW, of = world() }: ApplyOptions = {},
  ) => of.store.as(author).configuration.apply(of.organizationId, document, { prune, isDryRun }, now);

  interface ApplyOptions {
    prune?: PruneMode;
    isDryRun?: boolean;
    now?: number;
    of?: World;
  }

  /** The content of an organization, without times. */
  async function contents(of = world()) {
    const { store, organizationId } = of;
    const monitors = [];
    const lists = store.monitors.list(organizationId, { type: undefined, range: "1d" }, NOW);
    for await (const list of lists)
      for (const { id } of list) monitors.push(await store.monitors.find(organizationId, id));
    return {
      channels: await store.channels.list(organizationId),
      monitors,
      maintenances: await store.maintenances.list(organizationId, NOW),
      pages: await store.pages.list(organizationId),
    };
  }

  const entries = async () => (await world().store.audit.list(world().organizationId, { limit: 100 })).items;
  /** Monitors whose first check is due, oldest first. */
  async function dueMonitors() {
    const { store } = world();
    const slots = await store.checks.listDueSlots(alone, { now: NOW, before: NOW + 1 });
    const due = await store.checks.claim(slots, alone, NOW);
    const ids = due.map(({ id }) => id);
    return (await contents()).monitors.map(({ id }) => id).filter((id) => ids.includes(id));
  }

  const faultsOf = async (document: unknown, options?: ApplyOptions) => {
    const error = await apply(document, options).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(FaultsError);
    return (error as FaultsError).faults.map(({ path, message }) => `${path}: ${message}`);
  };

  test("behavior 25.41: is read with the monitors, channels and maintenances that a plan compares", async () => {
    await apply(everything);
    const { store, organizationId } = world();
    const { monitors, channels, maintenances } = await store.configuration.read(organizationId, NOW);
    const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id).toSorted();
    const stored = await contents();
    expect(idsOf(monitors)).toEqual(idsOf(stored.monitors));
    expect(idsOf(channels)).toEqual(idsOf(stored.channels));
    expect(idsOf(maintenances)).toEqual(idsOf(stored.maintenances));
    expect(await store.configuration.read("x", NOW).catch(({ kind }) => kind)).toBe("not_found");
  });

  describe("behavior 16.30, 16.32: an apply", () => {
    test("creates what the document says, in the order of the kinds, and then changes nothing", async () => {
      const { changes } = await apply(everything);
      expect(changes).toEqual([
        { action: "create", kind: "channel", ref: "ops", fields: ["type", "config.url"] },
        { action: "create", kind: "channel", ref: "mail", fields: ["type", "config.to", "notifyOn"] },
        {
          action: "create",
          kind: "monitor",
          ref: "shop",
          fields: expect.arrayContaining(["config.url", "dependsOn"]),
        },
        { action: "create", kind: "monitor", ref: "router", fields: expect.anything() },
        {
          action: "create",
          kind: "monitor",
          ref: "backup",
          fields: expect.arrayContaining(["name", "enabled"]),
        },
        { action: "create", kind: "maintenance", ref: "rack", fields: expect.anything() },
        { action: "create", kind: "page", ref: "public", fields: ["slug", "components"] },
      ]);
      const created = await contents();
      const [first, second] = created.channels;
      const [a, b, c] = created.monitors;
      expect(created.monitors).toMatchObject([
        {
          ref: "shop",
          name: "shop",
          tags: ["web"],
          dependsOn: [b?.id],
          alertBindings: [{ alertChannelId: first?.id, after: 60, every: 0 }],
        },
        {
          ref: "router",
          alertBindings: [
            { alertChannelId: first?.id, after: 0, every: 0 },
            { alertChannelId: second?.id, after: 0, every: 0 },
          ],
        },
        {
          ref: "backup",
          name: "Nightly backup",
          enabled: false,
          config: { cron: "0 3 * * *", interval: 300 },
        },
      ]);
      expect(created.maintenances).toMatchObject([
        {
          ref: "rack",
          title: "rack",
          selector: { monitorIds: [a?.id] },
          notifyChannelIds: [second?.id],
          timezone: "UTC",
        },
      ]);
      expect(created.pages).toMatchObject([
        {
          ref: "public",
          title: "public",
          components: [
            { monitorId: a?.id, name: "Front" },
            { monitorId: b?.id, name: null },
          ],
        },
      ]);
      const log = await entries();
      expect(await apply(everything, { now: LATER })).toEqual({ changes: [] });
      expect(await contents()).toEqual(created);
      expect(await entries()).toEqual(log);
      expect(await dueMonitors()).toEqual([a?.id ?? "", b?.id ?? ""]);
      expect(c?.status).toBe("unknown");
    });

    slow("updates what has other values, and names the fields", async () => {
      await apply(everything);
      const before = await contents();
      const other = {
        ...everything,
        channels: {
          ...everything.channels,
          mail: { ...everything.channels.mail, notifyOn: ["down", "healthy"] },
        },
        monitors: {
          ...everything.monitors,
          shop: { ...shop, config: { ...shop.config, timeout: 5, interval: 30 }, alertChannelIds: ["ops"] },
          router: { ...everything.monitors.router, dependsOn: ["backup"] },
        },
        maintenances: { rack: { selector: { all: true }, cron: "0 2 * * *", duration: 900 } },
        pages: { public: { slug: "store", components: [{ monitorId: "router" }] } },
      };
      const { changes } = await apply(other, { now: LATER });
      expect(changes).toEqual([
        { action: "update", kind: "channel", ref: "mail", fields: ["notifyOn"] },
        {
          action: "update",
          kind: "monitor",
          ref: "shop",
          fields: ["config.interval", "config.timeout", "alertChannelIds", "tags", "dependsOn"],
        },
        { action: "update", kind: "monitor", ref: "router", fields: ["dependsOn"] },
        {
          action: "update",
          kind: "maintenance",
          ref: "rack",
          fields: ["selector", "duration", "notifyChannelIds"],
        },
        { action: "update", kind: "page", ref: "public", fields: ["slug", "components"] },
      ]);
      expect(await apply(other, { now: LATER })).toEqual({ changes: [] });
      const after = await contents();
      const [a, b, c] = after.monitors;
      expect(after.monitors.map(({ id }) => id)).toEqual(before.monitors.map(({ id }) => id));
      expect(a).toMatchObject({
        config: { ...shop.config, timeout: 5, interval: 30 },
        tags: [],
        dependsOn: [],
        alertBindings: [{ alertChannelId: after.channels[0]?.id, after: 0, every: 0 }],
        updatedAt: LATER,
      });
      expect(b).toMatchObject({ dependsOn: [c?.id], updatedAt: LATER });
      expect(c).toEqual(before.monitors[2] as never);
      expect(after.pages[0]?.components).toMatchObject([
        { id: before.pages[0]?.components[1]?.id, monitorId: b?.id },
      ]);
      const log = (await entries())
        .slice(0, 5)
        .map(({ action, resource, changed }) => [action, resource.name, ...changed]);
      expect(log.toSorted()).toEqual([
        ["channel.updated", "mail", "notifyOn"],
        ["maintenance.updated", "rack", "selector", "duration", "notifyChannelIds"],
        ["monitor.updated", "router", "dependsOn"],
        ["monitor.updated", "shop", "config", "alertBindings", "tags", "dependsOn"],
        ["page.updated", "public", "slug", "components"],
      ]);
    });

    test("of one document twice at the same time creates everything once", async () => {
      const { store, organizationId } = world();
      const options = { prune: "none", isDryRun: false } as const;
      const both = await Promise.all(
        [1, 2].map(() => store.configuration.apply(organizationId, everything, options, NOW)),
      );
      expect(both.map(({ changes }) => changes.length).toSorted()).toEqual([0, 7]);
      expect(await apply(everything)).toEqual({ changes: [] });
    });

    test("as a trial changes nothing", async () => {
      const { changes } = await apply(everything, { isDryRun: true });
      expect(changes).toHaveLength(7);
      expect(await contents()).toEqual({ channels: [], monitors: [], maintenances: [], pages: [] });
      expect(await entries()).toEqual([]);
    });
  });

  describe("behavior 16.31: an apply that is refused", () => {
    test("behavior 16.23: changes nothing, and names all faults, also those of refs and of entries beside each other", async () => {
      const other = await world().another();
      await apply({ pages: { theirs: { slug: "taken" } } }, { of: other });
      await apply({ monitors: { job: { type: "SCHEDULED" } } });
      const before = await contents();
      const log = await entries();
      const wrong = {
        channels: { ops },
        monitors: {
          a: { ...shop, alertChannelIds: ["ops", "nope"], dependsOn: ["b"] },
          b: { ...shop, dependsOn: ["job", "a"], locations: ["here", "nowhere"] },
          c: { ...shop, config: { url: "shop" } },
          d: { ...shop, dependsOn: ["c", "ops"] },
          job: { ...shop },
        },
        maintenances: { m: { selector: { monitorIds: ["a", "x"] }, cron: "0 2 * * *", duration: 600 } },
        pages: {
          one: { slug: "taken" },
          two: { slug: "shop" },
          three: { slug: "shop", components: [{ monitorId: "y" }] },
        },
      };
      expect(await faultsOf(wrong)).toEqual([
        "monitors.c.config.interval: is required",
        "monitors.c.config.url: must be a full URL that begins with http:// or https://, without user name or password",
        "monitors.job.type: must be SCHEDULED: the type of what exists cannot change",
        "monitors.a.alertChannelIds.1: is not the ref of an alert channel",
        "monitors.d.dependsOn.1: is not the ref of a monitor",
        "monitors.b.locations.1: is not the ID of a location of the organization",
        "monitors.a.dependsOn.0: must not depend on this monitor itself",
        "monitors.b.dependsOn.1: must not depend on this monitor itself",
        "maintenances.m.selector.monitorIds.1: is not the ref of a monitor",
        "pages.one.slug: is taken: it must be unique on this server",
        "pages.three.slug: is taken: it must be unique on this server",
        "pages.three.components.0.monitorId: is not the ref of a monitor",
      ]);
      expect(await contents()).toEqual(before);
      expect(await entries()).toEqual(log);
    });

    test("behavior 16.36: for the limits of the plan or the subscription names what is too much", async () => {
      const starter = await world().another("starter");
      await apply({ channels: { ops } }, { of: starter });
      const monitor = { type: "TCP", config: { host: "a", port: 1, interval: 300 } };
      const monitors = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`m${at}`, monitor]));
      expect(await faultsOf({ channels: { other: ops }, monitors }, { of: starter })).toEqual([
        "channels.other: Alert channel limit reached",
        "monitors.m10: Monitor limit reached",
      ]);
      // A deletion makes room.
      await apply({ channels: { other: ops } }, { of: starter, prune: "all" });
      expect(
        await faultsOf(
          { monitors: { a: { ...monitor, config: { ...monitor.config, interval: 60 } } } },
          { of: starter },
        ),
      ).toEqual(["monitors.a.config.interval: must be at least 300 s"]);
      await world().store.organizations.update(starter.organizationId, { subscription: "inactive" });
      const unpaid = apply({ channels: { other: ops }, monitors: { a: monitor } }, { of: starter });
      await expect(unpaid).rejects.toMatchObject({
        kind: "no_subscription",
        message: "monitors.a: No active subscription",
      });
      expect(await apply({ channels: { other: { ...ops, enabled: false } } }, { of: starter })).toMatchObject(
        {
          changes: [{ action: "update", ref: "other" }],
        },
      );
    });
  });

  describe("behavior 16.33: what has no ref", () => {
    test("is never changed, and never deleted", async () => {
      const [site, channel] = [await world().site(), await world().channel()];
      const before = await contents();
      await apply(everything);
      await apply({}, { prune: "all" });
      expect(await contents()).toEqual(before);
      expect([site, channel]).toEqual([before.monitors[0]?.id ?? "", before.channels[0]?.id ?? ""]);
    });
  });

  describe("behavior 16.34: prune", () => {
    const many = (count: number) => ({
      monitors: Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`m${at}`, { type: "SCHEDULED" }]),
      ),
    });

    test("deletes what the document lacks, what names others first", async () => {
      await apply(everything);
      const { changes } = await apply({ channels: { ops } }, { prune: "some" });
      expect(changes.map(({ action, kind, ref }) => `${action} ${kind} ${ref}`)).toEqual([
        "delete page public",
        "delete maintenance rack",
        "delete monitor shop",
        "delete monitor router",
        "delete monitor backup",
        "delete channel mail",
      ]);
      expect(await contents()).toMatchObject({
        channels: [{ ref: "ops" }],
        monitors: [],
        maintenances: [],
        pages: [],
      });
      const deleted = (await entries()).filter(({ action }) => action.endsWith("deleted"));
      expect(deleted).toHaveLength(6);
    });

    slow("refuses to delete more than a fifth of at least 10 of a kind, except with all", async () => {
      await apply(many(10));
      expect(await faultsOf(many(7), { prune: "some" })).toEqual([
        "monitors: lacks 3 of the 10 that have a ref: more than a fifth of them is deleted only with prune=all",
      ]);
      expect((await contents()).monitors).toHaveLength(10);
      expect((await apply(many(8), { prune: "some" })).changes).toHaveLength(2);
      // Fewer than 10.
      expect((await apply(many(2), { prune: "some" })).changes).toHaveLength(6);
      await apply(many(10));
      expect((await apply({}, { prune: "all" })).changes).toHaveLength(10);
    });

    test("gives what is created the place of what it replaces: a slug, or a ref of another name", async () => {
      await apply({ pages: { old: { slug: "shop" }, a: { slug: "one" }, b: { slug: "two" } } });
      await apply(
        { pages: { new: { slug: "shop" }, a: { slug: "two" }, b: { slug: "one" } } },
        { prune: "all" },
      );
      expect((await contents()).pages.map(({ ref, slug }) => [ref, slug])).toEqual([
        ["a", "two"],
        ["b", "one"],
        ["new", "shop"],
      ]);
    });

    test("behavior 16.130: gives push tokens, also those of monitors that it deletes or that swap theirs", async () => {
      const jobs = (tokens: Record<string, string>) =>
        Object.fromEntries(
          Object.entries(tokens).map(([ref, pushToken]) => [
            ref,
            { type: "SCHEDULED", config: { pushToken } },
          ]),
        );
      const refs = async (...tokens: string[]) => {
        const { store, organizationId } = world();
        const ids = await Promise.all(tokens.map((token) => store.monitors.findIdByPushToken(token)));
        return Promise.all(ids.map(async (id) => id && (await store.monitors.find(organizationId, id))?.ref));
      };
      await apply({ monitors: jobs({ a: "tokenofa", b: "tokenofb", old: "tokenofc" }) });
      expect(await refs("tokenofa", "tokenofb", "tokenofc")).toEqual(["a", "b", "old"]);
      await apply({ monitors: jobs({ a: "tokenofb", b: "tokenofa", new: "tokenofc" }) }, { prune: "all" });
      expect(await refs("tokenofa", "tokenofb", "tokenofc")).toEqual(["b", "a", "new"]);
      expect((await apply({ monitors: jobs({ a: "•••" }) })).changes).toEqual([]);
    });

    test("behavior 16.130: refuses a push token that another monitor of the server has", async () => {
      const job = (pushToken: string) => ({ type: "SCHEDULED", config: { pushToken } });
      await apply({ monitors: { theirs: job("tokenoftheirs") } }, { of: await world().another() });
      await apply({ monitors: { stored: job("tokenofstored") } });
      const monitors = {
        a: job("tokenoftheirs"),
        b: job("tokenofstored"),
        c: job("tokenofc"),
        d: job("tokenofc"),
      };
      expect(await faultsOf({ monitors })).toEqual(
        ["a", "b", "d"].map(
          (ref) => `monitors.${ref}.config.pushToken: is taken: it must be unique on this server`,
        ),
      );
    });

    test("refuses a ref of what is deleted", async () => {
      await apply(everything);
      expect(await faultsOf({ monitors: { a: { ...shop, dependsOn: ["shop"] } } }, { prune: "all" })).toEqual(
        ["monitors.a.dependsOn.0: is the ref of a monitor that is deleted, because the document lacks it"],
      );
      await apply({ monitors: { a: { ...shop, dependsOn: ["shop"] } } });
    });
  });

  describe("behavior 16.25: a maintenance", () => {
    const iso = (time: number) => new Date(time).toISOString();
    const once = (from: number, to: number, title = "Move") => ({
      maintenances: { move: { title, selector: { all: true }, startsAt: iso(from), endsAt: iso(to) } },
    });

    test("whose only window is over is not created, and one that is stored is not judged again", async () => {
      expect(await apply(once(NOW - 2 * HOUR, NOW - HOUR))).toEqual({ changes: [] });
      await apply(once(NOW, NOW + HOUR));
      expect(await apply(once(NOW, NOW + HOUR), { now: NOW + 2 * HOUR })).toEqual({ changes: [] });
      const renamed = await apply(once(NOW, NOW + HOUR, "Move of racks"), { now: NOW + 2 * HOUR });
      expect(renamed.changes).toMatchObject([{ fields: ["title"] }]);
      expect(await faultsOf(once(NOW, NOW + HOUR / 2), { now: NOW + 2 * HOUR })).toEqual([
        "maintenances.move.endsAt: must be in the future",
      ]);
    });

    test("that was ended early stays ended", async () => {
      await apply(once(NOW, NOW + 3 * HOUR));
      const { store, organizationId } = world();
      const [move] = (await contents()).maintenances;
      const ended = await store.maintenances.end(organizationId, move?.id ?? "", NOW + HOUR);
      expect(await apply(once(NOW, NOW + 3 * HOUR), { now: NOW + HOUR })).toEqual({ changes: [] });
      await apply(once(NOW, NOW + 3 * HOUR, "Other"), { now: NOW + HOUR });
      expect((await contents()).maintenances).toMatchObject([{ title: "Other", endsAt: ended.endsAt }]);
    });
  });

  describe("behavior 16.35: a secret", () => {
    const withSecret = (password: string, url: string = shop.config.url) => ({
      channels: { ops: { ...ops, config: { ...ops.config, secret: password } } },
      monitors: { shop: { ...shop, config: { url, interval: 60, basicAuth: { user: "u", password } } } },
    });

    test("that is equal is no change, and ••• keeps the stored one", async () => {
      await apply(withSecret("s3cret"));
      expect(await apply(withSecret("s3cret"))).toEqual({ changes: [] });
      expect((await apply({ monitors: withSecret("•••").monitors })).changes).toEqual([]);
      expect((await apply(withSecret("other"))).changes).toMatchObject([
        { fields: ["config.secret"] },
        { fields: ["config.basicAuth"] },
      ]);
      expect((await contents()).monitors[0]?.config).toMatchObject({ basicAuth: { password: "other" } });
    });

    test("must be sent for what is new, or for another origin", async () => {
      expect(await faultsOf({ monitors: withSecret("•••").monitors })).toEqual([
        "monitors.shop.config.basicAuth.password: must be sent with its value: none is stored",
      ]);
      await apply(withSecret("s3cret"));
      expect(await faultsOf({ monitors: withSecret("•••", "https://evil.example.com/").monitors })).toEqual([
        "monitors.shop.config.basicAuth.password: must be sent with its value: the origin of config.url changes",
      ]);
    });
  });

  describe("behavior 16.35: a push token", () => {
    const job = (pushToken?: string) => ({ type: "SCHEDULED", config: { ...(pushToken && { pushToken }) } });
    const [one, two] = ["tokenOne1", "tokenTwo2"];

    test("can move to another monitor, also to a new one", async () => {
      await apply({ monitors: { a: job(one), b: job(two) } });
      await apply({ monitors: { a: job(two), b: job(one) } });
      await apply({ monitors: { a: job(), b: job(one), c: job(two) } });
      expect((await contents()).monitors.map(({ config }) => config)).toEqual([
        { interval: 300 },
        { interval: 300, pushToken: one },
        { interval: 300, pushToken: two },
      ]);
      expect(await apply({ monitors: { b: job("•••"), c: job(two) } })).toEqual({ changes: [] });
    });

    test("is unique on the server, and in no message", async () => {
      const other = await world().another();
      await apply({ monitors: { theirs: job(one) } }, { of: other });
      await apply({ monitors: { a: job(two) } });
      const taken = "config.pushToken: is taken: it must be unique on this server";
      expect(
        await faultsOf({
          monitors: { b: job(one), c: job("tokenThree"), d: job("tokenThree"), e: job(two) },
        }),
      ).toEqual([`monitors.b.${taken}`, `monitors.d.${taken}`, `monitors.e.${taken}`]);
    });
  });

  describe("behavior 16.23: dependencies", () => {
    test("may be turned around in one apply, in any order of the entries", async () => {
      const chain = (...refs: string[]) => ({
        monitors: Object.fromEntries(
          refs.map((ref, at) => [ref, { ...shop, dependsOn: refs.slice(at + 1, at + 2) }]),
        ),
      });
      await apply(chain("a", "b", "c", "d"));
      await apply(chain("d", "c", "b", "a"));
      await apply(chain("b", "new", "d", "a", "c"));
      expect(await apply(chain("b", "new", "d", "a", "c"))).toEqual({ changes: [] });
    });
  });

  describe("behavior 16.20: the default channels of the organization", () => {
    test("are those of monitors without channels", async () => {
      await apply({ channels: { ops }, monitors: { shop } });
      const [channel] = (await contents()).channels;
      await world().setDefaults(channel?.id ?? "");
      expect((await apply({ monitors: { shop } })).changes).toMatchObject([{ fields: ["alertChannelIds"] }]);
      expect(await apply({ monitors: { shop } })).toEqual({ changes: [] });
      expect((await contents()).monitors[0]?.alertBindings).toHaveLength(1);
    });
  });

  describe("behavior 16.45: the history of a document", () => {
    const day = (at: number) => new Date(NOW - at * 24 * HOUR).toISOString().slice(0, 10);
    const history = { [day(1)]: { up: 1437, down: 3, latency: 120 }, [day(2)]: { up: 1440 }, [day(3)]: {} };
    const past = {
      monitors: { shop, job: { type: "SCHEDULED" } },
      history: { shop: history, job: { [day(2)]: { down: 1 } } },
    };

    async function shown() {
      const { store, organizationId } = world();
      const found = [];
      for await (const list of store.monitors.list(organizationId, { type: undefined, range: "90d" }, NOW))
        for (const { ref, uptime, history: days } of list)
          found.push({ ref, uptime, days: days.slice(-4).map(({ status }) => status) });
      return found;
    }

    test("gives new monitors an uptime and a history at once, and is ignored later", async () => {
      await apply(past);
      const before = await shown();
      expect(before).toEqual([
        { ref: "shop", uptime: "99.89%", days: ["unknown", "up", "down", "unknown"] },
        { ref: "job", uptime: "0.00%", days: ["unknown", "failed", "unknown", "unknown"] },
      ]);
      expect(await apply({ ...past, history: { shop: { [day(1)]: { down: 9 } } } })).toEqual({ changes: [] });
      expect(await shown()).toEqual(before);
    });

    test("has the latencies of a day, also after days without any", async () => {
      const days = { [day(3)]: { up: 1 }, [day(2)]: { down: 1 }, [day(1)]: { up: 2, latency: 120 } };
      await apply({ monitors: { shop }, history: { shop: days } });
      const { store, organizationId } = world();
      const id = (await contents()).monitors[0]?.id ?? "";
      const { latencies } = await store.monitors.findReport(organizationId, { id, range: "90d" }, NOW);
      expect(latencies).toMatchObject([{ shortest: 120, longest: 120 }]);
    });

    test("of the future is a fault", async () => {
      expect(await faultsOf({ ...past, history: { shop: { [day(-1)]: { up: 1 } } } })).toEqual([
        `history.shop.${day(-1)}: must not be in the future`,
      ]);
    });
  });

  describe("behavior 23.78: reports by mail", () => {
    const weekly = { kind: "week", selector: { monitorIds: ["shop"] }, channelIds: ["mail"], at: "07:00" };
    const document = (reports: object) => ({
      channels: { mail: { type: "EMAIL", config: { to: "ops@example.com" } } },
      monitors: { shop },
      reports,
    });
    const ofReports = async (...given: Parameters<typeof apply>) =>
      (await apply(...given)).changes.filter(({ kind }) => kind === "report");
    const list = () => world().store.reportMails.list(world().organizationId);
    const change = { kind: "report" as const, ref: "weekly" };

    test("are planned, created, updated, exported and pruned", async () => {
      const created = { ...change, action: "create" as const, fields: Object.keys(weekly) };
      expect(await ofReports(document({ weekly }), { isDryRun: true })).toEqual([
        { ...created, fields: expect.any(Array) },
      ]);
      expect(await list()).toEqual([]);
      expect(await ofReports(document({ weekly }))).toHaveLength(1);
      const [mail] = (await contents()).channels;
      const [monitor] = (await contents()).monitors;
      const stored = { ref: "weekly", title: "weekly", kind: "week", at: "07:00", timezone: "UTC" } as const;
      const [report] = await list();
      expect(report).toMatchObject({
        ...stored,
        selector: { monitorIds: [monitor?.id] },
        channelIds: [mail?.id],
      });
      expect(await apply(document({ weekly }))).toEqual({ changes: [] });
      const addressed = { kind: "week", selector: { all: true }, to: ["a@example.com"], language: "fr" };
      expect(await ofReports(document({ weekly: addressed }), { now: LATER })).toEqual([
        {
          ...change,
          action: "update",
          fields: expect.arrayContaining(["selector", "channelIds", "to", "at", "language"]),
        },
      ]);
      expect(await list()).toMatchObject([
        { id: report?.id, channelIds: null, to: ["a@example.com"], at: "08:00" },
      ]);
      const exported = await world().store.configuration.export(world().organizationId, NOW);
      expect<object>(exported.document).toEqual(document({ weekly: addressed }));
      expect(await apply(exported.document, { prune: "some" })).toEqual({ changes: [] });
      expect(await ofReports(document({}), { prune: "some" })).toEqual([
        { ...change, action: "delete", fields: [] },
      ]);
      expect(await list()).toEqual([]);
      expect(
        (await entries()).filter(({ action }) => action.startsWith("report.")).map(({ action }) => action),
      ).toEqual(["report.deleted", "report.updated", "report.created"]);
    });

    test("name only EMAIL channels, and the last of their monitors and channels keeps them in an export", async () => {
      const hook = { ...document({ weekly: { ...weekly, channelIds: ["ops"] } }), channels: { ops } };
      expect(await faultsOf(hook)).toEqual([
        "reports.weekly.channelIds.0: must be an EMAIL channel, got WEBHOOK",
      ]);
      await apply(document({ weekly }));
      const [mail] = (await contents()).channels;
      await world().store.channels.delete(world().organizationId, mail?.id ?? "");
      const exported = await world().store.configuration.export(world().organizationId, NOW);
      expect(Object.keys(exported.document).toSorted()).toEqual(["monitors"]);
    });
  });

  describe("an export", () => {
    const exported = () => world().store.configuration.export(world().organizationId, NOW);

    test("behavior 16.50, 16.53, 17.20: has what differs from the defaults, and changes nothing when it is applied", async () => {
      const default1 = await world().channel({ ref: "default", name: "default" });
      await world().setDefaults(default1);
      const document = {
        channels: {
          default: { type: "WEBHOOK", config: WEBHOOK },
          mail: { type: "EMAIL", config: { to: "ops@example.com" }, enabled: false, notifyOn: ["down"] },
        },
        monitors: {
          shop: {
            ...shop,
            alertBindings: [{ alertChannelId: "default" }, { alertChannelId: "mail", after: 60 }],
            tags: ["web"],
            dependsOn: ["router"],
            confirmations: 1,
          },
          router: { type: "TLS", config: { host: "router" }, alertChannelIds: ["mail"] },
          job: {
            name: "Cost in ${EUR}",
            type: "SCHEDULED",
            config: { period: 60 },
            enabled: false,
            alertChannelIds: [],
          },
          dns: { type: "DNS", config: { hostname: "example.com", interval: 60 } },
        },
        maintenances: {
          rack: {
            title: "Rack",
            selector: { monitorIds: ["shop"] },
            cron: "0 2 * * *",
            timezone: "Europe/Berlin",
            duration: 600,
            notifyChannelIds: ["mail"],
          },
          move: {
            selector: { tags: ["web"] },
            startsAt: new Date(NOW).toISOString(),
            endsAt: new Date(LATER).toISOString(),
          },
        },
        pages: {
          public: {
            slug: "shop",
            days: 30,
            accent: "#0a7f62",
            logo: SMALL_GIF,
            embedOrigins: ["https://www.example.com"],
            language: "de",
            timezone: "Europe/Berlin",
            components: [{ monitorId: "shop", name: "Front", group: "a" }, { monitorId: "router" }],
          },
        },
      };
      await apply(document);
      const [, move] = (await contents()).maintenances;
      await world().store.maintenances.end(world().organizationId, move?.id ?? "", NOW + 60_000);
      const { monitors } = document;
      const texts = {
        ...document,
        monitors: { ...monitors, job: { ...monitors.job, name: "Cost in $${EUR}" } },
      };
      expect(await exported()).toEqual({ document: texts as object, secrets: [] });
      expect(await apply(document, { prune: "some", now: LATER })).toEqual({ changes: [] });
    });

    test("behavior 16.51: has placeholders for secrets", async () => {
      const headers = { Authorization: "s3cret" };
      await apply({
        channels: {
          chat: { type: "SLACK", config: { webhookUrl: "https://hooks.slack.com/s3cret" } },
          hook: { type: "WEBHOOK", config: { url: "https://a.example.com/", secret: "s3cret", headers } },
          google: {
            type: "WEBHOOK",
            config: { url: "https://chat.example.com/s3cret", format: "googlechat" },
          },
        },
        monitors: {
          shop: { ...shop, config: { ...shop.config, headers, expect: { contains: "a${b" } } },
          login: { ...shop, config: { ...shop.config, basicAuth: { user: "me", password: "s3cret" } } },
        },
      });
      const { document, secrets } = await exported();
      expect(secrets).toEqual([
        "SLACK_CHAT_WEBHOOK_URL",
        "WEBHOOK_HOOK_SECRET",
        "WEBHOOK_HOOK_AUTHORIZATION",
        "WEBHOOK_GOOGLE_URL",
        "HTTP_SHOP_AUTHORIZATION",
        "HTTP_LOGIN_PASSWORD",
      ]);
      expect(JSON.stringify(document)).not.toContain("s3cret");
      expect(document.monitors?.shop?.config).toEqual({
        ...shop.config,
        headers: { Authorization: "${HTTP_SHOP_AUTHORIZATION}" },
        expect: { contains: "a$${b" },
      });
    });

    test("behavior 16.52: has a proposed ref for what has none, which can be stored", async () => {
      await apply({ monitors: { "shop-front": shop } });
      const { store, organizationId } = world();
      const channelId = await world().channel({ name: "Ops" });
      const site = { name: "Shop front", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
      const { id } = await store.monitors.create(
        world().owner,
        { ...site, alertChannelIds: [channelId] },
        NOW,
      );
      const proposed = (await exported()).document;
      expect(Object.keys(proposed.monitors ?? {})).toEqual(["shop-front", "shop-front-2"]);
      expect(proposed.monitors?.["shop-front-2"]).toMatchObject({
        name: "Shop front",
        alertChannelIds: ["ops"],
      });
      expect(await store.as(author).configuration.storeRefs(organizationId, LATER)).toEqual([
        { kind: "channel", id: channelId, ref: "ops" },
        { kind: "monitor", id, ref: "shop-front-2" },
      ]);
      expect(await store.configuration.storeRefs(organizationId, LATER)).toEqual([]);
      expect((await exported()).document).toEqual(proposed);
      expect(await apply(proposed, { prune: "all" })).toEqual({ changes: [] });
      expect(await entries()).toMatchObject([
        { action: "monitor.updated", changed: ["ref"] },
        { action: "channel.updated", changed: ["ref"] },
        {},
      ]);
    });
  });
});
