import { idOf, type KumaData, numberOf } from "./data.ts";
import type { MappedMonitor } from "./monitors.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Days before the present one that are read. */
const HISTORY_DAYS = 90;

const MAX_RESULTS = 1_000_000;
const MAX_LATENCY = 3_600_000;

type Day = { up: number; down: number; latency?: number };

/** The start of the first day of the history, in milliseconds since 1970. */
export function historyStart(now: number): number {
  return Math.floor(now / DAY) * DAY - HISTORY_DAYS * DAY;
}

/**
 * The results of each day of the monitors that were taken over, by ref and UTC day (behavior 16.102). The present day is left
 * out, because it is not over.
 */
export function historyFrom(
  { days }: Pick<KumaData, "days">,
  { monitors, now }: { monitors: readonly MappedMonitor[]; now: number },
): Record<string, Record<string, Day>> {
  const byId = new Map(monitors.map((monitor) => [idOf(monitor.row), monitor]));
  const history = new Map<string, Map<string, Day>>();
  for (const row of days) {
    const monitor = byId.get(idOf(row, "monitor_id"));
    const start = (numberOf(row, "timestamp") ?? Number.NaN) * 1000;
    if (!monitor || !(start >= historyStart(now) && start < Math.floor(now / DAY) * DAY)) continue;
    const [up, down] = [countOf(numberOf(row, "up")), countOf(numberOf(row, "down"))];
    if (up + down === 0) continue;
    const latency = up > 0 && hasLatency(monitor) ? numberOf(row, "ping") : undefined;
    const isLatency = latency !== undefined && latency > 0 && latency <= MAX_LATENCY;
    const of = history.get(monitor.ref) ?? new Map<string, Day>();
    history.set(monitor.ref, of);
    of.set(new Date(start).toISOString().slice(0, 10), {
      ...{ up, down },
      ...(isLatency && { latency: Math.round(latency * 10) / 10 }),
    });
  }
  return Object.fromEntries([...history].map(([ref, of]) => [ref, Object.fromEntries(inOrder(of))]));
}

function inOrder(days: ReadonlyMap<string, Day>): [string, Day][] {
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1));
}

function countOf(count = 0): number {
  return Math.min(Math.max(0, Math.round(count)), MAX_RESULTS);
}

function hasLatency({ type }: MappedMonitor): boolean {
  return type === "HTTP" || type === "TCP";
}
