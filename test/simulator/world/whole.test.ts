import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Ledger, Scenario } from "../../../scripts/simulator/ledger.ts";
import { findViolations } from "../../../scripts/simulator/oracle/judge.ts";
import { drawWhole } from "../../../scripts/simulator/truth/whole/scenario.ts";
import { simulate } from "../../../scripts/simulator/world/simulate.ts";
import { isLong } from "../../support/long.ts";

setDefaultTimeout(300_000);

/** An ordinary run of `scripts/test` has a seed of more days, with locations. */
const SEEDS = [2, 5];
const SIZE = { days: 2, monitors: 10 };

/** Without locations, which take time. */
function truthOf(seed: number): Scenario {
  const { locations: _, ...scenario } = drawWhole({ seed, ...SIZE });
  return { ...scenario, monitors: scenario.monitors.map(({ places: __, ...monitor }) => monitor) };
}

const ledgers: Ledger[] = [];

beforeAll(async () => {
  if (!isLong) return;
  for (const seed of SEEDS) ledgers.push((await simulate(truthOf(seed))).ledger);
}, 300_000);

test.skipIf(!isLong)("the truth explains what a whole world recorded, notified and showed", () => {
  expect(ledgers.flatMap(findViolations)).toEqual([]);
  const attempts = ledgers.flatMap((ledger) => ledger.attempts);
  expect(attempts.filter(({ reminder }) => reminder).length).toBeGreaterThan(0);
  expect(attempts.filter(({ incident }) => incident?.action === "resolve").length).toBeGreaterThan(0);
  const looks = ledgers.flatMap((ledger) => ledger.looks);
  expect(looks.flatMap(({ outages }) => outages).length).toBeGreaterThan(0);
  const kinds = ledgers.flatMap(({ requests }) =>
    requests.flatMap((one) => (one.accepted ? [one.request.kind] : [])),
  );
  expect(kinds).toEqual(expect.arrayContaining(["pause", "depend", "edit", "apply", "acknowledge"]));
});

/** Defects of a product, and the rules that it breaks. */
const BROKEN: [string, (scenario: Scenario) => Partial<Scenario>, string[]][] = [
  [
    "mutes nothing",
    ({ monitors }) => ({ monitors: monitors.map((monitor) => ({ ...monitor, dependsOn: [] })) }),
    ["a monitor is muted while one that it depends on is down"],
  ],
  ["has no windows", () => ({ maintenances: [] }), ["no trouble is notified in a window"]],
  [
    "waits for ever",
    ({ monitors }) => ({ monitors: monitors.map((monitor) => ({ ...monitor, patience: endless })) }),
    ["trouble that lasts is notified"],
  ],
  [
    "checks too seldom",
    ({ monitors }) => ({
      monitors: monitors.map((monitor) => ({ ...monitor, config: { ...monitor.config, interval: 86_400 } })),
    }),
    ["a monitor is checked", "a status is what the truth says", "each outage is kept"],
  ],
];

const endless = Object.fromEntries(
  ["hook", "chat", "incidents"].map((name) => [name, { after: 86_400, every: 0 }]),
);

test.skipIf(!isLong).each(BROKEN)("the oracle notices a product that %s", async (_, change, rules) => {
  const broken = new Set<string>();
  for (const seed of SEEDS) {
    const truth = { ...truthOf(seed), requests: [] };
    const { ledger } = await simulate(truth, { configured: { ...truth, ...change(truth) } });
    for (const { rule } of findViolations(ledger)) broken.add(rule);
  }
  expect([...broken]).toEqual(expect.arrayContaining(rules));
});
