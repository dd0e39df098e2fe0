import type { Status } from "../../../src/domain/monitors/status.ts";
import type { Fault, Ledger, Sample, Scenario, SimChannel, SimMonitor } from "../ledger.ts";

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** A Monday. */
export const START = Date.parse("2026-06-08T00:00:00Z");

/** What a test sets of a truth; the rest is a day without outages. Hours since the start. */
export interface Truth {
  hours?: number;
  /** Of an HTTP monitor with an interval of 5 minutes: from and to. */
  down?: readonly [number, number];
  slow?: readonly [number, number];
  /** Of a job that runs each hour: hours without a run. */
  deadHours?: readonly number[];
  config?: SimMonitor["config"];
  faults?: Fault[];
  notifyOn?: SimChannel["notifyOn"];
}

/** The time after some hours. */
export function after(hours: number): number {
  return START + hours * HOUR;
}

/**
 * The ledger of a perfect server with an HTTP monitor `web`, a SCHEDULED monitor `job` with a period of an hour and a channel
 * `hook`. It ignores the faults: a test describes their effect.
 */
export function truthfulLedger(truth: Truth = {}): Ledger {
  const scenario = scenarioOf(truth);
  const ledger: Ledger = {
    scenario,
    monitorIds: new Map(),
    channelIds: new Map(),
    checks: [],
    checkins: [],
    attempts: [],
    lives: [{ from: scenario.from, to: scenario.to, end: "end" }],
    results: [],
    deliveries: [],
    uptimes: new Map(),
    statuses: new Map(),
  };
  for (const monitor of scenario.monitors) {
    if (monitor.type === "SCHEDULED") runJob(monitor, ledger);
    else runChecks(monitor, ledger);
  }
  ledger.results.sort((a, b) => a.createdAtWall - b.createdAtWall);
  for (const { name } of scenario.monitors) notify(name, ledger);
  recount(ledger);
  return ledger;
}

/** What the API shows of the results: to be called after a test has changed them. */
export function recount({ scenario, results, uptimes, statuses }: Ledger): void {
  const bad: Status[] = ["down", "havent_heard", "failed"];
  for (const { name } of scenario.monitors) {
    const own = results.filter(({ monitor }) => monitor === name);
    const good = own.filter(({ status }) => !bad.includes(status)).length;
    uptimes.set(
      name,
      own.length === 0 ? null : `${(Math.floor((good * 10_000) / own.length) / 100).toFixed(2)}%`,
    );
    statuses.set(name, own.at(-1)?.status ?? "unknown");
  }
}

/** Delivers each transition of a monitor to the channel, which a test may call again after it has changed the results. */
export function notify(name: string, ledger: Ledger): void {
  ledger.deliveries = ledger.deliveries.filter(({ monitor }) => monitor !== name);
  ledger.attempts = ledger.attempts.filter(({ monitor }) => monitor !== name);
  let before: Status = "unknown";
  for (const { monitor, status, createdAtWall } of ledger.results) {
    if (monitor !== name) continue;
    if (status !== before && !(before === "unknown" && ["up", "ok"].includes(status))) {
      const shared = { id: `${name} ${createdAtWall}`, channel: "hook", monitor, previousStatus: before };
      ledger.deliveries.push({
        ...shared,
        newStatus: status,
        status: "delivered",
        attempts: 1,
        createdAtWall,
      });
      const startedAt = createdAtWall + 20;
      ledger.attempts.push({ ...shared, status, startedAt, endedAt: startedAt + 50, outcome: "delivered" });
    }
    before = status;
  }
  ledger.deliveries.sort((a, b) => a.createdAtWall - b.createdAtWall);
}

function scenarioOf({
  hours = 24,
  down,
  slow,
  deadHours = [],
  config,
  faults = [],
  notifyOn,
}: Truth): Scenario {
  const span = { from: START, to: after(hours) };
  const isIn = (at: number, part?: readonly [number, number]) =>
    part !== undefined && after(part[0]) <= at && at < after(part[1]);
  const web: SimMonitor = {
    name: "web",
    type: "HTTP",
    config: { url: "https://web.example/", interval: 300 },
    channelNames: ["hook"],
    segments: [
      { from: span.from, to: after(down?.[0] ?? hours), kind: "good" },
      ...(down ? [{ from: after(down[0]), to: after(down[1]), kind: "down" }] : []),
    ],
    sample(at): Sample {
      if (isIn(at, down))
        return { observation: { outcome: "failed", reason: "refused", detail: {} }, tookMs: 2 };
      const latencyMs = isIn(at, slow) ? 900 : 100;
      return { observation: { outcome: "reached", latencyMs, detail: {} }, tookMs: latencyMs };
    },
  };
  const runs = Array.from({ length: hours }, (_, hour) => hour).filter((hour) => !deadHours.includes(hour));
  const job: SimMonitor = {
    name: "job",
    type: "SCHEDULED",
    config: config ?? { interval: 300, period: 3600 },
    channelNames: ["hook"],
    checkins: runs.map((hour) => ({ at: after(hour) + MINUTE, status: "ok" })),
    dead: [],
  };
  const channel: SimChannel = {
    name: "hook",
    type: "WEBHOOK",
    notifyOn: notifyOn ?? ["down", "warning", "healthy"],
    receiver: [{ ...span, answers: "ok" }],
  };
  return { seed: 0, ...span, monitors: [web, job], channels: [channel], faults };
}

function runChecks({ name: monitor, sample }: SimMonitor, { scenario, checks, results }: Ledger): void {
  for (let startedAt = scenario.from + SECOND; startedAt < scenario.to - MINUTE; startedAt += 5 * MINUTE) {
    const seen = sample?.(startedAt);
    if (!seen) throw new Error(`${monitor} must have a sample`);
    const { observation, tookMs } = seen;
    const endedAt = startedAt + tookMs;
    checks.push({ monitor, startedAt, endedAt, observation, disturbed: false });
    const latencyMs = observation.outcome === "reached" ? observation.latencyMs : null;
    // A short slow spell does not become the new normal.
    const status: Status = latencyMs === null ? "down" : latencyMs > 500 ? "degraded" : "up";
    results.push({ monitor, status, latencyMs, detail: null, createdAtWall: Math.floor(endedAt) });
  }
}

/** The window of the period of an hour is 72 minutes; a missed run follows each hour. */
function runJob(
  { name: monitor, checkins = [] }: SimMonitor,
  { scenario, checkins: calls, results }: Ledger,
): void {
  const record = (status: Status, createdAtWall: number) =>
    results.push({ monitor, status, latencyMs: null, detail: null, createdAtWall });
  for (const [place, { at, status }] of checkins.entries()) {
    calls.push({ monitor, at, status, accepted: true });
    record(status === "fail" ? "failed" : "ok", at);
    const next = checkins[place + 1]?.at ?? scenario.to;
    for (let deadline = at + 72 * MINUTE; deadline < next; deadline += HOUR) record("havent_heard", deadline);
  }
}
