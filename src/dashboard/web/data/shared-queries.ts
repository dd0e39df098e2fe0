import { queryOptions } from "@tanstack/react-query";
import { api, getData } from "./api.ts";
import { queryKeys } from "./query-keys.ts";

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

/** How many monitors notify nobody. */
export const unnotifiedQuery = queryOptions({
  queryKey: queryKeys.unnotified,
  queryFn: async () => (await getData(api.alerts.unnotified.get())).monitors,
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
