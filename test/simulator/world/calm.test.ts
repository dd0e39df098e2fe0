import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Ledger, Scenario } from "../../../scripts/simulator/ledger.ts";
import { findViolations } from "../../../scripts/simulator/oracle/judge.ts";
import { drawCalm } from "../../../scripts/simulator/truth/calm/scenario.ts";
import { simulate } from "../../../scripts/simulator/world/simulate.ts";
import { isLong } from "../../support/long.ts";

setDefaultTimeout(300_000);

/** Each has delayed, repeated and withdrawn notifications, and in the second hour muted ones. */
const SEEDS = isLong ? [1, 2] : [1];
const HOURS = isLong ? 2 : 1;

const MINUTE = 60_000;

const ledgers: Ledger[] = [];

beforeAll(async () => {
  for (const seed of SEEDS) ledgers.push((await simulate(drawCalm({ seed, hours: HOURS }))).ledger);
}, 300_000);

test("what the truth knows of dependencies, windows, delays and operators explains each notification", () => {
  expect(ledgers.flatMap(findViolations)).toEqual([]);
  const statuses = new Set(ledgers.flatMap(({ deliveries }) => deliveries.map(({ status }) => status)));
  expect([...statuses]).toEqual(expect.arrayContaining(["delivered", "withdrawn"]));
  const attempts = ledgers.flatMap((ledger) => ledger.attempts);
  expect(attempts.filter(({ reminder }) => reminder).length).toBeGreaterThan(0);
  expect(ledgers.flatMap(({ results }) => results).some(({ detail }) => detail?.maintenance)).toBe(true);
});

test("equal seeds give equal traces", async () => {
  const scenario = () => drawCalm({ seed: 5, hours: 0.25, monitors: 3 });
  const [one, other] = [await simulate(scenario()), await simulate(scenario())];
  expect(one.trace).toBe(other.trace);
});

const LIES: [string, (ledger: Ledger) => Partial<Ledger>, string][] = [
  [
    "a lost notification",
    ({ attempts }) => {
      const [lost] = attempts.filter(({ reminder, outcome }) => !reminder && outcome === "delivered");
      return { attempts: attempts.filter(({ id }) => id !== lost?.id) };
    },
    "a delivery has the outcome of its attempts",
  ],
  [
    "a notification of an ignored acknowledgement",
    ({ requests, outages }) => ({
      requests: [
        ...requests,
        ...outages.map(({ monitor, startedAtWall }) => {
          // With confirmations, the outage begins before it is known.
          const at = startedAtWall + 2 * MINUTE;
          return { request: { kind: "acknowledge" as const, monitor, at }, from: at, to: at, accepted: true };
        }),
      ],
    }),
    "acknowledged trouble is not notified",
  ],
  [
    "a change that was notified twice",
    ({ attempts, deliveries }) => {
      const [first] = deliveries.filter(({ status }) => status === "delivered");
      const sent = attempts.find(({ id }) => id === first?.id);
      if (!first || !sent) throw new Error("nothing was delivered");
      const again = { ...sent, id: "again", startedAt: sent.startedAt + 200, endedAt: sent.endedAt + 200 };
      return {
        deliveries: [...deliveries, { ...first, id: "again" }],
        attempts: [...attempts, again],
      };
    },
    "each change is notified once",
  ],
];

const TRUTHS: [string, (ledger: Ledger) => Partial<Ledger>, string][] = [
  [
    "a notification of a target that is good",
    ({ scenario }) => ({ scenario: { ...scenario, monitors: scenario.monitors.map(alwaysGood) } }),
    "trouble is notified only of a target that is bad",
  ],
  [
    "an outage that nobody was notified of, although no result says that there was one",
    ({ results }) => ({
      attempts: [],
      deliveries: [],
      results: results.map((one) => (one.status === "down" ? { ...one, status: "up" as const } : one)),
    }),
    "an outage that lasts is notified",
  ],
];

function alwaysGood(monitor: Scenario["monitors"][number]) {
  const segments = monitor.segments?.map((one) => ({ ...one, kind: "good" }));
  return { ...monitor, ...(segments && { segments }) };
}

test.each([...LIES, ...TRUTHS])("the oracle finds %s", (_, lie, rule) => {
  const found = ledgers.flatMap((ledger) => findViolations({ ...ledger, ...lie(ledger) }));
  expect(found.map((violation) => violation.rule)).toContain(rule);
});
