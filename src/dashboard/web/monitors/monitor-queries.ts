import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Relation } from "../../../domain/monitors/dependencies.ts";
import type { Range } from "../../../domain/results/range.ts";
import { api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";

export function monitorQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.monitor(id),
    queryFn: () => getData(api.monitors({ id }).get()),
  });
}

export function reportQuery(id: string, range: Range) {
  return queryOptions({
    queryKey: queryKeys.report(id, range),
    queryFn: () => getData(api.monitors({ id }).report.get({ query: { range } })),
    placeholderData: keepPreviousData,
  });
}

/** A monitor, and those that it depends on or that depend on it, directly or not. */
export function relatedQuery(id: string, relation: Relation) {
  return queryOptions({
    queryKey: queryKeys.relatedMonitors(id, relation),
    queryFn: () => getData(api.monitors({ id }).related.get({ query: { relation } })),
  });
}

export function latestResultQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.latestResult(id),
    queryFn: async () =>
      (await getData(api.monitors({ id }).results.get({ query: { limit: "1" } })))[0] ?? null,
  });
}

/** The way back to all monitors. */
export const OVERVIEW = { href: "/", to: "overview" };
