import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, getData } from "../data/api.ts";
import { monitorNamesQuery } from "../data/monitor-lists.ts";
import { queryKeys } from "../data/query-keys.ts";
import { pageQuery } from "../pages/page-queries.ts";
import { componentNames } from "./incident-words.ts";

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

/** A page with the names of its components; undefined until both are known. */
export function usePage(id: string) {
  const page = useQuery(pageQuery(id));
  const ids = page.data?.components.filter(({ name }) => name === null).map(({ monitorId }) => monitorId);
  const monitors = useQuery({ ...monitorNamesQuery(ids ?? []), enabled: ids !== undefined });
  const names = useMemo(
    () => page.data && monitors.data && componentNames(page.data, monitors.data),
    [page.data, monitors.data],
  );
  return { page: page.data, names, error: page.error ?? monitors.error };
}

/** The way back to the incidents of a page. */
export function incidentsOf(pageId: string) {
  return { href: `/pages/${pageId}/incidents`, to: "incidents" };
}
