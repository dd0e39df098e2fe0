import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import type { Status } from "../../../domain/monitors/status.ts";

export const moodWords: Record<DisplayState, string> = {
  healthy: "Healthy",
  warning: "Warning",
  down: "Down",
  waiting: "Waiting",
  paused: "Paused",
};

const statusWords: Record<Status, string> = {
  up: "Up",
  down: "Down",
  degraded: "Degraded",
  active: "Not expired",
  expiring_soon: "Expires soon",
  expired: "Expired",
  no_cert: "No certificate",
  present: "Present",
  missing: "Missing",
  changed: "Changed",
  ok: "OK",
  failed: "Failed",
  havent_heard: "Not heard from",
  unknown: "Waiting",
};

export const ALL_STATUSES = (Object.keys(statusWords) as Status[]).filter((status) => status !== "unknown");

export function wordsOf(status: Status): string {
  return statusWords[status];
}
