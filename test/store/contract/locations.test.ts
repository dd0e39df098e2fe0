import { describe, expect, test } from "bun:test";
import { hashKey } from "../../../src/store/accounts/api-keys.ts";
import { contractSuite } from "./suite.ts";
import { allSlices, MINUTE, NOW, type World } from "./world.ts";

contractSuite("locations", (world) => {
  const locations = () => world().store.locations;
  const create = (name: string) =>
    locations().create({ organizationId: world().organizationId, name, key: `stillup_probe_${name}` }, NOW);

  describe("a location", () => {
    test("is listed with its state, and only for its organization", async () => {
      const created = await create("fra");
      const fra = { name: "fra", createdAt: NOW, lastSeenAt: null, version: null, state: "new" };
      expect(created).toEqual({ ...fra, id: expect.any(String) } as never);
      expect(await locations().list(world().organizationId)).toEqual([created]);
      expect(await locations().find(world().organizationId, created.id)).toEqual(created);
      const other = await world().another();
      await expect(locations().find(other.organizationId, created.id)).rejects.toMatchObject({
        kind: "not_found",
      });
      expect(await locations().list(other.organizationId)).toEqual([]);
      // Names of another organization are not taken.
      await other.location("fra");
      expect(await locations().list(world().organizationId)).toEqual([created]);
    });

    test("has a name of its own, which is not that of this server", async () => {
      const { id } = await create("fra");
      await create("nyc");
      const { organizationId } = world();
      expect(create("fra")).rejects.toThrow("name must be unique among the locations of the organization");
      expect(create("here")).rejects.toThrow("name must not be that of this server");
      expect(locations().update(organizationId, id, { name: "nyc" })).rejects.toThrow("name must be unique");
      expect(await locations().update(organizationId, id, { name: "fra" })).toMatchObject({ name: "fra" });
      expect(await locations().update(organizationId, id, { name: "ams" })).toMatchObject({
        id,
        name: "ams",
      });
      expect(locations().update(organizationId, "x", { name: "y" })).rejects.toThrow("Not found");
    });

    test("is found by the key of its probe", async () => {
      const { id } = await create("fra");
      const { organizationId } = world();
      const probe = await locations().findProbe(hashKey("stillup_probe_fra"));
      expect(probe).toEqual({ pk: expect.any(Number), id, name: "fra", organizationId });
      expect(probe?.pk).toBeGreaterThan(0);
      expect(await locations().findProbe(hashKey("stillup_probe_nyc"))).toBeUndefined();
    });

    test("keeps what its probe says of itself", async () => {
      const { pk } = await world().location();
      await locations().noteSeen(pk, { now: NOW + 1, version: "1.2.3", waiting: 4, dropped: 5, lag: 6 });
      await locations().noteSeen(pk, { now: NOW + 2, version: "1.2.4" });
      const { organizationId } = world();
      const seen = { lastSeenAt: NOW + 2, version: "1.2.4", state: "connected" };
      expect(await locations().list(organizationId)).toMatchObject([seen]);
      const report = { ...seen, isAtFault: false, lagMs: 6, waiting: 4, dropped: 5, monitors: 0 };
      expect(await locations().listReports(organizationId)).toMatchObject([{ name: "fra", ...report }]);
    });

    test("is not deleted while monitors use it, and its number is not used again", async () => {
      const { id, pk } = await world().location();
      const monitor = await world().placed([id], { name: "shop" });
      await world().placed(["here", id], { name: 'a "b"' });
      const { organizationId, store } = world();
      const refused = locations().delete(organizationId, id);
      expect(refused).rejects.toThrow('monitors use this location: "shop", "a \\"b\\""');
      expect(await locations().listReports(organizationId)).toMatchObject([{ monitors: 2 }]);
      await store.monitors.delete(organizationId, monitor);
      const [last] = await allSlices(store.monitors.listSnapshots(organizationId, { now: NOW }));
      await store.monitors.update(world().owner, last?.id ?? "", { locations: ["here"] }, NOW);
      expect(await locations().delete(organizationId, id)).toEqual({ id });
      expect(locations().delete(organizationId, id)).rejects.toThrow("Not found");
      expect(await locations().findMarker(pk)).toBeUndefined();
      expect(await locations().findWork(pk)).toBeUndefined();
      expect((await world().location()).pk).toBeGreaterThan(pk);
    });
  });

  describe("the locations of a monitor", () => {
    test("behavior 13.1: are only this server without others", async () => {
      const id = await world().site();
      expect(await world().find(id)).toMatchObject({ locations: ["here"], downWhen: "majority" });
      const job = await world().job();
      expect(await world().find(job)).toMatchObject({ locations: ["here"], downWhen: "majority" });
    });

    test("behavior 13.1, 13.2: are returned in their order by every list", async () => {
      const [fra, nyc] = [await world().location("fra"), await world().location("nyc")];
      const placement = { locations: [nyc.id, "here", fra.id], downWhen: 2 } as const;
      const id = await world().placed([...placement.locations], { downWhen: 2 });
      const { organizationId, store } = world();
      expect(await world().find(id)).toMatchObject(placement);
      const listing = { range: "1d", now: NOW } as const;
      expect(
        await allSlices(store.monitors.list(organizationId, { ...listing, type: undefined }, NOW)),
      ).toMatchObject([placement]);
      expect(await allSlices(store.monitors.listSnapshots(organizationId, listing))).toMatchObject([
        placement,
      ]);
      const { standings } = await store.monitors.findWorst(organizationId, {
        ...{ ...listing, most: 5 },
        attendance: await store.outages.findAttendance(organizationId, NOW),
      });
      expect(standings).toMatchObject([placement]);
      const updated = await store.monitors.update(world().owner, id, { downWhen: "all" }, NOW);
      expect(updated).toMatchObject({ ...placement, downWhen: "all" });
      const only = { locations: ["here"], downWhen: "majority" };
      expect(
        await store.monitors.update(world().owner, id, { ...only, downWhen: "majority" }, NOW),
      ).toMatchObject(only);
    });

    test("behavior 13.1: are refused if they are unknown, before unknown channels", async () => {
      const other = await world().another();
      const foreign = await other.location("fra");
      const must = "locations must be IDs of locations of the organization: locations";
      const values = { alertChannelIds: ["x"] };
      expect(world().placed(["here", "nyc"], values)).rejects.toThrow(`${must}.1 is not`);
      expect(world().placed([foreign.id], values)).rejects.toThrow(`${must}.0 is not`);
      const id = await world().site();
      const change = { locations: [foreign.id], alertChannelIds: ["x"] };
      expect(world().store.monitors.update(world().owner, id, change, NOW)).rejects.toThrow(must);
      expect(await world().find(id)).toMatchObject({ locations: ["here"] });
    });

    test("behavior 13.4: decide whether this server checks it", async () => {
      const fra = await world().location();
      const remote = await world().placed([fra.id]);
      expect(await due(world())).toHaveLength(0);
      const both = await world().placed(["here", fra.id]);
      expect(await due(world())).toHaveLength(1);
      const { owner, store } = world();
      await store.monitors.update(owner, both, { locations: [fra.id] }, NOW);
      expect(await due(world())).toHaveLength(0);
      await store.monitors.update(owner, remote, { locations: ["here"] }, NOW);
      expect(await due(world())).toHaveLength(1);
    });
  });

  describe("the work of a location", () => {
    test("behavior 13.4: has its enabled monitors with the offset of their slots", async () => {
      const [fra, nyc] = [await world().location("fra"), await world().location("nyc")];
      const first = await world().placed(["here", fra.id, nyc.id], { name: "first" });
      const second = await world().placed([nyc.id], { name: "second" });
      await world().site();
      const { store, owner } = world();
      const { config } = await world().find(first);
      const item = { type: "TCP", config, revision: 0 };
      expect((await locations().findWork(nyc.pk))?.monitors).toEqual([
        { ...item, monitorId: first, offset: 40_000 } as never,
        { ...item, monitorId: second, offset: 0 } as never,
      ]);
      expect((await locations().findWork(fra.pk))?.monitors).toMatchObject([
        { monitorId: first, offset: 20_000 },
      ]);
      await store.monitors.update(owner, first, { enabled: false }, NOW);
      expect((await locations().findWork(fra.pk))?.monitors).toEqual([]);
    });

    test("has a revision, which each change of its monitors counts", async () => {
      const [fra, nyc] = [await world().location("fra"), await world().location("nyc")];
      const { store, owner, organizationId } = world();
      const id = await world().placed([fra.id]);
      const revisions = async () => {
        const [one, other] = [await locations().findMarker(fra.pk), await locations().findMarker(nyc.pk)];
        expect((await locations().findWork(fra.pk))?.revision).toBe(one?.revision ?? 0);
        return [one?.revision ?? 0, other?.revision ?? 0];
      };
      let before = await revisions();
      const grew = async (change: () => Promise<unknown>) => {
        await change();
        const after = await revisions();
        const which = after.map((revision, at) => revision > (before[at] ?? 0));
        before = after;
        return which;
      };
      const update = (changes: object) => () => store.monitors.update(owner, id, changes, NOW);
      expect(await grew(update({ name: "x", recoveries: 2 }))).toEqual([false, false]);
      expect(await grew(update({ config: { host: "b", port: 1, interval: 60 } }))).toEqual([true, false]);
      expect(await grew(update({ locations: ["here", nyc.id] }))).toEqual([true, true]);
      expect(await grew(update({ enabled: false }))).toEqual([false, true]);
      expect(await grew(update({ enabled: true }))).toEqual([false, true]);
      expect(await grew(() => store.monitors.pauseAll(organizationId, NOW))).toEqual([true, true]);
      expect(await grew(() => store.monitors.pauseAll(organizationId, NOW))).toEqual([false, false]);
      expect(await grew(() => store.monitors.delete(organizationId, id))).toEqual([false, true]);
      expect(await grew(() => world().site())).toEqual([false, false]);
    });

    test("has no re-checks before a location sees trouble", async () => {
      const { id, pk } = await world().location();
      await world().placed([id]);
      expect(await locations().findMarker(pk)).toEqual({ revision: 2, rechecks: 0 });
      expect(await locations().findRechecks(pk)).toEqual({ rechecks: [], after: 0 });
    });
  });
});

async function due(world: World) {
  const { listDueSlots } = world.store.checks;
  return listDueSlots({ node: 1, place: 0, nodes: 1 }, { now: NOW, before: NOW + MINUTE });
}
