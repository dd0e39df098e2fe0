import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AuditActor as Actor } from "../../../src/domain/accounts/audit.ts";
import type { OutageFilter } from "../../../src/store/outages/outages.ts";
import { transitionOf } from "../../support/alerts/transitions.ts";
import { walks } from "../../support/long.ts";
import { contractSuite } from "./suite.ts";
import { allPages, MINUTE, NOW, type World } from "./world.ts";

const none = { acknowledgedAt: null, acknowledgedBy: null, note: null, maintenanceId: null };
const ada = { by: "Ada", note: "on it" };

contractSuite("outages", (world) => {
  test("behavior 16.372: the unattended monitors have an open outage that nobody has acknowledged", async () => {
    const { store, organizationId } = world();
    const [down, seen, over, healthy] = [
      await world().site(),
      await world().site(),
      await world().site(),
      await world().site(),
    ];
    for (const site of [down, seen, over]) await world().down(site, NOW);
    for (const site of [over, healthy]) await world().up(site, { at: NOW + 1 });
    const { id } = await only(world(), seen);
    await store.outages.acknowledge(organizationId, id, ada, NOW + 1);
    const unattended = () => store.outages.listUnattended(organizationId);
    expect(await unattended()).toEqual([{ id: down, tags: [], status: "down" }]);
    await store.outages.unacknowledge(organizationId, id, NOW + 2);
    expect((await unattended()).map((one) => one.id).sort()).toEqual([down, seen].sort());
  });

  test("behavior 7.50: what was changed and changed back since the last look counts as a change", async () => {
    const { store, organizationId } = world();
    const site = await world().site();
    await world().down(site, NOW);
    const { id } = await only(world(), site);
    const actor: Actor = { type: "cli", id: null, name: "root" };
    const { outages } = store.as({ actor, address: null, at: NOW });
    const before = await store.changes.findMarkers(organizationId);
    await outages.acknowledge(organizationId, id, ada, NOW + 1);
    await outages.unacknowledge(organizationId, id, NOW + 2);
    const after = await store.changes.findMarkers(organizationId);
    expect(after.monitors).not.toBe(before.monitors);
    expect({ ...after, monitors: "" }).toEqual({ ...before, monitors: "" });
  });

  test("behavior 23.52: the link of a notification finds its outage until its channel or its monitor is deleted", async () => {
    const { store, organizationId } = world();
    const [channelId, otherId] = [await world().channel({ name: "Ops" }), await world().channel()];
    const site = await world().site();
    await world().down(site, NOW);
    const { id: outageId, why, cause, downs, ...outage } = await only(world(), site);
    const linked = {
      organizationId,
      channel: { id: channelId, name: "Ops" },
      outage: { id: outageId, ...outage },
    };
    expect(await store.outages.findLinked({ outageId, channelId })).toEqual(linked);
    expect(await store.outages.findLinked({ outageId: "unknown", channelId })).toBeNull();
    expect(await store.outages.findLinked({ outageId, channelId: "unknown" })).toBeNull();
    await store.channels.delete(organizationId, channelId);
    expect(await store.outages.findLinked({ outageId, channelId })).toBeNull();
    await store.monitors.delete(organizationId, site);
    expect(await store.outages.findLinked({ outageId, channelId: otherId })).toBeNull();
  });

  test("behavior 23.52: the acknowledgement of a notification leaves another one as it is", async () => {
    const { store, organizationId } = world();
    const site = await world().site();
    await world().down(site, NOW);
    const { id } = await only(world(), site);
    await store.outages.acknowledge(organizationId, id, ada, NOW + 1);
    const later = { by: "Ops (by notification)", note: null, keepsOther: true };
    const expected = { acknowledgedAt: NOW + 1, acknowledgedBy: "Ada", note: "on it" };
    expect(await store.outages.acknowledge(organizationId, id, later, NOW + 2)).toMatchObject(expected);
    expect(await only(world(), site)).toMatchObject(expected);
  });

  test("behavior 1.6: people attend to a monitor by an open window, or by the acknowledgement of its open outage", async () => {
    const { store, organizationId } = world();
    const [maintained, acknowledged, over, nobody] = [
      await world().site(),
      await world().site(),
      await world().site(),
      await world().site(),
    ];
    for (const site of [maintained, acknowledged, over, nobody]) await world().down(site, NOW);
    for (const site of [acknowledged, over])
      await store.outages.acknowledge(organizationId, (await only(world(), site)).id, ada, NOW + 1);
    await world().up(over, { at: NOW + 2 });
    const window = {
      title: "Move",
      selector: { monitorIds: [maintained] },
      startsAt: new Date(NOW).toISOString(),
      endsAt: new Date(NOW + MINUTE).toISOString(),
    };
    await store.maintenances.create(organizationId, window, NOW);
    const { maintenanceOf, acknowledgementOf } = await store.outages.findAttendance(organizationId, NOW + 3);
    const attendance = [maintained, acknowledged, over, nobody].map((id) => [
      maintenanceOf({ id, tags: [] })?.title ?? null,
      acknowledgementOf({ id }),
    ]);
    expect(attendance).toEqual([
      ["Move", null],
      [null, { at: NOW + 1, ...ada }],
      [null, null],
      [null, null],
    ]);
    const later = await store.outages.findAttendance(organizationId, NOW + 2 * MINUTE);
    expect(later.maintenanceOf({ id: maintained, tags: [] })).toBeNull();
  });

  test("behavior 14.53, 14.78: outages are chosen by the tag and text of their monitors, and by the time in which they lasted", async () => {
    const { store, organizationId, owner } = world();
    const create = async (name: string, tags: string[]) => {
      const site = {
        name,
        type: "TCP",
        config: { host: `${tags.length}.example`, port: 1, interval: 60 },
      } as const;
      return (await store.monitors.create(owner, { ...site, tags, alertChannelIds: [] }, NOW)).id;
    };
    const [shop, blog] = [await create("Größe 100%", ["web", "eu"]), await create("Blog", ["web"])];
    await world().down(shop, NOW + MINUTE);
    await world().up(shop, { at: NOW + 3 * MINUTE });
    await world().down(blog, NOW + 5 * MINUTE);
    const found = async (filter: OutageFilter): Promise<string[]> => {
      const { items } = await store.outages.list(organizationId, { limit: 10, ...filter });
      return items.map(({ monitor }) => (monitor.id === shop ? "shop" : "blog"));
    };
    const cases: [OutageFilter, string[]][] = [
      [{}, ["blog", "shop"]],
      [{ tag: "web" }, ["blog", "shop"]],
      [{ tag: "eu" }, ["shop"]],
      [{ tag: "none" }, []],
      [{ tag: "eu", monitorId: blog }, []],
      [{ search: " GRÖSSE" }, []],
      [{ search: " grÖße 100%" }, ["shop"]],
      [{ search: "_" }, []],
      [{ search: "1.example" }, ["blog"]],
      [{ search: "  " }, ["blog", "shop"]],
      [{ search: "eu", tag: "web", isOpen: false }, ["shop"]],
      [{ search: "eu", isOpen: true }, []],
      [{ from: NOW + 3 * MINUTE }, ["blog"]],
      [{ from: NOW + 2 * MINUTE, to: NOW + 5 * MINUTE }, ["shop"]],
      [{ to: NOW + MINUTE }, []],
      [{ from: NOW + 6 * MINUTE }, ["blog"]],
    ];
    for (const [filter, expected] of cases) expect([filter, await found(filter)]).toEqual([filter, expected]);
    const first = await store.outages.list(organizationId, { limit: 1, tag: "web" });
    const second = await store.outages.list(organizationId, {
      limit: 1,
      tag: "web",
      cursor: first.cursor ?? "",
    });
    expect([...first.items, ...second.items].map(({ monitor }) => monitor.id)).toEqual([blog, shop]);
    expect(second.cursor).toBeNull();
  });

  describe("behavior 14.53: an outage", () => {
    test("has its monitor, the worst status, the reason of the first result, and both times", async () => {
      const site = await world().site();
      await world().up(site);
      await world().down(site, NOW + MINUTE);
      const open = await only(world(), site);
      const monitor = { id: site, name: "site", type: "TCP" } as const;
      const times = { startedAt: NOW + MINUTE, endedAt: null, downs: [{ from: NOW + MINUTE, to: null }] };
      const why = { layer: "port", summary: "a refuses connections on port 1" } as const;
      expect(open).toEqual({
        id: open.id,
        monitor,
        status: "down",
        reason: "refused",
        ...times,
        ...none,
        why,
        cause: null,
      });
      expect(await world().store.outages.find(world().organizationId, open.id)).toEqual(open);
      await world().up(site, { at: NOW + 2 * MINUTE });
      const endedAt = NOW + 2 * MINUTE;
      expect(await only(world(), site)).toEqual({
        ...open,
        endedAt,
        downs: [{ from: NOW + MINUTE, to: endedAt }],
      });
    });

    test("knows the stretches in which its monitor was down, as the checks first saw them", async () => {
      const { store, owner, organizationId } = world();
      const job = await world().jobWith({ period: 600, grace: 60 });
      await world().checkin(job, "ok", NOW);
      const miss = (at: number) => store.recording.record([{ kind: "silence", monitorId: job, at }]);
      await miss(NOW + 12 * MINUTE);
      await world().checkin(job, "fail", NOW + 13 * MINUTE);
      await miss(NOW + 25 * MINUTE);
      await world().checkin(job, "fail", NOW + 30 * MINUTE);
      const downs = (end: number | null) => [
        { from: NOW + 13 * MINUTE, to: NOW + 24 * MINUTE },
        { from: NOW + 30 * MINUTE, to: end },
      ];
      const { id } = await only(world(), job);
      expect(await only(world(), job)).toMatchObject({ startedAt: NOW + 11 * MINUTE, downs: downs(null) });
      await store.monitors.update(owner, job, { enabled: false }, NOW + 42 * MINUTE);
      expect(await store.outages.find(organizationId, id)).toMatchObject({ downs: downs(NOW + 42 * MINUTE) });
    });

    test("is listed by monitor and by whether it continues, the latest first", async () => {
      const [a, b] = [await world().job(), await world().job()];
      await world().checkin(a, "fail", NOW);
      await world().checkin(b, "fail", NOW + 1);
      await world().checkin(a, "ok", NOW + 2);
      await world().checkin(a, "fail", NOW + 3);
      const found = async (filter: object) =>
        (await list(world(), filter)).map(({ monitor, startedAt }) => [monitor.id, startedAt - NOW]);
      expect(await found({})).toEqual([
        [a, 3],
        [b, 1],
        [a, 0],
      ]);
      expect(await found({ monitorId: a })).toEqual([
        [a, 3],
        [a, 0],
      ]);
      expect(await found({ isOpen: true })).toEqual([
        [a, 3],
        [b, 1],
      ]);
      expect(await found({ isOpen: false })).toEqual([[a, 0]]);
      expect(await found({ monitorId: a, isOpen: false })).toEqual([[a, 0]]);
      expect(await found({ monitorId: "none" })).toEqual([]);
    });

    test("is on one page, whatever its size, also while the outages before it are deleted", async () => {
      const walk = fc.asyncProperty(fc.nat(6), fc.integer({ min: 1, max: 4 }), async (count, limit) => {
        const own = await world().another();
        const jobs: string[] = [];
        for (let at = 0; at < count; at++) {
          jobs.push(await own.job());
          await own.checkin(jobs[at] ?? "", "fail", NOW + at);
        }
        const found = await allPages((cursor) =>
          own.store.outages.list(own.organizationId, { limit, cursor }),
        );
        expect(found.map(({ monitor }) => monitor.id)).toEqual(jobs.toReversed());
        const { cursor } = await own.store.outages.list(own.organizationId, { limit });
        if (cursor === null) return;
        for (const job of jobs.slice(-limit)) await own.store.monitors.delete(own.organizationId, job);
        while (await own.store.housekeeping.sweepDeletedMonitors());
        const next = await own.store.outages.list(own.organizationId, { limit, cursor });
        expect(next.items.map(({ monitor }) => monitor.id)).toEqual(
          jobs.slice(0, -limit).toReversed().slice(0, limit),
        );
      });
      await fc.assert(walk, { numRuns: walks(12) });
    });

    test("behavior 16.210, 16.211: has its cause, the checks before and in it, and those around it", async () => {
      const { store, organizationId } = world();
      const site = await world().site();
      const minutes = (count: number) => NOW + count * MINUTE;
      for (const at of [-80, -30, -1]) await world().up(site, { at: minutes(at), latencyMs: 10 - at });
      const detail = { statusCode: 500, message: "500 Internal Server Error, expected 2xx" };
      for (const at of [0, 1, 70])
        await world().check(
          site,
          { outcome: "failed", reason: "unexpected", latencyMs: 5, detail },
          minutes(at),
        );
      const { id } = await only(world(), site);
      const listed = await store.outages.listWithDetails(organizationId, { limit: 9, monitorId: site });
      const cause = { ...detail, reason: "unexpected" };
      expect(listed).toEqual({ items: [{ ...(await only(world(), site)), detail: cause }], cursor: null });
      const seen = { at: minutes(70), status: "down", latencyMs: 5, detail: cause } as const;
      const report = await store.outages.findReport(organizationId, id);
      expect(report).toMatchObject({ detail: cause, lastGood: { at: minutes(-1) }, lastFailing: seen });
      expect(report.checks).toEqual([
        { at: minutes(-30), status: "up", latencyMs: 40 },
        { at: minutes(-1), status: "up", latencyMs: 11 },
        { at: minutes(0), status: "down", latencyMs: 5 },
        { at: minutes(1), status: "down", latencyMs: 5 },
      ]);
      for (const at of [90, 100, 160]) await world().up(site, { at: minutes(at) });
      const ended = await store.outages.findReport(organizationId, id);
      expect(ended).toMatchObject({ lastGood: report.lastGood, lastFailing: report.lastFailing });
      expect(ended.checks.map(({ at }) => at).slice(4)).toEqual([minutes(90), minutes(100)]);
      const another = await world().another();
      const foreign = another.store.outages.findReport(another.organizationId, id);
      await expect(foreign).rejects.toMatchObject({ kind: "not_found" });
    });

    test("behavior 16.211: of a job has the check-ins before and in it, and no latencies", async () => {
      const job = await world().job();
      await world().checkin(job, "fail", NOW);
      const { id } = await only(world(), job);
      expect(await world().store.outages.findReport(world().organizationId, id)).toEqual({
        ...{ detail: null, lastGood: null, checks: [] },
        lastFailing: { at: NOW, status: "failed", latencyMs: null, detail: null },
      });
    });

    test("behavior 14.58: ends with a pause, and is deleted with its monitor", async () => {
      const { store, owner, organizationId } = world();
      const job = await world().job();
      await world().checkin(job, "fail");
      const { id } = await only(world(), job);
      await store.monitors.update(owner, job, { enabled: false }, NOW + MINUTE);
      expect(await only(world(), job)).toMatchObject({ id, endedAt: NOW + MINUTE });
      await store.monitors.delete(organizationId, job);
      expect(await list(world())).toEqual([]);
      await expect(store.outages.find(organizationId, id)).rejects.toMatchObject({ kind: "not_found" });
    });

    test("is listed when a node has started, if one of the previous version has recorded it", async () => {
      const { store, opened } = world();
      const job = await world().job();
      await world().checkin(job, "fail");
      await opened.db.run("UPDATE outages SET organization_pk = 0");
      expect(await list(world())).toEqual([]);
      await store.nodes.join({ pk: 1, name: "a", version: "1.0.0", retentionDays: 90 }, NOW);
      expect(await list(world())).toMatchObject([{ monitor: { id: job } }]);
    });

    test("is not found by another organization", async () => {
      const { store } = world();
      const job = await world().job();
      await world().checkin(job, "fail");
      const { id } = await only(world(), job);
      const { organizationId } = await world().another();
      const notFound = { kind: "not_found" };
      await expect(store.outages.find(organizationId, id)).rejects.toMatchObject(notFound);
      await expect(store.outages.findTimeline(organizationId, id)).rejects.toMatchObject(notFound);
      await expect(store.outages.acknowledge(organizationId, id, ada, NOW)).rejects.toMatchObject(notFound);
      await expect(store.outages.unacknowledge(organizationId, id, NOW)).rejects.toMatchObject(notFound);
      expect((await store.outages.list(organizationId, { limit: 9 })).items).toEqual([]);
      await expect(store.outages.list(organizationId, { limit: 9, cursor: "x" })).rejects.toMatchObject({
        kind: "invalid",
      });
    });
  });

  test("behavior 19.91: an acknowledgement keeps the name of a person who is removed, marked as deleted", async () => {
    const { store, organizationId } = world();
    const invited = { organizationId, email: "ada@example.com", role: "viewer", token: "t" } as const;
    const { id: person } = await store.people.create(invited, NOW);
    const by = (actor: Actor) => store.as({ actor, address: null, at: NOW }).outages;
    const [own, replaced, ofKey] = [await world().site(), await world().site(), await world().site()];
    const open = async (site: string) => {
      await world().down(site, NOW);
      return (await only(world(), site)).id;
    };
    const acknowledge = async (site: string, actor: Actor) =>
      by(actor).acknowledge(organizationId, await open(site), { by: actor.name, note: null }, NOW + 1);
    const ada = { type: "person", id: person, name: "Ada" } as const;
    const key = { type: "key", id: "k", name: "Ada" } as const;
    await acknowledge(own, ada);
    const { id } = await acknowledge(replaced, ada);
    await by(key).acknowledge(organizationId, id, { by: "Bob", note: null }, NOW + 2);
    await acknowledge(ofKey, key);
    await store.people.delete(organizationId, person);
    const names = await Promise.all(
      [own, replaced, ofKey].map(async (site) => (await only(world(), site)).acknowledgedBy),
    );
    expect(names).toEqual(["Ada (deleted)", "Bob", "Ada"]);
  });

  describe("behavior 14.55: an acknowledgement", () => {
    test("is stored, replaced, and taken back with its note", async () => {
      const { store, organizationId } = world();
      const job = await world().job();
      await world().checkin(job, "fail");
      const before = await only(world(), job);
      const first = { acknowledgedAt: NOW + 1, acknowledgedBy: "Ada", note: "on it" };
      expect(await store.outages.acknowledge(organizationId, before.id, ada, NOW + 1)).toEqual({
        ...before,
        ...first,
      });
      await store.outages.acknowledge(organizationId, before.id, { by: "Bob", note: null }, NOW + 2);
      expect(await only(world(), job)).toEqual({
        ...before,
        ...{ acknowledgedAt: NOW + 2, acknowledgedBy: "Bob", note: null },
      });
      expect(await store.outages.unacknowledge(organizationId, before.id, NOW + 3)).toEqual(before);
      expect(await store.outages.unacknowledge(organizationId, before.id, NOW + 4)).toEqual(before);
      expect(await only(world(), job)).toEqual(before);
    });

    test("is refused for an outage that has ended", async () => {
      const { store, organizationId } = world();
      const job = await world().job();
      await world().checkin(job, "fail");
      await world().checkin(job, "ok", NOW + 1);
      const { id } = await only(world(), job);
      const invalid = { kind: "invalid" };
      await expect(store.outages.acknowledge(organizationId, id, ada, NOW)).rejects.toMatchObject(invalid);
      await expect(store.outages.unacknowledge(organizationId, id, NOW)).rejects.toMatchObject(invalid);
    });

    test("is in the notifications of later changes and of the recovery", async () => {
      const { store, organizationId } = world();
      const job = await world().job(await world().channel());
      await world().checkin(job, "fail");
      await world().attemptAll({ outcome: "delivered" });
      const { id } = await only(world(), job);
      await store.outages.acknowledge(organizationId, id, ada, NOW + 1);
      await world().checkin(job, "ok", NOW + 2);
      const [recovery] = await world().due();
      expect(recovery && transitionOf(recovery)).toMatchObject({
        status: "ok",
        outage: { id, startedAt: NOW },
        acknowledged: { at: NOW + 1, by: "Ada", note: "on it" },
      });
    });

    test("behavior 14.54: ends when the monitor goes from warning to down, whatever the worst status was", async () => {
      const { store, organizationId, owner } = world();
      const config = { host: "a", port: 443, interval: 300 };
      const values = { name: "tls", type: "TLS", config } as const;
      const { id: tls } = await store.monitors.create(owner, values, NOW);
      await world().check(tls, expiring(NOW), NOW);
      const { id } = await only(world(), tls);
      await store.outages.acknowledge(organizationId, id, ada, NOW + 1);
      await world().check(tls, expiring(NOW), NOW + 2);
      expect(await only(world(), tls)).toMatchObject({ acknowledgedBy: "Ada", status: "expiring_soon" });
      await world().down(tls, NOW + 3);
      expect(await only(world(), tls)).toMatchObject({ id, ...none, status: "no_cert" });
      await store.outages.acknowledge(organizationId, id, ada, NOW + 4);
      // Three checks in a row confirm a better date.
      for (const at of [5, 6, 7]) await world().check(tls, expiring(NOW), NOW + at);
      expect(await only(world(), tls)).toMatchObject({ acknowledgedBy: "Ada", status: "no_cert" });
      await world().down(tls, NOW + 8);
      expect(await only(world(), tls)).toMatchObject({ id, ...none, status: "no_cert", endedAt: null });
    });
  });

  describe("behavior 14.56: the timeline", () => {
    test("has what the checks saw, the notifications and the acknowledgement", async () => {
      const { store, organizationId } = world();
      const channel = await world().channel({ name: "hook" });
      const job = await world().job(channel);
      await world().checkin(job, "ok");
      await world().checkin(job, "fail", NOW + 1);
      await world().attemptAll({ outcome: "delivered" }, NOW + 5);
      const { id } = await only(world(), job);
      await store.outages.acknowledge(organizationId, id, ada, NOW + 10);
      await world().checkin(job, "ok", NOW + 20);
      const named = { id: channel, name: "hook", type: "WEBHOOK" } as const;
      const expected = [
        { at: NOW + 1, kind: "seen", status: "failed" },
        { at: NOW + 5, kind: "notified", status: "failed", channel: named },
        { at: NOW + 10, kind: "acknowledged", by: "Ada", note: "on it" },
        { at: NOW + 20, kind: "recovered", status: "ok" },
      ] as const;
      expect(await store.outages.findTimeline(organizationId, id)).toEqual([...expected]);
      await store.channels.delete(organizationId, channel);
      const [, notified] = await store.outages.findTimeline(organizationId, id);
      expect(notified?.channel).toEqual({ ...named, name: null });
    });

    test("has the check that confirmed it", async () => {
      const { store, owner, organizationId } = world();
      const values = { name: "site", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
      const { id: site } = await store.monitors.create(
        owner,
        { ...values, confirmations: 1, recoveries: 1 },
        NOW,
      );
      await world().up(site);
      await world().down(site, NOW + 1);
      await world().down(site, NOW + 2);
      await world().up(site, { at: NOW + 3 });
      await world().up(site, { at: NOW + 4 });
      const { id } = await only(world(), site);
      expect(await store.outages.findTimeline(organizationId, id)).toEqual([
        { at: NOW + 1, kind: "seen", status: "down" },
        { at: NOW + 2, kind: "confirmed", status: "down" },
        { at: NOW + 3, kind: "recovered", status: "up" },
      ]);
    });

    test("says that a pause ended it, and that it continues after the pause", async () => {
      const { store, owner, organizationId } = world();
      const job = await world().job();
      await world().checkin(job, "fail");
      await store.monitors.update(owner, job, { enabled: false }, NOW + 1);
      await store.monitors.update(owner, job, { enabled: true }, NOW + 2);
      await world().checkin(job, "fail", NOW + 3);
      const [second, first] = await list(world());
      const timeline = (id = "") => store.outages.findTimeline(organizationId, id);
      expect(await timeline(first?.id)).toEqual([
        { at: NOW, kind: "seen", status: "failed" },
        { at: NOW + 1, kind: "ended" },
      ]);
      expect(await timeline(second?.id)).toEqual([{ at: NOW + 3, kind: "seen", status: "failed" }]);
    });
  });
});

async function list({ store, organizationId }: World, filter: object = {}) {
  return (await store.outages.list(organizationId, { limit: 50, ...filter })).items;
}

/** The only outage of a monitor. */
async function only(own: World, monitorId: string) {
  const [outage, ...others] = await list(own, { monitorId });
  if (!outage || others.length > 0) throw new Error(`it has ${others.length} more outages than one`);
  return outage;
}

/** A certificate that ends in three days. */
function expiring(now: number) {
  const DAY = 24 * 60 * MINUTE;
  const certificate = {
    authorized: true,
    authorizationError: null,
    subject: "a",
    issuer: "b",
    names: ["a"],
    validFrom: new Date(now - DAY).toISOString(),
    validTo: new Date(now + 3 * DAY).toISOString(),
    fingerprint: "00:11",
    protocol: "TLSv1.3",
  };
  return { outcome: "certified", latencyMs: 5, certificate, detail: {} } as const;
}
