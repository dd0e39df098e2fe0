import { worstOf } from "../results/history.ts";
import type { MonitorType } from "./monitor.ts";
import type { NewResult } from "./monitor-event.ts";
import { groupOf, type Status } from "./status.ts";

/** An acknowledgement of an outage. @property at milliseconds since 1970 @property by the name of the key */
export interface Acknowledgement {
  at: number;
  by: string;
  note: string | null;
}

/** A stretch in which a monitor is in group warning or down, and which has not ended. */
export interface OpenOutage {
  /** When the first check saw it, in milliseconds since 1970. */
  startedAt: number;
  /** The worst so far. */
  status: Status;
  /** Why it began; absent if its first result has no reason. */
  reason?: string;
  /** Absent if it is not acknowledged. */
  acknowledged?: Acknowledgement;
}

/** @property resultAt the position of the result in the plan */
export type OutageChange = { monitorId: string; resultAt: number } & OutageStep;

/** @property maintenanceId of the maintenance in whose window it begins */
type OutageStep =
  | {
      kind: "opened";
      startedAt: number;
      status: Status;
      reason: string | null;
      maintenanceId: string | null;
    }
  | { kind: "worsened"; status: Status }
  | { kind: "unacknowledged" }
  | { kind: "downBegan"; at: number }
  | { kind: "downEnded"; at: number }
  | { kind: "closed"; endedAt: number };

/** The inputs that decide about an outage. @property from the status before, as the channels know it */
interface OutageContext {
  type: MonitorType;
  before: OpenOutage | null;
  canOpen: boolean;
  from: Status;
  reason?: string | undefined;
}

/** The outage of an enabled monitor after a result. @param since when a check first saw the status */
export function outageAfter(
  { type, before, canOpen, from, reason }: OutageContext,
  status: Status,
  since: number,
): OpenOutage | null {
  if (groupOf(status) === "healthy") return null;
  if (!before) return canOpen ? { startedAt: since, status, ...(reason !== undefined && { reason }) } : null;
  const worst = worstOf(type, [before.status, status]);
  const isEscalated = groupOf(from) === "warning" && groupOf(status) === "down";
  // Behavior 14.54.
  if (isEscalated && before.acknowledged) {
    const { acknowledged: _, ...others } = before;
    return { ...others, status: worst };
  }
  return worst === before.status ? before : { ...before, status: worst };
}

const NOTHING: OutageStep[] = [];

/** The outage of a monitor and its status, before or after a result. */
interface OutageState {
  outage: OpenOutage | null;
  status: Status;
}

/** Changes of the stored outages by a result. @param since as of `outageAfter` */
export function outageSteps(
  { before, after }: { before: OutageState; after: OutageState },
  result: Pick<NewResult, "detail"> & { since: number },
): OutageStep[] {
  if (before.outage === after.outage && before.status === after.status) return NOTHING;
  return [...changeSteps(before.outage, after.outage, result), ...downSteps(before, after, result.since)];
}

/** The end of an outage also ends the stretch in which its monitor is down. */
function downSteps(before: OutageState, after: OutageState, at: number): OutageStep[] {
  if (!after.outage || isDown(before) === isDown(after)) return NOTHING;
  return [{ kind: isDown(after) ? "downBegan" : "downEnded", at }];
}

function isDown({ outage, status }: OutageState): boolean {
  return outage !== null && groupOf(status) === "down";
}

function changeSteps(
  before: OpenOutage | null,
  after: OpenOutage | null,
  { detail, since }: Pick<NewResult, "detail"> & { since: number },
): OutageStep[] {
  if (before === after) return NOTHING;
  if (!after) return [{ kind: "closed", endedAt: since }];
  const { startedAt, status, acknowledged } = after;
  if (!before) {
    const [reason, maintenanceId] = [textIn(detail, "reason"), textIn(detail, "maintenance")];
    return [{ kind: "opened", startedAt, status, reason, maintenanceId }];
  }
  const steps: OutageStep[] = [];
  if (before.status !== status) steps.push({ kind: "worsened", status });
  if (before.acknowledged && !acknowledged) steps.push({ kind: "unacknowledged" });
  return steps;
}

function textIn(detail: NewResult["detail"], field: string): string | null {
  const value = detail?.[field];
  return typeof value === "string" ? value : null;
}
