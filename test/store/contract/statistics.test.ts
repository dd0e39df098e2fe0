import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import type { NewMaintenance } from "../../../src/domain/maintenance/request.ts";
import { attended, countStandings, worstFirst } from "../../../src/domain/monitors/standing.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import { bucketsOf, worstOf } from "../../../src/domain/results/history.ts";
import { RANGES, type Range, rangeStart } from "../../../src/domain/results/range.ts";
import { uptime } from "../../../src/domain/results/uptime.ts";
import { walks } from "../../support/long.ts";
import { packAll, pruneAll } from "../../support/store/packed.ts";
import { contractSuite } from "./suite.ts";
import { allSlices, DAY, HOUR, MINUTE, NOW, SECOND, type World } from "./world.ts";

/** More than a slice of a list has. */
const MANY = 60;

contractSuite("statistics", (world, _, slow) => {
  describe("the TLS of a report", () => {
    const END = new Date(NOW + 90 * DAY).toISOString();
    const tls = { protocol: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", validTo: END, advice: [] };
    const seen = (validTo = END): Evidence => ({
      ...{ outcome: "reached", latencyMs: 1, tls: { ...tls, validTo }, detail: {} },
    });
    const reported = async (id: string) =>
      (await world().store.monitors.findReport(world().organizationId, { id, range: "1d" }, NOW)).tls;
    const config = { url: "https://a.test/", interval: 60, expiryWarning: 14 };
    const website = (locations = ["here"]) =>
      world().placed(locations, { name: "shop", type: "HTTP", config });

    test("behavior 10.92: is that of the latest handshake, which a failed check without one does not end", async () => {
      const id = await website();
      expect(await reported(id)).toBeNull();
      await world().check(id, seen(new Date(NOW - DAY).toISOString()));
      await world().check(id, seen());
      await world().down(id);
      expect(await reported(id)).toEqual(tls as never);
    });

    test("behavior 10.92: has advice, and is null for a type without TLS", async () => {
      const id = await website();
      const advised = { ...tls, advice: ["weak_key" as const] };
      await world().check(id, { outcome: "failed", reason: "unexpected", tls: advised, detail: {} });
      expect(await reported(id)).toEqual(advised);
      const site = await world().site();
      await world().up(site);
      expect(await reported(site)).toBeNull();
    });

    test("behavior 10.92: of several locations, is what ends first", async () => {
      const fra = await world().location();
      const id = await website(["here", fra.id]);
      await world().check(id, seen());
      const soon = new Date(NOW + 20 * DAY).toISOString();
      const observed = { monitorId: id, revision: 0, at: NOW, evidence: seen(soon), location: fra.pk };
      await world().store.recording.record([{ kind: "check", ...observed }]);
      expect(await reported(id)).toMatchObject({ validTo: soon });
    });

    test("behavior 10.93: a certificate that ended soon is over after two further checks", async () => {
      const id = await website();
      const statuses: string[] = [];
      for (const days of [90, 5, 90, 90, 90]) {
        await world().check(
          id,
          seen(new Date(NOW + days * DAY).toISOString()),
          NOW + statuses.length * MINUTE,
        );
        statuses.push((await world().find(id)).status);
      }
      expect(statuses).toEqual(["up", "degraded", "degraded", "degraded", "up"]);
      const { outages } = await world().store.monitors.findReport(
        world().organizationId,
        { id, range: "1d" },
        NOW + HOUR,
      );
      expect(outages).toMatchObject([{ detail: { reason: "expires_soon" } }]);
    });
  });

  describe("the list", () => {
    test("has every monitor of the organization once, oldest first, by type if one is given", async () => {
      const { store, organizationId } = world();
      const [jobs, sites]: [string[], string[]] = [[], []];
      for (let count = 0; count < MANY; count++) {
        if (count % 3 === 0) sites.push(await world().site());
        else jobs.push(await world().job());
      }
      await (await world().another()).job();
      const ids = async (type?: "SCHEDULED" | "TCP" | "DNS") =>
        (await allSlices(store.monitors.list(organizationId, { type, range: "1d" }, NOW))).map(
          ({ id }) => id,
        );
      expect(await ids("SCHEDULED")).toEqual(jobs);
      expect(await ids("TCP")).toEqual(sites);
      expect(await ids("DNS")).toEqual([]);
      const all = await ids();
      expect(all).toHaveLength(MANY);
      expect(all.slice(0, 4)).toEqual([sites[0] ?? "", jobs[0] ?? "", jobs[1] ?? "", sites[1] ?? ""]);
    });

    slow("leaves out monitors that are deleted or created while it is read", async () => {
      const { store, organizationId } = world();
      const ids: string[] = [];
      for (let count = 0; count < MANY; count++) ids.push(await world().job());
      const read: string[] = [];
      for await (const slice of store.monitors.list(organizationId, { type: undefined, range: "1d" }, NOW)) {
        if (read.length === 0) {
          await store.monitors.delete(organizationId, ids.at(-1) ?? "");
          await world().job();
        }
        read.push(...slice.map(({ id }) => id));
      }
      expect(read).toEqual(ids.slice(0, -1));
    });

    test("has the latest result of the range", async () => {
      const { store, organizationId } = world();
      const site = await world().site();
      await world().up(site, { latencyMs: 12.5, at: NOW - 2 * DAY });
      const latest = async (range: Range) => {
        const slices = store.monitors.list(organizationId, { type: undefined, range }, NOW);
        return (await allSlices(slices))[0]?.latestResult;
      };
      expect(await latest("1d")).toBeNull();
      expect(await latest("7d")).toEqual({ status: "up", latencyMs: 12.5, createdAt: NOW - 2 * DAY });
    });
  });

  describe("uptime and history", () => {
    const checkin = fc.record({
      hoursAgo: fc.integer({ min: 0, max: 95 * 24 }),
      status: fc.constantFrom("ok", "ok", "fail"),
    });

    test("are those of the results, in the list, the snapshots and the report", async () => {
      const walk = fc.asyncProperty(fc.array(checkin, { maxLength: 30 }), async (checkins) => {
        const own = await world().another();
        const { store, organizationId } = own;
        const id = await own.job();
        const sorted = checkins.toSorted((a, b) => b.hoursAgo - a.hoursAgo);
        for (const { hoursAgo, status } of sorted) await own.checkin(id, status, NOW - hoursAgo * HOUR);
        const results = await own.results(id);
        for (const range of RANGES) {
          const expected = historyOf(results, range);
          const report = await store.monitors.findReport(organizationId, { id, range }, NOW);
          const [listed] = await allSlices(
            store.monitors.list(organizationId, { type: undefined, range }, NOW),
          );
          const [snapshot] = await allSlices(
            store.monitors.listSnapshots(organizationId, { range, now: NOW }),
          );
          expect(report.history).toEqual(expected);
          expect(listed?.history).toEqual(expected);
          expect<unknown>(snapshot?.past).toEqual({ uptime: listed?.uptime ?? null, history: expected });
          expect(report.uptime[range]).toBe(uptimeOf(results, rangeStart(range, NOW)));
        }
      });
      await fc.assert(walk, { numRuns: walks(15) });
    });

    test("change with each new result, also if the result is late", async () => {
      const { store, organizationId } = world();
      const job = await world().job();
      const read = async () => {
        const slices = store.monitors.list(organizationId, { type: undefined, range: "7d" }, NOW);
        const [found] = await allSlices(slices);
        return [found?.uptime, found?.history.filter(({ status }) => status !== "unknown").length];
      };
      expect(await read()).toEqual([null, 0]);
      await world().checkin(job, "ok", NOW);
      expect(await read()).toEqual(["100.00%", 1]);
      await world().checkin(job, "fail", NOW - 3 * DAY);
      expect(await read()).toEqual(["50.00%", 2]);
      await world().checkin(job, "ok", NOW - 3 * DAY + 1);
      expect(await read()).toEqual(["66.66%", 2]);
    });
  });

  describe("the report of a short time", () => {
    const reportOf = (
      own: World,
      id: string,
      wish: { range: "1h" | "6h" | "7d" | "90d" } | { since: number; until: number },
      now = NOW,
    ) => own.store.monitors.findReport(own.organizationId, { id, ...wish }, now);

    const between = (startsAt: number, endsAt: number) => ({
      startsAt: new Date(startsAt).toISOString(),
      endsAt: new Date(endsAt).toISOString(),
    });

    const noteWindows = async ({ store: { maintenances } }: World, now: number) => {
      for (const { pk } of await maintenances.listWatched()) await maintenances.noteWindows(pk, now);
    };

    const phasesOf = (id: string, own: World, { at, latencyMs }: { at: number; latencyMs: number }) =>
      own.check(id, { outcome: "reached", latencyMs, detail: { phases: { connect: latencyMs / 2 } } }, at);

    test("behavior 16.230, 16.231, 16.233, 16.234: has each check, its phases and exact percentiles, also after they are packed", async () => {
      const own = await world().another();
      const id = await own.site();
      const start = NOW - 40 * MINUTE;
      for (let at = 0; at < 20; at++)
        await phasesOf(id, own, { at: start + at * MINUTE, latencyMs: 10 + at });
      await own.down(id, start + 20 * MINUTE);
      const points = Array.from({ length: 20 }, (_, at) => ({
        start: start + at * MINUTE,
        mean: 10 + at,
        shortest: 10 + at,
        longest: 10 + at,
        p50: 10 + at,
        p95: 10 + at,
        phases: { connect: (10 + at) / 2 },
      }));
      const expectReport = async () => {
        const report = await reportOf(own, id, { range: "1h" });
        expect(report.latencies).toEqual(points);
        expect(report.percentiles).toEqual({ count: 20, p50: 19, p95: 28 });
        const statuses = report.history.map(({ status }) => status);
        expect(statuses.indexOf("up")).toBe(19);
        expect(statuses.indexOf("down")).toBe(39);
        // Then the monitor keeps its status for two intervals.
        expect(statuses.lastIndexOf("down")).toBe(41);
        expect(report.stretch).toEqual({ since: NOW - HOUR, until: NOW + 1, step: MINUTE });
        const part = await reportOf(
          own,
          id,
          { since: start + 5 * MINUTE, until: start + 8 * MINUTE },
          NOW + DAY,
        );
        expect(part.latencies).toEqual(points.slice(5, 8));
        expect(part.buckets.map((bucket) => bucket.start)).toEqual(
          [5, 6, 7].map((at) => start + at * MINUTE),
        );
      };
      await expectReport();
      await packAll(own.store);
      await expectReport();
      await packAll(own.store, HOUR);
      await expectReport();
    });

    test("behavior 16.231: has the rollups of longer times, and of times whose results are deleted", async () => {
      const own = await world().another();
      const id = await own.site();
      const start = NOW - 30 * DAY;
      for (const hours of [0, 1, 30]) await own.up(id, { at: start + hours * HOUR, latencyMs: 20 });
      const means = async (length: number) => {
        const report = await reportOf(own, id, { since: start, until: start + length });
        const bars = report.history.map(({ status }) => (status === "up" ? "u" : "-")).join("");
        return [report.latencies.map((point) => (point.start - start) / HOUR), bars];
      };
      expect(await means(2 * HOUR)).toEqual([[0, 1], "u-----------u-----------"]);
      const day = `uu${"-".repeat(28)}u`;
      expect(await means(31 * HOUR)).toEqual([[0, 1, 30], day]);
      await pruneAll(own.store, NOW - 20 * DAY);
      expect(await means(31 * HOUR)).toEqual([[0, 1, 30], day]);
      expect((await means(2 * HOUR))[0]).toEqual([0, 1]);
    });

    test("behavior 16.233: has the exact percentiles of hours and days while their results are kept, packed or not", async () => {
      const own = await world().another();
      const id = await own.site();
      const start = Math.floor(NOW / DAY) * DAY - 3 * DAY;
      for (let at = 0; at < 40; at++) await own.up(id, { at: start + at * 3 * MINUTE, latencyMs: at + 0.25 });
      await own.down(id, start + 2 * HOUR);
      await own.up(id, { at: start + DAY, latencyMs: 500 });
      const exact = async (range: "7d" | "90d") => {
        const { latencies, percentiles } = await reportOf(own, id, { range });
        const points = latencies.map((point) => [(point.start - start) / HOUR, point.p50, point.p95]);
        return [points, percentiles];
      };
      const hours = [
        [0, 9.25, 18.25],
        [1, 29.25, 38.25],
        [24, 500, 500],
      ];
      const days = [
        [0, 19.25, 37.25],
        [24, 500, 500],
      ];
      const all = { count: 41, p50: 20.25, p95: 38.25 };
      const expectAll = async () => {
        expect(await exact("7d")).toEqual([hours, all]);
        expect(await exact("90d")).toEqual([days, all]);
      };
      await expectAll();
      await packAll(own.store);
      await expectAll();
      await packAll(own.store, HOUR);
      await expectAll();
      await pruneAll(own.store, start + DAY);
      expect(await exact("90d")).toEqual([
        [
          [0, undefined, undefined],
          [24, 500, 500],
        ],
        null,
      ]);
    });

    test("behavior 16.232, 16.235: has the outages and the windows of the time, in which results do not count", async () => {
      const own = await world().another();
      const id = await own.site();
      const start = NOW - 30 * MINUTE;
      await own.up(id, { at: start - MINUTE });
      await own.down(id, start);
      const [startsAt, endsAt] = [start + 5 * MINUTE, start + 10 * MINUTE];
      const maintenance = {
        title: "Move",
        selector: { all: true },
        ...between(startsAt, endsAt),
      } as NewMaintenance;
      await own.store.maintenances.create(own.organizationId, maintenance, start);
      await noteWindows(own, startsAt);
      await own.down(id, start + 6 * MINUTE);
      await noteWindows(own, endsAt);
      await own.up(id, { at: start + 12 * MINUTE });
      const report = await reportOf(own, id, { range: "1h" });
      expect(report.troubles).toEqual([{ start, end: start + 12 * MINUTE, status: "down" }]);
      expect(report.windows).toEqual([{ start: start + 5 * MINUTE, end: start + 10 * MINUTE }]);
      const statuses = report.history.map(({ status }) => status.slice(0, 1)).join("");
      expect(statuses.slice(27, 46)).toBe(`uuddd${"u".repeat(9)}uuu${"u".repeat(2)}`);
      const earlier = await reportOf(own, id, { since: start - HOUR, until: start - MINUTE });
      expect([earlier.troubles, earlier.windows]).toEqual([[], []]);
    });
  });

  describe("the worst monitors", () => {
    test("are the first of all snapshots, sorted worst first, for any monitors and any number", async () => {
      const monitor = fc.record({
        type: fc.constantFrom("job", "site"),
        state: fc.constantFrom("waiting", "good", "bad", "late", "paused"),
      });
      const input = { monitors: fc.array(monitor, { maxLength: 12 }), most: fc.nat(14) };
      const walk = fc.asyncProperty(fc.record(input), async ({ monitors, most }) => {
        const own = await world().another();
        const { store, owner, organizationId } = own;
        for (const [at, { type, state }] of monitors.entries()) {
          const id = await (type === "job" ? own.job() : own.site());
          await store.monitors.update(owner, id, { name: `${(at * 7) % 13} ${at}` }, NOW);
          if (state !== "waiting") await setState(own, { id, type, state });
          if (state === "paused") await store.monitors.update(owner, id, { enabled: false }, NOW);
        }
        const all = await allSlices(store.monitors.listSnapshots(organizationId, { range: "1d", now: NOW }));
        const listing = { most, range: "1d", now: NOW } as const;
        const attendance = await store.outages.findAttendance(organizationId, NOW);
        const selection = { ...listing, attendance };
        const { counts, standings } = await store.monitors.findWorst(organizationId, selection);
        const present = all.map((one) => attended(one, attendance)).toSorted(worstFirst);
        expect(standings.map(({ id }) => id)).toEqual(present.slice(0, most).map(({ id }) => id));
        expect(counts).toEqual(countStandings(present));
      });
      await fc.assert(walk, { numRuns: walks(20) });
    });

    test("behavior 1.6: are in the same order when all settings are known, on pages, and after each change", async () => {
      const monitor = fc.record({
        type: fc.constantFrom("job", "site"),
        state: fc.constantFrom("waiting", "good", "good", "good", "bad", "late", "paused", "acknowledged"),
        // Equal names are in the order of age.
        name: fc.constantFrom("a", "b", "b 1", "b 01", "B 1", "b 10"),
        tag: fc.constantFrom("x", "y", "z"),
      });
      const change = fc.constantFrom("rename", "pause", "resume", "create", "delete", "fail", "maintenance");
      const input = {
        monitors: fc.array(monitor, { minLength: 3, maxLength: 12 }),
        changes: fc.array(fc.tuple(change, fc.nat(11)), { maxLength: 3 }),
        size: fc.integer({ min: 1, max: 5 }),
      };
      const walk = fc.asyncProperty(fc.record(input), async ({ monitors, changes, size }) => {
        const own = await world().another();
        const { store, owner, organizationId } = own;
        const left: { id: string; type: "job" | "site" }[] = [];
        for (const { type, state, name, tag } of monitors) {
          const id = await (type === "job" ? own.job() : own.site());
          left.push({ id, type });
          await store.monitors.update(owner, id, { name, tags: [tag] }, NOW);
          if (state !== "waiting")
            await setState(own, { id, type, state: state === "acknowledged" ? "bad" : state });
          if (state === "paused") await store.monitors.update(owner, id, { enabled: false }, NOW);
          if (state === "acknowledged") await acknowledge(own, id);
        }
        for (const [turn, [kind, at]] of [["none", 0] as const, ...changes].entries()) {
          const now = NOW + turn * MINUTE;
          const { id, type } = left[at % left.length] as (typeof left)[number];
          if (kind === "rename")
            await store.monitors.update(owner, id, { name: "a 0", tags: ["x", "w"] }, now);
          if (kind === "pause") await store.monitors.update(owner, id, { enabled: false }, now);
          if (kind === "resume") await store.monitors.update(owner, id, { enabled: true }, now);
          if (kind === "create") await own.site();
          if (kind === "delete" && left.length > 1) {
            await store.monitors.delete(organizationId, id);
            left.splice(at % left.length, 1);
          }
          if (kind === "fail" && type === "site") await own.down(id, now);
          if (kind === "maintenance") {
            const [startsAt, endsAt] = [now, now + HOUR].map((time) => new Date(time).toISOString());
            const window = { title: "Move", selector: { tags: ["y"] }, startsAt, endsAt };
            await store.maintenances.create(organizationId, window as NewMaintenance, now);
          }
          await assertPages(own, size, now + MINUTE / 2);
        }
      });
      await fc.assert(walk, { numRuns: walks(20) });
    });

    test("have the reason of their trouble, and statistics only if a range is given", async () => {
      const { store, organizationId } = world();
      const site = await world().site();
      await world().down(site, NOW - MINUTE);
      const { standings } = await store.monitors.findWorst(organizationId, {
        ...{ most: 1, now: NOW },
        attendance: await store.outages.findAttendance(organizationId, NOW),
      });
      const { alertBindings: _, ...monitor } = await world().find(site);
      expect(standings).toEqual([
        {
          ...monitor,
          pk: expect.any(Number),
          since: NOW - MINUTE,
          latest: { status: "down", latencyMs: null, createdAt: NOW - MINUTE },
          detail: { reason: "refused" },
          seenDown: null,
        },
      ]);
      await world().up(site, { at: NOW, detail: { statusCode: 200 } });
      const [healthy] = await allSlices(store.monitors.listSnapshots(organizationId, { now: NOW }));
      expect(healthy).toMatchObject({ since: NOW, detail: null, latest: { status: "up", latencyMs: 10 } });
    });
  });

  describe("the latency baseline", () => {
    const normal = { start: NOW - 20 * DAY, count: 10 };

    /** Records checks of 20 ms, which make every check above 70 ms degraded. */
    async function siteWithBaseline(): Promise<string> {
      const site = await world().site();
      for (let at = 0; at < normal.count; at++)
        await world().up(site, { latencyMs: 20, at: normal.start + at * MINUTE });
      return site;
    }

    async function statusAfter(site: string, latencyMs: number, at = NOW): Promise<Status> {
      await world().up(site, { latencyMs, at });
      return (await world().find(site)).status;
    }

    const thresholdOf = async (site: string) => (await reportOf(world(), site, NOW)).degradedAbove;

    test("behavior 2.5: contains degraded checks, so that a lasting change becomes normal, and no failed ones", async () => {
      const site = await siteWithBaseline();
      await world().down(site, NOW - DAY);
      expect(await thresholdOf(site)).toBe(70);
      expect(await statusAfter(site, 500, NOW - DAY + 1)).toBe("degraded");
      expect(await thresholdOf(site)).toBeGreaterThan(70);
      const statuses: Status[] = [];
      for (let at = 0; at < 20; at++) statuses.push(await statusAfter(site, 500, NOW - HOUR + at));
      expect(statuses[0]).toBe("degraded");
      expect(statuses.at(-1)).toBe("up");
    });

    test("behavior 2.6: does not contain the latency that it judges, alone or in a batch", async () => {
      // With their own latency, the threshold of 71 ms would be 74 ms.
      expect(await statusAfter(await siteWithBaseline(), 70)).toBe("up");
      expect(await statusAfter(await siteWithBaseline(), 71)).toBe("degraded");
      const site = await world().site();
      const latencies = [...Array<number>(normal.count).fill(20), 71];
      await world().store.recording.record(
        latencies.map((latencyMs, at) => {
          const evidence = { outcome: "reached", latencyMs, detail: {} } as const;
          return { kind: "check", monitorId: site, revision: 0, evidence, at: NOW + at };
        }),
      );
      expect((await world().find(site)).status).toBe("degraded");
    });

    test("behavior 2.7: does not need the results", async () => {
      const site = await siteWithBaseline();
      const { store } = world();
      await pruneAll(store, NOW - DAY);
      expect(await world().results(site)).toEqual([]);
      expect(await thresholdOf(site)).toBe(70);
      expect(await statusAfter(site, 71)).toBe("degraded");
    });
  });

  describe("the report", () => {
    test("behavior 6.10: has the outages, latest first, each from its first unhealthy result to the next healthy one", async () => {
      const site = await world().site();
      const down = (at: number) => world().down(site, NOW + at * MINUTE);
      const up = (at: number) => world().up(site, { at: NOW + at * MINUTE });
      for (const at of [0, 3, 4]) await down(at).then(() => up(at + 0.5));
      await down(6);
      const detail = { reason: "refused" };
      const { outages } = await reportOf(world(), site, NOW + 10 * MINUTE);
      expect(outages.map(({ id: _, ...outage }) => outage)).toEqual([
        { start: NOW + 6 * MINUTE, end: null, status: "down", detail },
        { start: NOW + 4 * MINUTE, end: NOW + 4.5 * MINUTE, status: "down", detail },
        { start: NOW + 3 * MINUTE, end: NOW + 3.5 * MINUTE, status: "down", detail },
        { start: NOW, end: NOW + 0.5 * MINUTE, status: "down", detail },
      ]);
      expect(new Set(outages.map(({ id }) => id)).size).toBe(4);
    });

    test("behavior 6.10: has the worst status of an outage, the detail of its first result, and its end by a pause", async () => {
      const { store, owner } = world();
      const site = await world().site();
      for (let at = 0; at < 10; at++) await world().up(site, { latencyMs: 20, at: NOW - HOUR + at });
      await world().up(site, { latencyMs: 5000, at: NOW, detail: { statusCode: 200 } });
      await world().down(site, NOW + MINUTE);
      await store.monitors.update(owner, site, { enabled: false }, NOW + 2 * MINUTE);
      expect((await reportOf(world(), site, NOW + HOUR)).outages).toMatchObject([
        { start: NOW, end: NOW + 2 * MINUTE, status: "down", detail: { statusCode: 200 } },
      ]);
    });

    slow("behavior 6.10: has the 20 latest outages of the trailing 90 days", async () => {
      const starts = async (site: string) =>
        (await reportOf(world(), site, NOW)).outages.map(({ start }) => start);
      const old = await world().site();
      const times = [NOW - 91 * DAY, NOW - 89 * DAY];
      for (const at of times)
        await world()
          .down(old, at)
          .then(() => world().up(old, { at: at + MINUTE }));
      expect(await starts(old)).toEqual([NOW - 89 * DAY]);
      const restless = await world().site();
      const many = Array.from({ length: 25 }, (_, at) => NOW - (25 - at) * HOUR);
      for (const at of many)
        await world()
          .down(restless, at)
          .then(() => world().up(restless, { at: at + MINUTE }));
      expect(await starts(restless)).toEqual(many.slice(-20).toReversed());
    });

    test.each(RANGES)("has the latencies of good checks over %s", async (range) => {
      const { store, organizationId } = world();
      const id = await world().site();
      await world().up(id, { latencyMs: 10, at: NOW - 2 * MINUTE });
      await world().down(id, NOW - MINUTE);
      await world().up(id, { latencyMs: 30, at: NOW - 1 });
      await world().up(id, { latencyMs: 50, at: NOW });
      const report = await store.monitors.findReport(organizationId, { id, range }, NOW);
      expect(report.latencies.at(-1)?.longest).toBe(50);
      expect(report.latencies[0]?.shortest).toBe(10);
      const starts = report.latencies.map(({ start }) => start);
      expect(starts).toEqual([...new Set(starts)].toSorted((a, b) => a - b));
    });

    slow("has the threshold of degraded checks once enough checks show what is normal", async () => {
      const site = await world().site();
      const { store } = world();
      expect((await reportOf(world(), site, NOW)).degradedAbove).toBeNull();
      for (let hour = 30; hour > 0; hour--) {
        const evidence = { outcome: "reached", latencyMs: 100, detail: {} } as const;
        const checks = Array.from({ length: 60 }, (_, minute) => {
          const at = NOW - hour * HOUR + minute * MINUTE;
          return { kind: "check", monitorId: site, revision: 0, at, evidence } as const;
        });
        await store.recording.record(checks);
      }
      const { degradedAbove } = await reportOf(world(), site, NOW);
      if (degradedAbove === null) throw new Error("there is no threshold");
      await world().up(site, { latencyMs: degradedAbove - 1, at: NOW });
      expect((await world().find(site)).status).toBe("up");
      await world().up(site, { latencyMs: 2 * degradedAbove, at: NOW + 1 });
      expect((await world().find(site)).status).toBe("degraded");
      // Another target starts without a threshold.
      const config = { host: "b", port: 1, interval: 60 };
      await store.monitors.update(world().owner, site, { config }, NOW + 2);
      expect((await reportOf(world(), site, NOW + 3)).degradedAbove).toBeNull();
    });

    test("has the rhythm of a job", async () => {
      const job = await world().jobWith({ period: 600, grace: 60 });
      for (let run = 0; run < 5; run++) await world().checkin(job, "ok", NOW + run * 600 * SECOND);
      const lastCheckinAt = NOW + 4 * 600 * SECOND;
      expect(await reportOf(world(), job, lastCheckinAt)).toMatchObject({
        type: "SCHEDULED",
        since: NOW,
        lastCheckinAt,
        learnedPeriod: 600 * SECOND,
        deadline: lastCheckinAt + 660 * SECOND,
      });
    });

    test("is not found by another organization", async () => {
      const site = await world().site();
      await expect(reportOf(await world().another(), site, NOW)).rejects.toMatchObject({ kind: "not_found" });
    });
  });
});

function reportOf({ store, organizationId }: World, id: string, now: number) {
  return store.monitors.findReport(organizationId, { id, range: "1d" }, now);
}

type Past = { status: Status; createdAt: number }[];

function historyOf(results: Past, range: Range) {
  const buckets = bucketsOf(range, NOW);
  return buckets.map(({ start, label }, at) => {
    const end = buckets[at + 1]?.start ?? Number.POSITIVE_INFINITY;
    const within = results.filter(({ createdAt }) => createdAt >= start && createdAt < end);
    const statuses = within.map(({ status }) => status);
    return { label, status: worstOf("SCHEDULED", statuses) };
  });
}

/** NOW is a whole hour. The first hour counts in full, and the results are at whole hours too. */
function uptimeOf(results: Past, since: number): string | null {
  const statuses = results.filter(({ createdAt }) => createdAt >= since).map(({ status }) => status);
  const count = (wanted: Status) => statuses.filter((status) => status === wanted).length;
  return uptime({ ok: count("ok"), failed: count("failed") });
}

async function acknowledge({ store, organizationId }: World, monitorId: string): Promise<void> {
  const { items } = await store.outages.list(organizationId, { limit: 1, monitorId });
  await store.outages.acknowledge(organizationId, items[0]?.id ?? "", { by: "Ann", note: null }, NOW);
}

/** Asserts that the pages of a list are all monitors in order, before and after the settings of all are known. */
async function assertPages(own: World, size: number, now: number): Promise<void> {
  const { store, organizationId } = own;
  const attendance = await store.outages.findAttendance(organizationId, now);
  const all = await allSlices(store.monitors.listSnapshots(organizationId, { now }));
  const present = all.map((one) => attended(one, attendance)).toSorted(worstFirst);
  const tags = Map.groupBy(
    all.flatMap((one) => one.tags),
    (tag) => tag,
  );
  for (const time of [0, 1, 2])
    for (let skip = 0; skip <= all.length; skip += size) {
      const selection = { most: size, skip, now: now + time, attendance };
      const { standings, ...numbers } = await store.monitors.findWorst(organizationId, selection);
      expect(standings.map(({ id }) => id)).toEqual(present.slice(skip, skip + size).map(({ id }) => id));
      expect({ ...numbers, tags: new Map([...numbers.tags].sort()) }).toEqual({
        counts: countStandings(present),
        matching: all.length,
        tags: new Map([...tags].map(([tag, { length }]) => [tag, length] as const).sort()),
      });
    }
}

async function setState(own: World, { id, type, state }: { id: string; type: string; state: string }) {
  const isBad = state === "bad";
  if (type === "site") await (isBad ? own.down(id) : own.up(id));
  else await own.checkin(id, isBad ? "fail" : "ok");
  if (type === "job" && state === "late") {
    await own.store.recording.record([{ kind: "silence", monitorId: id, at: NOW + 10 * DAY }]);
  }
}
