import type {
  Attempt,
  Log,
  LoggedMonitor,
  SentCheckin,
  StoredDelivery,
  StoredResult,
} from "../../../scripts/nemesis/log.ts";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";

/** The begin of the run, in milliseconds since 1970. */
export const START = 1_800_000_000_000;
const SECOND = 1000;
const END = 120 * SECOND;

/** A time of the run in milliseconds since 1970. */
export const after = (seconds: number) => START + seconds * SECOND;

/** A log of three nodes that did everything right: a site that is down from 40 s to 70 s, a name, and a silent job. */
export function truthfulLog(): Log {
  const monitors = [monitor("site", "HTTP"), monitor("name", "DNS"), monitor("job", "SCHEDULED")] as const;
  const outages = { site: [span(40, 70)], name: [], job: [span(50, 110)] };
  const checkins = { job: checkinsOf([2, 12, 22, 32, 42, 110]) };
  const [site, name, job] = monitors;
  const results: Log["results"] = {
    site: checksOf(site, (time) => (time > after(40) && time < after(70) ? "down" : "up")),
    name: checksOf(name, () => "present"),
    job: jobResults(checkins.job),
  };
  for (const rows of Object.values(results)) noteTransitions(rows);
  const deliveries = { hook: deliveriesOf(results) };
  return {
    whole: { from: START, to: START + END },
    nodes: 3,
    monitors: [...monitors],
    arrivals: { site: arrivalsOf(results.site), name: arrivalsOf(results.name) },
    outages,
    checkins,
    attempts: deliveries.hook.map((delivery) => attemptOf(delivery, results)),
    stalls: [],
    faults: [{ kind: "kill", node: 1, ...span(80, 84) }],
    results,
    deliveries,
    views: ["n1", "n2", "n3"].map((node) => ({
      node,
      statuses: { site: "up", name: "present", job: "ok" },
      latest: Object.fromEntries(Object.entries(results).map(([of, rows]) => [of, rows.at(-1)?.id ?? null])),
    })),
  };
  function jobResults(sent: SentCheckin[]): StoredResult[] {
    const missed = { status: "havent_heard", createdAt: after(42) + job.window };
    const rows = [...sent.map(({ sentAt }) => ({ status: "ok", createdAt: sentAt + 5 })), missed];
    return rows
      .sort((a, b) => a.createdAt - b.createdAt)
      .map((row, at) => ({
        ...row,
        id: `job ${String(at).padStart(3, "0")}`,
        took: 0,
        alertTriggered: false,
      }));
  }
}

function span(from: number, to: number) {
  return { from: after(from), to: after(to) };
}

function monitor(name: string, type: LoggedMonitor["type"]): LoggedMonitor {
  const times = { interval: 4 * SECOND, timeout: 2 * SECOND, window: 18 * SECOND };
  return { name, id: `id of ${name}`, type, ...times, channels: ["hook"], createdAt: START };
}

function checkinsOf(times: number[]): SentCheckin[] {
  return times.map((time) => ({ status: "ok", sentAt: after(time), answeredAt: after(time) + 10 }));
}

function checksOf({ id, name, interval }: LoggedMonitor, statusAt: (time: number) => string): StoredResult[] {
  const rows: StoredResult[] = [];
  let slot = nextCheckAt(id, interval / SECOND, START);
  for (; slot < START + END; slot += interval) {
    const createdAt = slot + 20;
    const number = String(rows.length).padStart(3, "0");
    rows.push({
      id: `${name} ${number}`,
      status: statusAt(createdAt),
      createdAt,
      took: 10,
      alertTriggered: false,
    });
  }
  return rows;
}

function arrivalsOf(rows: StoredResult[] = []): number[] {
  return rows.map(({ createdAt }) => createdAt - 10);
}

function noteTransitions(rows: StoredResult[]): void {
  for (const [at, row] of rows.entries()) row.alertTriggered = at > 0 && row.status !== rows[at - 1]?.status;
}

function deliveriesOf(results: Log["results"]): StoredDelivery[] {
  const changes = Object.entries(results).flatMap(([monitor, rows]) =>
    rows.flatMap((row, at) => (row.alertTriggered ? [{ monitor, row, before: rows[at - 1] }] : [])),
  );
  return changes
    .sort((a, b) => a.row.createdAt - b.row.createdAt)
    .map(({ monitor, row, before }, at) => ({
      id: `delivery ${at}`,
      resultId: row.id,
      monitor,
      previousStatus: before?.status ?? "unknown",
      newStatus: row.status,
      status: "delivered",
    }));
}

function attemptOf({ id, resultId, monitor, newStatus }: StoredDelivery, results: Log["results"]): Attempt {
  const createdAt = results[monitor]?.find((row) => row.id === resultId)?.createdAt ?? 0;
  const times = { from: createdAt + 50, to: createdAt + 60 };
  return { channel: "hook", id, resultId, monitor, status: newStatus, accepted: true, ...times };
}
