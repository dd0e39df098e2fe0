import type { MonitorType } from "./monitor.ts";

/**
 * The statuses that a check or checkin can give, by type of monitor (interface 3.1). Their places stand in the databases
 * of users: a new one comes last, and there is room for four.
 */
export const statusesOf = {
  HTTP: ["up", "down", "degraded"],
  TCP: ["up", "down", "degraded"],
  TLS: ["active", "expiring_soon", "expired", "no_cert"],
  DNS: ["present", "missing", "changed"],
  SCHEDULED: ["ok", "failed", "havent_heard"],
} as const satisfies Record<MonitorType, readonly string[]>;

/** A monitor that has not been checked yet is `unknown`; no result ever is. */
export type Status = (typeof statusesOf)[MonitorType][number] | "unknown";

export type StatusGroup = "healthy" | "warning" | "down";

const groups: Record<Status, StatusGroup> = {
  up: "healthy",
  ok: "healthy",
  active: "healthy",
  present: "healthy",
  degraded: "warning",
  expiring_soon: "warning",
  havent_heard: "warning",
  changed: "warning",
  down: "down",
  failed: "down",
  expired: "down",
  missing: "down",
  no_cert: "down",
  unknown: "down",
};

/** Interface 3.3; `unknown` belongs to "everything else" (decisions 2). */
export function groupOf(status: Status): StatusGroup {
  return groups[status];
}

/** The statuses of which somebody wants to know why. */
export const TROUBLE = Object.values(statusesOf)
  .flat()
  .filter((status) => groupOf(status) !== "healthy");

/** Whether a change from one status to another is told to the channels (decisions 3, Alerts). */
export function isNotable(from: Status, to: Status): boolean {
  if (from === to) return false;
  return from !== "unknown" || groupOf(to) !== "healthy";
}

/**
 * When the trouble began that a monitor is in, whatever its statuses were meanwhile.
 *
 * @param since when the trouble that it was in before began
 * @returns null while it is healthy, or not yet known
 */
export function troubleFrom(status: Status, since: number | null, now: number): number | null {
  return status === "unknown" || groupOf(status) === "healthy" ? null : (since ?? now);
}
