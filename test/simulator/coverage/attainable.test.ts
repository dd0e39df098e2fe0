import { expect, test } from "bun:test";
import { sumOf } from "../../../scripts/simulator/coverage/counts.ts";
import { demanded } from "../../../scripts/simulator/coverage/demanded.ts";
import { featurePairs } from "../../../scripts/simulator/coverage/feature-pairs.ts";
import type { Ledger, Scenario } from "../../../scripts/simulator/ledger.ts";
import { drawWhole } from "../../../scripts/simulator/truth/whole/scenario.ts";
import { isLong } from "../../support/long.ts";
import { truthfulLedger } from "../oracle/truthful-ledger.ts";

/** As many worlds as `scripts/test --long` runs. */
const WORLDS = 400;

/** The ledger of a server that answers each request at once, and dies exactly when it is to. */
function promptLedger(scenario: Scenario): Ledger {
  const lives: Ledger["lives"] = [];
  let from = scenario.from;
  for (const fault of scenario.faults) {
    if (fault.kind !== "kill") continue;
    lives.push({ node: 0, from, to: fault.at, end: "kill" });
    from = fault.at + fault.downMs;
  }
  const outages = scenario.monitors.flatMap(({ name, segments = [] }) =>
    segments
      .filter(({ kind }) => kind !== "good")
      .map(({ from: startedAtWall, to: endedAtWall }) => ({
        ...{ monitor: name, startedAtWall, endedAtWall },
        status: "down" as const,
      })),
  );
  const requests = (scenario.requests ?? []).map((request) => ({
    ...{ request, from: request.at, to: request.at },
    accepted: true,
  }));
  const end = { node: 0, from, to: scenario.to, end: "end" as const };
  return { ...truthfulLedger(), scenario, requests, outages, lives: [...lives, end] };
}

test.skipIf(!isLong)(
  "the worlds of the long tests have each pair of features, if the server answers each request",
  () => {
    const worlds = Array.from({ length: WORLDS }, (_, at) => drawWhole({ seed: at + 1, days: 8 }));
    const seen = sumOf(worlds.map((world) => featurePairs(promptLedger(world))));
    const pairs = demanded(seen)["pairs of features"] ?? [];
    expect(pairs.filter((pair) => !seen.has(pair))).toEqual([]);
  },
  300_000,
);
