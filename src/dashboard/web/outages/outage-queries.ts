import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, getData, type Outage } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";

/** Milliseconds between two fetches of a timeline that can still grow. */
const TIMELINE_INTERVAL = 5000;
/** Milliseconds after the end of an outage in which its last notifications are sent. */
const AFTERMATH = 60_000;

export function outageQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.outage(id),
    queryFn: () => getData(api.outages({ id }).get()),
  });
}

/** No event of the server says that a notification was sent, so the timeline is fetched again while it can grow. */
export function timelineQuery({ id, endedAt }: Outage) {
  return queryOptions({
    queryKey: queryKeys.timeline(id),
    queryFn: () => getData(api.outages({ id }).timeline.get()),
    refetchInterval: () => (canGrow(endedAt, Date.now()) ? TIMELINE_INTERVAL : false),
  });
}

function canGrow(endedAt: string | null, now: number): boolean {
  return endedAt === null || now - Date.parse(endedAt) < AFTERMATH;
}

/** Acknowledges an outage, or replaces the note of its acknowledgement. @param note empty for none */
export async function acknowledge(queries: QueryClient, id: string, note = ""): Promise<void> {
  await getData(api.outages({ id }).acknowledge.post(note === "" ? {} : { note }));
  await queries.invalidateQueries({ queryKey: queryKeys.allOutages });
}

/** Takes an acknowledgement back, with its note. */
export async function takeBack(queries: QueryClient, id: string): Promise<void> {
  await getData(api.outages({ id }).acknowledge.delete());
  await queries.invalidateQueries({ queryKey: queryKeys.allOutages });
}
