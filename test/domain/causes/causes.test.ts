import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  commonEnd,
  FACT_KINDS,
  type Fact,
  findCauses,
  isCounterexample,
  keyOf,
  type Sharer,
  titleOf,
  type Worse,
} from "../../../src/domain/causes/causes.ts";

/** A monitor of a world: when it got worse, or that it is healthy, and what it shares. */
interface Monitor {
  id: string;
  facts: Fact[];
  /** Null while it is healthy. */
  worseAt: number | null;
  checkedAt: number;
  isEnabled: boolean;
  isSuspected?: boolean;
}

const address: Fact = { kind: "address", value: "203.0.113.7" };
const certificate: Fact = { kind: "certificate", value: "AA" };
const network: Fact = { kind: "network", value: "203.0.113.0/24" };
const tag: Fact = { kind: "tag", value: "shop" };

function worse(id: string, facts: Fact[], worseAt = 1000): Monitor {
  return { id, facts, worseAt, checkedAt: worseAt, isEnabled: true };
}

function healthy(id: string, facts: Fact[], checkedAt = 2000): Monitor {
  return { id, facts, worseAt: null, checkedAt, isEnabled: true };
}

function causesOf(world: readonly Monitor[]) {
  const failures = world.flatMap(({ id, facts, worseAt }): Worse[] =>
    worseAt === null ? [] : [{ monitorId: id, at: worseAt, facts }],
  );
  return findCauses(failures, (fact) => sharersIn(world, fact));
}

function sharersIn(world: readonly Monitor[], fact: Fact): Sharer[] {
  return world
    .filter(({ facts }) => facts.some((one) => keyOf(one) === keyOf(fact)))
    .map(({ id, worseAt, checkedAt, isEnabled, isSuspected = false }) => ({
      monitorId: id,
      isEnabled,
      isHealthy: worseAt === null && !isSuspected,
      isSuspected,
      checkedAt,
    }));
}

const three = ["a", "b", "c"].map((id) => worse(id, [address, network]));
const shown = (world: readonly Monitor[]) =>
  causesOf(world).causes.map(({ kind, monitorIds }) => [kind, monitorIds.length]);

describe("behavior 22.21: the cause of failures", () => {
  test.each<[rule: string, world: Monitor[], causes: [string, number][]]>([
    ["what three share that fail within 90 seconds", three, [["address", 3]]],
    ["nothing for two", three.slice(1), []],
    [
      "nothing for three that fail one after another",
      ["a", "b", "c"].map((id, at) => worse(id, [address], at * 50_000)),
      [],
    ],
    ["nothing with a healthy counterexample", [...three, healthy("d", [address, network])], []],
    ["the smaller fact, if the larger one is refuted", [...three, healthy("d", [network])], [["address", 3]]],
    ["the larger fact, if it explains more", [...three, worse("d", [network])], [["network", 4]]],
    [
      "of equals the one that fewest share",
      [...three.map((one) => ({ ...one, facts: [tag, network] })), worse("d", [tag], 900_000)],
      [["network", 3]],
    ],
    [
      "of equals the first kind",
      three.map((one) => ({ ...one, facts: [tag, certificate] })),
      [["certificate", 3]],
    ],
    [
      "two facts, if no one explains all",
      [...three, ...["d", "e", "f"].map((id) => worse(id, [certificate]))],
      [
        ["address", 3],
        ["certificate", 3],
      ],
    ],
    [
      "what a paused monitor shares, which proves nothing",
      [...three, { ...healthy("d", [address, network]), isEnabled: false }],
      [["address", 3]],
    ],
  ])("is %s", (_, world, causes) => {
    expect<unknown>(shown(world).sort()).toEqual(causes);
  });

  test("is not known before the others have been checked, which it names", () => {
    const unchecked = healthy("d", [address, network], 500);
    const undecided = ["a", "b", "c"];
    expect(causesOf([...three, unchecked])).toEqual({ causes: [], pending: ["d"], undecided });
  });

  test.each<[string, Monitor[], string[], string[]]>([
    ["unchecked", [healthy("c", [address], 500)], ["c"], ["a", "b"]],
    ["seen failing, unconfirmed", [{ ...healthy("c", [address]), isSuspected: true }], [], ["a", "b"]],
    ["healthy", [healthy("c", [address])], [], []],
    ["in trouble of its own", [{ ...worse("c", [address], -200_000), checkedAt: 2000 }], [], []],
    ["paused", [{ ...healthy("c", [address], 500), isEnabled: false }], [], []],
    ["not there", [], [], []],
  ])("is suspected of two failures if the third monitor is %s: %#", (_, others, pending, undecided) => {
    const two = ["a", "b"].map((id) => worse(id, [address]));
    expect(causesOf([...two, ...others])).toEqual({ causes: [], pending, undecided });
  });
});

describe("behavior 22.21: of any world", () => {
  const fact = fc.record({ kind: fc.constantFrom(...FACT_KINDS), value: fc.constantFrom("1", "2", "3") });
  const monitor = fc.record({
    facts: fc.uniqueArray(fact, { maxLength: 4, selector: keyOf }),
    worseAt: fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: null, freq: 1 }),
    checkedAt: fc.integer({ min: 0, max: 300_000 }),
    isEnabled: fc.boolean(),
  });
  const world = fc
    .array(monitor, { maxLength: 14 })
    .map((all) => all.map((one, at): Monitor => ({ ...one, id: `m${at}` })));

  test("no cause has a counterexample, and each explains three monitors at least, each monitor once", () => {
    fc.assert(
      fc.property(world, (all) => {
        const { causes } = causesOf(all);
        const explained = causes.flatMap(({ monitorIds }) => monitorIds);
        expect(new Set(explained).size).toBe(explained.length);
        for (const cause of causes) {
          expect(cause.monitorIds.length).toBeGreaterThan(2);
          const others = sharersIn(all, cause).filter(
            ({ monitorId }) => !cause.monitorIds.includes(monitorId),
          );
          expect(others.some((one) => isCounterexample(one, cause.startedAt))).toBe(false);
        }
      }),
    );
  });

  test("the order of the monitors does not matter", () => {
    fc.assert(
      fc.property(
        world.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          const sorted = (found: ReturnType<typeof causesOf>) => ({
            pending: found.pending,
            causes: found.causes.map((one) => ({ ...one, monitorIds: one.monitorIds.toSorted() })),
          });
          expect(sorted(causesOf(shuffled))).toEqual(sorted(causesOf(all)));
        },
      ),
    );
  });

  test("another healthy monitor makes no fact a cause of failures that nothing explained without it", () => {
    fc.assert(
      fc.property(world, fc.uniqueArray(fact, { maxLength: 4, selector: keyOf }), (all, facts) => {
        const before = causesOf(all);
        const after = causesOf([...all, healthy("new", facts, 300_001)]);
        const explained = new Set(before.causes.flatMap(({ monitorIds }) => monitorIds));
        if (before.pending.length > 0) return;
        for (const { monitorIds } of after.causes)
          expect(monitorIds.some((id) => explained.has(id))).toBe(true);
      }),
    );
  });
});

test("behavior 22.24: paths end after a router if all of them do", () => {
  const path = (...hops: (string | null)[]) => hops.map((one) => ({ address: one }));
  const one = path("192.0.2.1", "198.51.100.1", null, null);
  expect(commonEnd([one, path("198.51.100.1")])).toBe("198.51.100.1");
  expect(commonEnd([one, path("198.51.100.1", "198.51.100.2")])).toBeNull();
  expect(commonEnd([one, path(null)])).toBeNull();
  expect(commonEnd([])).toBeNull();
});

test("behavior 22.24: the title says what the monitors share", () => {
  expect(titleOf({ ...address, count: 14, isOnlyLocation: false })).toBe("14 monitors at 203.0.113.7");
  expect(titleOf({ ...network, count: 3, endsAfter: "198.51.100.1", isOnlyLocation: false })).toBe(
    "3 monitors in 203.0.113.0/24; the path ends after 198.51.100.1",
  );
  expect(titleOf({ kind: "location", value: "here", count: 31, isOnlyLocation: true })).toBe(
    "31 monitors: everything checked from here",
  );
});
