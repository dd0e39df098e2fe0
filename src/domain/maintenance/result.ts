import type { NewResult } from "../monitors/monitor-event.ts";
import type { MonitorMaintenance } from "./maintenance.ts";

/** The maintenance window that a monitor is in at a moment, in milliseconds since 1970; null if it is in none. */
export type WindowAt = (at: number) => MonitorMaintenance | null;

/** A result with the ID of the maintenance in whose window it was made, if it was made in one (behavior 14.33). */
export function withMaintenance(result: NewResult, { windowAt }: { windowAt: WindowAt | null }): NewResult {
  const window = windowAt?.(result.createdAt);
  return window ? { ...result, detail: { ...result.detail, maintenance: window.id } } : result;
}

/** Whether a result was made in a maintenance window. */
export function isInMaintenance({ detail }: Pick<NewResult, "detail">): boolean {
  return detail?.maintenance !== undefined;
}
