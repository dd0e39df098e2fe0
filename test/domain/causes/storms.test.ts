import { expect, test } from "bun:test";
import { createDraw, type Draw } from "../../../scripts/simulator/truth/draw.ts";
import {
  type Cause,
  type Fact,
  findCauses,
  isCounterexample,
  keyOf,
  type Sharer,
  type Worse,
} from "../../../src/domain/causes/causes.ts";
import { networkOf } from "../../../src/domain/causes/facts.ts";
import { isLong } from "../../support/long.ts";

const [SEEDS, MONITORS] = [isLong ? 200 : 10, 1000];
const SECOND = 1000;
/** When a storm begins, how long its failures take, and until when every monitor has been checked again. */
const [BEGIN, LASTS, CHECKED] = [600 * SECOND, 60 * SECOND, 720 * SECOND];

/** Kinds of facts that fail, except locations, where all of them are. */
const STORMS = ["address", "certificate", "host", "network", "domain", "tag"] as const;

interface Monitor {
  id: string;
  facts: Fact[];
  /** Null while it is healthy. */
  worseAt: number | null;
  isEnabled: boolean;
}

/** A fact that really fails, with all monitors that have it. */
interface Storm {
  fact: Fact;
  monitorIds: string[];
}

interface World {
  monitors: Monitor[];
  storms: Storm[];
  sharersOf(fact: Fact): Sharer[];
}

/** An organization with some storms and with failures that have nothing to do with each other. */
function drawWorld(seed: number): World {
  const draw = createDraw(seed);
  const servers = Array.from({ length: draw.whole(40, 300) }, () => drawServer(draw));
  const tags = Array.from({ length: 30 }, (_, at) => `tag-${at}`);
  const monitors = Array.from({ length: MONITORS }, (_, at): Monitor => {
    const shared = pickFrom(draw, servers);
    const own: Fact[] = [{ kind: "host", value: `host-${draw.whole(0, 700)}.${shared.domain}` }];
    for (const value of new Set([pickFrom(draw, tags), pickFrom(draw, tags)]))
      own.push({ kind: "tag", value });
    return { id: `m${at}`, facts: [...shared.facts, ...own], worseAt: null, isEnabled: !draw.chance(0.02) };
  });
  const byFact = new Map<string, Monitor[]>();
  const facts = new Map<string, Fact>();
  for (const one of monitors)
    for (const fact of one.facts) {
      facts.set(keyOf(fact), fact);
      byFact.set(keyOf(fact), [...(byFact.get(keyOf(fact)) ?? []), one]);
    }
  const storms: Storm[] = [];
  const wanted = draw.whole(1, 4);
  for (let tries = 0; tries < 100 && storms.length < wanted; tries++) {
    const kind = draw.pick(STORMS);
    const fact = pickFrom(
      draw,
      [...facts.values()].filter((one) => one.kind === kind),
    );
    const members = (byFact.get(keyOf(fact)) ?? []).filter(({ isEnabled }) => isEnabled);
    if (members.length < 3 || members.some(({ worseAt }) => worseAt !== null)) continue;
    for (const one of members) one.worseAt = BEGIN + draw.whole(0, LASTS);
    storms.push({ fact, monitorIds: members.map(({ id }) => id) });
  }
  for (let left = draw.whole(0, 20); left > 0; left--) {
    const one = pickFrom(draw, monitors);
    if (one.isEnabled) one.worseAt ??= draw.whole(0, CHECKED);
  }
  const sharersOf = (fact: Fact) =>
    (byFact.get(keyOf(fact)) ?? []).map(({ id, worseAt, isEnabled }): Sharer => {
      const isHealthy = worseAt === null;
      return { monitorId: id, isEnabled, isHealthy, isSuspected: false, checkedAt: CHECKED };
    });
  return { monitors, storms, sharersOf };
}

function pickFrom<Item>(draw: Draw, items: readonly Item[]): Item {
  return items[draw.whole(0, items.length - 1)] as Item;
}

/** The facts that all monitors of one server share. Servers share domains, networks and certificates. */
function drawServer(draw: Draw): { domain: string; facts: Fact[] } {
  const address = `203.0.${draw.whole(0, 40)}.${draw.whole(1, 254)}`;
  const domain = `domain-${draw.whole(0, 60)}.example`;
  const locations = draw.chance(0.3) ? ["here", "Paris"] : ["here"];
  return {
    domain,
    facts: [
      { kind: "address", value: address },
      { kind: "network", value: networkOf(address) },
      { kind: "certificate", value: `certificate-${draw.whole(0, 120)}` },
      { kind: "domain", value: domain },
      ...locations.map((value): Fact => ({ kind: "location", value })),
    ],
  };
}

function causesOf({ monitors, sharersOf }: World): Cause[] {
  const worse = monitors.flatMap(({ id, worseAt, facts }): Worse[] =>
    worseAt === null ? [] : [{ monitorId: id, at: worseAt, facts }],
  );
  const { causes, pending } = findCauses(worse, sharersOf);
  expect(pending).toEqual([]);
  return causes;
}

const worlds = Array.from({ length: SEEDS }, (_, seed) => ({ seed, world: drawWorld(seed) }));

test(`behavior 22.21: in ${SEEDS} worlds with storms and other failures, no cause has a counterexample`, () => {
  for (const { seed, world } of worlds)
    for (const cause of causesOf(world)) {
      const members = new Set(cause.monitorIds);
      const others = world.sharersOf(cause).filter(({ monitorId }) => !members.has(monitorId));
      const refuting = others.filter((one) => isCounterexample(one, cause.startedAt));
      expect({ seed, kind: cause.kind, refuting }).toEqual({ seed, kind: cause.kind, refuting: [] });
    }
});

test("behavior 22.21: in such worlds, one cause explains each storm, unless a fact explains more of them", () => {
  const unexplained: object[] = [];
  let [storms, split] = [0, 0];
  for (const { seed, world } of worlds) {
    const causes = causesOf(world).map((cause) => ({ ...cause, members: new Set(cause.monitorIds) }));
    for (const { fact, monitorIds } of world.storms) {
      storms++;
      if (causes.some(({ members }) => monitorIds.every((id) => members.has(id)))) continue;
      split++;
      const isLarger = causes.some(
        ({ members }) => members.size >= monitorIds.length && monitorIds.some((id) => members.has(id)),
      );
      if (!isLarger) unexplained.push({ seed, ...fact, count: monitorIds.length });
    }
  }
  expect(unexplained).toEqual([]);
  expect(storms).toBeGreaterThan(SEEDS);
  expect(split / storms).toBeLessThan(isLong ? 0.01 : 0.1);
});
