import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { NewMonitor } from "../../../src/store/monitors/monitors.ts";
import { alone } from "../../support/store/alone.ts";
import { methodsOf } from "../../support/store/engines.ts";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { openKept } from "../../support/store/postgres/postgres-store.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";
import { DatabaseProxy } from "../../support/store/postgres/proxy.ts";
import { allSlices, DAY, HOUR, MINUTE, NOW, SECOND, World } from "../contract/world.ts";

setDefaultTimeout(300_000);

/** The arguments of a method: `size` is how many objects the call is about. */
type Prepare = (world: World, size: number) => Promise<() => Promise<unknown>>;

/** A monitor depends on 8 others at most. */
const [FEW, MANY] = [3, 12];
const author = { actor: { type: "cli", id: null, name: "test" }, address: null, at: NOW } as const;

const many = <Result>(size: number, create: (at: number) => Promise<Result>) =>
  Array.fromAsync({ length: size }, (_, at) => create(at));

const sites = (world: World, size: number, ...channels: string[]) =>
  many(size, () => world.site(...channels));

const parents = (world: World, size: number) => sites(world, Math.min(size, 8));

/** Jobs with a deadline. */
const jobs = (world: World, size: number) =>
  many(size, async () => {
    const id = await world.job();
    await world.checkin(id, "ok");
    return id;
  });

const channels = (world: World, size: number) => many(size, (at) => world.channel({ name: `c${at}` }));

const reportMails = (world: World, size: number) =>
  many(size, async (at) => {
    const channelIds = [
      await world.channel({ name: `r${at}`, type: "EMAIL", config: { to: `a${at}@b.example` } }),
    ];
    const report = { title: `r${at}`, kind: "day" as const, selector: { all: true as const }, channelIds };
    await world.store.reportMails.create(world.organizationId, report, NOW);
  });

interface Document {
  size: number;
  monitor?: object;
  channelIds?: string[];
  others?: object;
}

function documentOf({ size, monitor = {}, channelIds = ["ops"], others = {} }: Document) {
  const config = { host: "a", port: 1, interval: 60 };
  const entry = { type: "TCP", config, alertChannelIds: channelIds, ...monitor };
  const webhook = { type: "WEBHOOK", config: { url: "http://127.0.0.1:1/" } };
  return {
    channels: { ops: webhook, dev: webhook },
    monitors: Object.fromEntries(Array.from({ length: size }, (_, at) => [`m${at}`, entry])),
    ...others,
  };
}

const apply = ({ store, organizationId }: World, document: object, prune: "none" | "all" = "none") =>
  store.as(author).configuration.apply(organizationId, document, { prune, isDryRun: false }, NOW);

/** An apply that changes all monitors of a document. */
const changing =
  (changed: (size: number) => Document, before: Partial<Document> = {}): Prepare =>
  async (world, size) => {
    await apply(world, documentOf({ size, ...before }));
    return () => apply(world, documentOf(changed(size)), "all");
  };

const discovered = (size: number) => Array.from({ length: size }, (_, at) => `docker/c${at}`);

/** @param refs of the containers that run */
const discover = (
  { store, organizationId }: World,
  refs: string[],
  gone: string[] = [],
  deleted: string[] = [],
) => {
  const monitors = Object.fromEntries(
    refs.map((ref) => [ref, { type: "TCP", config: { host: "a", port: 1 } }]),
  );
  return store.as(author).discovery.apply(organizationId, { monitors }, { gone, deleted }, NOW);
};

/** By the name of the method, and what is done with it. */
const sized: Record<string, Prepare> = {
  "configuration.apply, creation": async (world, size) => () => apply(world, documentOf({ size })),
  "configuration.apply, other names": changing((size) => ({ size, monitor: { name: "other" } })),
  "configuration.apply, other configs": changing((size) => ({
    size,
    monitor: { config: { host: "b", port: 1, interval: 300 } },
  })),
  "configuration.apply, other channels": changing((size) => ({ size, channelIds: ["dev"] })),
  "configuration.apply, other timings": changing((size) => ({
    size,
    monitor: { alertChannelIds: undefined, alertBindings: [{ alertChannelId: "ops", after: 60 }] },
  })),
  "configuration.apply, other tags": changing((size) => ({ size, monitor: { tags: ["web"] } })),
  "configuration.apply, a pause": changing((size) => ({ size, monitor: { enabled: false } })),
  "configuration.apply, the end of a pause": changing((size) => ({ size }), { monitor: { enabled: false } }),
  "configuration.apply, deletion": changing(() => ({ size: 1 })),
  "configuration.apply, rhythms": async (world, size) => {
    const withGrace = (grace: number) =>
      documentOf({ size, monitor: { type: "SCHEDULED", config: { interval: 300, grace } } });
    await apply(world, withGrace(60));
    return () => apply(world, withGrace(120));
  },
  "configuration.apply, dependencies": changing((size) => ({
    size,
    others: {
      monitors: Object.fromEntries(
        Array.from({ length: size }, (_, at) => [
          `m${at}`,
          {
            type: "TCP",
            config: { host: "a", port: 1, interval: 60 },
            alertChannelIds: ["ops"],
            dependsOn: at === 0 ? [] : ["m0"],
          },
        ]),
      ),
    },
  })),
  "configuration.apply, channels": async (world, size) => () =>
    apply(world, {
      channels: Object.fromEntries(
        Array.from({ length: size }, (_, at) => [
          `c${at}`,
          { type: "WEBHOOK", config: { url: "http://127.0.0.1:1/" } },
        ]),
      ),
    }),
  "configuration.apply, locations": async (world, size) => {
    const { id } = await world.location();
    return () => apply(world, documentOf({ size, monitor: { locations: ["here", id] } }));
  },
  "configuration.apply, history": async (world, size) => () =>
    apply(
      world,
      documentOf({
        size,
        others: {
          history: Object.fromEntries(
            Array.from({ length: size }, (_, at) => [`m${at}`, { "2027-05-20": { up: 10, down: 1 } }]),
          ),
        },
      }),
    ),
  "discovery.apply, creation": async (world, size) => () => discover(world, discovered(size)),
  "discovery.apply, all gone": async (world, size) => {
    await discover(world, discovered(size));
    return () => discover(world, [], discovered(size));
  },
  "discovery.apply, all back": async (world, size) => {
    await discover(world, discovered(size));
    await discover(world, [], discovered(size));
    return () => discover(world, discovered(size));
  },
  "discovery.apply, deletion": async (world, size) => {
    await discover(world, discovered(size));
    await discover(world, [], discovered(size));
    return () => discover(world, [], discovered(size), discovered(size));
  },
  "discovery.list": async (world, size) => {
    await discover(world, discovered(size));
    return () => world.store.discovery.list(world.organizationId);
  },
  "discovery.listTargets": async (world, size) => {
    await sites(world, size);
    return () => world.store.discovery.listTargets(world.organizationId);
  },
  "configuration.export": async (world, size) => {
    await sites(world, size);
    return () => world.store.configuration.export(world.organizationId, NOW);
  },
  "configuration.read": async (world, size) => {
    await sites(world, size, ...(await channels(world, size)));
    return () => world.store.configuration.read(world.organizationId, NOW);
  },
  "configuration.storeRefs": async (world, size) => {
    await sites(world, size, ...(await channels(world, size)));
    return () => world.store.as(author).configuration.storeRefs(world.organizationId, NOW);
  },
  "monitors.pauseAll": async (world, size) => {
    await sites(world, size);
    return () => world.store.as(author).monitors.pauseAll(world.organizationId, NOW);
  },
  "monitors.changeInBulk": async (world, size) => {
    await sites(world, size, await world.channel());
    const change = { addChannels: await channels(world, size) };
    const request = { selector: { all: true as const }, change };
    const { monitors } = world.store.as(author);
    return () => monitors.changeInBulk(world.organizationId, request, { isDryRun: false }, NOW);
  },
  "monitors.undoInBulk": async (world, size) => {
    await sites(world, size, await world.channel());
    const request = { selector: { all: true as const }, change: { addTags: ["x"] } };
    const { monitors } = world.store.as(author);
    const options = { isDryRun: false, forUndo: true };
    const { auditIds = [] } = await monitors.changeInBulk(world.organizationId, request, options, NOW);
    return () => monitors.undoInBulk(world.organizationId, auditIds, NOW);
  },
  "monitors.countUnnotified": async (world, size) => {
    await sites(world, size);
    return () => world.store.monitors.countUnnotified(world.organizationId);
  },
  "monitors.listUnnotified": async (world, size) => {
    await sites(world, size);
    return () => world.store.monitors.listUnnotified(world.organizationId);
  },
  "channels.listMonitorIds": async (world, size) => {
    const channel = await world.channel();
    await sites(world, size, channel);
    return () => world.store.channels.listMonitorIds(world.organizationId, channel);
  },
  "monitors.create": async (world, size) => {
    const [alertChannelIds, dependsOn] = [await channels(world, size), await parents(world, size)];
    const config = { host: "a", port: 1, interval: 60 };
    const monitor = { name: "m", type: "TCP", config, alertChannelIds, dependsOn } satisfies NewMonitor;
    return () => world.store.as(author).monitors.create(world.owner, monitor, NOW);
  },
  "monitors.update": async (world, size) => {
    const [id, alertChannelIds] = [await world.site(), await channels(world, size)];
    const dependsOn = await parents(world, size);
    const changes = { alertChannelIds, dependsOn, enabled: false };
    return () => world.store.as(author).monitors.update(world.owner, id, changes, NOW);
  },
  "monitors.find": async (world, size) => {
    const id = await world.site(...(await channels(world, size)));
    return () => world.find(id);
  },
  "monitors.delete": async (world, size) => {
    const id = await world.site(...(await channels(world, size)));
    const config = { host: "a", port: 1, interval: 60 };
    const child: NewMonitor = { name: "m", type: "TCP", config, dependsOn: [id] };
    await many(size, () => world.store.monitors.create(world.owner, child, NOW));
    return () => world.store.monitors.delete(world.organizationId, id);
  },
  "monitors.countStatuses": async (world, size) => {
    await sites(world, size);
    return () => world.store.monitors.countStatuses(world.organizationId);
  },
  "monitors.listRelated": async (world, size) => {
    const id = await world.site();
    await many(size, () => world.placed(["here"], { dependsOn: [id] }));
    return () => world.store.monitors.listRelated(world.organizationId, { id, relation: "dependents" });
  },
  "monitors.forecastAlerts": async (world, size) => {
    const id = await world.site(...(await channels(world, size)));
    return () => world.store.monitors.forecastAlerts(world.organizationId, id, NOW);
  },
  "monitors.list": async (world, size) => {
    await sites(world, size);
    const filter = { type: undefined, range: "1d" } as const;
    return () => allSlices(world.store.monitors.list(world.organizationId, filter, NOW));
  },
  "reports.readMonth": async (world, size) => {
    for (const id of await sites(world, size)) await world.down(id, NOW);
    const month = { from: NOW - HOUR, to: NOW + HOUR };
    return () => world.store.reports.readMonth(world.organizationId, { month, after: 0 });
  },
  "reports.readFacts": async (world, size) => {
    const ids = await sites(world, size);
    const span = { from: NOW - HOUR, to: NOW + HOUR };
    return () => world.store.reports.readFacts(world.organizationId, { ids, span });
  },
  "reports.explain": async (world, size) => {
    for (const id of await sites(world, size)) await world.down(id, NOW);
    const month = { from: NOW - HOUR, to: NOW + HOUR };
    const { monitors } = await world.store.reports.readMonth(world.organizationId, { month, after: 0 });
    const pks = monitors.flatMap(({ outages }) => outages.map(({ pk }) => pk));
    return () => world.store.reports.explain(pks);
  },
  "reportMails.list": async (world, size) => {
    await reportMails(world, size);
    return () => world.store.reportMails.list(world.organizationId);
  },
  "reportMails.queue": async (world, size) => {
    await reportMails(world, size);
    return () => world.store.reportMails.queue(NOW + DAY);
  },
  "reportMails.listDue": async (world, size) => {
    await reportMails(world, size);
    await world.store.reportMails.queue(NOW + DAY);
    return () => world.store.reportMails.listDue({ now: NOW + DAY, limit: 10 * size });
  },
  "channels.list": async (world, size) => {
    await sites(world, size, ...(await channels(world, size)));
    return () => world.store.channels.list(world.organizationId);
  },
  "channels.listCounted": async (world, size) => {
    await sites(world, size, ...(await channels(world, size)));
    return () => world.store.channels.listCounted(world.organizationId);
  },
  "channels.update": async (world, size) => {
    const id = await world.channel();
    for (const site of await sites(world, size, id)) await world.down(site);
    return () => world.store.channels.update(world.organizationId, id, { enabled: false }, NOW);
  },
  "channels.delete": async (world, size) => {
    const id = await world.channel();
    await sites(world, size, id);
    return () => world.store.channels.delete(world.organizationId, id);
  },
  "maintenances.create": async (world, size) => {
    const monitorIds = await jobs(world, size);
    const request = { title: "M", selector: { monitorIds }, ...window(), notifyChannelIds: [] };
    return () => world.store.as(author).maintenances.create(world.organizationId, request, NOW);
  },
  "maintenances.end": async (world, size) => {
    const monitorIds = await jobs(world, size);
    const request = { title: "M", selector: { monitorIds }, ...window() };
    const { id } = await world.store.maintenances.create(world.organizationId, request, NOW);
    await world.store.heartbeats.claimOverdue(alone, { now: NOW, limit: 1 });
    return () => world.store.maintenances.end(world.organizationId, id, NOW + MINUTE);
  },
  "maintenances.delete": async (world, size) => {
    const monitorIds = await jobs(world, size);
    const request = { title: "M", selector: { monitorIds }, ...window() };
    const { id } = await world.store.maintenances.create(world.organizationId, request, NOW);
    return () => world.store.maintenances.delete(world.organizationId, id, NOW + MINUTE);
  },
  "maintenances.list": async (world, size) => {
    const request = { title: "M", selector: { all: true } as const, ...window() };
    await many(size, () => world.store.maintenances.create(world.organizationId, request, NOW));
    return () => world.store.maintenances.list(world.organizationId, NOW);
  },
  "schedules.list": async (world, size) => {
    const given = { organizationId: world.organizationId, email: "ana@example.com", role: "viewer" } as const;
    const { id } = await world.store.people.create({ ...given, token: "t" }, NOW);
    const layers = [{ personIds: [id], every: "day" as const, startsAt: window().startsAt }];
    await many(size, () => world.store.schedules.create(world.organizationId, { name: "S", layers }, NOW));
    return () => world.store.schedules.list(world.organizationId);
  },
  "pages.create": async (world, size) => {
    const components = (await sites(world, size)).map((monitorId) => ({ monitorId }));
    const page = { slug: "shop", title: "Shop", components };
    return () => world.store.as(author).pages.create(world.organizationId, page, NOW);
  },
  "pages.update": async (world, size) => {
    const components = (await sites(world, size)).map((monitorId) => ({ monitorId }));
    const { id } = await world.store.pages.create(world.organizationId, { slug: "shop", title: "Shop" }, NOW);
    return () => world.store.pages.update(world.organizationId, id, { components }, NOW);
  },
  "outages.listWithDetails": async (world, size) => {
    for (const id of await sites(world, size)) await world.down(id, NOW);
    return () => world.store.outages.listWithDetails(world.organizationId, { limit: 100 });
  },
  "causes.listKnownMonitors": async (world, size) => {
    for (const id of await sites(world, size)) await world.down(id, NOW);
    return () => world.store.causes.listKnownMonitors(world.organizationId, { after: 0 });
  },
  "causes.findSituation": async (world, size) => {
    const { pk } = await failed(world, size);
    return () => world.store.causes.findSituation(pk);
  },
  "causes.save": async (world, size) => {
    const { pk, outagePks } = await failed(world, size);
    const fact = { kind: "tag", value: "a", label: null, isOnlyLocation: false, startedAt: NOW } as const;
    const plan = { refuted: [], joined: [], opened: [{ ...fact, outagePks }] };
    return () => world.store.causes.save(pk, plan, NOW + MINUTE);
  },
  "causes.ask": async (world, size) => {
    const { pk } = await failed(world, FEW);
    const ids = await sites(world, size);
    return () => world.store.causes.ask(pk, { ids, within: SECOND }, NOW + MINUTE);
  },
  "causes.list": async (world, size) => {
    const { pk, outagePks } = await failed(world, size);
    const fact = { kind: "tag", label: null, isOnlyLocation: false, startedAt: NOW } as const;
    const opened = outagePks.flatMap((_, at) =>
      at % FEW === 0 ? [{ ...fact, value: `${at}`, outagePks: outagePks.slice(at, at + FEW) }] : [],
    );
    await world.store.causes.save(pk, { refuted: [], joined: [], opened }, NOW + MINUTE);
    return () => world.store.causes.list(world.organizationId, { limit: 100 });
  },
  "deliveries.listGathering": async (world, size) => {
    await world.down(await world.site(...(await channels(world, size))));
    const due = await world.store.deliveries.listDue(alone, { now: NOW, limit: 1000 });
    return () =>
      world.store.deliveries.listGathering(
        due.map(({ pk }) => pk),
        NOW,
      );
  },
  "recording.record": async (world, size) => {
    const ids = await sites(world, size, await world.channel());
    const evidence = { outcome: "failed", reason: "refused", detail: {} } as const;
    const events = ids.map((monitorId) => ({
      ...({ kind: "check", monitorId, revision: 0, at: NOW } as const),
      evidence,
    }));
    return () => world.store.recording.record(events);
  },
  "heartbeats.excuseOutage": async (world, size) => {
    await jobs(world, size);
    await world.store.heartbeats.noteAlive(NOW + SECOND);
    return () => world.store.heartbeats.excuseOutage(NOW + HOUR, fail);
  },
  "heartbeats.recallDeadlines": async (world, size) => {
    await jobs(world, size);
    return () => world.store.heartbeats.recallDeadlines({ from: NOW + MINUTE, to: NOW - HOUR }, fail);
  },
  "checks.claim": async (world, size) => {
    await sites(world, size);
    const slots = await world.store.checks.listDueSlots(alone, { now: NOW + MINUTE, before: NOW + MINUTE });
    return () => world.store.checks.claim(slots, alone, NOW + MINUTE);
  },
  "deliveries.claim": async (world, size) => {
    const ids = await channels(world, size);
    await world.down(await world.site(...ids));
    const due = await world.store.deliveries.listDue(alone, { now: NOW, limit: 1000 });
    return () =>
      world.store.deliveries.claim(
        due.map(({ pk }) => pk),
        alone,
        NOW,
      );
  },
  "deliveries.recordAttempts": async (world, size) => {
    await world.down(await world.site(...(await channels(world, size))));
    const attempt = { outcome: "delivered" } as const;
    const made = (await world.due()).map((delivery) => ({ delivery, attempt, startedAt: NOW, endedAt: NOW }));
    return () => world.store.deliveries.recordAttempts(made);
  },
  "people.recordFailures": async (world, size) => {
    const { organizationId, store } = world;
    const failures = await many(size, async (at) => {
      const given = { organizationId, email: `p${at}@example.com`, role: "viewer", token: `t${at}` } as const;
      const { id: personId } = await store.people.create(given, NOW);
      return { personId, organizationId, method: "password", at: NOW } as const;
    });
    return () => store.people.recordFailures(failures);
  },
  "replays.load": async (world, size) => {
    const ids = await sites(world, size, await world.channel());
    const dependsOn = ids.slice(0, 1);
    for (const id of ids) {
      await world.up(id, { at: NOW });
      await world.down(id, NOW + MINUTE);
      if (id !== ids[0]) await world.store.as(author).monitors.update(world.owner, id, { dependsOn }, NOW);
    }
    const wanted = { selector: { all: true } as const, range: { from: NOW, to: NOW + 2 * DAY } };
    return () => world.store.replays.load(world.organizationId, wanted);
  },
  "replays.version": async (world, size) => {
    await sites(world, size);
    return () => world.store.replays.version(world.organizationId);
  },
  "locations.update": async (world, size) => {
    const { id } = await world.location();
    await many(size, () => world.placed(["here", id]));
    return () => world.store.locations.update(world.organizationId, id, { name: "other" });
  },
  "locations.silence": async (world, size) => {
    const { id, pk } = await world.location();
    await many(size, () => world.placed([id]));
    return () => world.store.locations.silence(pk, NOW);
  },
};

/** Sites that are down, and the number of their organization. */
async function failed(world: World, size: number): Promise<{ pk: number; outagePks: number[] }> {
  for (const id of await sites(world, size)) await world.down(id, NOW);
  const watched = await world.store.causes.listWatched(NOW);
  const pk = watched.find(({ id }) => id === world.organizationId)?.pk ?? 0;
  const { troubles } = await world.store.causes.findSituation(pk);
  return { pk, outagePks: troubles.map(({ outagePk }) => outagePk) };
}

function window() {
  const iso = (at: number) => new Date(at).toISOString();
  return { startsAt: iso(NOW - MINUTE), endsAt: iso(NOW + HOUR) };
}

function fail(_: string, error: unknown): never {
  throw error;
}

/** Methods about one object, one page or one piece of work, whatever there is besides. */
const ABOUT_ONE = [
  "alertReviews.review",
  "alertReviews.recall",
  "organizations.create",
  "organizations.list",
  "organizations.update",
  "organizations.findSettings",
  "organizations.updateSettings",
  "organizations.isFirstStart",
  "organizations.createDefault",
  "organizations.findUnshownInvite",
  "organizations.noteInviteShown",
  "apiKeys.create",
  "apiKeys.list",
  "apiKeys.update",
  "apiKeys.delete",
  "apiKeys.findCaller",
  "apiKeys.saveLastUses",
  "people.create",
  "people.createLink",
  "people.createLinkFor",
  "people.delete",
  "people.find",
  "people.findApplicant",
  "people.findInvite",
  "people.findProfile",
  "people.hasPasswords",
  "people.invite",
  "people.list",
  "people.redeemInvite",
  "people.setPassword",
  "people.update",
  "personSessions.create",
  "personSessions.assertFresh",
  "personSessions.delete",
  "personSessions.deleteOwn",
  "personSessions.findCaller",
  "personSessions.list",
  "personSessions.renew",
  "personSessions.switchOrganization",
  "identities.assertMaySignIn",
  "identities.link",
  "identities.list",
  "identities.delete",
  "identities.signIn",
  "beginnings.findKey",
  "beginnings.storeKey",
  "beginnings.use",
  "passkeys.create",
  "passkeys.delete",
  "passkeys.find",
  "passkeys.list",
  "passkeys.isAny",
  "passkeys.listCredentials",
  "passkeys.noteUse",
  "sessions.create",
  "sessions.delete",
  "sessions.findCaller",
  "wallLinks.create",
  "wallLinks.list",
  "wallLinks.delete",
  "wallLinks.find",
  "monitors.findConfig",
  "monitors.findConfigByRef",
  "monitors.listCertificateExpiries",
  "refs.isUsed",
  "monitors.findIdByPushToken",
  "monitors.createOrReplace",
  "channels.createOrReplace",
  "maintenances.createOrReplace",
  "pages.createOrReplace",
  "schedules.create",
  "schedules.find",
  "schedules.findRostered",
  "schedules.findByCalendar",
  "schedules.listUnreached",
  "schedules.update",
  "schedules.createOrReplace",
  "schedules.delete",
  "schedules.createOverride",
  "schedules.findOverride",
  "schedules.deleteOverride",
  "schedules.setCalendarToken",
  "maintenances.find",
  "maintenances.update",
  "maintenances.findCalendar",
  "maintenances.listWatched",
  "maintenances.noteWindows",
  "pages.list",
  "pages.find",
  "pages.findPasswordHash",
  "pages.delete",
  "pages.listOutages",
  "pages.keepReleased",
  "incidents.create",
  "incidents.list",
  "incidents.find",
  "incidents.findPage",
  "incidents.update",
  "incidents.addUpdate",
  "incidents.editUpdate",
  "incidents.deleteUpdate",
  "incidents.delete",
  "channels.create",
  "channels.find",
  "channels.disableGone",
  "pushKeys.find",
  "pushKeys.store",
  "recording.syncResults",
  "deliveries.isSynced",
  "results.list",
  "results.listEvents",
  "checks.listDueSlots",
  "checks.recall",
  "overdue.count",
  "blindness.count",
  "blindness.listBlind",
  "blindness.listOrganizations",
  "blindness.listProbed",
  "blindness.store",
  "locations.create",
  "locations.list",
  "locations.find",
  "locations.delete",
  "locations.findProbe",
  "locations.noteSeen",
  "locations.findMarker",
  "locations.findWork",
  "locations.findRechecks",
  "locations.listReports",
  "recording.recordObservations",
  "locations.listWatched",
  "locations.listFailureShares",
  "locations.reconnect",
  "locations.setAtFault",
  "deliveries.list",
  "deliveries.listDue",
  "deliveries.countPending",
  "outages.list",
  "outages.find",
  "outages.findAttendance",
  "outages.findLinked",
  "outages.findReport",
  "outages.listUnattended",
  "outages.findTimeline",
  "outages.acknowledge",
  "outages.unacknowledge",
  "heartbeats.claimOverdue",
  "heartbeats.noteAlive",
  "heartbeats.postponeDeadline",
  "monitors.listSnapshots",
  "monitors.findWorst",
  "monitors.findReport",
  "monitors.requestCheck",
  "housekeeping.sweepDeletedMonitors",
  "housekeeping.sweepDeletedChannels",
  "housekeeping.sealResults",
  "housekeeping.pruneResults",
  "housekeeping.pruneReleasedSlugs",
  "housekeeping.pruneRollups",
  "housekeeping.pruneDetails",
  "housekeeping.pruneMaintenanceRuns",
  "housekeeping.returnSpace",
  "housekeeping.lastSteady",
  "housekeeping.noteSteady",
  "housekeeping.hasDnsAnswer",
  "housekeeping.noteDnsAnswer",
  "changes.findMarkers",
  "changes.readTime",
  "changes.version",
  "changes.foreignVersion",
  "changes.turn",
  "backUp",
  "fileSizes",
  "close",
  "nodes.assertCompatible",
  "nodes.join",
  "nodes.note",
  "nodes.leave",
  "nodes.list",
  "nodes.listRetentions",
  "claims.take",
  "claims.release",
  "subscriptions.request",
  "subscriptions.find",
  "subscriptions.confirm",
  "subscriptions.choose",
  "subscriptions.delete",
  "housekeeping.pruneSubscribers",
  "reportMails.create",
  "reportMails.find",
  "reportMails.update",
  "reportMails.createOrReplace",
  "reportMails.delete",
  "reportMails.findRecipients",
  "reportMails.isDue",
  "reportMails.record",
  "pageMails.listDue",
  "pageMails.find",
  "pageMails.record",
  "pageMails.count",
  "announcements.listPages",
  "announcements.announce",
  "housekeeping.pruneAnnouncements",
  "as",
  "audit.list",
  "audit.find",
  "audit.assertUnchangedSince",
  "housekeeping.pruneAuditEntries",
  "pages.findMarkers",
  "pages.readFacts",
  "pages.readMonth",
  "pages.listSettledCounts",
  "results.export",
  "causes.find",
  "causes.listWatched",
  "causes.listEnds",
  "causes.saveEnds",
  "housekeeping.pruneCauses",
  "outages.export",
  "housekeeping.pruneRuns",
  "housekeeping.pruneEvidence",
  "recording.completeEvidence",
  "evidence.listOfOutage",
  "evidence.listOfMonitor",
  "runs.findOutput",
  "runs.list",
  "monitors.anyPingsHere",
  "registrations.find",
  "registrations.findPause",
  "registrations.save",
  "housekeeping.pruneRegistrations",
  "housekeeping.pruneUsedBeginnings",
];

let shared: DatabaseProxy | undefined;
afterAll(() => shared?.[Symbol.dispose]());

/** How many statements a call sends. */
async function countStatements(prepare: Prepare, size: number): Promise<number> {
  shared ??= await DatabaseProxy.start(await sharedCluster());
  const proxy = shared;
  await using world = await World.create(await openKept((store) => store, proxy));
  const call = await prepare(world, size);
  const before = proxy.statements;
  await call();
  return proxy.statements - before;
}

describe.skipIf(findPrograms() === undefined)("the number of statements to a distant database", () => {
  test.each(Object.entries(sized))(
    "behavior 12.70: of %s is the same for few and for many objects",
    async (_, prepare) => {
      const few = await countStatements(prepare, FEW);
      expect(few).toBeGreaterThan(0);
      expect(await countStatements(prepare, MANY)).toBe(few);
    },
  );

  test("behavior 14.77: of an export of many days with few results is small", async () => {
    const statements = await countStatements(async (world) => {
      const job = await world.job();
      for (let day = 0; day < 40; day++) await world.checkin(job, "ok", NOW + day * DAY);
      return () => allSlices(world.store.results.export(world.organizationId, { monitorId: job }));
    }, MANY);
    expect(statements).toBeGreaterThan(0);
    expect(statements).toBeLessThan(30);
  });

  test("a check, a check-in and a claim take two messages each", async () => {
    using proxy = await DatabaseProxy.start(await sharedCluster());
    await using world = await World.create(await openKept((store) => store, proxy));
    const [site, job] = [await world.site(), await world.job()];
    // The first result of a monitor changes its status.
    await world.up(site);
    await world.checkin(job, "ok");
    const count = async (work: () => Promise<unknown>) => {
      const before = proxy.statements;
      await work();
      return proxy.statements - before;
    };
    const at = NOW + 5 * MINUTE;
    const slots = await world.store.checks.listDueSlots(alone, { now: at, before: at });
    expect(slots).toHaveLength(1);
    expect({
      claim: await count(() => world.store.checks.claim(slots, alone, at)),
      check: await count(() => world.up(site, { at })),
      checkin: await count(() => world.checkin(job, "ok", at)),
    }).toEqual({ claim: 2, check: 2, checkin: 2 });
    expect(await world.results(site)).toHaveLength(2);
    expect(await world.results(job)).toHaveLength(2);
  });

  test("every method of a store is counted, or is about one object", async () => {
    await using opened = await openKept((store) => store, await sharedCluster());
    const counted = new Set(Object.keys(sized).map((name) => name.split(",")[0]));
    const methods = methodsOf(opened.store).filter((method) => !counted.has(method));
    expect(methods.toSorted()).toEqual(ABOUT_ONE.toSorted());
  });
});
