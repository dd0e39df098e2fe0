import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Relation } from "../../../domain/monitors/dependencies.ts";
import { api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import type { Shown } from "./checkin-help.tsx";

export function monitorQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.monitor(id),
    queryFn: () => getData(api.monitors({ id }).get()),
  });
}

export function reportQuery(id: string, shown: Shown) {
  return queryOptions({
    queryKey: queryKeys.report(id, shown),
    queryFn: () => getData(api.monitors({ id }).report.get({ query: shown })),
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

/** Some monitors and all that they depend on, without those that cannot be read. */
export function upstreamQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: queryKeys.upstreamMonitors(ids),
    async queryFn({ client }) {
      const read = (id: string) => client.fetchQuery(relatedQuery(id, "dependencies")).catch(() => []);
      return (await Promise.all(ids.map(read))).flat();
    },
    placeholderData: keepPreviousData,
  });
}

/** The facts that a monitor shares with others. */
export function monitorFactsQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.facts(id),
    queryFn: () => getData(api.monitors({ id }).facts.get()),
  });
}

/** How many of the latest results the view of a monitor shows as a strip. */
export const RECENT = 50;

/** The latest first. */
export function recentResultsQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.recentResults(id),
    queryFn: () => getData(api.monitors({ id }).results.get({ query: { limit: String(RECENT) } })),
  });
}

/** The way back to all monitors. */
export const OVERVIEW = { href: "/", to: "overview" } as const;
