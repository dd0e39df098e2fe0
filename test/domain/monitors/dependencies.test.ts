import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { assertAcyclic, uniqueDependencies } from "../../../src/domain/monitors/dependencies.ts";

describe("behavior 14.4: a dependency", () => {
  // c → b → a, and e → d.
  const graph = new Map([
    ["c", ["b"]],
    ["b", ["a"]],
    ["e", ["d"]],
  ]);

  test.each<[string, string[], string | null]>([
    ["c", ["a", "d"], null],
    ["d", ["c"], null],
    ["new", ["a", "b", "c"], null],
    ["a", [], null],
    ["a", ["a"], "dependsOn.0 must be another monitor"],
    ["a", ["d", "b"], "dependsOn.1 must not depend on this monitor itself"],
    ["a", ["c"], "dependsOn.0 must not depend on this monitor itself"],
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
