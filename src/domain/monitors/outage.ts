import { worstOf } from "../results/history.ts";
import type { MonitorType } from "./monitor.ts";
import type { NewResult } from "./monitor-event.ts";
import { groupOf, type Status } from "./status.ts";

/** A stretch in which a monitor is in group warning or down, and which has not ended. */
export interface OpenOutage {
  /** When the first check saw it, in milliseconds since 1970. */
  startedAt: number;
  /** The worst so far. */
  status: Status;
}

/** @property resultAt the position of the result in the plan */
export type OutageChange = { monitorId: string; resultAt: number } & OutageStep;

type OutageStep =
  | { kind: "opened"; startedAt: number; status: Status; reason: string | null }
  | { kind: "worsened"; status: Status }
  | { kind: "closed"; endedAt: number };

/** The outage of an enabled monitor after a result. @param since when a check first saw the status */
export function outageAfter(
  { type, before, canOpen }: { type: MonitorType; before: OpenOutage | null; canOpen: boolean },
  status: Status,
  since: number,
): OpenOutage | null {
  if (groupOf(status) === "healthy") return null;
  if (!before) return canOpen ? { startedAt: since, status } : null;
  const worst = worstOf(type, [before.status, status]);
  return worst === before.status ? before : { ...before, status: worst };
}

/** What a result changes in the stored outages; null if it changes nothing. @param since as of `outageAfter` */
export function outageChange(
  { before, after }: { before: OpenOutage | null; after: OpenOutage | null },
  { detail, since }: Pick<NewResult, "detail"> & { since: number },
): OutageStep | null {
  if (before && !after) return { kind: "closed", endedAt: since };
  if (!after || before?.status === after.status) return null;
  if (before) return { kind: "worsened", status: after.status };
  const reason = typeof detail?.reason === "string" ? detail.reason : null;
  return { kind: "opened", ...after, reason };
}
