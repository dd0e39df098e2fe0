import { DAY } from "../duration.ts";
import type { MaintenanceTimes } from "../maintenance/maintenance.ts";
import type { Selector } from "../monitors/selector.ts";
import { type Standing, standingOf } from "../monitors/standing.ts";
import { countsAsDown, groupOf, type Status } from "../monitors/status.ts";
import type { DownStretch } from "../outages/outage.ts";
import { dayOf, type Stretch } from "../results/rollup.ts";
import { type StatusCount, type StatusCounts, sumByStatus, uptime } from "../results/uptime.ts";
import { IMPACTS, type Impact, type Incident } from "./incident.ts";
import type { PasswordHash } from "./page-password.ts";
import type { Page } from "./page-request.ts";
import { DAY_LEVELS, type DayLevel, type PublicDay } from "./public-page.ts";

/** From the least to the worst, in the words of Atlassian Statuspage. */
const COMPONENT_STATUSES = [
  "operational",
  "under_maintenance",
  "degraded_performance",
  "major_outage",
] as const;
export type ComponentStatus = (typeof COMPONENT_STATUSES)[number];

/** How a page shows a monitor (behavior 15.20). A page knows no acknowledgement. */
export function componentStatus({
  status,
  enabled,
  isMaintained,
}: {
  status: Status;
  enabled: boolean;
  isMaintained: boolean;
}): ComponentStatus {
  return statusOfStanding[
    standingOf({ status, enabled, maintenance: isMaintained ? {} : null, acknowledgement: null })
  ];
}

const statusOfStanding: Record<Standing, ComponentStatus> = {
  down: "major_outage",
  warning: "degraded_performance",
  acknowledged: "major_outage",
  maintenance: "under_maintenance",
  waiting: "operational",
  healthy: "operational",
  paused: "operational",
};

/** The worst status of some components; without any, `operational`. */
export function worstStatus(components: readonly { status: ComponentStatus }[]): ComponentStatus {
  return (
    COMPONENT_STATUSES.findLast((one) => components.some(({ status }) => status === one)) ?? "operational"
  );
}

interface WithStatus {
  status: ComponentStatus;
}

const IMPACT_OF: Record<ComponentStatus, Impact> = {
  operational: "none",
  under_maintenance: "none",
  degraded_performance: "minor",
  major_outage: "major",
};

const SUMMARIES: Record<Impact, string> = {
  none: "All Systems Operational",
  minor: "Minor Service Outage",
  major: "Partial System Outage",
  critical: "Major Service Outage",
};

/** The worst of the components and the open incidents (behavior 15.23). */
export function indicatorOf(
  components: readonly WithStatus[],
  openIncidents: readonly { impact: Impact }[],
): Impact {
  const impacts = [
    ...components.map(({ status }) => IMPACT_OF[status]),
    ...openIncidents.map(({ impact }) => impact),
  ];
  return areAllDown(components) ? "critical" : worstImpact(impacts);
}

/** The overall state in words (behavior 15.24). */
export function summaryOf(indicator: Impact, components: readonly WithStatus[]): string {
  return isUnderMaintenance(indicator, components) ? "Service Under Maintenance" : SUMMARIES[indicator];
}

/** Whether nothing is wrong and a component is in a maintenance. */
export function isUnderMaintenance(indicator: Impact, components: readonly WithStatus[]): boolean {
  return indicator === "none" && components.some(({ status }) => status === "under_maintenance");
}

/** Components in a maintenance do not count. */
function areAllDown(components: readonly WithStatus[]): boolean {
  const counted = components.filter(({ status }) => status !== "under_maintenance");
  return counted.length > 0 && counted.every(({ status }) => status === "major_outage");
}

function worstImpact(impacts: readonly Impact[]): Impact {
  return IMPACTS.findLast((impact) => impacts.includes(impact)) ?? "none";
}

/*
 * The stored facts of a page at one moment. Each `id` is public; the internal IDs of monitors are
 * called `monitorId`, and are never shown. Times are milliseconds since 1970.
 */

export interface PageFacts {
  page: Omit<Page, "visibility" | "password" | "components" | "ref"> & {
    updatedAt: number;
    passwordHash: PasswordHash | null;
  };
  /** In the order of the page. */
  components: ComponentFacts[];
  /** Open incidents, then incidents that were resolved in the days of the page; each part the newest first. */
  incidents: IncidentFacts[];
  /** In the order of `incidents`. */
  outages: OutageFacts[];
  /** Maintenances that may have a window now or later, or had one lately. */
  maintenances: MaintenanceFacts[];
  /** Windows that are open or ended lately, the newest first. */
  runs: RunFacts[];
}

export interface ComponentFacts {
  id: string;
  /** Display name; default: name of the monitor. */
  name: string;
  group: { id: string; name: string } | null;
  createdAt: number;
  /** When its name may last have changed. */
  editedAt: number;
  monitorId: string;
  tags: readonly string[];
  enabled: boolean;
  status: Status;
  /** Null before its first result. */
  statusSince: number | null;
  /** How many results of each status yesterday and today have; several for one day and status are possible. */
  latestCounts: readonly StatusCount[];
  /** Mean of the last 24 hours in milliseconds; null without one, or if the page does not show it. */
  latencyMs: number | null;
}

export interface IncidentFacts extends Incident {
  updatedAt: number;
}

export interface OutageFacts {
  id: string;
  monitorId: string;
  startedAt: number;
  endedAt: number | null;
  /** When its monitor was in group down. */
  downs: DownStretch[];
  /** The `id` of the maintenance in whose window it began; null if it began in none. */
  maintenanceId: string | null;
  /** When that window ended; null if it is open, or not known. */
  windowEndedAt: number | null;
  /** Whether the page shows an incident that people wrote in its place. */
  isWritten: boolean;
}

/** @property id the same for all of its windows */
export interface MaintenanceFacts extends MaintenanceTimes {
  id: string;
  title: string;
  message: string | null;
  selector: Selector;
  updatedAt: number;
}

/** A window that began. */
export interface RunFacts {
  /** ID of the maintenance, which may have been deleted: then `message` and `updatedAt` are null. */
  maintenanceId: string;
  title: string;
  message: string | null;
  selector: Selector;
  startsAt: number;
  /** Null until its end was noticed. */
  endsAt: number | null;
  updatedAt: number | null;
}

/** The days before yesterday, which hardly change. Times are milliseconds since 1970. */
export interface SettledHistory extends Required<Stretch> {
  /** By the ID of the monitor. */
  byMonitor: ReadonlyMap<string, SettledDays>;
}

/** The settled days of one monitor. @property days the oldest first @property counts of all these days */
export interface SettledDays {
  days: PublicDay[];
  counts: StatusCounts;
}

/** The start of the oldest day of a page. @param days of the page @param now milliseconds since 1970 */
export function firstDay(days: number, now: number): number {
  return dayOf(now) - (days - 1) * DAY;
}

/** The days of a page before yesterday. */
export function settledStretch(days: number, now: number): Required<Stretch> {
  return { since: firstDay(days, now), until: dayOf(now) - DAY };
}

/** Settles the days of one monitor after another. Equal days are one object, because most days of a page are equal. */
export function createSettler(stretch: Required<Stretch>): (counts: readonly StatusCount[]) => SettledDays {
  const show = createDays(stretch);
  return (counts) => ({ days: show(counts), counts: sumByStatus(counts) });
}

/** Shows some days of one component after another, the oldest first. */
export function createDays({
  since,
  until,
}: Required<Stretch>): (counts: readonly StatusCount[]) => PublicDay[] {
  const days = Array.from({ length: (until - since) / DAY }, (_, index) => {
    const start = since + index * DAY;
    const date = new Date(start).toISOString().slice(0, 10);
    const none: PublicDay = { date, level: "none", uptime: null };
    return { start, none, shown: new Map<string, PublicDay>() };
  });
  return (counts) => {
    const byDay = Map.groupBy(counts, ({ start }) => start);
    return days.map((day) => {
      const counted = byDay.get(day.start);
      return counted ? showDay(day, counted) : day.none;
    });
  };
}

const LEVEL_NOW: Partial<Record<ComponentStatus, DayLevel>> = {
  major_outage: "down",
  degraded_performance: "partial",
};

/** The days of a component. Today is at least as bad as its status now (behavior 17.1). @param days the last is today */
export function withToday(days: PublicDay[], status: ComponentStatus): PublicDay[] {
  const today = days.at(-1);
  const level = LEVEL_NOW[status];
  if (!today || !level || DAY_LEVELS.indexOf(level) <= DAY_LEVELS.indexOf(today.level)) return days;
  return [...days.slice(0, -1), { ...today, level }];
}

/** @param none the day without results @param shown the days that were shown already, by level and uptime */
function showDay(
  { none, shown }: { none: PublicDay; shown: Map<string, PublicDay> },
  counts: readonly StatusCount[],
): PublicDay {
  const day = { date: none.date, level: levelOfDay(counts), uptime: uptime(sumByStatus(counts)) };
  const key = `${day.level} ${day.uptime}`;
  const known = shown.get(key) ?? day;
  shown.set(key, known);
  return known;
}

/** A day is `down` if more than one in so many results lowers the uptime. */
const ONE_IN = 20;

/** Behavior 15.27. */
function levelOfDay(counts: readonly StatusCount[]): DayLevel {
  const all = sum(counts);
  if (all === 0) return "none";
  const bad = sum(counts.filter(({ status }) => countsAsDown[status]));
  if (bad * ONE_IN > all) return "down";
  return bad > 0 || counts.some(isOfWarning) ? "partial" : "good";
}

function isOfWarning({ status, count }: StatusCount): boolean {
  return count > 0 && groupOf[status] === "warning";
}

function sum(counts: readonly StatusCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
