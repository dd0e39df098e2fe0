import { worstOf } from "../results/history.ts";
import type { MonitorType } from "./monitor.ts";
import type { NewResult } from "./monitor-event.ts";
import { groupOf, type Status } from "./status.ts";

/** A stretch in which a monitor is in group warning or down, and which has not ended. */
export interface OpenOutage {
  /** When its first result was recorded, in milliseconds since 1970. */
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

/** The outage of an enabled monitor after a result. */
export function outageAfter(
  { type, before }: { type: MonitorType; before: OpenOutage | null },
  status: Status,
  now: number,
): OpenOutage | null {
  if (groupOf(status) === "healthy") return null;
  if (!before) return { startedAt: now, status };
  const worst = worstOf(type, [before.status, status]);
  return worst === before.status ? before : { ...before, status: worst };
}

/** What a result changes in the stored outages; null if it changes nothing. */
export function outageChange(
  { before, after }: { before: OpenOutage | null; after: OpenOutage | null },
  { detail, createdAt }: Pick<NewResult, "detail" | "createdAt">,
): OutageStep | null {
  if (before && !after) return { kind: "closed", endedAt: createdAt };
  if (!after || before?.status === after.status) return null;
  if (before) return { kind: "worsened", status: after.status };
  const reason = typeof detail?.reason === "string" ? detail.reason : null;
  return { kind: "opened", ...after, reason };
}
