import { DAY } from "../../../src/domain/duration.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import {
  type ComponentFacts,
  createSettler,
  type IncidentFacts,
  type MaintenanceFacts,
  type OutageFacts,
  type PageFacts,
  type RunFacts,
  type SettledHistory,
  settledStretch,
} from "../../../src/domain/pages/component-status.ts";
import { showPage } from "../../../src/domain/pages/show-page.ts";
import { dayOf } from "../../../src/domain/results/rollup.ts";
import type { StatusCount } from "../../../src/domain/results/uptime.ts";
import { once } from "../maintenance/definition.ts";

export const NOW = Date.UTC(2026, 10, 22, 12);
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export { DAY };

/** A page with these facts, where outages of more than two minutes are shown. */
export function factsOf({
  page,
  ...facts
}: Partial<Omit<PageFacts, "page">> & { page?: Partial<PageFacts["page"]> }): PageFacts {
  const look = { accent: null, logo: null, embedOrigins: [] };
  const words = { language: "auto", timezone: "UTC" } as const;
  const settings = {
    days: 90,
    minOutage: 120,
    showLatency: false,
    ...look,
    ...words,
    updatedAt: NOW - 100 * DAY,
  };
  return {
    page: {
      id: "page",
      slug: "shop",
      title: "Shop",
      description: null,
      passwordHash: null,
      ...settings,
      ...page,
    },
    components: [],
    incidents: [],
    outages: [],
    maintenances: [],
    runs: [],
    ...facts,
  };
}

/** The component `a` of the monitor `monitor a`, and so on. */
export function component(id: string, values: Partial<ComponentFacts> = {}): ComponentFacts {
  return {
    id,
    name: id,
    group: null,
    createdAt: NOW - 100 * DAY,
    editedAt: NOW - 100 * DAY,
    monitorId: `monitor ${id}`,
    tags: [],
    enabled: true,
    status: "up",
    statusSince: NOW - 90 * DAY,
    latestCounts: [],
    latencyMs: null,
    ...values,
  };
}

/** An outage of the monitor of the component `a`. */
export function outage(id: string, values: Partial<OutageFacts>): OutageFacts {
  const times = { startedAt: NOW - HOUR, endedAt: null, ...values };
  const downs = [{ from: times.startedAt, to: times.endedAt }];
  const usual = { monitorId: "monitor a", maintenanceId: null, windowEndedAt: null, isWritten: false };
  return { id, ...usual, downs, ...times };
}

export function incident(id: string, values: Partial<IncidentFacts> = {}): IncidentFacts {
  const { startedAt = NOW - HOUR, resolvedAt = null } = values;
  const times = { startedAt, resolvedAt, updatedAt: resolvedAt ?? startedAt };
  return { id, title: id, impact: "none", componentIds: [], updates: [], ...times, ...values };
}

/** A maintenance of all monitors with one window. */
export function maintenance(
  from: number,
  to: number,
  values: Partial<MaintenanceFacts> = {},
): MaintenanceFacts {
  return { ...once(from, to), message: null, updatedAt: NOW - 50 * DAY, ...values };
}

/** A window of the maintenance `m` that began. */
export function run(from: number, to: number | null, values: Partial<RunFacts> = {}): RunFacts {
  const own = { maintenanceId: "m", title: "Maintenance", message: null, updatedAt: NOW - 50 * DAY };
  return { ...own, selector: { all: true }, startsAt: from, endsAt: to, ...values };
}

/** Results of a day. @param daysAgo 0 is today */
export function counts(daysAgo: number, results: Partial<Record<Status, number>>): StatusCount[] {
  const start = dayOf(NOW) - daysAgo * DAY;
  return Object.entries(results).map(([status, count]) => ({ start, status: status as Status, count }));
}

/** Results before yesterday, by the ID of the monitor. */
export type Past = Record<string, StatusCount[]>;

export function settled(facts: PageFacts, past: Past = {}, now = NOW): SettledHistory {
  const stretch = settledStretch(facts.page.days, now);
  const settle = createSettler(stretch);
  const monitors = facts.components.map(
    ({ monitorId }) => [monitorId, settle(past[monitorId] ?? [])] as const,
  );
  return { ...stretch, byMonitor: new Map(monitors) };
}

/** The page at a moment. */
export function show(facts: PageFacts, now = NOW, past: Past = {}) {
  return showPage(facts, settled(facts, past, now), now);
}
