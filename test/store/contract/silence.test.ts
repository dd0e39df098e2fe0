import { describe, expect, test } from "bun:test";
import { contractSuite } from "./suite.ts";
import { MINUTE, NOW } from "./world.ts";

contractSuite("silence", (world) => {
  const locations = () => world().store.locations;
  const state = async () => (await locations().list(world().organizationId)).map((one) => one.state);

  describe("a silent location", () => {
    test("behavior 13.20: is stored once, and until it is connected again", async () => {
      const { id, pk } = await world().location();
      const { organizationId } = world();
      const watched = { pk, id, name: "fra", organizationId, organizationName: "A", createdAt: NOW };
      const organizationPk = expect.any(Number);
      const seen = { lastSeenAt: NOW, silentAt: null, isAtFault: false };
      expect(await locations().listWatched()).toEqual([{ ...watched, ...seen, organizationPk }]);
      expect(await state()).toEqual(["connected"]);
      const changed = { isChanged: true, asksHere: false };
      expect(await locations().silence(pk, NOW + MINUTE)).toEqual(changed);
      expect(await locations().silence(pk, NOW + MINUTE)).toEqual({ ...changed, isChanged: false });
      expect(await state()).toEqual(["silent"]);
      expect(await locations().listWatched()).toMatchObject([{ silentAt: NOW + MINUTE }]);
      await world().opened.reopen();
      expect(await locations().reconnect(pk, NOW + 2 * MINUTE)).toEqual(changed);
      expect(await locations().reconnect(pk, NOW + 2 * MINUTE)).toEqual({ ...changed, isChanged: false });
      expect(await state()).toEqual(["connected"]);
      expect(await locations().silence(pk + 1, NOW)).toMatchObject({ isChanged: false });
    });
  });

  describe("a location at fault", () => {
    test("behavior 13.26: is stored once, and until its network works again", async () => {
      const { pk } = await world().location();
      const [watched] = await locations().listWatched();
      const place = { location: pk, organizationPk: watched?.organizationPk ?? 0 };
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
  });
});
