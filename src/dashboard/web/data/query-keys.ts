import { type QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";
import type { Relation } from "../../../domain/monitors/dependencies.ts";
import type { Range } from "../../../domain/results/range.ts";
import { api, getData } from "./api.ts";

/** Every key of the query cache. To invalidate a key also invalidates all keys that begin with it. */
export const queryKeys = {
  session: ["session"],
  signInHelp: ["session", "help"],
  server: ["server"],
  organization: ["organization"],
  /** How many monitors need somebody. */
  attention: ["attention"],
  wallLinks: ["wall-links"],
  apiKeys: ["api-keys"],
  people: ["people"],
  me: ["me"],
  ownSessions: ["me", "sessions"],
  passkeys: ["me", "passkeys"],
  identities: ["me", "identities"],
  /** The current status of all monitors. */
  overview: ["overview"],
  /** The part of many monitors that the overview shows. */
  overviewPart: (query: object) => ["overview", "part", query],
  /** The current statuses of some monitors. */
  monitorStates: (ids: readonly string[]) => ["overview", "some", ids],
  allHistories: ["histories"],
  /** Uptime and history of all monitors. */
  histories: (range: Range) => ["histories", range],
  allMonitors: ["monitor"],
  monitor: (id: string) => ["monitor", id],
  offeredMonitors: ["monitor", "offered"],
  foundMonitors: (text: string, without: readonly string[], sort: string) => [
    "monitor",
    "found",
    text,
    without,
    sort,
  ],
  /** Some monitors without their statistics. */
  listedMonitors: (ids: readonly string[]) => ["monitor", "listed", ids],
  /** The names of some monitors. */
  monitorNames: (ids: readonly string[]) => ["monitor", "names", ids],
  /** The monitors of a channel that a search finds. */
  channelMonitors: (id: string, text: string) => ["monitor", "of channel", id, text],
  /** The outcome of a change of many monitors, if it were made. */
  bulkPreview: (selector: object, change: object | null) => ["bulk", selector, change],
  /** The number of monitors that a selector names. */
  selectedCount: (selector: object) => ["monitor", "count", selector],
  /** The monitors that one depends on, or those that depend on it. */
  relatedMonitors: (id: string, relation: Relation) => ["monitor", "related", id, relation],
  upstreamMonitors: (ids: readonly string[]) => ["monitor", "upstream", ids],
  /** The tags of all monitors. */
  tags: ["monitor", "tags"],
  allReports: ["report"],
  report: (id: string, shown: object) => ["report", id, shown],
  allResults: ["results"],
  results: (id: string, filters: object) => ["results", id, "list", filters],
  runs: (id: string) => ["results", id, "runs"],
  /** @param bytes how many are kept so far: an open run may get more */
  runOutput: (id: string, run: string, bytes: number) => ["run output", id, run, bytes],
  recentResults: (id: string) => ["results", id, "recent"],
  allEvents: ["events"],
  events: (filters: object) => ["events", filters],
  allOutages: ["outages"],
  outages: (filters: object) => ["outages", "list", filters],
  outage: (id: string) => ["outages", "one", id],
  outageReport: (id: string) => ["outages", "report", id],
  timeline: (id: string) => ["outages", "timeline", id],
  /** The facts that a monitor shares with others. Changes of monitors do not fetch it again: to find them takes a walk over all monitors. */
  facts: (id: string) => ["facts", id],
  /** The monitors that share something. */
  sharers: (kind: string, value: string) => ["facts", kind, value],
  causes: ["outages", "causes"],
  cause: (id: string) => ["outages", "causes", id],
  outageEvidence: (id: string) => ["outages", "evidence", id],
  monitorEvidence: (id: string) => ["outages", "evidence of monitor", id],
  /** The outcome of other settings of alerting. */
  replay: (request: object) => ["replay", request],
  audit: ["audit"],
  schedules: ["schedules"],
  /** @param shown when */
  onCall: (id: string, shown: string) => ["schedules", id, shown],
  maintenances: ["maintenances"],
  maintenance: (id: string) => ["maintenances", id],
  pages: ["pages"],
  page: (id: string) => ["pages", id],
  incidents: (page: string) => ["pages", page, "incidents"],
  incident: (page: string, id: string) => ["pages", page, "incidents", id],
  pageOutages: (page: string) => ["pages", page, "outages"],
  /** The HTML of a text in Markdown. */
  rendered: (text: string) => ["rendered", text],
  /** The URL that readers of a page use. */
  pageUrl: (slug: string) => ["page-url", slug],
  monthlyReport: (month: string, tag: string) => ["monthly-report", month, tag],
  reportMails: ["report-mails"],
  reportMail: (id: string) => ["report-mails", id],
  locations: ["locations"],
  /** The things that run where the server looks. */
  discovery: ["discovery"],
  channels: ["channels"],
  /** The address of the push subscription of this browser. */
  pushEndpoint: ["channels", "push endpoint"],
  /** How many monitors notify nobody. */
  unnotified: ["channels", "unnotified"],
  /** Whether a test or a notification was delivered. */
  testedChannel: ["channels", "tested"],
  allDeliveries: ["deliveries"],
  deliveries: (id: string) => ["deliveries", id],
} as const;

/** Queries that a new result changes. The histories also change, but more slowly. */
export const changedByResult: QueryKey[] = [
  queryKeys.overview,
  queryKeys.allResults,
  queryKeys.allEvents,
  queryKeys.allReports,
  queryKeys.allDeliveries,
];

/** Queries that a change of a public page or of one of its incidents changes. */
export const changedByPage: QueryKey[] = [queryKeys.pages, queryKeys.audit];

/** Queries that a change of a monitor, its status or its outages changes. A deleted monitor leaves the public pages. */
export const changedByMonitor: QueryKey[] = [
  ...changedByResult,
  ...changedByPage,
  queryKeys.allMonitors,
  queryKeys.allOutages,
  queryKeys.attention,
];

/** Queries that a change of a maintenance changes. */
export const changedByMaintenance: QueryKey[] = [queryKeys.maintenances, ...changedByMonitor];

/** Fetches again what the views in use show of these keys. */
export async function invalidate(queries: QueryClient, keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/* Queries of more than one feature. */

/** How often a state is fetched that this server can't announce, in milliseconds. */
const NETWORK_INTERVAL = 5000;

/**
 * The server itself, and what it can reach. `/healthz` says that too, but with the status 503 for an unhealthy server, which a browser
 * reports as an error of the page. Without `--network-check` and without a fault, there is nothing to fetch again.
 */
export const serverQuery = queryOptions({
  queryKey: queryKeys.server,
  queryFn: () => getData(api.server.get()),
  refetchInterval: ({ state }) => (state.data?.network || state.data?.ping ? NETWORK_INTERVAL : false),
});

export const organizationQuery = queryOptions({
  queryKey: queryKeys.organization,
  queryFn: () => getData(api.organization.get()),
});

/** All channels, with the number of their monitors instead of their bindings, which may be many. */
export const channelsQuery = queryOptions({
  queryKey: queryKeys.channels,
  queryFn: () => getData(api.alerts.report.get()),
});

/** How many monitors notify nobody, and the names of the schedules that reach nobody. */
export const unnotifiedQuery = queryOptions({
  queryKey: queryKeys.unnotified,
  queryFn: () => getData(api.alerts.unnotified.get()),
});

/** All locations except this server. */
export const locationsQuery = queryOptions({
  queryKey: queryKeys.locations,
  queryFn: () => getData(api.locations.report.get()),
});

/** The people of the organization. */
export const peopleQuery = queryOptions({
  queryKey: queryKeys.people,
  queryFn: () => getData(api.people.get()),
});

/** The person who is signed in. A key has none. */
export const meQuery = queryOptions({
  queryKey: queryKeys.me,
  queryFn: () => getData(api.me.get()),
});

/** The API keys of the organization, without the secrets. */
export const apiKeysQuery = queryOptions({
  queryKey: queryKeys.apiKeys,
  queryFn: () => getData(api["api-keys"].get()),
});
