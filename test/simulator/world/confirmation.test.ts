import { expect, test } from "bun:test";
import type { Fault, Ledger, Scenario } from "../../../scripts/simulator/ledger.ts";
import { findViolations } from "../../../scripts/simulator/oracle/judge.ts";
import { simulate } from "../../../scripts/simulator/world/simulate.ts";

const [SECOND, MINUTE] = [1000, 60_000];
const FROM = Date.parse("2026-03-02T10:00:00Z");

test("behavior 11: an outage is confirmed, a blip is not, and the blip notifies nobody", async () => {
  const { ledger } = await simulate(scenarioOf([]));
  expect(findViolations(ledger)).toEqual([]);
  expect(seenOf(ledger)).toEqual({ "up, but down": 3 + blipsOf(ledger), "down, but up": 2 });
  expect(ledger.attempts.map(({ status }) => status)).toEqual(["down", "up"]);
  const [down, up] = ledger.attempts;
  expect(down?.sinceWall).toBeLessThan((down?.startedAt ?? 0) - 60 * SECOND);
  expect(ledger.outages).toMatchObject([{ startedAtWall: down?.sinceWall, endedAtWall: up?.sinceWall }]);
});

test("behavior 11.10: a suspicion survives a restart", async () => {
  const [first] = await suspicionTimes();
  for (const wait of [1, 15, 25, 45]) {
    const from = first + wait * SECOND;
    const { ledger } = await simulate(scenarioOf([{ kind: "restart", from, to: from + 3 * SECOND }]));
    expect(findViolations(ledger)).toEqual([]);
    expect(seenOf(ledger)["up, but down"]).toBe(3 + blipsOf(ledger));
    expect(ledger.lives).toHaveLength(2);
  }
});

test("a server that dies during a suspicion counts each recorded check once", async () => {
  const times = await suspicionTimes();
  for (const at of times)
    for (const step of [1, 2, 3, 4, 5]) {
      const kill = { kind: "kill", at: at - SECOND, step, downMs: 4000 } as const;
      const { ledger } = await simulate(scenarioOf([kill]));
      expect({ at, step, violations: findViolations(ledger) }).toEqual({ at, step, violations: [] });
      expect(ledger.attempts.map(({ status }) => status)).toEqual(["down", "up"]);
      expect(ledger.lives.map(({ end }) => end)).toEqual(["kill", "end"]);
    }
});

test.each(["resolver-silent", "no-descriptors", "network-gone", "stall", "suspend"] as const)(
  "behavior 11.4: %s during a suspicion neither confirms nor ends it",
  async (kind) => {
    const [first] = await suspicionTimes();
    const fault: Fault = { kind, from: first + 10 * SECOND, to: first + 70 * SECOND };
    const { ledger } = await simulate(scenarioOf([fault]));
    expect(findViolations(ledger)).toEqual([]);
    expect(seenOf(ledger)).toEqual({ "up, but down": 3 + blipsOf(ledger), "down, but up": 2 });
  },
);

test("behavior 11.11: missed runs and failures of a job are confirmed by further ones, also after a restart", async () => {
  const { ledger } = await simulate(jobScenario(), { everyTick: true });
  expect(findViolations(ledger)).toEqual([]);
  expect(ledger.results.map(({ status }) => status).join(" ")).toBe(
    `${"ok ".repeat(7)}${"havent_heard ".repeat(5)}ok`,
  );
  expect(ledger.lives).toHaveLength(2);
});

let times: Promise<[number, ...number[]]> | undefined;

/** When the checks of the outage end that wait for further ones. Without faults, each run has the same times. */
function suspicionTimes() {
  times ??= findSuspicions();
  return times;
}

async function findSuspicions(): Promise<[number, ...number[]]> {
  const { ledger } = await simulate(scenarioOf([]));
  const seen = ledger.results.filter(({ status, detail }) => status === "up" && detail?.seen !== undefined);
  const [first, ...others] = seen.map(({ createdAtWall }) => createdAtWall).slice(0, 3);
  if (first === undefined) throw new Error("the scenario has no suspicion");
  return [first, ...others];
}

/** How many checks saw the second, short outage. */
function blipsOf({ checks }: Ledger): number {
  const blips = checks.filter(({ startedAt }) => at(25) <= startedAt && startedAt < at(26));
  expect(blips.length).toBeWithin(1, 4);
  return blips.length;
}

/** How often a status was recorded although the check saw another one. */
function seenOf({ results }: Ledger): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, detail } of results) {
    if (!detail?.seen) continue;
    const key = `${status}, but ${(detail.seen as { status: string }).status}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

function at(minutes: number): number {
  return FROM + minutes * MINUTE;
}

/** An endpoint that is down from the sixth to the sixteenth minute, and for one check in the 26th minute. */
function scenarioOf(faults: Fault[]): Scenario {
  const to = at(35);
  const ends = [6, 16, 25, 26, 35].map(at);
  const segments = ends.map((end, place) => ({
    from: ends[place - 1] ?? FROM,
    to: end,
    kind: place % 2 === 1 ? "down" : "good",
  }));
  return {
    ...shared(to),
    faults,
    monitors: [
      {
        name: "endpoint",
        type: "TCP",
        config: { host: "endpoint.example", port: 443, interval: 60 },
        channelNames: ["hook"],
        confirmations: 3,
        recoveries: 2,
        segments,
        sample: (startedAt) =>
          segments.some(({ from, to, kind }) => kind === "down" && from <= startedAt && startedAt < to)
            ? {
                observation: { outcome: "failed", reason: "refused", detail: { message: "refused" } },
                tookMs: 2,
              }
            : { observation: { outcome: "reached", latencyMs: 20, detail: {} }, tookMs: 20 },
      },
    ],
  };
}

/** A job that runs every ten minutes, fails once, and is dead for some time. */
function jobScenario(): Scenario {
  const runs = [5, 15, 25, 35, 45, 125].map(at);
  return {
    ...shared(at(130)),
    faults: [{ kind: "restart", from: at(63), to: at(63) + 2 * SECOND }],
    monitors: [
      {
        name: "job",
        type: "SCHEDULED",
        config: { interval: 300, period: 600, grace: 60 },
        channelNames: ["hook"],
        confirmations: 2,
        checkins: runs.map((at, place) => ({ at, status: place === 1 ? "fail" : "ok" })),
        dead: [{ from: at(50), to: at(120) }],
      },
    ],
  };
}

function shared(to: number): Omit<Scenario, "monitors" | "faults"> {
  return {
    seed: 1,
    from: FROM,
    to,
    channels: [
      {
        name: "hook",
        type: "WEBHOOK",
        notifyOn: ["down", "warning", "healthy"],
        receiver: [{ from: FROM, to, answers: "ok" }],
      },
    ],
  };
}
