import type { MonitorType } from "../monitors/monitor.ts";
import type { DownStretch } from "../outages/outage.ts";
import { percentage } from "../results/uptime.ts";

/** The stored history of a monitor, for the report of a month. Times are milliseconds since 1970. */
export interface MonitorHistory {
  createdAt: number;
  type: MonitorType;
  /** All that lasted in the month. */
  outages: MonthlyOutage[];
  /** When it was in maintenance, also before the month. */
  maintenance: Span[];
  /** The time for which there are results. */
  checked: Span[];
}

/** @property endedAt null while it lasts @property downs when the monitor was in group down */
interface MonthlyOutage {
  startedAt: number;
  endedAt: number | null;
  downs: readonly DownStretch[];
}

/** The sums of a month of a monitor in milliseconds, and its outages. */
interface MonthlySums {
  /** How long it was neither in maintenance nor unknown. */
  measuredMs: number;
  downMs: number;
  maintenanceMs: number;
  unknownMs: number;
  outages: number;
  /** How many of the outages ended in the month, and how long they lasted in all. */
  recoveries: number;
  recoveryMs: number;
}

/** Behavior 14.81. @property mttrMs the mean time to recovery; null if no outage ended */
interface MonthlyFigures extends Pick<MonthlySums, "downMs" | "outages" | "maintenanceMs" | "unknownMs"> {
  uptime: string | null;
  mttrMs: number | null;
}

/**
 * A month in UTC as a span that ends now at the latest.
 *
 * @param month such as `2026-10`
 */
export function monthSpan(month: string, now: number): Span {
  const [year = 0, place = 0] = month.split("-").map(Number);
  const from = Date.UTC(year, place - 1);
  return { from, to: Math.max(from, Math.min(Date.UTC(year, place), now)) };
}

/** Behavior 14.81, 14.82. */
export function sumUpMonth(history: MonitorHistory, month: Span): MonthlySums {
  const existing = { from: Math.max(month.from, history.createdAt), to: month.to };
  const maintenance = union(history.maintenance);
  const spans = history.outages.map(({ startedAt, endedAt }) => ({
    from: startedAt,
    to: endedAt ?? month.to,
  }));
  const known = within([...history.checked, ...maintenance, ...spans], existing);
  const existingMs = Math.max(0, existing.to - existing.from);
  const sums = { ...emptySums, maintenanceMs: lengthOf(within(maintenance, existing)) };
  sums.unknownMs = existingMs - lengthOf(known);
  sums.measuredMs = existingMs - sums.maintenanceMs - sums.unknownMs;
  for (const outage of history.outages) {
    const down = without(downSpans(history.type, outage, month.to), maintenance);
    const downMs = lengthOf(within(down, existing));
    if (downMs === 0) continue;
    sums.downMs += downMs;
    sums.outages += 1;
    if (outage.endedAt === null || outage.endedAt > month.to) continue;
    sums.recoveries += 1;
    sums.recoveryMs += lengthOf(down);
  }
  return sums;
}

/** The parts of an outage that lower the uptime: of a job, "No check-in" does too (behavior 14.81). */
function downSpans(type: MonitorType, { startedAt, endedAt, downs }: MonthlyOutage, end: number): Span[] {
  const stretches = type === "SCHEDULED" ? [{ from: startedAt, to: endedAt }] : downs;
  return stretches.map(({ from, to }) => ({ from, to: to ?? end }));
}

export const emptySums: MonthlySums = {
  measuredMs: 0,
  downMs: 0,
  maintenanceMs: 0,
  unknownMs: 0,
  outages: 0,
  recoveries: 0,
  recoveryMs: 0,
};

/** The sums of two monitors together. */
export function addSums(a: MonthlySums, b: MonthlySums): MonthlySums {
  return {
    measuredMs: a.measuredMs + b.measuredMs,
    downMs: a.downMs + b.downMs,
    maintenanceMs: a.maintenanceMs + b.maintenanceMs,
    unknownMs: a.unknownMs + b.unknownMs,
    outages: a.outages + b.outages,
    recoveries: a.recoveries + b.recoveries,
    recoveryMs: a.recoveryMs + b.recoveryMs,
  };
}

export function monthlyFigures(sums: MonthlySums): MonthlyFigures {
  const { measuredMs, downMs, outages, maintenanceMs, unknownMs, recoveries, recoveryMs } = sums;
  return {
    uptime: measuredMs > 0 ? percentage(measuredMs - downMs, measuredMs) : null,
    downMs,
    outages,
    maintenanceMs,
    unknownMs,
    mttrMs: recoveries > 0 ? Math.round(recoveryMs / recoveries) : null,
  };
}

/** A span, without its end: of time, in milliseconds since 1970, unless said otherwise. */
export interface Span {
  from: number;
  to: number;
}

/** The same time as spans that do not overlap, the earliest first. */
export function union(spans: readonly Span[]): Span[] {
  if (spans.length < 2) return spans.filter(({ from, to }) => from < to);
  const merged: Span[] = [];
  for (const { from, to } of spans.filter((span) => span.from < span.to).sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** The parts of some spans that are within a span. */
export function within(spans: readonly Span[], { from, to }: Span): Span[] {
  return spans
    .map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) }))
    .filter((span) => span.from < span.to);
}

/** The parts of some spans that are in none of the others. */
export function without(spans: readonly Span[], others: readonly Span[]): Span[] {
  return union(others).reduce<Span[]>(cutOut, [...spans]);
}

function cutOut(spans: Span[], { from, to }: Span): Span[] {
  return spans.flatMap((span) =>
    span.to <= from || to <= span.from
      ? [span]
      : [
          { from: span.from, to: from },
          { from: to, to: span.to },
        ].filter((part) => part.from < part.to),
  );
}

/** How long some spans last, in milliseconds; what several of them share counts once. */
export function lengthOf(spans: readonly Span[]): number {
  return union(spans).reduce((sum, { from, to }) => sum + (to - from), 0);
}
