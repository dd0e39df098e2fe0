import { keepPreviousData, type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { firstQuery } from "../../../domain/monitors/overview-query.ts";
import type { Range } from "../../../domain/results/range.ts";
import { api, getData, type MonitorSummary, type Overview } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";

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
      const { overview, histories } = splitOverview(await getData(api.overview.get({ query: { range } })));
      client.setQueryData(queryKeys.overview, overview);
      return histories;
    },
    staleTime: HISTORIES_INTERVAL,
    refetchInterval: HISTORIES_INTERVAL,
  });
}

/**
 * Fetches what the first view shows. Of many monitors that is a part: its histories count as stale, so that the view
 * fetches the rest immediately.
 */
export async function prefetchOverview(queries: QueryClient, params: URLSearchParams): Promise<void> {
  const query = firstQuery(params);
  const { overview, histories } = splitOverview(await getData(api.overview.get({ query })));
  const updatedAt = isPartial(overview) ? 0 : Date.now();
  queries.setQueryData(queryKeys.overview, overview);
  queries.setQueryData(queryKeys.histories(query.range), histories, { updatedAt });
}

/** All monitors with their histories. `isWhole` is false while only the first ones are known. */
export function useOverview(range: Range) {
  const histories = useQuery({ ...historiesQuery(range), placeholderData: keepPreviousData });
  const overview = useQuery({
    queryKey: queryKeys.overview,
    queryFn: () => getData(api.overview.get()),
    // The first answer with histories also has the current statuses.
    enabled: histories.data !== undefined,
  });
  const [joinHistories] = useState(createHistoryJoin);
  const monitors = useMemo(
    () => joinHistories(overview.data?.monitors, histories.data),
    [joinHistories, overview.data, histories.data],
  );
  return {
    monitors,
    counts: overview.data?.counts,
    buckets: histories.data?.buckets,
    isWhole: overview.data !== undefined && !isPartial(overview.data),
    error: histories.error ?? overview.error,
  };
}

function isPartial({ counts, monitors }: Overview): boolean {
  return monitors.length < Object.values(counts).reduce((sum, count) => sum + count);
}

/** Two objects, because the query cache keeps the identity of each as long as its content is the same. */
function splitOverview({ monitors, counts, buckets = [] }: Overview) {
  const histories: MonitorHistory[] = [];
  const summaries = monitors.map(({ uptime = null, history = "", ...summary }) => {
    histories.push({ id: summary.id, uptime, history });
    return summary;
  });
  const overview: Overview = { counts, monitors: summaries };
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
