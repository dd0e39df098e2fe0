import { describe, expect, test } from "bun:test";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import type { Observed } from "../../../src/domain/locations/protocol.ts";
import { alone } from "../../support/store/alone.ts";
import { contractSuite } from "./suite.ts";
import { allSlices, DAY, HOUR, MINUTE, NOW, SECOND } from "./world.ts";

const STREAM = "a".repeat(22);

contractSuite("observations", (world, _, slow) => {
  let sequence = 0;

  const send = (location: number, observations: Observed[], { stream = STREAM, receivedAt = NOW } = {}) =>
    world().store.recording.recordObservations({ location, stream, observations, receivedAt });

  /** Sends one observation as soon as it was made. */
  const see = async (location: number, observation: Observed) =>
    (await send(location, [observation], { receivedAt: observation.at })).recorded[0];

  const seen = (monitorId: string, at: number) => ({
    ...{ sequence: ++sequence, monitorId, revision: 0, at, startAt: at },
  });

  const up = (monitorId: string, at = NOW, latencyMs = 10): Observed => ({
    ...seen(monitorId, at),
    evidence: { outcome: "reached", latencyMs, detail: {} },
  });

  const down = (monitorId: string, at = NOW): Observed => ({
    ...seen(monitorId, at),
    evidence: { outcome: "failed", reason: "refused", detail: { message: "no" } },
  });

  const dueAt = async () => {
    const slots = await world().store.checks.listDueSlots(alone, { now: NOW, before: NOW + DAY });
    return slots.map((slot) => slot.nextCheckAt);
  };

  const report = (id: string, range: "1d" | "7d" | "90d" = "1d", now = NOW + HOUR) =>
    world().store.monitors.findReport(world().organizationId, { id, range }, now);

  describe("an observation", () => {
    test("behavior 13.18, 13.27: is recorded once, however often it is sent", async () => {
      const { id, pk } = await world().location();
      const monitor = await world().placed([id]);
      const [first, second] = [up(monitor), up(monitor, NOW + 1)];
      expect(await send(pk, [first])).toMatchObject({ recorded: [{ status: "up" }], repeated: 0 });
      await world().opened.reopen();
      const again = await send(pk, [first, second, second], { receivedAt: NOW + 1 });
      expect(again).toMatchObject({ recorded: [null, { status: "up" }, null], repeated: 2 });
      expect(await world().results(monitor)).toHaveLength(2);
      const third = { ...up(monitor, NOW + 2), sequence: first.sequence };
      const other = await send(pk, [third], { stream: "b".repeat(22), receivedAt: NOW + 2 });
      expect(other).toMatchObject({ recorded: [{ status: "up" }], repeated: 0 });
    });

    test("behavior 13.72, 13.73: of a database that another one replaced shows that the key is shared, also after a restart", async () => {
      const { id, pk } = await world().location();
      const monitor = await world().placed([id]);
      const shows = async (letter: string, receivedAt: number) => {
        const options = { stream: letter.repeat(22), receivedAt };
        return (await send(pk, [up(monitor, receivedAt)], options)).isNewlyShared;
      };
      const returnedAt = async () => {
        const [report] = await world().store.locations.listReports(world().organizationId);
        return report?.streamReturnedAt;
      };
      for (const letter of "abbc") expect(await shows(letter, NOW)).toBe(false);
      expect(await returnedAt()).toBeNull();
      await world().opened.reopen();
      expect(await shows("a", NOW + MINUTE)).toBe(true);
      expect(await returnedAt()).toBe(NOW + MINUTE);
      expect(await shows("b", NOW + 2 * MINUTE)).toBe(false);
      expect(await shows("b", NOW + 3 * MINUTE)).toBe(false);
      expect(await returnedAt()).toBe(NOW + 2 * MINUTE);
      expect(await shows("c", NOW + 12 * MINUTE)).toBe(true);
    });

    test("is ignored for a monitor that its location does not check, or that is of another revision", async () => {
      const [fra, nyc] = [await world().location("fra"), await world().location("nyc")];
      const foreign = await (await world().another()).location();
      const monitor = await world().placed([fra.id]);
      const here = await world().site();
      const ignored = { recorded: [null], repeated: 0, isNewlyShared: false };
      for (const { pk } of [nyc, foreign]) expect(await send(pk, [up(monitor)])).toEqual(ignored);
      expect(await send(fra.pk, [up(here)])).toEqual(ignored);
      expect(await send(fra.pk, [up("unknown")])).toEqual(ignored);
      expect(await send(fra.pk, [{ ...up(monitor), revision: 1 }])).toEqual(ignored);
      expect(await send(99, [up(monitor)])).toEqual(ignored);
      for (const id of [monitor, here]) expect(await world().results(id)).toEqual([]);
    });

    test("behavior 13.14: is a result with its location, and its latency is that of the location", async () => {
      const { id, pk } = await world().location();
      const monitor = await world().placed(["here", id]);
      expect(await world().up(monitor, { latencyMs: 20 })).toMatchObject([{ status: "up" }]);
      await see(pk, up(monitor, NOW + SECOND, 100));
      const results = await world().results(monitor);
      expect(results).toMatchObject([
        { status: "up", latencyMs: 100, detail: { location: "fra" }, createdAt: NOW + SECOND },
        { status: "up", latencyMs: 20, detail: { location: "here" } },
      ]);
      const [listed] = await allSlices(
        world().store.monitors.listSnapshots(world().organizationId, { now: NOW }),
      );
      expect(listed).toMatchObject({ latest: { latencyMs: 100, createdAt: NOW + SECOND }, seenDown: null });
    });
  });

  describe("the status of a monitor", () => {
    test("behavior 13.6, 13.10: is what enough locations see, and survives a restart", async () => {
      const channel = await world().channel();
      const [fra, nyc] = [await world().location("fra"), await world().location("nyc")];
      const monitor = await world().placed(["here", fra.id, nyc.id], { alertChannelIds: [channel] });
      await world().up(monitor);
      await see(fra.pk, up(monitor));
      await see(nyc.pk, up(monitor));
      expect((await world().find(monitor)).status).toBe("up");

      expect(await see(fra.pk, down(monitor, NOW + MINUTE))).toMatchObject({ status: "up", seen: "down" });
      await world().opened.reopen();
      const [snapshot] = await allSlices(
        world().store.monitors.listSnapshots(world().organizationId, { now: NOW }),
      );
      expect(snapshot).toMatchObject({ status: "up", seenDown: { by: 1, of: 3 } });
      expect(await world().due()).toEqual([]);

      const second = await see(nyc.pk, down(monitor, NOW + MINUTE + SECOND));
      expect(second).toMatchObject({ status: "down", notable: true });
      const [delivery] = await world().due();
      expect(delivery?.event).toMatchObject({
        status: "down",
        locations: { seeing: ["fra", "nyc"], of: 3 },
      });
      const { outages } = await report(monitor);
      expect(outages).toMatchObject([{ start: NOW + MINUTE, end: null, status: "down" }]);
    });

    test("behavior 13.12: the other locations check at once as soon as one sees trouble", async () => {
      const { store } = world();
      const [fra, nyc] = [await world().location("fra"), await world().location("nyc")];
      const monitor = await world().placed(["here", fra.id, nyc.id]);
      await world().up(monitor);
      await see(fra.pk, up(monitor));
      await see(nyc.pk, up(monitor));
      expect(await store.locations.findRechecks(nyc.pk)).toEqual({ rechecks: [], after: 0 });
      const at = NOW + 5 * SECOND;
      expect(await dueAt()).toEqual([nextCheckAt(monitor, 60, NOW)]);
      const asked = await see(fra.pk, down(monitor, at));
      expect(asked?.asksHere).toBe((await dueAt())[0] === at);
      const { rechecks, after } = await store.locations.findRechecks(nyc.pk);
      expect(rechecks).toEqual([{ monitorId: monitor, at }]);
      expect(after).toBeGreaterThan(0);
      expect(await store.locations.findMarker(nyc.pk)).toMatchObject({ rechecks: after });
      expect(await store.locations.findWork(nyc.pk)).toMatchObject({ rechecks, after });
      expect(await store.locations.findMarker(fra.pk)).toMatchObject({ rechecks: 0 });
      await see(nyc.pk, up(monitor, at + 1));
      expect(await store.locations.findMarker(nyc.pk)).toMatchObject({ rechecks: 0 });
    });

    test("behavior 13.3, 13.6: what the locations saw ends with a change of the config, a pause and other locations", async () => {
      const { store, owner, organizationId } = world();
      const [fra, nyc] = [await world().location("fra"), await world().location("nyc")];
      const monitor = await world().placed(["here", fra.id, nyc.id]);
      const latest = async () => (await report(monitor)).places.map((place) => place.latest?.status ?? null);
      let revision = 0;
      const seeAll = async (at: number) => {
        await world().store.recording.record([
          { ...up(monitor, at), kind: "check", revision, startAt: at } as never,
        ]);
        for (const { pk } of [fra, nyc]) await see(pk, { ...down(monitor, at), revision });
      };
      const ends = async (change: () => Promise<unknown>, places: number) => {
        await seeAll(NOW + revision * MINUTE);
        expect(await latest()).toEqual(["up", "down", "down"]);
        await change();
        revision++;
        expect(await latest()).toEqual(Array(places).fill(null));
        expect(await store.locations.findMarker(nyc.pk)).toMatchObject({ rechecks: 0 });
      };
      const update = (changes: object) => () =>
        store.monitors.update(owner, monitor, changes, NOW + revision * MINUTE);
      await ends(update({ config: { host: "b", port: 1, interval: 60 } }), 3);
      await ends(update({ enabled: false }), 3);
      await update({ enabled: true })();
      revision++;
      await ends(() => store.monitors.pauseAll(organizationId, NOW + revision * MINUTE), 3);
      await update({ enabled: true })();
      revision++;
      await ends(update({ locations: ["here", fra.id] }), 2);
      expect(await store.locations.findWork(nyc.pk)).toMatchObject({ monitors: [], rechecks: [] });
    });
  });

  describe("a late observation", () => {
    test("behavior 13.8, 13.28: enters the history with the status of its time, and changes nothing else", async () => {
      const channel = await world().channel();
      const fra = await world().location("fra");
      const monitor = await world().placed(["here", fra.id], { alertChannelIds: [channel], downWhen: "all" });
      const at = NOW + 3 * HOUR;
      await world().up(monitor);
      await see(fra.pk, up(monitor));
      await see(fra.pk, down(monitor, NOW + MINUTE));
      await world().down(monitor, NOW + MINUTE + SECOND);
      await world().up(monitor, { at: NOW + 10 * MINUTE });
      await world().up(monitor, { at: NOW + 11 * MINUTE });
      await see(fra.pk, up(monitor, at));
      const before = [
        await world().find(monitor),
        await world().store.deliveries.countPending(world().organizationId),
      ];
      const late = [
        down(monitor, NOW + 5 * MINUTE),
        up(monitor, NOW + 6 * MINUTE),
        down(monitor, NOW + 20 * MINUTE),
        down(monitor, at - SECOND),
      ];
      const { recorded } = await send(fra.pk, late, { receivedAt: at });
      expect(recorded.map((one) => [one?.status, one?.seen, one?.notable])).toEqual([
        ["down", "down", false],
        ["down", "up", false],
        ["up", "down", false],
        ["up", "down", false],
      ]);
      expect([
        await world().find(monitor),
        await world().store.deliveries.countPending(world().organizationId),
      ]).toEqual(before);
      const [snapshot] = await allSlices(
        world().store.monitors.listSnapshots(world().organizationId, { now: at }),
      );
      expect(snapshot?.latest).toMatchObject({ status: "up", createdAt: at });
      const results = await world().results(monitor);
      expect(results.slice(0, 4).map(({ createdAt }) => createdAt)).toEqual(
        late.map((one) => one.at).toReversed(),
      );
      expect((await report(monitor, "1d", at)).outages).toMatchObject([{ start: NOW + MINUTE }]);
    });

    test("behavior 13.28: counts in the uptime and history that are computed before it came", async () => {
      const { store, organizationId } = world();
      const { id, pk } = await world().location();
      const monitor = await world().placed([id]);
      const at = NOW + 5 * HOUR;
      await see(pk, up(monitor, NOW));
      await see(pk, up(monitor, at));
      const list = () => allSlices(store.monitors.list(organizationId, { type: undefined, range: "1d" }, at));
      expect(await list()).toMatchObject([{ uptime: "100.00%" }]);
      await send(pk, [down(monitor, NOW + MINUTE), down(monitor, at - SECOND)], { receivedAt: at });
      const [listed] = await list();
      expect(listed?.uptime).toBe("50.00%");
      expect(listed?.history.filter(({ status }) => status === "down")).toHaveLength(2);
      expect((await report(monitor, "1d", at)).uptime["1d"]).toBe("50.00%");
    });
  });

  describe("the baseline of a location", () => {
    slow("behavior 13.5: is its own, also after the hour changes and after a restart", async () => {
      const { id, pk } = await world().location();
      const monitor = await world().placed(["here", id], { downWhen: "any" });
      for (let at = 0; at < 12; at++) {
        await world().up(monitor, { latencyMs: 10, at: NOW + at * MINUTE });
        await see(pk, up(monitor, NOW + at * MINUTE + SECOND, 300));
      }
      await world().opened.reopen();
      expect((await report(monitor)).degradedAbove).toBe(60);
      const later = NOW + 31 * DAY - HOUR;
      for (const at of [NOW + 2 * HOUR, later]) {
        expect(await see(pk, up(monitor, at, 310))).toMatchObject({ seen: "up" });
        expect(await world().up(monitor, { latencyMs: 310, at: at + SECOND })).toMatchObject([
          { seen: at === later ? "up" : "degraded" },
        ]);
      }
      await world().store.monitors.update(world().owner, monitor, { locations: [id] }, later);
      expect((await report(monitor, "1d", later)).degradedAbove).toBeNull();
    });
  });

  describe("the report of a monitor", () => {
    test("behavior 13.29: has what each of its locations sees, and none for this server only", async () => {
      const [fra, nyc] = [await world().location("fra"), await world().location("nyc")];
      const monitor = await world().placed([nyc.id, "here", fra.id]);
      await see(fra.pk, down(monitor, NOW + 1));
      await world().up(monitor, { latencyMs: 12.34 });
      const { places } = await report(monitor);
      const connected = { state: "connected", isAtFault: false } as const;
      const run = (since: number) => ({ checks: 1, since });
      expect(places).toEqual([
        { ...connected, id: nyc.id, name: "nyc", latest: null },
        {
          ...connected,
          ...{ id: "here", name: "here" },
          latest: { status: "up", at: NOW, latencyMs: 12.34, trouble: run(NOW), down: run(NOW) },
        },
        {
          ...connected,
          ...{ id: fra.id, name: "fra" },
          latest: {
            ...{ status: "down", reason: "refused", message: "no", at: NOW + 1, latencyMs: null },
            ...{ trouble: run(NOW + 1), down: run(NOW + 1) },
          },
        },
      ]);
      const here = await world().site();
      await world().up(here);
      expect(await report(here)).toMatchObject({ places: [], latencyByLocation: [] });
    });

    test("behavior 13.29: has the latencies by location, for each range", async () => {
      const { id, pk } = await world().location();
      const monitor = await world().placed(["here", id]);
      await world().up(monitor, { latencyMs: 10 });
      await see(pk, up(monitor, NOW + SECOND, 100));
      await see(pk, up(monitor, NOW + 2 * SECOND, 300));
      for (const range of ["1d", "7d", "90d"] as const) {
        const { latencyByLocation, latencies } = await report(monitor, range);
        const point = { start: expect.any(Number) };
        expect(latencyByLocation).toMatchObject([
          { location: "here", points: [{ ...point, mean: 10, shortest: 10, longest: 10 }] },
          { location: "fra", points: [{ ...point, mean: 200, shortest: 100, longest: 300 }] },
        ] as never);
        expect(latencies).toMatchObject([{ shortest: 10, longest: 300 }]);
      }
    });
  });
});
