import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { MAX_SKIPPED } from "../../../domain/overview/overview-query.ts";
import type { Sort } from "../../../domain/overview/selection.ts";
import { api, getData, type MonitorSummary } from "./api.ts";
import { queryKeys } from "./query-keys.ts";

/** How many monitors a search shows. */
const MAX_FOUND = 8;

/** The most monitors of one response. */
const MAX_FIRST = 200;

/**
 * The first monitors that have a text in their name, target or tags, and how many have it.
 *
 * @param without IDs of monitors that are left out, but counted @param sort default: by name
 */
export function foundMonitorsQuery(text: string, without: readonly string[], sort: Sort = "name") {
  return queryOptions({
    queryKey: queryKeys.foundMonitors(text, without, sort),
    queryFn: async () => {
      const leftOut = new Set(without);
      const found: MonitorSummary[] = [];
      let count = 0;
      for await (const { monitors, matching } of search({ search: text, sort }, MAX_FOUND + without.length)) {
        found.push(...monitors.filter(({ id }) => !leftOut.has(id)));
        count = matching;
        if (found.length >= MAX_FOUND) break;
      }
      return { found: found.slice(0, MAX_FOUND), count };
    },
    placeholderData: keepPreviousData,
  });
}

/** The IDs of all monitors that match filters, by name; of more than a thousand only the first ones. */
export async function findIds(filters: Wanted): Promise<string[]> {
  const ids: string[] = [];
  for await (const { monitors } of search(filters, MAX_FIRST)) ids.push(...monitors.map(({ id }) => id));
  return ids;
}

type Wanted = Pick<OverviewQuery, "search" | "type" | "status" | "tag" | "sort">;
type OverviewQuery = NonNullable<NonNullable<Parameters<typeof api.overview.get>[0]>["query"]>;

/** The monitors that match filters in slices, by name if no order is given. */
async function* search(filters: Wanted, size: number) {
  const first = Math.min(size, MAX_FIRST);
  for (let skip = 0; skip <= MAX_SKIPPED; skip += first) {
    const query = { first: String(first), skip: String(skip), sort: "name", ...filters } as const;
    const { monitors, matching = 0 } = await getData(api.overview.get({ query }));
    yield { monitors, matching };
    if (skip + first >= matching) return;
  }
}
