import { expect, test } from "bun:test";
import { DATABASE_FAULTS, NODE_FAULTS } from "../../../scripts/nemesis/log.ts";
import { planScenario } from "../../../scripts/nemesis/plan/scenario.ts";

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);

test("two minutes contain every kind of fault, whatever the seed", () => {
  for (const seed of SEEDS) {
    const { faults } = planScenario(seed, { nodes: 3, seconds: 120 });
    const kinds = new Set(faults.map(({ kind }) => kind));
    expect([seed, ...kinds].sort()).toEqual([seed, ...NODE_FAULTS, ...DATABASE_FAULTS].sort());
  }
});

test("a run of 20 s has some short faults, which are over before its end", () => {
  const seen = new Set<string>();
  for (const seed of SEEDS) {
    const { faults } = planScenario(seed, { nodes: 3, seconds: 20 });
    expect(faults).not.toEqual([]);
    for (const { kind, at, lasts } of faults) {
      expect(at + lasts).toBeWithin(4_000, 10_001);
      seen.add(kind);
    }
  }
  expect(seen.size).toBeGreaterThan(6);
});

test("a third node works during the faults of two others, except in a disaster", () => {
  for (const seed of SEEDS) {
    const { faults } = planScenario(seed, { nodes: 3, seconds: 600 });
    const starts = Map.groupBy(faults, ({ at }) => at);
    const isDisaster = (some: typeof faults) =>
      some.length === 3 || some.some(({ kind, lasts }) => kind === "crash" && lasts >= 12_000);
    expect([...starts.values()].some(isDisaster)).toBeTrue();
    const nodes = faults.filter(({ node, at }) => node !== null && starts.get(at)?.length === 1);
    for (const { at, node } of nodes) {
      const disturbed = nodes.filter((other) => other.at <= at && other.at + other.lasts >= at);
      expect(new Set(disturbed.map((other) => other.node)).size).toBeLessThan(3);
      expect(disturbed.filter((other) => other.node === node)).toHaveLength(1);
    }
  }
});

test("equal seeds give equal scenarios, and others give others", () => {
  const options = { nodes: 3, seconds: 120 };
  expect(planScenario(7, options)).toEqual(planScenario(7, options));
  expect(planScenario(7, options)).not.toEqual(planScenario(8, options));
});

test("every outage is over at the end", () => {
  const { targets } = planScenario(3, { nodes: 3, seconds: 120 });
  const outages = targets.flatMap((target) => target.outages);
  expect(outages.length).toBeGreaterThan(40);
  expect(outages.filter(({ to }) => to > 120_000)).toEqual([]);
});
