import { queryOptions } from "@tanstack/react-query";
import { byName } from "../../../domain/monitors/display-state.ts";
import { api, getData } from "./api.ts";
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

/** The monitors that filters offer, by name. */
export const monitorLabelsQuery = queryOptions({
  queryKey: queryKeys.monitorLabels,
  queryFn: async () => {
    const { monitors } = await getData(api.overview.get());
    return monitors.map(({ id, name, type, tags }) => ({ id, name, type, tags })).sort(byName);
  },
});

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
