import type {
  Fault,
  Ledger,
  Sample,
  Scenario,
  SimChannel,
  SimMonitor,
} from "../../../scripts/simulator/ledger.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";

type Result = Ledger["results"][number];

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** A Monday. */
export const START = Date.parse("2026-06-08T00:00:00Z");

/** The part of a truth that a test sets; the rest is a day without outages. Hours since the start. */
export interface Truth {
  hours?: number;
  /** Outages of an HTTP monitor with an interval of 5 minutes: from and to. */
  down?: readonly [number, number];
  slow?: readonly [number, number];
  /** Hours without a run of a job that runs each hour. */
  deadHours?: readonly number[];
  config?: SimMonitor["config"];
  faults?: Fault[];
  notifyOn?: SimChannel["notifyOn"];
  /** Confirmations and recoveries of both monitors. */
  confirmations?: number;
  recoveries?: number;
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
    personIds: new Map(),
    scheduleIds: new Map(),
    checks: [],
    checkins: [],
    starts: [],
    attempts: [],
    notices: [],
    requests: [],
    looks: [],
    months: new Map(),
    lives: [{ node: 0, from: scenario.from, to: scenario.to, end: "end" }],
    results: [],
    deliveries: [],
    outages: [],
    evidence: [],
    placeLives: [],
    uptimes: new Map(),
    statuses: new Map(),
    blindSince: new Map(),
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

/** Sets the values that the API shows of the results: call it after a test has changed them. */
export function recount(ledger: Ledger): void {
  const { scenario, results, uptimes, statuses } = ledger;
  ledger.outages = [];
  const bad: Status[] = ["down", "havent_heard", "failed"];
  for (const { name } of scenario.monitors) {
    const own = results.filter(({ monitor }) => monitor === name);
    const good = own.filter(({ status }) => !bad.includes(status)).length;
    uptimes.set(
      name,
      own.length === 0 ? null : `${(Math.floor((good * 10_000) / own.length) / 100).toFixed(2)}%`,
    );
    statuses.set(name, own.at(-1)?.status ?? "unknown");
    recountOutages(name, ledger);
  }
}

function recountOutages(monitor: string, { results, outages }: Ledger): void {
  let open: Ledger["outages"][number] | undefined;
  for (const result of results) {
    const { status } = result;
    if (result.monitor !== monitor || (open !== undefined && isGood(status) === false)) continue;
    if (open) open.endedAtWall = beginningOf(result, results);
    open = isGood(status)
      ? undefined
      : { monitor, startedAtWall: beginningOf(result, results), endedAtWall: null, status };
    if (open) outages.push(open);
  }
}

function isGood(status: Status): boolean {
  return status === "up" || status === "ok";
}

/** When a status began: at the first of the results in a row before it that saw it. */
function beginningOf({ monitor, status, createdAtWall }: Result, results: readonly Result[]): number {
  let began = createdAtWall;
  for (const earlier of results.toReversed())
    if (earlier.monitor === monitor && earlier.createdAtWall < createdAtWall) {
      if ((earlier.detail?.seen as { status: Status } | undefined)?.status !== status) break;
      began = earlier.createdAtWall;
    }
  return began;
}

/** Delivers each transition of a monitor to the channel, which a test may call again after it has changed the results. */
export function notify(name: string, ledger: Ledger): void {
  ledger.deliveries = ledger.deliveries.filter(({ monitor }) => monitor !== name);
  ledger.attempts = ledger.attempts.filter(({ monitor }) => monitor !== name);
  let before: Status = "unknown";
  for (const result of ledger.results) {
    const { monitor, status, createdAtWall } = result;
    if (monitor !== name) continue;
    if (status !== before && !(before === "unknown" && ["up", "ok"].includes(status))) {
      const resultId = `${createdAtWall}`;
      const shared = {
        id: `${name} ${resultId}`,
        resultId,
        channel: "hook",
        monitor,
        previousStatus: before,
      };
      ledger.deliveries.push({
        ...shared,
        newStatus: status,
        releasedByWall: createdAtWall,
        status: "delivered",
        attempts: 1,
        createdAtWall,
      });
      const startedAt = createdAtWall + 20;
      ledger.attempts.push({
        ...shared,
        status,
        sinceWall: beginningOf(result, ledger.results),
        startedAt,
        endedAt: startedAt + 50,
        outcome: "delivered",
      });
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
  confirmations = 0,
  recoveries = 0,
}: Truth): Scenario {
  const span = { from: START, to: after(hours) };
  const isIn = (at: number, part?: readonly [number, number]) =>
    part !== undefined && after(part[0]) <= at && at < after(part[1]);
  const web: SimMonitor = {
    name: "web",
    confirmations,
    recoveries,
    type: "HTTP",
    config: { url: "https://web.example/", interval: 300 },
    channelNames: ["hook"],
    segments: [
      { from: span.from, to: after(down?.[0] ?? hours), kind: "good" },
      ...(down
        ? [
            { from: after(down[0]), to: after(down[1]), kind: "down" },
            { from: after(down[1]), to: span.to, kind: "good" },
          ]
        : []),
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
    confirmations,
    recoveries,
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

/** A further check comes 20 s after the end of one whose result waits for it. */
function runChecks(monitor: SimMonitor, { scenario, checks, results }: Ledger): void {
  const { name, sample } = monitor;
  const record = recorder(monitor, results);
  let startedAt = scenario.from + SECOND;
  while (startedAt < scenario.to - MINUTE) {
    const seen = sample?.(startedAt);
    if (!seen) throw new Error(`${name} must have a sample`);
    const { observation, tookMs } = seen;
    const endedAt = startedAt + tookMs;
    checks.push({ monitor: name, startedAt, endedAt, observation, disturbed: false });
    const latencyMs = observation.outcome === "reached" ? observation.latencyMs : null;
    // A short slow spell does not become the new normal.
    const status: Status = latencyMs === null ? "down" : latencyMs > 500 ? "degraded" : "up";
    const isAwaiting = record(status, Math.floor(endedAt), latencyMs);
    const slots = Math.floor((endedAt - scenario.from - SECOND) / (5 * MINUTE)) + 1;
    startedAt = isAwaiting ? endedAt + 20 * SECOND : scenario.from + SECOND + slots * 5 * MINUTE;
  }
}

/**
 * Records what a monitor sees, which it is to see often enough in a row. Of two groups only.
 *
 * @returns whether it waits for more
 */
function recorder({ name: monitor, confirmations = 0, recoveries = 0 }: SimMonitor, results: Result[]) {
  let current: Status = "unknown";
  let count = 0;
  return (seen: Status, createdAtWall: number, latencyMs: number | null = null): boolean => {
    count = seen === current ? 0 : count + 1;
    const needed = current === "unknown" ? 0 : isGood(seen) ? recoveries : confirmations;
    if (count > needed) [current, count] = [seen, 0];
    const detail = seen === current ? null : { seen: { status: seen } };
    results.push({ monitor, status: current, latencyMs, detail, createdAtWall });
    return detail !== null;
  };
}

/** The window of the period of an hour is 72 minutes; a missed run follows each hour. */
function runJob(job: SimMonitor, { scenario, checkins: calls, results }: Ledger): void {
  const { name: monitor, checkins = [] } = job;
  const record = recorder(job, results);
  for (const [place, { at, status }] of checkins.entries()) {
    calls.push({ monitor, at, status, accepted: true });
    record(status === "fail" ? "failed" : "ok", at);
    const next = checkins[place + 1]?.at ?? scenario.to;
    for (let deadline = at + 72 * MINUTE; deadline < next; deadline += HOUR) record("havent_heard", deadline);
  }
}
