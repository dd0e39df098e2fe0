import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, getData } from "../data/api.ts";
import { invalidate } from "../data/invalidate.ts";
import { changedByPage, queryKeys } from "../data/query-keys.ts";

/** Milliseconds between two fetches of outages: nothing reports that one becomes longer than `minOutage`. */
const INTERVAL = 10_000;

export function incidentsQuery(pageId: string) {
  return queryOptions({
    queryKey: queryKeys.incidents(pageId),
    queryFn: () => getData(api.pages({ id: pageId }).incidents.get()),
  });
}

export function incidentQuery(pageId: string, incidentId: string) {
  return queryOptions({
    queryKey: queryKeys.incident(pageId, incidentId),
    queryFn: () => getData(api.pages({ id: pageId }).incidents({ incidentId }).get()),
  });
}

export function pageOutagesQuery(pageId: string) {
  return queryOptions({
    queryKey: queryKeys.pageOutages(pageId),
    queryFn: () => getData(api.pages({ id: pageId }).outages.get()),
    refetchInterval: INTERVAL,
  });
}

/** How the public pages render a text. @param text Markdown @returns HTML of the API, without scripts and pictures */
export function renderedQuery(text: string) {
  return queryOptions({
    queryKey: queryKeys.rendered(text),
    queryFn: async () => (await getData(api.markdown.post({ body: text }))).html,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function refreshIncidents(queries: QueryClient): Promise<void> {
  return invalidate(queries, changedByPage);
}
