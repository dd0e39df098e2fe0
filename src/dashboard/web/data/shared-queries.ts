import { queryOptions } from "@tanstack/react-query";
import { api, getData } from "./api.ts";
import { queryKeys } from "./query-keys.ts";

/* Queries of more than one feature. */

export const organizationQuery = queryOptions({
  queryKey: queryKeys.organization,
  queryFn: () => getData(api.organization.get()),
});

export const channelsQuery = queryOptions({
  queryKey: queryKeys.channels,
  queryFn: () => getData(api.alerts.get()),
});
