import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ancestorsOf, assertAcyclic, uniqueDependencies } from "../../../src/domain/monitors/dependencies.ts";

describe("behavior 14.4: a dependency", () => {
  // 3 → 2 → 1, and 5 → 4.
  const graph = graphOf({ 3: [2], 2: [1], 5: [4] });

  test.each<[number, number[], string | null]>([
    [3, [1, 4], null],
    [4, [3], null],
    [6, [1, 2, 3], null],
    [1, [], null],
    [1, [1], "dependsOn.0 must be another monitor"],
    [1, [4, 2], "dependsOn.1 must not depend on this monitor itself"],
    [1, [3], "dependsOn.0 must not depend on this monitor itself"],
  ])("of %s on %j is accepted or refused", (monitor, dependsOn, error) => {
    const check = () => assertAcyclic(graph, monitor, dependsOn);
    if (error) expect(check).toThrow(error);
    else expect(check).not.toThrow();
  });

  test("counts once if it is repeated, and there are at most 8", () => {
    const ids = [..."abcdefgh"];
    expect(uniqueDependencies([...ids, ...ids])).toEqual(ids);
    expect(() => uniqueDependencies([..."abcdefghi"])).toThrow(
      "dependsOn must be at most 8 different ones, got 9",
    );
  });

  test("never closes a cycle, whatever is accepted in whatever order", () => {
    const change = fc.record({ monitor: fc.nat(6), dependsOn: fc.uniqueArray(fc.nat(6), { maxLength: 3 }) });
    const walk = fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const graph = new Map<number, number[]>();
      for (const { monitor, dependsOn } of changes) {
        try {
          assertAcyclic(graph, monitor, dependsOn);
        } catch {
          continue;
        }
        graph.set(monitor, dependsOn);
        expect(hasOrder(graph)).toBeTrue();
      }
    });
    fc.assert(walk);
  });
});

test("behavior 14.10: the nearest come first, equally near ones in the order of their numbers", () => {
  expect(ancestorsOf(graphOf({ 1: [9, 3], 3: [2], 9: [4] }), 1)).toEqual([3, 9, 2, 4]);
});

test("behavior 14.10: each counts once, at its shortest distance", () => {
  expect(ancestorsOf(graphOf({ 1: [2, 3], 2: [4], 3: [4, 2], 4: [5] }), 1)).toEqual([2, 3, 4, 5]);
});

test("a monitor without dependencies has none, and a cycle ends", () => {
  expect(ancestorsOf(graphOf({}), 1)).toEqual([]);
  expect(ancestorsOf(graphOf({ 1: [2], 2: [1] }), 1)).toEqual([2]);
});

function graphOf(edges: Record<number, number[]>): Map<number, number[]> {
  return new Map(Object.entries(edges).map(([pk, dependsOn]) => [Number(pk), dependsOn]));
}

/** Whether the monitors can be sorted so that each comes after those that it depends on. */
function hasOrder(graph: ReadonlyMap<number, readonly number[]>): boolean {
  const sorted = new Set<number>();
  const isNext = (monitor: number) => (graph.get(monitor) ?? []).every((parent) => sorted.has(parent));
  const all = [...new Set([...graph.keys(), ...[...graph.values()].flat()])];
  for (let before = -1; before < sorted.size; ) {
    before = sorted.size;
    for (const monitor of all) if (isNext(monitor)) sorted.add(monitor);
  }
  return sorted.size === all.length;
}
