import type { QueryKey } from "@tanstack/react-query";
import type { Range } from "../../../domain/results/range.ts";

/** Every key of the query cache. To invalidate a key also invalidates all keys that begin with it. */
export const queryKeys = {
  session: ["session"],
  health: ["health"],
  organization: ["organization"],
  apiKeys: ["api-keys"],
  /** The current status of all monitors. */
  overview: ["overview"],
  allHistories: ["histories"],
  /** Uptime and history of all monitors. */
  histories: (range: Range) => ["histories", range],
  allMonitors: ["monitor"],
  monitor: (id: string) => ["monitor", id],
  /** The names and tags of all monitors. */
  monitorLabels: ["monitor", "labels"],
  allReports: ["report"],
  report: (id: string, range: Range) => ["report", id, range],
  allResults: ["results"],
  results: (id: string) => ["results", id],
  latestResult: (id: string) => ["results", id, "latest"],
  allEvents: ["events"],
  events: (filters: object) => ["events", filters],
  allOutages: ["outages"],
  outages: (filters: object) => ["outages", "list", filters],
  outage: (id: string) => ["outages", "one", id],
  timeline: (id: string) => ["outages", "timeline", id],
  audit: ["audit"],
  maintenances: ["maintenances"],
  maintenance: (id: string) => ["maintenances", id],
  monthlyReport: (month: string, tag: string) => ["monthly-report", month, tag],
  locations: ["locations"],
  channels: ["channels"],
  channel: (id: string) => ["channels", id],
  allDeliveries: ["deliveries"],
  deliveries: (id: string) => ["deliveries", id],
} as const;

/** What a new result changes. The histories also change, but more slowly. */
export const changedByResult: QueryKey[] = [
  queryKeys.overview,
  queryKeys.allResults,
  queryKeys.allEvents,
  queryKeys.allReports,
  queryKeys.allDeliveries,
];

/** What a change of a monitor, its status or its outages changes. */
export const changedByMonitor: QueryKey[] = [
  ...changedByResult,
  queryKeys.allMonitors,
  queryKeys.allOutages,
  queryKeys.audit,
];

/** What a change of a maintenance changes. */
export const changedByMaintenance: QueryKey[] = [queryKeys.maintenances, ...changedByMonitor];
