import { queryOptions } from "@tanstack/react-query";
import { api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import type { CalendarDay } from "../ui/days.ts";

/* Who is on call, by the API. Times are ISO 8601. */

/** Milliseconds between two fetches: a turn ends without a report of the server. */
const INTERVAL = 30_000;

/** All schedules of the organization. */
export const schedulesQuery = queryOptions({
  queryKey: queryKeys.schedules,
  queryFn: () => getData(api.schedules.get()),
});

/** @property until null if nobody else is on call within 92 days */
export interface OnCall {
  personId: string;
  name: string;
  until: string | null;
}

/** Who is on call at a moment; null if nobody is. @param at default: now */
export function onCallQuery(schedule: string, at?: string) {
  return queryOptions({
    queryKey: queryKeys.onCall(schedule, at ?? "now"),
    queryFn: async () => (await readOnCall(schedule, at === undefined ? {} : { at })) as OnCall | null,
    refetchInterval: INTERVAL,
  });
}

/** @property personId null if nobody is on call */
export interface Turn {
  personId: string | null;
  from: string;
  to: string;
}

/** Who is on call in a stretch of time, without a gap. */
export function turnsQuery(schedule: string, { start, end }: Pick<CalendarDay, "start" | "end">) {
  const [from, to] = [new Date(start).toISOString(), new Date(end).toISOString()];
  return queryOptions({
    queryKey: queryKeys.onCall(schedule, `${from} ${to}`),
    queryFn: async () => (await readOnCall(schedule, { from, to })) as Turn[],
    refetchInterval: INTERVAL,
  });
}

function readOnCall(id: string, query: { at?: string; from?: string; to?: string }) {
  return getData<unknown>(api.schedules({ id })["on-call"].get({ query }));
}

/** The part of a turn on one day; milliseconds since 1970. */
export interface DayTurn {
  personId: string | null;
  startsAt: number;
  endsAt: number;
}

/** The turns of a day, each from its start or the start of the day until its end or the end of the day. */
export function turnsOn(
  { start, end }: Pick<CalendarDay, "start" | "end">,
  turns: readonly Turn[],
): DayTurn[] {
  return turns
    .map(({ personId, from, to }) => ({
      personId,
      startsAt: Math.max(start, Date.parse(from)),
      endsAt: Math.min(end, Date.parse(to)),
    }))
    .filter(({ startsAt, endsAt }) => startsAt < endsAt);
}

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Longer than that, nobody takes over without saying so. */
const MAX_OFFERED = 12 * HOUR;

/**
 * The times that the form of an override offers: from now, or from the start of a turn that is to come, until the end of it.
 *
 * @param turn undefined for the present one, whose end may not be known
 * @returns ISO 8601
 */
export function offeredTimes(now: number, turn?: Partial<DayTurn>): { startsAt: string; endsAt: string } {
  const start = Math.max(Math.floor(now / MINUTE) * MINUTE, turn?.startsAt ?? 0);
  const latest = turn?.startsAt === undefined ? start + MAX_OFFERED : Number.POSITIVE_INFINITY;
  const end = Math.min(turn?.endsAt ?? Number.POSITIVE_INFINITY, latest);
  return { startsAt: new Date(start).toISOString(), endsAt: new Date(end).toISOString() };
}
