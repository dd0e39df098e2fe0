import { queryOptions } from "@tanstack/react-query";
import { byName } from "../../../domain/monitors/display-state.ts";
import { MAX_LISTED } from "../../../domain/overview/overview-query.ts";
import { api, getData, type MonitorSummary, type Overview } from "./api.ts";
import { queryKeys } from "./query-keys.ts";

/* Queries of more than one feature. */

/** How often the state of the network is fetched, in milliseconds. */
const NETWORK_INTERVAL = 5000;

/** Without `--network-check`, there is no `network`, and it is not fetched again. */
export const healthQuery = queryOptions({
  queryKey: queryKeys.health,
  queryFn: async (): Promise<{ network?: "online" | "offline" }> =>
    (await fetch("/healthz", { credentials: "omit" })).json(),
  refetchInterval: ({ state }) => (state.data?.network ? NETWORK_INTERVAL : false),
});

export const organizationQuery = queryOptions({
  queryKey: queryKeys.organization,
  queryFn: () => getData(api.organization.get()),
});

/** The monitors that a filter offers, by name; null if there are too many for a list. */
export const offeredMonitorsQuery = queryOptions({
  queryKey: queryKeys.offeredMonitors,
  queryFn: async () => {
    const overview = await getData(api.overview.get({ query: { upTo: String(MAX_LISTED) } }));
    return totalOf(overview) > MAX_LISTED ? null : overview.monitors.map(labelOf).sort(byName);
  },
});

/** How many monitors a search shows. */
const MAX_FOUND = 8;

/** The first monitors by name that have a text in their name or target. */
export function foundMonitorsQuery(text: string) {
  return queryOptions({
    queryKey: queryKeys.foundMonitors(text),
    queryFn: async () => {
      const query = { first: String(MAX_FOUND), sort: "name", search: text } as const;
      return (await getData(api.overview.get({ query }))).monitors.map(labelOf);
    },
    enabled: text.trim() !== "",
  });
}

function labelOf({ id, name }: MonitorSummary) {
  return { id, name };
}

/** The number of all monitors. */
export function totalOf({ counts }: Pick<Overview, "counts">): number {
  return Object.values(counts).reduce((sum, count) => sum + count);
}

/** The tags of all monitors, most used first. The response has one monitor, however many there are. */
export const tagsQuery = queryOptions({
  queryKey: queryKeys.tags,
  queryFn: async () => {
    const { tags = [] } = await getData(api.overview.get({ query: { first: "1" } }));
    return tags.map(({ tag }) => tag);
  },
});

/** Monitors of one request by IDs, so that its URL stays below 4 kB. */
const MAX_NAMED = 150;

/** The names of some monitors by their IDs, without those that do not exist. */
export function monitorNamesQuery(ids: readonly string[]) {
  const wanted = [...new Set(ids)].sort();
  return queryOptions({
    queryKey: queryKeys.monitorNames(wanted),
    queryFn: async () => {
      const names = new Map<string, string>();
      for (let start = 0; start < wanted.length; start += MAX_NAMED) {
        const some = wanted.slice(start, start + MAX_NAMED);
        const query = { first: String(MAX_NAMED), ids: some.join(",") };
        for (const { id, name } of (await getData(api.overview.get({ query }))).monitors) names.set(id, name);
      }
      return names;
    },
    enabled: wanted.length > 0,
  });
}

export const channelsQuery = queryOptions({
  queryKey: queryKeys.channels,
  queryFn: () => getData(api.alerts.get()),
});

/** The current status of all monitors. The overview may have put only the first ones into the cache. */
export const monitorsQuery = queryOptions({
  queryKey: queryKeys.overview,
  queryFn: () => getData(api.overview.get()),
});

/** All locations except this server. */
export const locationsQuery = queryOptions({
  queryKey: queryKeys.locations,
  queryFn: () => getData(api.locations.report.get()),
});
