import { queryOptions } from "@tanstack/react-query";
import { api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";

/** Milliseconds between two fetches. A window begins and ends without a report of the server. */
const INTERVAL = 10_000;

export const maintenancesQuery = queryOptions({
  queryKey: queryKeys.maintenances,
  queryFn: () => getData(api.maintenances.get()),
  refetchInterval: INTERVAL,
});

export function maintenanceQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.maintenance(id),
    queryFn: () => getData(api.maintenances({ id }).get()),
  });
}
