import { expect, test } from "bun:test";
import type { Fact } from "../../../src/domain/causes/causes.ts";
import { factsOf } from "../../../src/domain/causes/facts.ts";
import type { NewMonitor } from "../../../src/store/monitors/monitors.ts";
import type { KnownMonitor } from "../../../src/store/store.ts";
import { alone } from "../../support/store/alone.ts";
import { contractSuite } from "./suite.ts";
import { DAY, HOUR, MINUTE, MUCH_LATER, NOW, SECOND, type World } from "./world.ts";

const ADDRESS = "203.0.113.7";
const address: Fact = { kind: "address", value: ADDRESS };

async function siteOf({ store, owner }: World, values: Partial<NewMonitor> = {}): Promise<string> {
  const site = { name: "site", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
  return (await store.monitors.create(owner, { ...site, alertChannelIds: [], ...values }, NOW)).id;
}

/** Sites that were good at `NOW`, and fail a minute later. */
async function failing(world: World, count: number): Promise<string[]> {
  const ids = await Array.fromAsync({ length: count }, () => siteOf(world));
  for (const id of ids) await world.up(id, { detail: { address: ADDRESS } });
  for (const [at, id] of ids.entries()) await world.down(id, NOW + MINUTE + at * SECOND);
  return ids;
}

async function known({ store, organizationId }: World): Promise<Map<string, KnownMonitor>> {
  const { monitors } = await store.causes.listKnownMonitors(organizationId, { after: 0 });
  return new Map(monitors.map((one) => [one.id, one]));
}

async function organizationPk({ store, organizationId }: World): Promise<number> {
  const watched = await store.causes.listWatched(NOW);
  return watched.find(({ id }) => id === organizationId)?.pk ?? 0;
}

async function opened(world: World, at = NOW + 2 * MINUTE) {
  const pk = await organizationPk(world);
  const { troubles } = await world.store.causes.findSituation(pk);
  const outagePks = troubles.map(({ outagePk }) => outagePk);
  const words = { label: null, isOnlyLocation: false };
  const cause = { ...address, startedAt: NOW + MINUTE, outagePks, ...words };
  const isChanged = await world.store.causes.save(pk, { refuted: [], joined: [], opened: [cause] }, at);
  return { pk, isChanged };
}

const listed = ({ store, organizationId }: World, isOpen?: boolean) =>
  store.causes.list(organizationId, { limit: 10, isOpen }).then(({ items }) => items);

const causesOfOutages = ({ store, organizationId }: World) =>
  store.outages.list(organizationId, { limit: 10 }).then(({ items }) => items.map(({ cause }) => cause));

contractSuite("causes", (world) => {
  test("behavior 22.20: what monitors share is read from their last good checks, also while they are down", async () => {
    const [first = "", second = ""] = await failing(world(), 2);
    const fresh = await siteOf(world());
    const paused = await siteOf(world(), { tags: ["shop"] });
    await world().up(paused, { latencyMs: 40, detail: { address: "198.51.100.4" } });
    await world().store.monitors.update(world().owner, paused, { enabled: false }, NOW + SECOND);
    await world().job();
    const all = await known(world());
    expect([...all.keys()]).toEqual([first, second, fresh, paused]);
    const here = { location: "here", certificate: null };
    expect(all.get(first)).toMatchObject({
      ...{ isHealthy: false, isEnabled: true, checkedAt: NOW + MINUTE, status: "down" },
      good: [{ ...here, address: ADDRESS }],
    });
    expect(all.get(fresh)).toMatchObject({ isHealthy: false, checkedAt: null, good: [] });
    expect(all.get(paused)).toMatchObject({
      ...{ isHealthy: true, isEnabled: false, checkedAt: NOW - 40, tags: ["shop"] },
      good: [{ ...here, address: "198.51.100.4" }],
    });
  });

  test("behavior 22.20: a check that saw trouble is not good before it is confirmed either", async () => {
    const site = await siteOf(world(), { confirmations: 2 });
    await world().up(site, { detail: { address: ADDRESS } });
    await world().down(site, NOW + MINUTE);
    const [one] = (await known(world())).values();
    expect(one).toMatchObject({ status: "up", isHealthy: false, checkedAt: NOW + MINUTE });
    expect(one?.good).toEqual([{ location: "here", address: ADDRESS, certificate: null }]);
  });

  test("behavior 22.20: with several locations, each has its own last good check", async () => {
    const place = await world().location("fra");
    const site = await world().placed(["here", place.id]);
    await world().up(site, { detail: { address: ADDRESS } });
    const seen = { outcome: "reached", latencyMs: 5, detail: { address: "198.51.100.4" } } as const;
    const check = { kind: "check", monitorId: site, revision: 0, evidence: seen, at: NOW + SECOND } as const;
    await world().store.recording.record([{ ...check, location: place.pk }]);
    const [one] = (await known(world())).values();
    expect(one && factsOf(one, () => null)).toEqual([
      { kind: "address", value: "198.51.100.4" },
      { kind: "address", value: ADDRESS },
      { kind: "host", value: "a" },
      { kind: "network", value: "198.51.100.0/24" },
      { kind: "network", value: "203.0.113.0/24" },
      { kind: "location", value: "fra" },
      { kind: "location", value: "here" },
    ]);
  });

  test("behavior 22.20: with several addresses, each of them is one; a certificate is that of the last good handshake", async () => {
    const tls = { name: "tls", type: "TLS", config: { host: "a", port: 443, interval: 60 } } as const;
    const site = await siteOf(world(), tls);
    const certificate = {
      ...{
        authorized: true,
        authorizationError: null,
        subject: "a.example",
        issuer: "CA",
        names: ["a.example"],
      },
      ...{ validFrom: new Date(NOW - DAY).toISOString(), validTo: new Date(NOW + 90 * DAY).toISOString() },
      ...{ fingerprint: "AA:BB", protocol: "TLSv1.3" },
    };
    const evidence = { outcome: "certified", latencyMs: 5, certificate } as const;
    await world().check(site, {
      ...evidence,
      detail: { addresses: [{ address: ADDRESS }, { address: "::1" }] },
    });
    const [one] = (await known(world())).values();
    const here = { location: "here", certificate: "AA:BB" };
    expect(one?.good).toEqual([
      { ...here, address: ADDRESS },
      { ...here, address: "::1" },
    ]);
    expect(one?.certificateName).toBe("a.example");
  });

  test("behavior 22.20: of an outage that began days ago, the last good check is found too", async () => {
    const [first = ""] = await failing(world(), 1);
    for (let day = 1; day < 4; day++) await world().down(first, NOW + day * DAY);
    const { housekeeping } = world().store;
    for (let sealing = await housekeeping.sealResults(NOW + 3 * DAY, null); sealing; )
      sealing = await housekeeping.sealResults(NOW + 3 * DAY, sealing);
    expect((await known(world())).get(first)?.good).toMatchObject([{ address: ADDRESS }]);
  });

  test("behavior 22.23: a cause is shown with its monitors, and on its outages", async () => {
    const ids = await failing(world(), 3);
    expect(await opened(world())).toMatchObject({ isChanged: true });
    const [cause, ...others] = await listed(world());
    expect(others).toEqual([]);
    expect(cause).toEqual({
      ...{ id: expect.any(String), ...address, title: `3 monitors at ${ADDRESS}` },
      ...{ startedAt: NOW + MINUTE, endedAt: null, refutedAt: null, monitorCount: 3 },
      monitors: ids.map((id) => ({ id, name: "site", type: "TCP" })),
    });
    const { id = "", kind, value, title } = cause ?? {};
    expect(await causesOfOutages(world())).toEqual(ids.map(() => ({ id, kind, value, title }) as never));
    const { store, organizationId } = world();
    expect(await store.causes.find(organizationId, id)).toEqual(cause as never);
    const other = await world().another();
    expect(store.causes.find(other.organizationId, id)).rejects.toMatchObject({ kind: "not_found" });
    expect(await listed(other)).toEqual([]);
    expect(await listed(world(), false)).toEqual([]);
    const page = await store.causes.list(organizationId, { limit: 1, cursor: "zzzzzzzzzz" });
    expect(page.items).toHaveLength(1);
    expect(store.causes.list(organizationId, { limit: 1, cursor: "x" })).rejects.toMatchObject({
      kind: "invalid",
    });
  });

  test("behavior 22.23: a cause that two nodes find is stored once, and joins what the other one did not know", async () => {
    await failing(world(), 3);
    await Promise.all([opened(world()), opened(world())]);
    expect(await listed(world())).toHaveLength(1);
    await failing(world(), 2);
    expect(await opened(world())).toMatchObject({ isChanged: true });
    expect(await listed(world())).toMatchObject([{ monitorCount: 5, title: `5 monitors at ${ADDRESS}` }]);
    expect(await opened(world())).toMatchObject({ isChanged: false });
  });

  test("behavior 22.23: fewer than three outages that are still open give no cause", async () => {
    const [first = ""] = await failing(world(), 3);
    const pk = await organizationPk(world());
    const { troubles } = await world().store.causes.findSituation(pk);
    await world().up(first, { at: NOW + 90 * SECOND });
    const outagePks = troubles.map(({ outagePk }) => outagePk);
    const cause = { ...address, startedAt: NOW, outagePks, label: null, isOnlyLocation: false };
    const plan = { refuted: [], joined: [], opened: [cause] };
    expect(await world().store.causes.save(pk, plan, NOW + 2 * MINUTE)).toBe(false);
    expect(await listed(world())).toEqual([]);
  });

  test("behavior 22.23: a cause ends with the last of its outages, whose monitors may be deleted", async () => {
    const [first = "", second = "", third = ""] = await failing(world(), 3);
    const { pk } = await opened(world());
    const { store, organizationId } = world();
    const look = async () => {
      const [open] = (await store.causes.findSituation(pk)).open;
      await store.causes.save(pk, { refuted: [], joined: [], opened: [] }, NOW + HOUR);
      return open?.isOver;
    };
    await world().up(first, { at: NOW + 5 * MINUTE });
    await world().up(second, { at: NOW + 7 * MINUTE });
    expect(await look()).toBe(false);
    expect(await listed(world(), true)).toMatchObject([{ endedAt: null, monitorCount: 3 }]);
    await store.monitors.delete(organizationId, third);
    expect(await look()).toBe(true);
    expect(await listed(world())).toMatchObject([
      { endedAt: NOW + 7 * MINUTE, refutedAt: null, monitorCount: 2 },
    ]);
    expect(await causesOfOutages(world())).toMatchObject([address, address]);
    for (const id of [first, second]) await store.monitors.delete(organizationId, id);
    expect(await listed(world())).toMatchObject([{ monitors: [], monitorCount: 0 }]);
    await store.housekeeping.pruneCauses(NOW + 7 * MINUTE);
    expect(await listed(world())).toHaveLength(1);
    await store.housekeeping.pruneCauses(NOW + DAY);
    expect(await listed(world())).toEqual([]);
  });

  test("behavior 22.23: a refuted cause has ended, and its outages may have another one", async () => {
    await failing(world(), 3);
    const { pk } = await opened(world());
    const { store } = world();
    const [open] = (await store.causes.findSituation(pk)).open;
    await store.causes.save(pk, { refuted: [open?.pk ?? 0], joined: [], opened: [] }, NOW + HOUR);
    expect(await listed(world())).toMatchObject([
      { endedAt: NOW + HOUR, refutedAt: NOW + HOUR, monitorCount: 3 },
    ]);
    expect(await causesOfOutages(world())).toEqual([null, null, null]);
    expect(await opened(world())).toMatchObject({ isChanged: true });
    expect(await causesOfOutages(world())).toMatchObject([address, address, address]);
  });

  test("behavior 22.24: the title has the router after which all paths to the monitors end", async () => {
    const ids = await failing(world(), 3);
    const { pk } = await opened(world());
    const { store, organizationId } = world();
    expect(await store.causes.listEnds(pk, NOW)).toEqual([]);
    const look = async (id: string, address: string) => {
      const { items } = await store.evidence.listOfMonitor(organizationId, { monitorId: id, limit: 1 });
      const path = [
        { hop: 1, address, rttMs: 1 },
        { hop: 2, address: null, rttMs: null },
      ];
      const looked = { id: items[0]?.id ?? "", location: 0, self: null, now: NOW + 70 * SECOND };
      await store.recording.completeEvidence({ ...looked, look: { connections: null, path } });
    };
    for (const id of ids) await look(id, "198.51.100.1");
    expect(await store.causes.listEnds(pk, NOW + HOUR)).toEqual([]);
    await store.causes.saveEnds(await store.causes.listEnds(pk, NOW));
    const title = `3 monitors at ${ADDRESS}; the path ends after 198.51.100.1`;
    expect(await listed(world())).toMatchObject([{ title }]);
    expect(await store.causes.listEnds(pk, NOW)).toEqual([]);
    await look(ids[0] ?? "", "198.51.100.2");
    await store.causes.saveEnds(await store.causes.listEnds(pk, NOW));
    expect(await listed(world())).toMatchObject([{ title: `3 monitors at ${ADDRESS}` }]);
  });

  test("behavior 22.26: a channel gathers what follows its first notification of an open cause, if nothing else waits", async () => {
    const { store } = world();
    const chat = { type: "SLACK", config: { webhookUrl: "https://hooks.slack.com/services/x" } } as const;
    const channels = [await world().channel(chat), await world().channel()];
    const ids = await Array.fromAsync({ length: 3 }, () => siteOf(world(), { alertChannelIds: channels }));
    for (const id of ids) await world().up(id, { detail: { address: ADDRESS } });
    const fail = (id = "", at = NOW + MINUTE) => world().down(id, at);
    await fail(ids[0]);
    const gathering = async () => {
      const due = await store.deliveries.listDue(alone, { now: MUCH_LATER, limit: 10 });
      const all = await store.deliveries.listGathering(
        due.map(({ pk }) => pk),
        since,
      );
      return {
        hasCause: due.map(({ hasCause }) => Boolean(hasCause)),
        createdAt: all.map((one) => one.createdAt - NOW),
        unexplained: all.map((one) => one.unexplained.map(({ createdAt }) => createdAt - NOW)),
      };
    };
    let since = NOW;
    const nothing = { hasCause: [false, false], createdAt: [], unexplained: [] };
    expect(await gathering()).toEqual(nothing);
    await world().attemptAll({ outcome: "delivered" });
    for (const id of ids.slice(1)) await fail(id, NOW + MINUTE + SECOND);
    const times = { createdAt: [MINUTE + SECOND], unexplained: [[MINUTE + SECOND, MINUTE + SECOND]] };
    expect(await gathering()).toEqual({ ...nothing, ...times });
    // The first trouble began long ago.
    since = NOW + MINUTE + 1;
    expect(await gathering()).toEqual(nothing);
    const { pk } = await opened(world());
    const told = { hasCause: [true, true], createdAt: [MINUTE + SECOND], unexplained: [[]] };
    expect(await gathering()).toEqual(told);
    const [cause] = await listed(world());
    const shown = { id: cause?.id, ...address, title: `3 monitors at ${ADDRESS}` };
    const [digest, single] = await world().due();
    expect([digest?.others.length, single?.others.length]).toEqual([1, 0]);
    for (const part of [digest, ...(digest?.others ?? []), single])
      expect(part?.event).toMatchObject({ cause: shown });
    const [refuted] = (await store.causes.findSituation(pk)).open;
    const job = await world().job(...channels);
    await world().checkin(job, "fail", NOW + 2 * MINUTE);
    expect((await gathering()).createdAt).toEqual([]);
    await store.causes.save(pk, { refuted: [refuted?.pk ?? 0], joined: [], opened: [] }, NOW + HOUR);
    expect(await gathering()).toEqual(nothing);
  });

  test("behavior 22.22: monitors that decide are checked soon, those of other locations too", async () => {
    await failing(world(), 3);
    const pk = await organizationPk(world());
    const place = await world().location("fra");
    const placed = await world().placed([place.id]);
    const seen = { outcome: "reached", latencyMs: 5, detail: {} } as const;
    const check = {
      kind: "check",
      monitorId: placed,
      revision: 0,
      evidence: seen,
      at: NOW + SECOND,
    } as const;
    await world().store.recording.record([{ ...check, location: place.pk }]);
    const slow = { host: "a", port: 1, interval: 86_400 };
    const sites = [await siteOf(world(), { config: slow }), await siteOf(world(), { config: slow })];
    for (const id of sites) await world().up(id, { at: NOW + SECOND });
    const at = NOW + 2 * MINUTE;
    const soon = () =>
      world().store.checks.listDueSlots(
        { node: 1, place: 0, nodes: 1 },
        { now: at, before: at + 3 * SECOND },
      );
    // The monitors that fail may be due then as well.
    const due = new Set((await soon()).map((slot) => slot.pk));
    await world().store.causes.ask(pk, { ids: [...sites, placed], within: 3 * SECOND }, at);
    const times = (await soon()).filter((slot) => !due.has(slot.pk)).map((slot) => slot.nextCheckAt - at);
    expect(times.sort()).toEqual([SECOND, 2 * SECOND]);
    const { rechecks } = await world().store.locations.findRechecks(place.pk);
    expect(rechecks).toEqual([{ monitorId: placed, at }]);
  });
});
