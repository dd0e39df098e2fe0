import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import type { Status } from "../../../domain/monitors/status.ts";

export const stateLabels: Record<DisplayState, string> = {
  healthy: "Healthy",
  warning: "Warning",
  down: "Down",
  waiting: "Waiting",
  paused: "Paused",
};

const statusLabels: Record<Status, string> = {
  up: "Up",
  down: "Down",
  degraded: "Degraded",
  active: "Active",
  expiring_soon: "Expires soon",
  expired: "Expired",
  no_cert: "No certificate",
  present: "Present",
  missing: "Missing",
  changed: "Changed",
  ok: "OK",
  failed: "Failed",
  havent_heard: "No check-in",
  unknown: "Unknown",
};

/** The statuses that a result can have. */
export const RESULT_STATUSES = (Object.keys(statusLabels) as Status[]).filter(
  (status) => status !== "unknown",
);

export function statusLabel(status: Status): string {
  return statusLabels[status];
}

/** The current status of a monitor for the page (behavior 1.6). */
export function monitorStatusLabel({ status, enabled }: { status: Status; enabled: boolean }): string {
  if (!enabled) return stateLabels.paused;
  return status === "unknown" ? stateLabels.waiting : statusLabel(status);
}
