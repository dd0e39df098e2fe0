import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { firstQuery } from "../../../domain/monitors/overview-query.ts";
import type { Range } from "../../../domain/results/range.ts";
import { api, ask, type Overview, type Standing } from "../data/api.ts";

/** The past moves slowly. */
const PACE = 60_000;

/** What has been, of all monitors. The answer tells of now too. */
export function pastQuery(range: Range) {
  return queryOptions({
    queryKey: ["past", range],
    queryFn: async ({ client }) => {
      const { now, past } = divided(await ask(api.overview.get({ query: { range } })));
      client.setQueryData(["now"], now);
      return past;
    },
    staleTime: PACE,
    refetchInterval: PACE,
  });
}

/** Asks for what the first view draws. Of many monitors that is a part: as old as can be, it has the rest asked for at once. */
export async function prefetchOverview(queries: QueryClient, params: URLSearchParams): Promise<void> {
  const query = firstQuery(params);
  const { now, past } = divided(await ask(api.overview.get({ query })));
  queries.setQueryData(["now"], now);
  queries.setQueryData(["past", query.range], past, { updatedAt: isPart(now) ? 0 : Date.now() });
}

/** Whether there are more monitors than these. */
export function isPart({ counts, monitors }: Overview): boolean {
  return monitors.length < Object.values(counts).reduce((sum, count) => sum + count);
}

type PastOfOne = Pick<Standing, "id" | "uptime" | "history">;
type Past = { buckets: string[]; monitors: PastOfOne[] };

/** What changes all the time and what hardly does, apart: each keeps its identity as long as it is the same. */
function divided({ monitors, counts, buckets = [] }: Overview): { now: Overview; past: Past } {
  const past: PastOfOne[] = [];
  const now = monitors.map(({ uptime = null, history = "", ...standing }) => {
    past.push({ id: standing.id, uptime, history });
    return standing;
  });
  return { now: { counts, monitors: now }, past: { buckets, monitors: past } };
}

/** What was joined before, so that a row whose monitor did not change is not drawn again. */
const joins = new WeakMap<Standing, { past: PastOfOne | undefined; whole: Standing }>();

export function joined(monitors: Standing[] | undefined, past: Past | undefined): Standing[] | undefined {
  if (!monitors || !past) return monitors;
  const byId = new Map(past.monitors.map((one) => [one.id, one]));
  return monitors.map((one) => join(one, byId.get(one.id)));
}

function join(monitor: Standing, past: PastOfOne | undefined): Standing {
  const before = joins.get(monitor);
  if (before && before.past === past) return before.whole;
  const whole = { ...monitor, ...past };
  joins.set(monitor, { past, whole });
  return whole;
}
