import { DAY } from "../duration.ts";
import type { MonitorType } from "../monitors/monitor.ts";
import {
  addSums,
  emptySums,
  lengthOf,
  type MonitorHistory,
  monthlyFigures,
  type Span,
  sumUpMonth,
  within,
} from "./monthly-report.ts";

/*
 * The contents of a report by mail (behavior 23.75): it fits on one page of paper, so the longest of each kind are named, and the others counted.
 * All times are milliseconds since 1970.
 */

/** The most entries of each part. Together they fit on a page of paper. */
const MOST = { monitors: 12, outages: 8, missed: 4, ends: 5, maintenances: 4 };

/** From this long before its end, a certificate or a domain is named; milliseconds. */
const SOON = 30 * DAY;

/** Some entries of a part, and how many others there are. */
export interface Part<Entry> {
  entries: Entry[];
  others: number;
}

/** @property before the uptime of the period before; null if nothing was measured then, like `uptime` */
export interface ReportedUptime {
  name: string;
  uptime: string | null;
  before: string | null;
}

/** @property endedAt null if it lasted at the end of the period @property cause why, as far as it is known */
export interface ReportedOutage {
  name: string;
  startedAt: number;
  endedAt: number | null;
  lengthMs: number;
  cause: string | null;
}

export interface ReportContents {
  total: { uptime: string | null; before: string | null; outages: number; downMs: number };
  monitors: Part<ReportedUptime>;
  outages: Part<ReportedOutage>;
  missed: Part<{ name: string; count: number }>;
  ends: Part<{ name: string; what: "certificate" | "domain"; at: number }>;
  maintenances: Part<{ title: string; startsAt: number; endsAt: number | null }>;
}

/** The history of a monitor. Outages and windows of maintenances have their numbers in the store. */
export interface ReportedMonitor extends Omit<MonitorHistory, "outages" | "maintenance"> {
  id: string;
  name: string;
  type: MonitorType;
  outages: (MonitorHistory["outages"][number] & { pk: number })[];
  maintenance: (Span & { pk: number; title: string })[];
}

/** Facts beside the uptime. @property causes by the number of the outage */
export interface ReportFacts {
  causes: ReadonlyMap<number, string>;
  missed: readonly { name: string; count: number }[];
  ends: readonly { name: string; what: "certificate" | "domain"; at: number }[];
}

interface Sums {
  now: typeof emptySums;
  before: typeof emptySums;
}

/** Collects the histories of the monitors of a report, a slice of them at a time. */
export interface Gathered {
  add(monitor: ReportedMonitor, before: MonitorHistory | undefined): void;
  /** The numbers of the outages that the report names. */
  outagePks(): number[];
  contents(facts: ReportFacts): ReportContents;
}

export function gatherReport(period: Span, previous: Span): Gathered {
  const total: Sums = { now: emptySums, before: emptySums };
  const uptimes: ReportedUptime[] = [];
  const outages: (ReportedOutage & { pk: number })[] = [];
  const windows = new Map<number, ReportContents["maintenances"]["entries"][number]>();
  const longest = () =>
    outages.toSorted((a, b) => b.lengthMs - a.lengthMs || a.startedAt - b.startedAt).slice(0, MOST.outages);
  return {
    add(monitor, before) {
      const sums = sumUpMonth(monitor, period);
      const earlier = before ? sumUpMonth(before, previous) : emptySums;
      total.now = addSums(total.now, sums);
      total.before = addSums(total.before, earlier);
      const uptime = monthlyFigures(sums).uptime;
      uptimes.push({ name: monitor.name, uptime, before: monthlyFigures(earlier).uptime });
      for (const { pk, title, from, to } of monitor.maintenance)
        if (from < period.to && to > period.from)
          windows.set(pk, { title, startsAt: from, endsAt: to < period.to ? to : null });
      outages.push(...monitor.outages.flatMap((outage) => reportedOutage(monitor, outage, period)));
    },
    outagePks: () => longest().map(({ pk }) => pk),
    contents({ causes, missed, ends }) {
      const { uptime, outages: count, downMs } = monthlyFigures(total.now);
      const named = longest().map(({ pk, ...outage }) => ({ ...outage, cause: causes.get(pk) ?? null }));
      const soon = ends.filter(({ at }) => at < period.to + SOON).toSorted((a, b) => a.at - b.at);
      return {
        total: { uptime, before: monthlyFigures(total.before).uptime, outages: count, downMs },
        monitors: partOf(uptimes.toSorted(byUptime), MOST.monitors),
        outages: {
          entries: named.toSorted((a, b) => a.startedAt - b.startedAt),
          others: outages.length - named.length,
        },
        missed: partOf(
          missed.toSorted((a, b) => b.count - a.count || compare(a.name, b.name)),
          MOST.missed,
        ),
        ends: partOf(soon, MOST.ends),
        maintenances: partOf(
          [...windows.values()].toSorted((a, b) => a.startsAt - b.startsAt),
          MOST.maintenances,
        ),
      };
    },
  };
}

/** One that lowered the uptime in the period, as the monthly report counts it. */
function reportedOutage(
  monitor: ReportedMonitor,
  outage: ReportedMonitor["outages"][number],
  period: Span,
): (ReportedOutage & { pk: number })[] {
  const { pk, startedAt } = outage;
  const inPeriod = sumUpMonth({ ...monitor, outages: [outage] }, period);
  if (inPeriod.outages === 0) return [];
  const endedAt = outage.endedAt !== null && outage.endedAt <= period.to ? outage.endedAt : null;
  const downs = monitor.type === "SCHEDULED" ? [{ from: startedAt, to: endedAt }] : outage.downs;
  const spans = downs.map(({ from, to }) => ({ from, to: to ?? period.to }));
  const lengthMs = lengthOf(within(spans, { from: startedAt, to: endedAt ?? period.to }));
  return [{ pk, name: monitor.name, startedAt, endedAt, lengthMs, cause: null }];
}

function partOf<Entry>(all: readonly Entry[], most: number): Part<Entry> {
  return { entries: all.slice(0, most), others: Math.max(0, all.length - most) };
}

/** The lowest first, then by name; without uptime last. */
function byUptime(a: ReportedUptime, b: ReportedUptime): number {
  const shareOf = ({ uptime }: ReportedUptime) => (uptime === null ? 101 : Number.parseFloat(uptime));
  return shareOf(a) - shareOf(b) || compare(a.name, b.name);
}

/** The same on each machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
