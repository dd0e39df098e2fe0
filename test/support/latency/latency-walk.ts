import {
  addLatency,
  baselineStart,
  dropLatencies,
  noLatency,
} from "../../../src/domain/checks/latency-baseline.ts";
import { silentHeartbeat } from "../../../src/domain/heartbeats/heartbeat.ts";
import {
  type Confirmation,
  confirm,
  type Suspicion,
  UNCONFIRMED,
} from "../../../src/domain/monitors/confirmation.ts";
import { judgeEvent } from "../../../src/domain/monitors/monitor-event.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";

const DAY = 24 * 60 * 60 * 1000;
const HOUR = DAY / 24;
const INTERVAL = 60_000;

/** Latencies of a target. @property sigma of their logarithms; 0: all are equal @property median milliseconds */
export interface LatencyLaw {
  sigma: number;
  median: (day: number) => number;
}

/**
 * The changes of status of an HTTP monitor that is checked each minute. The latencies are log-normal.
 *
 * @param learnedDays how long it was checked before, with the latencies of day 0
 * @returns the days of the changes, as fractions
 */
export function changesOf(
  { sigma, median }: LatencyLaw,
  {
    seed,
    days,
    learnedDays = 30,
    numbers = UNCONFIRMED,
  }: {
    seed: number;
    days: number;
    learnedDays?: number;
    numbers?: Confirmation;
  },
): number[] {
  const normal = normalNumbers(seed);
  const changes: number[] = [];
  const hours = new Map<number, typeof noLatency>();
  let baseline = noLatency;
  let start = baselineStart(-learnedDays * DAY);
  let state: { status: Status; suspicion: Suspicion | null } = { status: "unknown", suspicion: null };
  for (let at = -learnedDays * DAY; at < days * DAY; at += INTERVAL) {
    for (; start < baselineStart(at); start += HOUR) {
      baseline = dropLatencies(baseline, hours.get(start) ?? noLatency);
      hours.delete(start);
    }
    const latencyMs = median(Math.max(0, at / DAY)) * Math.exp(sigma * normal());
    const monitor = { ...HTTP, status: state.status, baseline };
    const judged = judgeEvent(monitor, {
      kind: "check",
      evidence: { outcome: "reached", latencyMs, detail: {} },
      at,
    });
    const hour = Math.floor(at / HOUR) * HOUR;
    hours.set(hour, addLatency(hours.get(hour) ?? noLatency, latencyMs));
    baseline = judged.baseline;
    const [seen] = judged.results;
    const after = seen ? confirm(state, numbers, seen) : state;
    if (at >= 0 && after.status !== state.status) changes.push(at / DAY);
    state = after;
  }
  return changes;
}

const HTTP = {
  type: "HTTP",
  config: { url: "http://a.test/", interval: 60 },
  enabled: true,
  memory: null,
  heartbeat: silentHeartbeat,
} as const;

/** Pseudorandom numbers of the standard normal distribution (mulberry32, Box and Muller). */
function normalNumbers(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 1) / 4_294_967_297;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
