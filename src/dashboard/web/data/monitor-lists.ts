import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { byName } from "../../../domain/monitors/display-state.ts";
import { totalOf } from "../../../domain/monitors/standing.ts";
import type { Range } from "../../../domain/results/range.ts";
import { api, getData, type MonitorSummary } from "./api.ts";
import { queryKeys } from "./query-keys.ts";

/* Queries of some of the monitors, which may be too many for one response. */

/** The most monitors that a filter offers as a list. Among more, a search is quicker. */
const MAX_OFFERED = 20;

/** The monitors that a filter offers, by name; null if there are too many for a list. */
export const offeredMonitorsQuery = queryOptions({
  queryKey: queryKeys.offeredMonitors,
  queryFn: async () => {
    const overview = await getData(api.overview.get({ query: { upTo: String(MAX_OFFERED) } }));
    return totalOf(overview.counts) > MAX_OFFERED
      ? null
      : overview.monitors.map(({ id, name }) => ({ id, name })).sort(byName);
  },
});

/** The tags of all monitors, most used first. The response has one monitor, however many there are. */
export const tagsQuery = queryOptions({
  queryKey: queryKeys.tags,
  queryFn: async () => {
    const { tags = [] } = await getData(api.overview.get({ query: { first: "1" } }));
    return tags.map(({ tag }) => tag);
  },
});

/** The number of all monitors. */
export const countedMonitorsQuery = queryOptions({
  queryKey: queryKeys.selectedCount({ all: true }),
  queryFn: () => countMatching({}),
});

/** Monitors of one request by IDs, so that its URL stays below 4 kB. */
const MAX_NAMED = 150;

/** The names of some monitors by their IDs, without those that do not exist. */
export function monitorNamesQuery(ids: readonly string[]) {
  const wanted = distinct(ids);
  return queryOptions({
    queryKey: queryKeys.monitorNames(wanted),
    queryFn: async () => new Map((await findMonitors(wanted)).map(({ id, name }) => [id, name])),
  });
}

/** Some monitors without their statistics, without those that do not exist. */
export function listedMonitorsQuery(ids: readonly string[]) {
  const wanted = distinct(ids);
  return queryOptions({
    queryKey: queryKeys.listedMonitors(wanted),
    queryFn: () => findMonitors(wanted),
  });
}

/** The current statuses of some monitors and their last 90 days, without those that do not exist. */
export function monitorStatesQuery(ids: readonly string[]) {
  const wanted = distinct(ids);
  return queryOptions({
    queryKey: queryKeys.monitorStates(wanted),
    queryFn: () => findMonitors(wanted, { range: "90d" }),
    placeholderData: keepPreviousData,
  });
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)].sort();
}

async function findMonitors(ids: readonly string[], past: { range?: Range } = {}): Promise<MonitorSummary[]> {
  const found: MonitorSummary[] = [];
  for (const some of slicesOf(ids)) {
    const query = { ...past, first: String(MAX_NAMED), ids: some.join(",") };
    found.push(...(await getData(api.overview.get({ query }))).monitors);
  }
  return found;
}

function slicesOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / MAX_NAMED) }, (_, at) =>
    ids.slice(at * MAX_NAMED, (at + 1) * MAX_NAMED),
  );
}

/** How many monitors a selector names now. */
export function selectedCountQuery({ all, tags = [], monitorIds = [] }: Selection) {
  const ids = distinct(monitorIds);
  return queryOptions({
    queryKey: queryKeys.selectedCount({ all, tags, ids }),
    queryFn: async () => {
      if (all) return countMatching({});
      const anyTag = tags.join(",");
      let count = anyTag ? await countMatching({ anyTag }) : 0;
      for (const some of slicesOf(ids)) {
        const named = { ids: some.join(",") };
        count += await countMatching(named);
        if (anyTag) count -= await countMatching({ ...named, anyTag });
      }
      return count;
    },
    placeholderData: keepPreviousData,
  });
}

interface Selection {
  all?: boolean;
  tags?: readonly string[];
  monitorIds?: readonly string[];
}

async function countMatching(query: { ids?: string; anyTag?: string }): Promise<number> {
  return (await getData(api.overview.get({ query: { first: "1", ...query } }))).matching ?? 0;
}

/** The tags in a text, in which spaces or commas separate them. */
export function tagsIn(text: FormDataEntryValue | null): string[] {
  const tags = String(text ?? "").split(/[\s,]+/);
  return [...new Set(tags)].filter((tag) => tag !== "");
}
