import { queryOptions } from "@tanstack/react-query";
import { useHasRole, useSession } from "../app/session.tsx";
import { api, getData, type Outage } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";

/** Milliseconds between two fetches of a timeline that can still grow. */
const TIMELINE_INTERVAL = 5000;
/** Milliseconds between two fetches of what the checks of an outage see. */
const REPORT_INTERVAL = 15_000;
/** Milliseconds after the end of an outage in which its last notifications are sent. */
const AFTERMATH = 60_000;

export function outageQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.outage(id),
    queryFn: () => getData(api.outages({ id }).get()),
  });
}

/** No event of the server says that the same trouble was seen again, and checks after the end follow. */
export function outageReportQuery(id: string, endedAt: string | null | undefined) {
  return queryOptions({
    queryKey: queryKeys.outageReport(id),
    queryFn: () => getData(api.outages({ id }).report.get()),
    refetchInterval: () => (endedAt !== undefined && canGrow(endedAt, Date.now()) ? REPORT_INTERVAL : false),
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

/** Whether the reader may acknowledge outages: people of any role, and keys that may write. */
export function useMayAcknowledge(): boolean {
  const mayWrite = useHasRole("admin");
  return useSession()?.personId !== undefined || mayWrite;
}

/**
 * The actions on an outage: `acknowledge` also replaces the note, which is empty for none, and `takeBack` deletes the
 * acknowledgement with its note.
 */
export function useAcknowledgement(id: string) {
  const change = useChange(queryKeys.allOutages);
  const { acknowledge } = api.outages({ id });
  return {
    acknowledge: (note = "") => change(acknowledge.post(note === "" ? {} : { note })),
    takeBack: () => change(acknowledge.delete()),
  };
}
