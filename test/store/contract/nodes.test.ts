import { describe, expect, test } from "bun:test";
import type { Claimant } from "../../../src/store/store.ts";
import { contractSuite } from "./suite.ts";
import { HOUR, NOW, SECOND, type World } from "./world.ts";

const VERSION = "1.2.3";

contractSuite("nodes", (world) => {
  describe("the list of nodes", () => {
    test("has those that gave a sign of life within an hour, by name", async () => {
      const { nodes } = world().store;
      await join(world(), 7, "b");
      await join(world(), 8, "a");
      await nodes.note(
        { pk: 7, name: "b", version: VERSION, retentionDays: 90, checksPerSecond: 12 },
        NOW + SECOND,
      );
      expect(await nodes.list(NOW + HOUR)).toEqual([
        { name: "a", version: VERSION, lastSeenAt: NOW, checksPerSecond: 0 },
        { name: "b", version: VERSION, lastSeenAt: NOW + SECOND, checksPerSecond: 12 },
      ]);
      expect((await nodes.list(NOW + HOUR + 1)).map(({ name }) => name)).toEqual(["b"]);
    });

    test("behavior 12.20: gives the name of a live node a suffix", async () => {
      expect(await join(world(), 1, "web")).toBe("web");
      expect(await join(world(), 2, "web")).toBe("web-2");
      expect(await join(world(), 3, "web")).toBe("web-3");
      await world().store.nodes.leave(2);
      expect(await join(world(), 4, "web")).toBe("web-2");
      expect(await join(world(), 5, "web", NOW + 15 * SECOND + 1)).toBe("web");
    });

    test("behavior 12.20: nodes that join at the same time have different names", async () => {
      const pks = Array.from({ length: 20 }, (_, at) => at + 1);
      const names = await Promise.all(pks.map((pk) => join(world(), pk, "web")));
      expect(new Set(names)).toEqual(new Set(pks.map((pk) => (pk === 1 ? "web" : `web-${pk}`))));
    });
  });

  test("behavior 12.21: each live node has a place among them", async () => {
    for (const pk of [30, 10, 20]) await join(world(), pk, `node ${pk}`);
    expect(await note(world(), 20, NOW)).toEqual({ node: 20, place: 1, nodes: 3 });
    await world().store.nodes.leave(10);
    expect(await note(world(), 20, NOW)).toEqual({ node: 20, place: 0, nodes: 2 });
    const later = NOW + 15 * SECOND + 1;
    expect(await note(world(), 20, later)).toEqual({ node: 20, place: 0, nodes: 1 });
    // Node 30 was only slow.
    expect(await note(world(), 30, later)).toEqual({ node: 30, place: 1, nodes: 2 });
    // After the clock was set back, a sign of life from the future is none.
    expect(await note(world(), 20, later - HOUR)).toEqual({ node: 20, place: 0, nodes: 1 });
  });

  test("behavior 12.78: a node goes on with a database of its own version", async () => {
    await expect(world().store.nodes.assertCompatible()).resolves.toBeUndefined();
  });

  test("behavior 12.73: the retentions of the nodes of the last hour are kept, also of those that left", async () => {
    const { nodes } = world().store;
    await join(world(), 1, "a", NOW, 400);
    await join(world(), 2, "b");
    await join(world(), 3, "c");
    await nodes.leave(1);
    expect((await nodes.list(NOW)).map(({ name }) => name)).toEqual(["b", "c"]);
    expect(await note(world(), 2, NOW)).toMatchObject({ place: 0, nodes: 2 });
    expect(await nodes.listRetentions(NOW)).toEqual([90, 400]);
    await note(world(), 2, NOW + HOUR);
    expect(await nodes.listRetentions(NOW + HOUR)).toEqual([90]);
  });

  test("work is claimed again by the node that has claimed it, and by another one after its release", async () => {
    const { claims, changes } = world().store;
    const [first, second]: Claimant[] = [1, 2].map((node, place) => ({ node, place, nodes: 2 }));
    if (!first || !second) throw new Error("no nodes");
    expect(await claims.take("work", first, { now: NOW, lease: SECOND })).toBeTrue();
    expect(await claims.take("work", first, { now: NOW, lease: SECOND })).toBeTrue();
    // With one process, there is nobody to keep from the work.
    const isShared = (await changes.readTime()) !== null;
    expect(await claims.take("work", second, { now: NOW + SECOND, lease: SECOND })).toBe(!isShared);
    await claims.release(first.node);
    expect(await claims.take("work", second, { now: NOW, lease: SECOND })).toBeTrue();
    expect(await claims.take("other work", first, { now: NOW, lease: SECOND })).toBeTrue();
  });
});

function join({ store }: World, pk: number, name: string, now = NOW, retentionDays = 90): Promise<string> {
  return store.nodes.join({ pk, name, version: VERSION, retentionDays }, now);
}

function note({ store }: World, pk: number, now: number): Promise<Claimant> {
  return store.nodes.note(
    { pk, name: `node ${pk}`, version: VERSION, retentionDays: 90, checksPerSecond: 0 },
    now,
  );
}
