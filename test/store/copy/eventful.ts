import type { PasswordHash } from "../../../src/domain/pages/page-password.ts";
import { hashKey } from "../../../src/store/accounts/api-keys.ts";
import { createKey } from "../../../src/store/ids.ts";
import type { Store } from "../../../src/store/store.ts";
import { SMALL_GIF } from "../../support/pages/small-gif.ts";
import { dueMails, subscribe } from "../../support/store/subscribers.ts";
import type { TestStore } from "../../support/store/test-store.ts";
import { allPages, allSlices, DAY, HOUR, MINUTE, NOW, World } from "../contract/world.ts";

/** Characters that a format between two databases could damage. */
export const AWKWARD =
  "tab\t newline\n return\r backslash \\N \\. quote ' \" NUL \0 emoji 😀 noncharacter \ufdd0";

/** Gives every table rows, at least one of them with a value in each column, and deletes some last rows. */
export async function fillStore(store: Store): Promise<void> {
  const world = await World.create({ store } as TestStore);
  await world.another("starter");
  await addAccounts(world);
  const [all, some] = [
    await world.channel({ name: AWKWARD }),
    await world.channel({ notifyOn: ["down"], language: "de" }),
  ];
  await store.organizations.updateSettings(world.organizationId, {
    defaultAlertChannelIds: [all],
    language: "ar",
  });
  await addChecks(world, [all, some]);
  await addJobs(world, all);
  await addPlaces(world);
  await addCause(world);
  await addCalm(world, all);
  await addPage(world);
  await addDeleted(world);
  await addRegistration(world);
  await store.pushKeys.store({ publicKey: Buffer.alloc(65, 0xfe), privateKey: Buffer.alloc(32, 0) });
  await store.heartbeats.noteAlive(NOW);
  await store.housekeeping.noteSteady(NOW);
  await store.housekeeping.noteDnsAnswer(NOW);
}

async function addRegistration({ store }: World): Promise<void> {
  const facts = { expiresAt: new Date(NOW + DAY).toISOString(), registrar: AWKWARD, statuses: ["ok"] };
  const found = {
    domain: "example.com",
    registry: "rdap.example",
    facts,
    answeredAt: NOW,
    nextAt: NOW + DAY,
  };
  const failures = {
    failingSince: NOW,
    notFound: 1,
    notFoundAt: NOW,
    hasNoDate: false,
    pausedUntil: NOW + 1,
  };
  await store.registrations.save({ ...found, ...failures });
}

async function addAccounts({ store, organizationId }: World): Promise<void> {
  const key = createKey();
  const values = { organizationId, key, name: AWKWARD, role: "owner", expiresAt: NOW + DAY } as const;
  const { id } = await store.apiKeys.create(values, NOW);
  await store.apiKeys.saveLastUses(new Map([[id, NOW + 5]]));
  const caller = await store.apiKeys.findCaller(hashKey(key));
  if (caller) await store.sessions.create({ caller, token: key }, NOW);
  await store.wallLinks.create({ organizationId, name: AWKWARD, tag: "web", token: key }, NOW);
  const email = `${organizationId.toLowerCase()}@example.com`;
  const ana = { organizationId, email, role: "owner" } as const;
  const { id: personId } = await store.people.create({ ...ana, token: `${key} accepted` }, NOW);
  const accepted = { token: `${key} accepted`, name: AWKWARD, way: { passwordHash: AWKWARD } };
  const { proof } = await store.people.redeemInvite(accepted, NOW);
  await store.people.update(organizationId, personId, { language: "fi" });
  await store.people.createLink({ personId, token: `${key} link` }, NOW);
  const client = { method: "password", address: "2001:db8::1", userAgent: AWKWARD } as const;
  const { sessionId = "" } = await store.personSessions.create(
    { personId, organizationId, token: key, proof, ...client },
    NOW,
  );
  const identity = {
    issuer: "https://idp.example.com/",
    subject: `${organizationId} ${AWKWARD}`,
    address: client.address,
  };
  await store.identities.link({ ...identity, sessionId }, NOW);
  await addPasskey(store, { personId, sessionId });
  await store.people.create({ ...ana, email: "bob@example.com", token: `${key} open` }, NOW);
}

/** A passkey that was used, and the key of sign-ins that begin. */
async function addPasskey(
  { passkeys, beginnings }: Store,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<void> {
  const credential = {
    ...{ credentialId: new TextEncoder().encode(personId), publicKey: new Uint8Array([0, 255]), counter: 1 },
    ...{ isBackupEligible: true, isBackedUp: false, transports: ["internal", AWKWARD] },
  };
  const { id } = await passkeys.create({ personId, sessionId, credential, name: AWKWARD }, NOW);
  await passkeys.noteUse({ id, counter: 2 ** 32 - 1, isBackedUp: true }, NOW);
  await beginnings.storeKey(new TextEncoder().encode(personId));
}

/** Outages, confirmations, baselines and deliveries that arrived, failed and are pending. */
async function addChecks(world: World, channels: string[]): Promise<void> {
  const [steady, down] = [await world.site(...channels), await world.site(...channels)];
  for (let at = NOW - 2 * DAY; at < NOW; at += HOUR)
    await world.up(steady, { at, latencyMs: 10 + (at % 7), detail: { address: AWKWARD } });
  await world.store.monitors.update(world.owner, steady, { confirmations: 2, name: AWKWARD }, NOW);
  await world.up(down, { at: NOW - 26 * HOUR });
  await world.down(down, NOW - 25 * HOUR);
  await world.attemptAll({ outcome: "delivered", answer: AWKWARD }, NOW - 25 * HOUR);
  await world.up(down, { at: NOW - HOUR });
  await world.attemptAll({ outcome: "failed", error: AWKWARD, final: true, answer: "500" }, NOW - HOUR);
  await world.down(down, NOW - MINUTE);
  await world.attemptAll({ outcome: "failed", error: "503", final: false }, NOW - MINUTE);
  await world.down(steady, NOW);
  await world.up(await world.site(), { at: NOW, latencyMs: 12.34 });
}

/** Locations that disagree, a silent location, and a location whose network is at fault; a monitor that none of them can check. */
async function addPlaces(world: World): Promise<void> {
  const { locations, recording } = world.store;
  const [fra, nyc] = [await world.location(AWKWARD), await world.location("nyc")];
  const lost = await world.placed([fra.id], { downWhen: 1 });
  const both = await world.placed([fra.id, "here", nyc.id], { downWhen: "any" });
  await world.up(both, { at: NOW });
  const down = { outcome: "failed", reason: "timeout", detail: { message: AWKWARD } } as const;
  const seen = { revision: 0, at: NOW, startAt: NOW, evidence: down };
  const observations = [lost, both].map((monitorId, at) => ({ ...seen, sequence: at + 1, monitorId }));
  const batch = { location: fra.pk, stream: "s".repeat(22), observations, receivedAt: NOW };
  await recording.recordObservations(batch);
  await locations.noteSeen(fra.pk, { now: NOW, version: "1.0.0", waiting: 1, dropped: 2, lag: 3 });
  await locations.silence(fra.pk, NOW + MINUTE);
  for (const { organizationPk, name } of await locations.listWatched())
    for (const location of name === AWKWARD ? [0, fra.pk] : [])
      await locations.setAtFault({ location, organizationPk }, true, NOW + MINUTE);
}

/** Two outages with one cause. */
async function addCause(world: World): Promise<void> {
  const { causes } = world.store;
  for (const site of [await world.site(), await world.site()]) await world.down(site, NOW);
  for (const { pk, id } of await causes.listWatched(0)) {
    if (id !== world.organizationId) continue;
    const { troubles } = await causes.findSituation(pk);
    const outagePks = troubles.map(({ outagePk }) => outagePk);
    const fact = { kind: "tag", value: AWKWARD, label: AWKWARD } as const;
    const cause = { ...fact, startedAt: NOW, outagePks, isOnlyLocation: false };
    await causes.save(pk, { refuted: [], joined: [], opened: [cause] }, NOW);
  }
}

async function addJobs(world: World, channel: string): Promise<void> {
  const runner = await world.jobWith({ maxRunTime: 60, overlap: "fail" });
  const [job, paused] = [await world.job(channel), await world.jobWith({ cron: "0 3 * * *" })];
  for (let run = 5; run > 0; run--)
    await world.checkin(job, run === 3 ? "fail" : "ok", NOW - run * 5 * MINUTE);
  await world.checkin(paused, "ok", NOW - HOUR);
  await world.store.monitors.update(world.owner, paused, { enabled: false }, NOW);
  const output = new TextEncoder().encode(AWKWARD);
  const report = { rid: "a-1", output };
  await world.store.recording.record([
    { kind: "start", monitorId: runner, report, at: NOW },
    { kind: "checkin", monitorId: runner, report: { ...report, exitCode: 3 }, status: "fail", at: NOW + 5 },
    { kind: "start", monitorId: runner, report: {}, at: NOW + 6 },
  ]);
}

/** A monitor that depends on another one, maintenances with and without an open window, and the audit log of it all. */
async function addCalm({ store, owner, organizationId }: World, channel: string): Promise<void> {
  const { monitors, maintenances } = store.as({
    actor: { type: "key", id: "k", name: AWKWARD },
    address: "2001:db8::1",
    at: NOW,
  });
  const router = { name: "router", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
  const { id } = await monitors.create(owner, { ...router, alertChannelIds: [] }, NOW);
  const windows = [{ days: ["mon" as const, "sun" as const], from: "22:00", to: "24:00" }];
  const hours = { timezone: "Europe/Berlin", windows };
  const alertBindings = [{ alertChannelId: channel, after: 60, every: 300, hours }];
  const behind = { name: "behind", dependsOn: [id], tags: ["rack:1", "web"], alertBindings };
  await monitors.create(owner, { ...router, ...behind }, NOW);
  const upgrade = { title: AWKWARD, message: AWKWARD, selector: { tags: ["rack:1"] } };
  const iso = (at: number) => new Date(at).toISOString();
  const open = { startsAt: iso(NOW - HOUR), endsAt: iso(NOW + HOUR), notifyChannelIds: [channel] };
  await maintenances.create(organizationId, { ...upgrade, ...open }, NOW);
  const nightly = { cron: "30 2 * * *", timezone: "Europe/Berlin", duration: 1800 };
  await maintenances.create(organizationId, { ...upgrade, ...nightly }, NOW);
  await addOnCall({ store, organizationId }, channel);
  await addReport({ store, organizationId });
  await addGone({ store, organizationId });
}

/** A discovered monitor whose source lacks it. */
async function addGone({ store, organizationId }: Pick<World, "store" | "organizationId">): Promise<void> {
  const monitors = { "docker/gone": { type: "TCP", config: { host: "127.0.0.1", port: 1 } } };
  await store.discovery.apply(organizationId, { monitors }, { gone: [], deleted: [] }, NOW);
  const missing = { gone: Object.keys(monitors), deleted: [] };
  await store.discovery.apply(organizationId, { monitors: {} }, missing, NOW);
}

/** A report whose mail waits. */
async function addReport({ store, organizationId }: Pick<World, "store" | "organizationId">): Promise<void> {
  const request = { title: AWKWARD, kind: "day" as const, selector: { all: true as const } };
  await store.reportMails.create(organizationId, { ...request, to: ["a@example.com"], ref: "daily" }, NOW);
  while (await store.reportMails.queue(NOW + 2 * DAY));
}

/** People who are on call, one of them by an override, and a calendar. */
async function addOnCall(
  { store, organizationId }: Pick<World, "store" | "organizationId">,
  channel: string,
) {
  const iso = (at: number) => new Date(at).toISOString();
  const given = { organizationId, email: `on-call-${organizationId}@example.com`, role: "viewer" } as const;
  const { id: personId } = await store.people.create({ ...given, token: `on call ${organizationId}` }, NOW);
  await store.people.update(organizationId, personId, { alertChannelIds: [channel] });
  const windows = [{ days: ["mon" as const], from: "18:00", to: "08:00" }];
  const every = "week" as const;
  const layer = { personIds: [personId], every, startsAt: iso(NOW), hours: { windows } };
  const request = { name: AWKWARD, timezone: "Europe/Berlin", layers: [layer], ref: "ops" };
  const { id } = await store.schedules.create(organizationId, request, NOW);
  await store.schedules.setCalendarToken({ organizationId, id, token: organizationId }, NOW);
  const override = { personId, startsAt: iso(NOW), endsAt: iso(NOW + HOUR) };
  await store.schedules.createOverride({ organizationId, scheduleId: id }, override, NOW);
}

/** A page with two subscribers, an outage that ended, and one that became an incident; and a page without anything. */
async function addPage(world: World): Promise<void> {
  const { organizationId, store } = world;
  const { pages, incidents } = store;
  const [site, other] = [await world.site(), await world.site()];
  for (const id of [site, other]) await world.up(id, { at: NOW - HOUR });
  const components = [{ monitorId: site, name: AWKWARD, group: AWKWARD }, { monitorId: other }];
  const texts = { slug: organizationId.toLowerCase(), title: AWKWARD, description: AWKWARD };
  const settings = { visibility: "public", days: 30, minOutage: 60, showLatency: true } as const;
  const look = { accent: "#0a7f62", logo: SMALL_GIF, embedOrigins: ["https://www.example.com"] };
  const words = { language: "ja", timezone: "Asia/Tokyo" } as const;
  const { id: pageId } = await pages.create(
    organizationId,
    { ...texts, ...settings, ...look, ...words, components },
    NOW - HOUR,
  );
  const lock = { visibility: "password", password: "a hash" as PasswordHash } as const;
  await pages.create(organizationId, { slug: `${texts.slug}-inside`, title: "Inside", ...lock }, NOW);
  await addSubscribers(store, texts.slug);
  await world.down(other, NOW - 30 * MINUTE);
  await announce(store, NOW - 20 * MINUTE);
  await world.up(other, { at: NOW - 15 * MINUTE });
  await world.down(site, NOW - 10 * MINUTE);
  await announce(store, NOW - 5 * MINUTE);
  const path = { organizationId, pageId };
  const [outage] = await pages.listOutages(path, NOW);
  if (!outage) throw new Error("the page has no outage");
  const incident = { title: AWKWARD, impact: "major", outageId: outage.id } as const;
  const { id: incidentId } = await incidents.create(path, incident, NOW);
  const update = { status: "identified", body: AWKWARD } as const;
  await incidents.addUpdate({ ...path, incidentId }, update, NOW);
  const updates = [update, { ...update, status: "resolved" as const }];
  await incidents.create(path, { title: "over", impact: "none", componentIds: [], updates }, NOW);
  await pages.create(organizationId, { slug: `${texts.slug}-2`, title: "plain" }, NOW);
  const deleted = await pages.create(organizationId, { slug: `${texts.slug}-3`, title: "deleted" }, NOW);
  await pages.delete(organizationId, deleted.id, NOW);
}

/** A confirmed subscriber who got a message today, and a subscriber who is not confirmed. */
async function addSubscribers(store: Store, slug: string): Promise<void> {
  const email = `${slug}@example.com`;
  const token = await subscribe(store, slug, email, NOW - HOUR);
  await store.subscriptions.request({ slug, email: `ü${email}`, locale: "de-AT" }, NOW - HOUR);
  const due = await dueMails(store, NOW - HOUR);
  const optIn = due.find(({ subscriber }) => subscriber.email === `ü${email}`);
  if (!optIn || token === optIn.subscriber.token) throw new Error("the second subscriber has no message");
  const { pk, attempts } = optIn;
  const counts = { sentDay: 20_000, sentCount: 3, writtenCount: 2 };
  await store.pageMails.record({ pk, attempts, outcome: "sent", subscriberPk: optIn.subscriber.pk, counts });
  await store.subscriptions.request({ slug, email: `ü${email}`, locale: "de-AT" }, NOW - HOUR);
}

async function announce({ announcements }: Store, now: number): Promise<void> {
  for (const pagePk of await announcements.listPages(now)) await announcements.announce(pagePk, now);
}

/** The newest rows, so that their numbers would be given again. Their traces are not swept yet. */
async function addDeleted(world: World): Promise<void> {
  const channel = await world.channel();
  const site = await world.site(channel);
  await world.up(site, { at: NOW - HOUR });
  await world.down(site, NOW);
  await world.store.channels.delete(world.organizationId, channel);
  await world.store.monitors.delete(world.organizationId, site);
}

/** All that users can read, at the end of `fillStore`. Engines list results that were recorded late at different places. */
export async function readStore(store: Store): Promise<unknown> {
  const organizations = await store.organizations.list();
  return Promise.all(organizations.map(async ({ id }) => ({ id, ...(await readOrganization(store, id)) })));
}

async function readOrganization(store: Store, organizationId: string) {
  const pages = (await store.pages.list(organizationId)).map(async (page) => ({
    page,
    incidents: await store.incidents.list({ organizationId, pageId: page.id }),
    outages: await store.pages.listOutages({ organizationId, pageId: page.id }, NOW),
  }));
  const monitors = await allSlices(
    store.monitors.list(organizationId, { type: undefined, range: "7d" }, NOW),
  );
  const reports = monitors.map(async ({ id }) => ({
    report: await store.monitors.findReport(organizationId, { id, range: "7d" }, NOW),
    results: await allPages((cursor) =>
      store.results.list(organizationId, { monitorId: id, limit: 50, cursor }),
    ),
  }));
  const people = (await store.people.list(organizationId)).map(async (person) => ({
    ...person,
    profile: await store.people.findProfile(person.id),
  }));
  const events = await allPages((cursor) => store.results.listEvents(organizationId, { limit: 50, cursor }));
  return {
    settings: await store.organizations.findSettings(organizationId),
    keys: await store.apiKeys.list(organizationId),
    channels: await store.channels.list(organizationId),
    maintenances: await store.maintenances.list(organizationId, NOW),
    schedules: await store.schedules.list(organizationId),
    people: await Promise.all(people),
    audit: (await store.audit.list(organizationId, { limit: 200 })).items,
    locations: await store.locations.listReports(organizationId),
    events: events.sort((a, b) => (a.id < b.id ? -1 : 1)),
    statuses: (await store.monitors.countStatuses(organizationId)).sort((a, b) =>
      a.status < b.status ? -1 : 1,
    ),
    pages: await Promise.all(pages),
    monitors,
    reports: await Promise.all(reports),
  };
}
