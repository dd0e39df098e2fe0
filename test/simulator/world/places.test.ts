import { expect, test } from "bun:test";
import type { Ledger } from "../../../scripts/simulator/ledger.ts";
import { findViolations } from "../../../scripts/simulator/oracle/judge.ts";
import { drawPlaces } from "../../../scripts/simulator/truth/places.ts";
import { simulate } from "../../../scripts/simulator/world/simulate.ts";
import { createLogger } from "../../../src/log.ts";
import { isLong } from "../../support/long.ts";

const MINUTE = 60_000;

/** It runs once for all tests. `scripts/test` runs more seeds. */
const SEED = 4;

let run: Promise<Ledger> | undefined;

function ledgerOfSeed(): Promise<Ledger> {
  run ??= simulate(drawPlaces({ seed: SEED, hours: isLong ? 0.5 : 0.3, monitors: 4 })).then(
    ({ ledger }) => ledger,
  );
  return run;
}

test("what locations see through their faults explains each status", async () => {
  const ledger = await ledgerOfSeed();
  expect(findViolations(ledger)).toEqual([]);
  const recorded = new Set(ledger.results.map(({ detail }) => detail?.location));
  for (const { name } of ledger.scenario.locations ?? []) expect(recorded).toContain(name);
  expect(ledger.deliveries.length).toBeGreaterThan(0);
}, 300_000);

test("equal seeds of locations give equal traces", async () => {
  const scenario = () => drawPlaces({ seed: 7, hours: 0.2, monitors: 3 });
  const [one, other] = [await simulate(scenario()), await simulate(scenario())];
  expect(one.trace).toBe(other.trace);
}, 300_000);

test("a location that is cut off for some minutes is silent", async () => {
  const scenario = drawPlaces({ seed: 3, hours: 0.2, monitors: 1 });
  const from = scenario.from + 3 * MINUTE;
  const cutOff = { kind: "partition", from, to: from + 4 * MINUTE } as const;
  const locations = scenario.locations?.map(({ name }) => ({ name, faults: [cutOff] })) ?? [];
  expect(locations).not.toEqual([]);
  const lines: string[] = [];
  const log = createLogger({ level: "warn" }, (line) => lines.push(line));
  const { ledger } = await simulate({ ...scenario, locations }, { log });
  expect(lines.filter((line) => line.includes('"a location is silent"'))).toHaveLength(locations.length);
  expect(findViolations(ledger)).toEqual([]);
}, 300_000);

test("the oracle finds a false status, a missed outage, a lost notification, and a lost and an invented result", async () => {
  const ledger = await ledgerOfSeed();
  const placed = ledger.scenario.monitors
    .filter(({ places }) => places !== undefined)
    .map(({ name }) => name);
  const isPlaced = ({ monitor }: { monitor: string }) => placed.includes(monitor);
  const rulesOf = (changes: Partial<typeof ledger>) =>
    new Set(findViolations({ ...ledger, ...changes }).map(({ rule }) => rule));
  const [first] = ledger.deliveries.filter(isPlaced);
  const [result] = ledger.results.filter(isPlaced);
  if (!first || !result) throw new Error("the seed has no notification");
  const quiet = ledger.deliveries.filter((delivery) => !isPlaced(delivery));
  expect(rulesOf({ deliveries: quiet })).toContain("no outage is missed");
  const { from, to } = ledger.scenario;
  const lies = Array.from({ length: (to - from) / 60_000 }, (_, minute) => ({
    ...first,
    createdAtWall: from + minute * 60_000,
  }));
  expect(rulesOf({ deliveries: [...ledger.deliveries, ...lies] })).toContain(
    "enough locations see each change",
  );
  expect(rulesOf({ deliveries: ledger.deliveries.filter((one) => one !== first) })).toContain(
    "each notification follows the one before",
  );
  expect(rulesOf({ results: ledger.results.filter((one) => one !== result) })).toContain(
    "each check is recorded",
  );
  expect(rulesOf({ results: [...ledger.results, result] })).toContain("each result has a check");
}, 300_000);
