import { describe, expect, test } from "bun:test";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import { alone } from "../../support/store/alone.ts";
import { contractSuite } from "./suite.ts";
import { DAY, HOUR, MINUTE, NOW, SECOND } from "./world.ts";

const STREAM = "a".repeat(22);
const up: Evidence = { outcome: "reached", latencyMs: 10, detail: {} };
const down: Evidence = { outcome: "failed", reason: "timeout", detail: {} };

contractSuite("silence", (world) => {
  let sequence = 0;

  const locations = () => world().store.locations;

  const states = async () => (await locations().list(world().organizationId)).map(({ state }) => state);

  const see = async (location: number, monitorId: string, evidence: Evidence, at = NOW) => {
    const observation = { sequence: ++sequence, monitorId, revision: 0, at, startAt: at, evidence };
    const batch = { location, stream: STREAM, observations: [observation], receivedAt: at };
    return (await world().store.recording.recordObservations(batch)).recorded[0];
  };

  const statusOf = async (monitor: string) => (await world().find(monitor)).status;

  const outages = async (id: string) => {
    const { organizationId, store } = world();
    const found = await store.monitors.findReport(organizationId, { id, range: "1d" }, NOW + HOUR);
    return found.outages.map(({ start, end }) => [start, end]);
  };

  const dueAt = async () => {
    const slots = await world().store.checks.listDueSlots(alone, { now: NOW, before: NOW + DAY });
    return slots.map((slot) => slot.nextCheckAt);
  };

  /** The number of the organization, and of a location, for `setAtFault`. */
  const placeOf = async (location: number) => {
    const [watched] = await locations().listWatched();
    return { location, organizationPk: watched?.organizationPk ?? 0 };
  };

  describe("a silent location", () => {
    test("behavior 13.20: is stored once, and until its probe sends again", async () => {
      const { id, pk } = await world().location();
      const { organizationId } = world();
      const watched = { pk, id, name: "fra", organizationId, organizationName: "A", createdAt: NOW };
      const seen = { lastSeenAt: NOW, silentAt: null, isAtFault: false, organizationPk: expect.any(Number) };
      expect(await locations().listWatched()).toEqual([{ ...watched, ...seen } as never]);
      expect(await states()).toEqual(["connected"]);
      const changed = { isChanged: true, asksHere: false };
      expect(await locations().silence(pk, NOW + MINUTE)).toEqual(changed);
      expect(await locations().silence(pk, NOW + MINUTE)).toEqual({ ...changed, isChanged: false });
      expect(await states()).toEqual(["silent"]);
      expect(await locations().listWatched()).toMatchObject([{ silentAt: NOW + MINUTE }]);
      await world().opened.reopen();
      expect(await locations().reconnect(pk, NOW + 2 * MINUTE)).toEqual(changed);
      expect(await locations().reconnect(pk, NOW + 2 * MINUTE)).toEqual({ ...changed, isChanged: false });
      expect(await states()).toEqual(["connected"]);
      expect(await locations().silence(pk + 1, NOW)).toMatchObject({ isChanged: false });
    });

    test("behavior 13.15, 13.23: turns what only it checks unknown, which notifies nobody and ends outages", async () => {
      const channel = await world().channel();
      const [fra, nyc] = [await world().location("fra"), await world().location("nyc")];
      const [bad, good] = [
        await world().placed([fra.id], { alertChannelIds: [channel] }),
        await world().placed([fra.id], { alertChannelIds: [channel] }),
      ];
      const paused = await world().placed([fra.id]);
      const other = await world().placed([nyc.id]);
      await see(fra.pk, bad, down);
      await see(fra.pk, good, up);
      await see(fra.pk, paused, up);
      await see(nyc.pk, other, up);
      await world().store.monitors.update(world().owner, paused, { enabled: false }, NOW);
      const pending = () => world().store.deliveries.countPending(world().organizationId);
      expect(await pending()).toBe(1);
      expect(await locations().silence(fra.pk, NOW + MINUTE)).toEqual({ isChanged: true, asksHere: false });
      expect(await pending()).toBe(1);
      expect(await statusOf(bad)).toBe("unknown");
      expect(await statusOf(good)).toBe("unknown");
      expect(await statusOf(paused)).toBe("up");
      expect(await statusOf(other)).toBe("up");
      expect(await outages(bad)).toEqual([[NOW, NOW + MINUTE]]);
      expect(await world().results(bad)).toHaveLength(1);

      await world().opened.reopen();
      await locations().reconnect(fra.pk, NOW + HOUR);
      // The same as before the silence: nobody is notified.
      expect(await see(fra.pk, bad, down, NOW + HOUR)).toMatchObject({ status: "down", notable: false });
      expect(await see(fra.pk, good, down, NOW + HOUR)).toMatchObject({ status: "down", notable: true });
      expect(await pending()).toBe(2);
      expect(await outages(bad)).toEqual([
        [NOW + HOUR, null],
        [NOW, NOW + MINUTE],
      ]);
    });

    test("behavior 13.24: lets the other locations of a monitor check at once", async () => {
      const [fra, nyc] = [await world().location("fra"), await world().location("nyc")];
      const monitor = await world().placed([fra.id, nyc.id, "here"]);
      await see(fra.pk, monitor, down);
      await see(nyc.pk, monitor, down);
      await world().up(monitor, { at: NOW });
      await see(nyc.pk, monitor, down, NOW + 1);
      expect(await statusOf(monitor)).toBe("down");
      const at = NOW + 2 * SECOND;
      const { asksHere } = await locations().silence(fra.pk, at);
      expect(await statusOf(monitor)).toBe("down");
      expect((await dueAt())[0]).toBeLessThanOrEqual(at + 2 * SECOND);
      expect(asksHere).toBe((await dueAt())[0] === at);
      expect(await locations().findRechecks(nyc.pk)).toMatchObject({
        rechecks: [{ monitorId: monitor, at }],
      });
      expect(await locations().findRechecks(fra.pk)).toMatchObject({ rechecks: [] });
    });

    test("is one without a probe so far", async () => {
      const { organizationId } = world();
      const { id } = await locations().create({ organizationId, name: "new", key: "k" }, NOW);
      const [watched] = await locations().listWatched();
      const monitor = await world().placed(["here", id]);
      await world().down(monitor);
      expect(await statusOf(monitor)).toBe("down");
      expect(await locations().silence(watched?.pk ?? 0, NOW)).toMatchObject({ isChanged: true });
      expect(await states()).toEqual(["new"]);
    });
  });

  describe("a location that is connected again", () => {
    test("behavior 13.70: checks at once what no location could check", async () => {
      const [fra, nyc] = [await world().location("fra"), await world().location("nyc")];
      const only = await world().placed([fra.id]);
      const both = await world().placed([fra.id, nyc.id]);
      await see(fra.pk, only, up);
      await see(fra.pk, both, up);
      await see(nyc.pk, both, up);
      await locations().silence(fra.pk, NOW + MINUTE);
      await locations().reconnect(fra.pk, NOW + HOUR);
      expect(await locations().findRechecks(fra.pk)).toMatchObject({
        rechecks: [{ monitorId: only, at: NOW + HOUR }],
      });
    });
  });

  describe("what a silent location saw", () => {
    test("behavior 13.6, 13.70: decides nothing, and is checked again at once if it was down", async () => {
      const fra = await world().location("fra");
      const only = await world().placed([fra.id]);
      const any = await world().placed([fra.id, "here"], { downWhen: "any" });
      for (const id of [only, any]) await see(fra.pk, id, up);
      await world().up(any);
      await locations().silence(fra.pk, NOW + MINUTE);
      const at = NOW + MINUTE + SECOND;
      // Its network came back a moment ago.
      for (const id of [only, any]) await see(fra.pk, id, down, at);
      expect([await statusOf(only), await statusOf(any)]).toEqual(["unknown", "up"]);
      await locations().reconnect(fra.pk, at + 1);
      await world().up(any, { at: at + 2 });
      expect(await statusOf(any)).toBe("up");
      const rechecks = [only, any].map((monitorId) => ({ monitorId, at: at + 1 }));
      expect(await locations().findRechecks(fra.pk)).toMatchObject({ rechecks });
      for (const id of [only, any]) await see(fra.pk, id, up, at + 3);
      expect([await statusOf(only), await statusOf(any)]).toEqual(["up", "up"]);
    });
  });

  describe("a location at fault", () => {
    /** Monitors that are checked from fra, nyc and this server. */
    async function threeMonitors() {
      const [fra, nyc] = [await world().location("fra"), await world().location("nyc")];
      const monitors: string[] = [];
      for (const name of ["a", "b", "c"])
        monitors.push(await world().placed([fra.id, nyc.id, "here"], { name }));
      return { fra, nyc, monitors };
    }

    test("behavior 13.17, 13.25: is one that sees everything fail while others see it well", async () => {
      const { fra, nyc, monitors } = await threeMonitors();
      for (const id of monitors) {
        await see(fra.pk, id, up);
        await see(nyc.pk, id, up);
        await world().up(id);
      }
      expect(await locations().listFailureShares(NOW)).toEqual([]);
      const place = await placeOf(fra.pk);
      for (const id of monitors.slice(0, 2)) await see(fra.pk, id, down, NOW + 1);
      expect(await locations().listFailureShares(NOW + 1)).toEqual([]);
      await see(fra.pk, monitors[2] ?? "", down, NOW + 1);
      const { organizationId } = world();
      const share = { ...place, organizationId, name: "fra", isAtFault: false };
      expect(await locations().listFailureShares(NOW + 1)).toEqual([
        { ...share, fresh: 3, failing: 3, healthyElsewhere: 3 },
      ]);
      await world().down(monitors[0] ?? "", NOW + 2);
      await see(nyc.pk, monitors[0] ?? "", down, NOW + 2);
      expect(await locations().listFailureShares(NOW + 2)).toEqual([
        { ...share, fresh: 3, failing: 3, healthyElsewhere: 2 },
      ]);
      // Two intervals and the timeout later, nothing of it is fresh.
      expect(await locations().listFailureShares(NOW + 3 * MINUTE)).toEqual([]);
    });

    test("behavior 13.25: may be this server, for one organization", async () => {
      const { fra, monitors } = await threeMonitors();
      const other = await world().another();
      await other.location("fra");
      for (const id of monitors) {
        await see(fra.pk, id, up);
        await world().down(id);
      }
      const place = { ...(await placeOf(0)), name: "here", organizationId: world().organizationId };
      expect(await locations().listFailureShares(NOW)).toEqual([
        { ...place, isAtFault: false, fresh: 3, failing: 3, healthyElsewhere: 3 },
      ]);
      expect(await locations().setAtFault(place, true, NOW)).toMatchObject({ isChanged: true });
      expect(await locations().setAtFault(place, true, NOW)).toMatchObject({ isChanged: false });
      expect(await locations().listFailureShares(NOW + HOUR)).toEqual([
        { ...place, isAtFault: true, fresh: 0, failing: 0, healthyElsewhere: 0 },
      ]);
      expect(await locations().setAtFault(place, false, NOW)).toMatchObject({ isChanged: true });
      expect(await locations().listFailureShares(NOW + HOUR)).toEqual([]);
    });

    test("behavior 13.26: is stored once, and until its network works again", async () => {
      const { pk } = await world().location();
      const place = await placeOf(pk);
      const change = async (isAtFault: boolean) => {
        const { isChanged } = await locations().setAtFault(place, isAtFault, NOW);
        const [report] = await locations().listReports(world().organizationId);
        return [isChanged, report?.isAtFault];
      };
      expect(await change(false)).toEqual([false, false]);
      expect(await change(true)).toEqual([true, true]);
      expect(await change(true)).toEqual([false, true]);
      expect(await locations().listWatched()).toMatchObject([{ isAtFault: true }]);
      expect(await change(false)).toEqual([true, false]);
      const foreign = { ...place, organizationPk: place.organizationPk + 1 };
      expect(await locations().setAtFault(foreign, true, NOW)).toMatchObject({ isChanged: false });
    });

    test("behavior 13.17, 13.23, 13.24: has no vote, and what it had decided is taken back", async () => {
      const fra = await world().location("fra");
      const both = await world().placed([fra.id, "here"], { downWhen: "any" });
      const only = await world().placed([fra.id]);
      await world().up(both);
      await see(fra.pk, both, down);
      await see(fra.pk, only, down);
      expect([await statusOf(both), await statusOf(only)]).toEqual(["down", "down"]);
      const at = NOW + SECOND;
      await locations().setAtFault(await placeOf(fra.pk), true, at);
      expect(await statusOf(only)).toBe("unknown");
      expect((await dueAt())[0]).toBeLessThanOrEqual(at + 2 * SECOND);
      await world().up(both, { at: at + 1 });
      expect(await statusOf(both)).toBe("up");
      // Its failed checks are not recorded.
      await see(fra.pk, both, down, at + 2);
      expect(await statusOf(both)).toBe("up");
      expect(await world().results(both)).toHaveLength(3);
    });

    test("behavior 13.70: what it saw down does not count after the fault, and it checks that at once", async () => {
      const fra = await world().location("fra");
      const both = await world().placed([fra.id, "here"], { downWhen: "any" });
      const only = await world().placed([fra.id]);
      const good = await world().placed([fra.id]);
      await world().up(both);
      for (const id of [both, only, good]) await see(fra.pk, id, down);
      const place = await placeOf(fra.pk);
      await locations().setAtFault(place, true, NOW + SECOND);
      await world().up(both, { at: NOW + 2 * SECOND });
      await see(fra.pk, both, down, NOW + 3 * SECOND);
      await see(fra.pk, good, up, NOW + 3 * SECOND);
      const at = NOW + 4 * SECOND;
      expect(await locations().setAtFault(place, false, at)).toEqual({ isChanged: true, asksHere: false });
      const rechecks = [both, only, good].map((monitorId) => ({ monitorId, at }));
      expect(await locations().findRechecks(fra.pk)).toMatchObject({ rechecks });
      await world().up(both, { at: at + 1 });
      expect(await statusOf(both)).toBe("up");
      expect(await statusOf(only)).toBe("unknown");
      await see(fra.pk, only, up, at + 2);
      expect(await statusOf(only)).toBe("up");
    });

    test("behavior 13.70: may be this server, which checks at once", async () => {
      const { id } = await world().location("fra");
      // The slot of a shorter interval is now and then so soon that no earlier check is needed.
      const config = { host: "a", port: 1, interval: 86_400 };
      const monitor = await world().placed(["here", id], { config });
      await world().down(monitor);
      const place = await placeOf(0);
      await locations().setAtFault(place, true, NOW);
      expect(await locations().setAtFault(place, false, NOW)).toEqual({ isChanged: true, asksHere: true });
      expect(await dueAt()).toEqual([NOW]);
    });
  });
});
