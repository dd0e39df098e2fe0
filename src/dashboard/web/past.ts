import { queryOptions } from "@tanstack/react-query";
import { RANGES, type Range } from "../../domain/range.ts";
import { api, ask, type Overview, type Standing } from "./api.ts";

/** The past moves slowly. */
const PACE = 60_000;

/** The range that an address asks for. */
export function rangeIn(params: URLSearchParams): Range {
  return RANGES.find((range) => range === params.get("range")) ?? "90d";
}

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

type PastOfOne = Pick<Standing, "id" | "uptime" | "history">;
type Past = { buckets: string[]; monitors: PastOfOne[] };

/** What changes all the time and what hardly does, apart: each keeps its identity as long as it is the same. */
function divided({ monitors, buckets = [] }: Overview): { now: Overview; past: Past } {
  const past: PastOfOne[] = [];
  const now = monitors.map(({ uptime = null, history = "", ...standing }) => {
    past.push({ id: standing.id, uptime, history });
    return standing;
  });
  return { now: { monitors: now }, past: { buckets, monitors: past } };
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
