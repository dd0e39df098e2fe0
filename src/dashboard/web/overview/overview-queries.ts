import { keepPreviousData, type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { permits, type Role } from "../../../domain/accounts/role.ts";
import { totalOf } from "../../../domain/monitors/standing.ts";
import { firstQuery, MAX_LISTED } from "../../../domain/overview/overview-query.ts";
import type { Range } from "../../../domain/results/range.ts";
import { api, getData, type MonitorSummary, type Overview } from "../data/api.ts";
import { queryKeys, unnotifiedQuery } from "../data/query-keys.ts";
import { useWithoutHidden } from "../data/use-change.ts";
import { useSettled } from "../data/use-settled.ts";
import type { OverviewFilters } from "./filter-bar.tsx";
import { loadFirstSteps } from "./lazy-first-steps.tsx";
import { countTags, requestedFilters, selectMonitors } from "./select-monitors.ts";
import { areStepsOver } from "./steps-memory.ts";

/*
 * The overview has two cache entries: `overview`, the current status of each monitor, which each result changes, and
 * `histories`, uptime and history, which change slowly. One request can fill both.
 */

/** Milliseconds between two fetches of the histories. */
const HISTORIES_INTERVAL = 60_000;

type MonitorHistory = Pick<MonitorSummary, "id" | "uptime" | "history">;
type Histories = { buckets: string[]; monitors: MonitorHistory[] };

function historiesQuery(range: Range) {
  return queryOptions({
    queryKey: queryKeys.histories(range),
    queryFn: async ({ client }) => {
      const isKnown = client.getQueryData(queryKeys.overview) !== undefined;
      const query = { range, ...(!isKnown && { upTo: String(MAX_LISTED) }) };
      const { overview, histories } = splitOverview(await getData(api.overview.get({ query })));
      client.setQueryData(queryKeys.overview, overview);
      return histories;
    },
    staleTime: HISTORIES_INTERVAL,
    refetchInterval: HISTORIES_INTERVAL,
  });
}

/**
 * Fetches what the first view shows to a reader with a role. Of many monitors that is a part: its histories count as stale, so that the view
 * fetches the rest immediately.
 */
export async function prefetchOverview(
  queries: QueryClient,
  role: Role,
  params: URLSearchParams,
): Promise<void> {
  const query = firstQuery(params);
  const forAdmins = permits(role, "admin") && [
    queries.prefetchQuery(unnotifiedQuery),
    !areStepsOver() && loadFirstSteps().then(({ prefetchSteps }) => prefetchSteps(queries)),
  ];
  const { overview, histories } = splitOverview(await getData(api.overview.get({ query })));
  await Promise.allSettled(forAdmins || []);
  const updatedAt = isPartial(overview) ? 0 : Date.now();
  queries.setQueryData(queryKeys.overview, overview);
  queries.setQueryData(queryKeys.histories(query.range), histories, { updatedAt });
}

/**
 * The monitors that match the filters, in their order, and the numbers of all. `isWhole` is false while only the first monitors
 * are known. Of many monitors, these are the monitors of a page, which the server selects.
 *
 * @param page 0 for the first one
 */
export function useOverview(filters: OverviewFilters, page: number) {
  const part = useOverviewPart(filters, page);
  const whole = useWholeOverview(filters, part.isNeeded);
  // The first rows are known before the part.
  const overview = part.isNeeded && part.selected ? part : whole;
  const { selected: all, matching } = overview;
  const selected = useWithoutHidden(all);
  return { ...overview, selected, matching: matching - (all?.length ?? 0) + (selected?.length ?? 0) };
}

/** All monitors with their histories. */
function useWholeOverview(filters: OverviewFilters, isMany: boolean) {
  const histories = useQuery({
    ...historiesQuery(filters.range),
    placeholderData: keepPreviousData,
    enabled: !isMany,
  });
  const overview = useQuery({
    queryKey: queryKeys.overview,
    queryFn: () => getData(api.overview.get()),
    // The first answer with histories also has the current statuses.
    enabled: histories.data !== undefined && !isMany,
  });
  const [joinHistories] = useState(createHistoryJoin);
  const monitors = useMemo(
    () => joinHistories(overview.data?.monitors, histories.data),
    [joinHistories, overview.data, histories.data],
  );
  const isWhole = overview.data !== undefined && !isPartial(overview.data);
  const deferred = useAfterPaint(filters);
  // The server sends the first part of the list in its final order.
  const selected = useMemo(
    () => (isWhole ? selectMonitors(monitors ?? [], deferred) : (monitors ?? [])),
    [isWhole, monitors, deferred],
  );
  const first = overview.data?.tags;
  const tags = useMemo(
    () => (isWhole ? countTags(monitors ?? []) : (first ?? [])),
    [isWhole, monitors, first],
  );
  return {
    selected: monitors && selected,
    matching: selected.length,
    tags,
    counts: overview.data?.counts,
    buckets: histories.data?.buckets,
    isWhole,
    view: deferred,
    error: histories.error ?? overview.error,
  };
}

/**
 * The same value after the browser has painted, so that a button or a field reacts before the list does. The `useDeferredValue` of
 * Preact does not wait.
 */
function useAfterPaint<Value>(value: Value): Value {
  const key = JSON.stringify(value);
  const [painted, setPainted] = useState({ key, value });
  useEffect(() => {
    if (painted.key === key) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted({ key, value: JSON.parse(key) }));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [key, painted.key]);
  return painted.value;
}

/** Monitors on one page of a list that the server selects. */
export const PAGE_SIZE = 100;

/** The part of many monitors that is shown. `isNeeded` is false if there are few. */
function useOverviewPart(filters: OverviewFilters, page: number) {
  const settled = useSettled(filters);
  const { range, sort, tags } = settled;
  const query = {
    range,
    sort,
    first: String(PAGE_SIZE),
    skip: String(page * PAGE_SIZE),
    ...requestedFilters(settled),
    ...(tags.length > 0 && { tag: tags.join(",") }),
  };
  const known = useQuery({
    queryKey: queryKeys.overview,
    queryFn: (): Promise<Overview> => getData(api.overview.get()),
    enabled: false,
  }).data;
  const part = useQuery({
    queryKey: queryKeys.overviewPart(query),
    queryFn: () => getData(api.overview.get({ query })),
    enabled: ({ state: { data } }) => isMany(data ?? known),
    placeholderData: keepPreviousData,
  });
  const { data } = part;
  return {
    isNeeded: isMany(data ?? known),
    selected: data?.monitors,
    matching: data?.matching ?? 0,
    tags: data?.tags ?? [],
    counts: data?.counts,
    buckets: data?.buckets,
    isWhole: data !== undefined,
    view: query,
    error: part.error,
  };
}

function isMany(overview: Pick<Overview, "counts"> | undefined): boolean {
  return overview !== undefined && totalOf(overview.counts) > MAX_LISTED;
}

export function isPartial(overview: Overview): boolean {
  return overview.monitors.length < totalOf(overview.counts);
}

/** Two objects, because the query cache keeps the identity of each as long as its content is the same. */
function splitOverview({ monitors, counts, tags, buckets = [] }: Overview) {
  const histories: MonitorHistory[] = [];
  const summaries = monitors.map(({ uptime = null, history = "", ...summary }) => {
    histories.push({ id: summary.id, uptime, history });
    return summary;
  });
  const overview: Overview = { counts, monitors: summaries, ...(tags && { tags }) };
  return { overview, histories: { buckets, monitors: histories } satisfies Histories };
}

/** @returns a function that keeps the identity of each monitor that has not changed, so that its row is not rendered again */
export function createHistoryJoin() {
  const joined = new WeakMap<
    MonitorSummary,
    { history: MonitorHistory | undefined; monitor: MonitorSummary }
  >();
  const join = (summary: MonitorSummary, history: MonitorHistory | undefined): MonitorSummary => {
    const before = joined.get(summary);
    if (before && before.history === history) return before.monitor;
    const monitor = { ...summary, ...history };
    joined.set(summary, { history, monitor });
    return monitor;
  };
  return (summaries: MonitorSummary[] | undefined, histories: Histories | undefined) => {
    if (!summaries || !histories) return summaries;
    const byId = new Map(histories.monitors.map((one) => [one.id, one]));
    return summaries.map((one) => join(one, byId.get(one.id)));
  };
}
