import { describe, expect, test } from "bun:test";
import { contractSuite } from "./suite.ts";
import { HOUR, NOW } from "./world.ts";

contractSuite("beginnings", (world) => {
  const beginnings = () => world().store.beginnings;
  const until = NOW + HOUR;

  test("behavior 19.62: of several keys, the first that is stored stays", async () => {
    expect(await beginnings().findKey()).toBeUndefined();
    const keys = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
    const stored = await Promise.all(keys.map((key) => beginnings().storeKey(key)));
    const [first] = stored;
    expect(stored).toEqual([first, first, first] as typeof stored);
    await world().opened.reopen();
    expect(await beginnings().findKey()).toEqual(first);
  });

  describe("behavior 19.53, 19.62: what has begun", () => {
    test("is used once, also by many at once", async () => {
      const uses = Array.from({ length: 5 }, () => beginnings().use({ text: "state", until }));
      expect((await Promise.all(uses)).filter(Boolean)).toEqual([true]);
      expect(await beginnings().use({ text: "other", until })).toBe(true);
    });

    test("is used once more by the person for whom it is kept, and by nobody else", async () => {
      const kept = { text: "kept", until };
      expect(await beginnings().use({ ...kept, by: "ana", keptFor: "ana" })).toBe(true);
      expect(await beginnings().use({ ...kept, by: "eve", keptFor: "eve" })).toBe(false);
      expect(await beginnings().use(kept)).toBe(false);
      expect(await beginnings().use({ ...kept, by: "ana" })).toBe(true);
      expect(await beginnings().use({ ...kept, by: "ana" })).toBe(false);
    });

    test("is remembered as used until it ends by itself", async () => {
      for (const end of [NOW, NOW + 1]) await beginnings().use({ text: `until ${end}`, until: end });
      const { housekeeping } = world().store;
      expect(await housekeeping.pruneUsedBeginnings(NOW)).toBe(false);
      expect(await beginnings().use({ text: `until ${NOW + 1}`, until: NOW + 1 })).toBe(false);
      expect(await beginnings().use({ text: `until ${NOW}`, until: NOW })).toBe(true);
    });
  });
});
