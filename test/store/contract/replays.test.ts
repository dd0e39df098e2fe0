import { describe, expect, test } from "bun:test";
import type { Author } from "../../../src/domain/accounts/audit.ts";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import type { Recording } from "../../../src/domain/monitors/recording-plan.ts";
import { AFTER, BEFORE, type MonitorPast } from "../../../src/domain/replay/history.ts";
import type { WantedPast } from "../../../src/store/replays/load-past.ts";
import { packAll } from "../../support/store/packed.ts";
import { contractSuite } from "./suite.ts";
import { DAY, HOUR, MINUTE, NOW, SECOND } from "./world.ts";

const UP: Evidence = { outcome: "reached", latencyMs: 10, detail: {} };
const DOWN: Evidence = { outcome: "failed", reason: "refused", detail: {} };

contractSuite("replays", (world) => {
  const { store, organizationId } = {
    store: () => world().store,
    organizationId: () => world().organizationId,
  };

  const author = (at: number): Author => ({
    actor: { type: "cli", id: null, name: "test" },
    address: null,
    at,
  });
  const as = (at: number) => store().as(author(at));

  function load(wanted: Partial<WantedPast> = {}) {
    const range = { from: NOW, to: NOW + 10 * DAY };
    return store().replays.load(organizationId(), { selector: { all: true }, range, ...wanted });
  }

  async function loadOne(id: string, wanted: Partial<WantedPast> = {}): Promise<MonitorPast> {
    const past = await load({ selector: { monitorIds: [id] }, ...wanted });
    const found = past.monitors.get(id);
    if (!found) throw new Error("the monitor is missing");
    return found;
  }

  /** A check each minute. @param unlike the evidence of the checks that are not good, by their numbers */
  async function checks(monitorId: string, count: number, unlike: Record<number, Evidence> = {}) {
    const events: Recording[] = Array.from({ length: count }, (_, at) => {
      const check = { kind: "check", monitorId, revision: 0 } as const;
      return { ...check, at: NOW + at * MINUTE, evidence: unlike[at] ?? UP };
    });
    for (let at = 0; at < count; at += 1000) await store().recording.record(events.slice(at, at + 1000));
  }

  /** The numbers of the checks that are kept, by their times. */
  const numbersOf = ({ checks: { times } }: MonitorPast) => [...times].map((time) => (time - NOW) / MINUTE);
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
  /** Around a check that is not like the others. */
  const around = (at: number) => range(at - BEFORE, at + AFTER + 1);

  const statusesOf = ({ checks: { kindOf, kinds } }: MonitorPast) =>
    [...kindOf].map((place) => kinds[place]?.status);

  test("results that were recorded together, but not in the order of their times, are all kept", async () => {
    const job = await world().job();
    const site = await world().site();
    const check = { kind: "check", monitorId: site, revision: 0, evidence: UP } as const;
    const report = { kind: "checkin", monitorId: job } as const;
    await store().recording.record([{ ...report, status: "ok", at: NOW + 900 }]);
    await store().recording.record([{ ...report, status: "fail", at: NOW + 950 }]);
    for (let at = 0; at < 20; at++) await store().recording.record([{ ...check, at: NOW + at }]);
    await store().recording.record([{ ...report, status: "ok", at: NOW + 5000 }]);
    expect([...(await loadOne(job)).checks.times]).toEqual([NOW + 900, NOW + 950, NOW + 5000]);
  });

  describe("behavior 25.31: the version of a past", () => {
    const version = () => store().replays.version(organizationId());
    const changedBy = async (work: () => Promise<unknown>) => {
      const before = await version();
      await work();
      return (await version()) !== before;
    };

    test("is the same after good results of checks, and changes with a failure and with its end", async () => {
      const site = await world().site();
      await world().up(site, { at: NOW });
      expect(await changedBy(() => world().up(site, { at: NOW + MINUTE }))).toBe(false);
      expect(await changedBy(() => world().down(site, NOW + 2 * MINUTE))).toBe(true);
      expect(await changedBy(() => world().up(site, { at: NOW + 3 * MINUTE }))).toBe(true);
      await as(NOW).monitors.update(world().owner, site, { confirmations: 2 }, NOW);
      expect(await changedBy(() => world().down(site, NOW + 4 * MINUTE))).toBe(true);
    });

    test("changes with each report of a job, and with edits", async () => {
      const job = await world().job();
      const report = () =>
        store().recording.record([{ kind: "checkin", monitorId: job, status: "ok", at: NOW }]);
      expect(await changedBy(report)).toBe(true);
      const edit = () => as(NOW).monitors.update(world().owner, job, { recoveries: 1 }, NOW);
      expect(await changedBy(edit)).toBe(true);
    });
  });

  describe.each([
    ["packed", true],
    ["not packed", false],
  ] as const)("results that are %s", (_, isPacked) => {
    const pack = async () => {
      if (isPacked) await packAll(store());
    };

    test("are left out if all are good", async () => {
      const site = await world().site();
      await checks(site, 2000);
      await pack();
      expect((await loadOne(site)).checks.count).toBe(0);
    });

    test("behavior 25.30: a failure is found between good ones, with its neighbors", async () => {
      const site = await world().site();
      // The first and the last result of a day, in which a segment ends.
      await checks(site, 4000, { 719: DOWN, 720: DOWN, 3000: DOWN, 3003: DOWN });
      await pack();
      const past = await loadOne(site);
      expect(numbersOf(past)).toEqual([...range(717, 733), ...range(2998, 3016)]);
      expect(statusesOf(past).filter((status) => status === "down")).toHaveLength(4);
      const leftOut = [...past.checks.isAfterUsual].flatMap((is, at) => (is ? [numbersOf(past)[at]] : []));
      expect(leftOut).toEqual([717, 2998]);
      expect(past.checks.latencies[0]).toBe(10);
    });

    test("behavior 25.30: a failure that was not confirmed is found by what its check saw", async () => {
      const site = await world().site();
      await store().monitors.update(world().owner, site, { confirmations: 3 }, NOW);
      await checks(site, 3000, { 1500: DOWN });
      await pack();
      const past = await loadOne(site);
      expect(numbersOf(past)).toEqual(around(1500));
      expect(new Set(statusesOf(past))).toEqual(new Set(["up"]));
      const kind = past.checks.kinds[past.checks.kindOf[BEFORE] ?? 0];
      expect(kind?.detail).toEqual({ seen: { status: "down", reason: "refused" } });
    });

    test("are found at the ends of the results", async () => {
      const site = await world().site();
      await checks(site, 1500, { 0: DOWN, 1499: DOWN });
      await pack();
      expect(numbersOf(await loadOne(site))).toEqual([...range(0, AFTER + 1), ...range(1497, 1500)]);
    });

    test("of each location are kept beside a failure of one", async () => {
      const { id, pk } = await world().location();
      const site = await world().placed(["here", id]);
      const events = range(0, 400).map((at): Recording => {
        const isThere = at % 4 === 3;
        const evidence = at === 200 ? DOWN : UP;
        const place = { at: NOW + at * MINUTE, location: isThere ? pk : 0 };
        return { kind: "check", monitorId: site, revision: 0, evidence, ...place };
      });
      await store().recording.record(events);
      await pack();
      const past = await loadOne(site);
      const placeOf = (at: number) => past.checks.kinds[past.checks.kindOf[at] ?? 0]?.detail?.location;
      const kept = numbersOf(past).map((number, at) => ({ number, place: placeOf(at) }));
      for (const place of ["here", "fra"]) {
        const own = kept.filter((one) => one.place === place);
        expect(own.filter(({ number }) => number < 200).length).toBeGreaterThanOrEqual(BEFORE);
        expect(own.filter(({ number }) => number > 200).length).toBeGreaterThanOrEqual(AFTER);
      }
      expect(kept.length).toBeLessThan(100);
    });

    test("of a job are all kept", async () => {
      const job = await world().job();
      for (const at of range(0, 5))
        await world().checkin(job, at === 3 ? "fail" : "ok", NOW + at * 5 * MINUTE);
      await pack();
      expect(statusesOf(await loadOne(job))).toEqual(["ok", "ok", "ok", "failed", "ok"]);
    });

    test("that are good and slow are kept if they are wished for", async () => {
      const config = { url: "http://127.0.0.1:1/", interval: 60 } as const;
      const site = { name: "s", type: "HTTP" as const, config, alertChannelIds: [] };
      const { id } = await store().monitors.create(world().owner, site, NOW);
      await checks(id, 600, { 300: { ...UP, latencyMs: 14 } });
      await pack();
      expect((await loadOne(id)).checks.count).toBe(0);
      expect(numbersOf(await loadOne(id, { slowerThan: 12 }))).toEqual(around(300));
      expect((await loadOne(id, { slowerThan: 15 })).checks.count).toBe(0);
    });

    test("of a certificate are kept where it changes, and where it ends in the days that are wished for", async () => {
      const config = { host: "a", port: 1, interval: 60 };
      const tls = { name: "t", type: "TLS" as const, config, alertChannelIds: [] };
      const { id } = await store().monitors.create(world().owner, tls, NOW);
      const certified = (days: number): Evidence => {
        const [validFrom, validTo] = [NOW - DAY, NOW + days * DAY].map((at) => new Date(at).toISOString());
        const names = { subject: "a", issuer: "b", names: ["a"], protocol: null, fingerprint: String(days) };
        const certificate = { ...names, authorized: true, authorizationError: null, validFrom, validTo };
        return { outcome: "certified", latencyMs: 1, certificate, detail: {} } as Evidence;
      };
      await checks(
        id,
        4000,
        Object.fromEntries(range(0, 4000).map((at) => [at, certified(at < 2000 ? 90 : 100)])),
      );
      await pack();
      const turns = [...range(0, AFTER + 1), ...around(2000)];
      expect(numbersOf(await loadOne(id))).toEqual(turns);
      // 100 days after the start, minus 99 days and 2000 checks, is one day.
      const more = await loadOne(id, { warnDays: 98 });
      expect(numbersOf(more)).toEqual([...turns, ...around(2880)]);
    });
  });

  test("behavior 25.36: results of a location have its present name", async () => {
    const { id, pk } = await world().location("fra");
    const site = await world().placed([id]);
    const check = { kind: "check", monitorId: site, revision: 0, location: pk } as const;
    await store().recording.record([{ ...check, at: NOW, evidence: DOWN }]);
    await as(NOW + MINUTE).locations.update(organizationId(), id, { name: "ams" });
    const { checks: found, settings } = await loadOne(site);
    expect(found.kinds.map(({ detail }) => detail?.location)).toEqual(["ams"]);
    expect(settings.at(-1)?.places?.names).toEqual(["ams"]);
  });

  test("a check that was recorded late is in the order of time", async () => {
    const { id, pk } = await world().location();
    const site = await world().placed(["here", id]);
    await checks(site, 100);
    await packAll(store());
    const late = {
      kind: "check",
      monitorId: site,
      revision: 0,
      location: pk,
      receivedAt: NOW + 100 * MINUTE,
    } as const;
    await store().recording.record([{ ...late, at: NOW + 50.5 * MINUTE, evidence: DOWN }]);
    await packAll(store());
    const numbers = numbersOf(await loadOne(site));
    expect(numbers).toContain(50.5);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  });

  test("behavior 25.31: settings are those of their time, from the old values of the audit log", async () => {
    const channel = await world().channel();
    const site = await world().site(channel);
    const at = (hours: number) => NOW + hours * HOUR;
    await as(at(1)).monitors.update(world().owner, site, { confirmations: 2 }, at(1));
    await as(at(2)).monitors.update(
      world().owner,
      site,
      { alertBindings: [{ alertChannelId: channel, after: 600 }] },
      at(2),
    );
    await as(at(3)).monitors.update(world().owner, site, { name: "other" }, at(3));
    await as(at(4)).monitors.pauseAll(organizationId(), at(4));
    await as(at(5)).monitors.update(
      world().owner,
      site,
      { enabled: true, config: { host: "b", port: 1, interval: 60 } },
      at(5),
    );
    await as(at(6)).channels.update(organizationId(), channel, { notifyOn: ["down"] }, at(6));
    const past = await load();
    const settings = past.monitors.get(site)?.settings ?? [];
    const shown = settings.map(({ since, confirmations, enabled, bindings, config }) => ({
      ...{ since, confirmations, enabled, after: bindings[0]?.timing.after },
      host: "host" in config && config.host,
    }));
    const first = { confirmations: 0, enabled: true, after: 0, host: "a" };
    expect(shown).toEqual([
      { ...first, since: NOW },
      { ...first, since: at(1), confirmations: 2 },
      { ...first, since: at(2), confirmations: 2, after: 600 },
      { ...first, since: at(4), confirmations: 2, after: 600, enabled: false },
      { ...first, since: at(5), confirmations: 2, after: 600, host: "b" },
    ]);
    expect(past.channels.get(channel)).toEqual({
      ...{ id: channel, type: "WEBHOOK" },
      settings: [
        { since: NOW, enabled: true, notifyOn: ["down", "warning", "healthy"] },
        { since: at(6), enabled: true, notifyOn: ["down"] },
      ],
    });
  });

  test("behavior 25.31: a pause of all monitors does not enable one that was paused before", async () => {
    const site = await world().site();
    const at = (hours: number) => NOW + hours * HOUR;
    await as(at(1)).monitors.update(world().owner, site, { enabled: false }, at(1));
    await as(at(2)).monitors.pauseAll(organizationId(), at(2));
    const { settings } = await loadOne(site);
    expect(settings.map(({ since, enabled }) => ({ since, enabled }))).toEqual([
      { since: NOW, enabled: true },
      { since: at(1), enabled: false },
    ]);
  });

  test("behavior 25.33: outages have the times of their acknowledgements, and notifications when they were sent", async () => {
    const channel = await world().channel();
    const site = await world().site(channel);
    const at = (minutes: number) => NOW + minutes * MINUTE;
    await world().up(site);
    await world().down(site, at(1));
    const [outage] = (await store().outages.list(organizationId(), { limit: 1 })).items;
    const id = outage?.id ?? "";
    const acknowledgement = { by: "test", note: null };
    await as(at(2)).outages.acknowledge(organizationId(), id, acknowledgement, at(2));
    await as(at(3)).outages.unacknowledge(organizationId(), id, at(3));
    await as(at(4)).outages.acknowledge(organizationId(), id, acknowledgement, at(4));
    await world().up(site, { at: at(5) });
    await world().attemptAll({ outcome: "delivered" }, at(6));
    const past = await loadOne(site);
    expect(past.outages).toEqual([
      {
        ...{ id, startedAt: at(1), endedAt: at(5), status: "down" },
        acknowledged: [
          { at: at(2), until: at(3) },
          { at: at(4), until: null },
        ],
      },
    ]);
    const notification = { channelId: channel, outageId: id, isReminder: false };
    expect(past.notifications).toEqual([
      { ...notification, status: "down", createdAt: at(1), sentAt: at(1) },
      { ...notification, status: "up", createdAt: at(5), sentAt: at(5) },
    ]);
  });

  test("behavior 25.33: a held notification has the time of its release, and a withdrawn one has none", async () => {
    const channel = await world().channel();
    const site = await world().site(channel);
    const bound = { alertBindings: [{ alertChannelId: channel, after: 300 }] };
    await store().monitors.update(world().owner, site, bound, NOW);
    const at = (minutes: number) => NOW + minutes * MINUTE;
    await world().down(site, at(1));
    await store().alertReviews.review(at(1), 100);
    await world().up(site, { at: at(2) });
    await store().alertReviews.review(at(2), 100);
    await world().down(site, at(10));
    await store().alertReviews.review(at(10), 100);
    await world().down(site, at(14));
    await world().down(site, at(15));
    await store().alertReviews.review(at(15), 100);
    await world().attemptAll({ outcome: "delivered" }, at(15) + SECOND);
    const { notifications } = await loadOne(site);
    const downs = notifications.filter(({ status }) => status === "down");
    expect(downs.map(({ createdAt, sentAt }) => ({ createdAt, sentAt }))).toEqual([
      { createdAt: at(1), sentAt: null },
      { createdAt: at(10), sentAt: at(15) + SECOND },
    ]);
  });

  test("behavior 25.32: the calendar has the maintenances of their time, also deleted ones", async () => {
    const site = await world().site();
    const monitor = { id: site, tags: [] };
    const at = (hours: number) => NOW + hours * HOUR;
    const times = { startsAt: new Date(at(1)).toISOString(), endsAt: new Date(at(5)).toISOString() };
    const request = { title: "M", selector: { all: true as const }, ...times };
    const { id } = await as(NOW).maintenances.create(organizationId(), request, NOW);
    const changed = { endsAt: new Date(at(4)).toISOString() };
    await as(at(2)).maintenances.update(organizationId(), id, changed, at(2));
    await as(at(3)).maintenances.delete(organizationId(), id, at(3));
    const { calendar } = await load();
    expect(calendar.windowOf(monitor, at(0.5))).toBeNull();
    expect(calendar.windowOf(monitor, at(1.5))).toEqual({ id, title: "M", endsAt: at(5) });
    expect(calendar.windowOf(monitor, at(2.5))).toEqual({ id, title: "M", endsAt: at(4) });
    expect(calendar.windowOf(monitor, at(3.5))).toBeNull();
  });

  test("monitors come after those that they depend on, which are in it without being selected", async () => {
    const [one, two, three] = [await world().site(), await world().site(), await world().site()];
    await store().monitors.update(world().owner, one, { dependsOn: [two] }, NOW);
    await as(NOW + HOUR).monitors.update(world().owner, two, { dependsOn: [three] }, NOW + HOUR);
    await as(NOW + 2 * HOUR).monitors.update(world().owner, two, { dependsOn: [] }, NOW + 2 * HOUR);
    const { monitors } = await load({ selector: { monitorIds: [one] } });
    expect([...monitors.values()].map(({ id, isSelected }) => ({ id, isSelected }))).toEqual([
      { id: three, isSelected: false },
      { id: two, isSelected: false },
      { id: one, isSelected: true },
    ]);
    expect(monitors.get(two)?.settings.map(({ dependsOn }) => dependsOn)).toEqual([[], [three], []]);
  });

  test("an ID that is not a monitor of the organization is invalid", async () => {
    const site = await world().site();
    const other = await (await world().another()).site();
    for (const selector of [{ monitorIds: [site, other] }, { monitorIds: [site, other], tags: ["x"] }])
      await expect(load({ selector })).rejects.toMatchObject({
        kind: "invalid",
        message: "selector.monitorIds.1 is not a monitor of this organization",
      });
  });

  test("behavior 25.34: whom a schedule notifies is known by time, and its notifications are those of its channels", async () => {
    const { schedules, people, monitors } = store();
    const personWith = async (name: string) => {
      const given = {
        organizationId: organizationId(),
        email: `${name}@example.com`,
        role: "viewer",
        name,
      } as const;
      const { id } = await people.create({ ...given, token: `${name} ${organizationId()}` }, NOW);
      const channel = await world().channel({ name });
      await people.update(organizationId(), id, { alertChannelIds: [channel] });
      return { id, channel };
    };
    const [ana, ben] = [await personWith("ana"), await personWith("ben")];
    const fallback = await world().channel();
    await world().setDefaults(fallback);
    const layers = [{ personIds: [ana.id, ben.id], every: 3600, startsAt: new Date(NOW).toISOString() }];
    const { id: scheduleId } = await schedules.create(organizationId(), { name: "Ops", layers }, NOW);
    const job = { name: "job", type: "SCHEDULED" as const, config: { interval: 300 } };
    const { id } = await monitors.create(world().owner, { ...job, alertBindings: [{ scheduleId }] }, NOW);
    const at = NOW + MINUTE;
    await world().checkin(id, "fail", at);
    await store().alertReviews.review(at + SECOND, 100);
    const past = await load();
    expect(past.defaultChannelIds).toEqual([fallback]);
    const onCall = past.onCall.get(scheduleId);
    expect([NOW, NOW + HOUR, NOW - HOUR].map((moment) => onCall?.(moment))).toEqual([
      [ana.channel],
      [ben.channel],
      [],
    ]);
    const found = past.monitors.get(id);
    expect(found?.settings[0]?.bindings).toMatchObject([{ channelId: null, scheduleId }]);
    expect(found?.notifications).toMatchObject([
      { channelId: ana.channel, status: "failed", createdAt: at, sentAt: at + SECOND },
    ]);
  });

  test("results before the range, which are not read, count as usual ones", async () => {
    const site = await world().site();
    await checks(site, 2000, { 1400: DOWN });
    const past = await loadOne(site, { range: { from: NOW + 1460 * MINUTE, to: NOW + DAY * 2 } });
    expect(numbersOf(past)).toEqual(range(1400, 1413));
    expect(past.checks.isAfterUsual[0]).toBe(1);
    expect((await loadOne(site)).checks.isAfterUsual[0]).toBe(1);
    expect(numbersOf(await loadOne(site))[0]).toBe(1398);
  });
});
