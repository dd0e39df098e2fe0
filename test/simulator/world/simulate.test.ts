import { expect, test } from "bun:test";
import type { Fault, Ledger, Scenario, SimRequest } from "../../../scripts/simulator/ledger.ts";
import { findViolations } from "../../../scripts/simulator/oracle/judge.ts";
import { drawScenario } from "../../../scripts/simulator/truth/scenario.ts";
import { simulate } from "../../../scripts/simulator/world/simulate.ts";
import { isLong } from "../../support/long.ts";

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
const FROM = Date.parse("2026-03-02T10:00:00Z");

test("a seed replays bit for bit, and another seed has another trace", async () => {
  const [first, second] = [await simulate(shortScenario(2)), await simulate(shortScenario(2))];
  expect(first.ledger.results.length).toBeGreaterThan(50);
  expect(second.trace).toBe(first.trace);
  const other = await simulate(shortScenario(5));
  expect(other.trace).not.toBe(first.trace);
});

test("what an operator applies takes no time that is not virtual, also the first time in a process", async () => {
  const scenario = shortScenario(2);
  const [{ name: monitor = "" } = {}] = scenario.monitors.filter(({ type }) => type !== "SCHEDULED");
  const edits = [{ monitor, changes: { confirmations: 2 } }];
  const requests: SimRequest[] = [{ kind: "apply", at: scenario.from + 10 * MINUTE, edits }];
  const run = () => simulate({ ...scenario, whole: true, faults: [], requests });
  const [first, second] = [await run(), await run()];
  expect(first.ledger.requests.map(({ accepted, from, to }) => accepted && to - from < SECOND)).toEqual([
    true,
  ]);
  expect(second.trace).toBe(first.trace);
});

const faults: Fault[] = [
  { kind: "stall", from: at(5 * MINUTE), to: at(5 * MINUTE + 40 * SECOND) },
  { kind: "clock-step", from: at(12 * MINUTE), to: at(20 * MINUTE), byMs: -HOUR },
  { kind: "disk-full", from: at(25 * MINUTE), to: at(28 * MINUTE) },
  { kind: "suspend", from: at(35 * MINUTE), to: at(40 * MINUTE) },
  { kind: "restart", from: at(50 * MINUTE), to: at(51 * MINUTE) },
];

test("a run that leaves out idle ticks records the same as one with all ticks", async () => {
  const [sparse, all] = [
    await simulate(shortScenario(2, faults)),
    await simulate(shortScenario(2, faults), { everyTick: true }),
  ];
  expect(sparse.events).toBeLessThan(all.events / 2);
  expect(recorded(sparse.ledger)).toEqual(recorded(all.ledger));
});

test("a server that dies while it records and notifies loses nothing, whichever call of its store is the last", async () => {
  const undisturbed = (await simulate(outage([]))).ledger;
  const { startedAt = 0, endedAt = 0 } = undisturbed.attempts[0] ?? {};
  const seen = new Set<string>();
  const steps = Array.from({ length: 12 }, (_, place) => place + 1).filter(
    (step) => isLong || step % 2 === 1,
  );
  for (const { after, step } of [startedAt - 200, endedAt - 100].flatMap((after) =>
    steps.map((step) => ({ after, step })),
  )) {
    const kill = { kind: "kill", at: after, step, downMs: 7000 } as const;
    const { ledger } = await simulate(outage([kill]));
    expect({ step, violations: findViolations(ledger) }).toEqual({ step, violations: [] });
    expect(ledger.lives.map(({ end }) => end)).toEqual(["kill", "end"]);
    seen.add(ledger.attempts.map(({ status, outcome }) => `${status} ${outcome}`).join(", "));
  }
  // Some deaths are before the notification, some while it is sent, and some between its answer and the record of it.
  expect([...seen].sort()).toEqual([
    "down delivered, down delivered, up delivered",
    "down delivered, up delivered",
    "down lost, down delivered, up delivered",
  ]);
});

const freezes = [
  ["stall", 12 * SECOND],
  ["suspend", 12 * SECOND],
  ["suspend", HOUR],
] as const;

test.each(freezes)(
  "behavior 1.53: a %s of %d ms during a check notifies no channel",
  async (kind, length) => {
    const from = at(5 * MINUTE);
    const scenario = outage([{ kind, from, to: from + length }]);
    const [endpoint] = scenario.monitors;
    if (!endpoint) throw new Error("the scenario has no monitor");
    endpoint.segments = [{ from: FROM, to: scenario.to, kind: "good" }];
    // So slow that a check of each interval of 10 s is running whenever the fault begins.
    endpoint.sample = () => ({
      observation: { outcome: "reached", latencyMs: 9500, detail: {} },
      tookMs: 9500,
    });
    const { ledger } = await simulate({ ...scenario, to: scenario.to + length });
    expect(ledger.checks.some(({ startedAt, endedAt }) => startedAt < from && endedAt > from)).toBe(true);
    expect(ledger.attempts).toEqual([]);
    expect(findViolations(ledger)).toEqual([]);
  },
);

/** An hour of a drawn scenario. */
function shortScenario(seed: number, given?: Fault[]): Scenario {
  const scenario = drawScenario({ seed, days: 1 / 24, monitors: 4 });
  const shift = scenario.from - FROM;
  return { ...scenario, faults: given?.map((fault) => shifted(fault, shift)) ?? scenario.faults };
}

function shifted(fault: Fault, by: number): Fault {
  return fault.kind === "kill"
    ? { ...fault, at: fault.at + by }
    : { ...fault, from: fault.from + by, to: fault.to + by };
}

/** One endpoint that is down from about the sixth to the tenth minute. */
function outage(faults: Fault[]): Scenario {
  const to = at(20 * MINUTE);
  const down = { from: at(6 * MINUTE), to: at(10 * MINUTE) };
  const detail = { address: "192.0.2.1" };
  return {
    seed: 1,
    from: FROM,
    to,
    faults,
    channels: [
      {
        name: "hook",
        type: "WEBHOOK",
        notifyOn: ["down", "warning", "healthy"],
        receiver: [{ from: FROM, to, answers: "slow" }],
      },
    ],
    monitors: [
      {
        name: "endpoint",
        type: "TCP",
        config: { host: "endpoint.example", port: 443, interval: 10 },
        channelNames: ["hook"],
        segments: [
          { from: FROM, to: down.from, kind: "good" },
          { ...down, kind: "down" },
          { from: down.to, to, kind: "good" },
        ],
        sample: (startedAt) =>
          down.from <= startedAt && startedAt < down.to
            ? {
                observation: { outcome: "failed", reason: "refused", detail: { message: "refused" } },
                tookMs: 2,
              }
            : { observation: { outcome: "reached", latencyMs: 20, detail }, tookMs: 20 },
      },
    ],
  };
}

function at(after: number): number {
  return FROM + after;
}

/** Everything that may not depend on idle ticks. An attempt can start some milliseconds earlier or later. */
function recorded({ checks, checkins, results, deliveries, attempts, lives, uptimes, statuses }: Ledger) {
  const told = attempts.map(({ startedAt: _, endedAt: __, ...attempt }) => attempt);
  return { checks, checkins, results, deliveries, told, lives, uptimes, statuses };
}
