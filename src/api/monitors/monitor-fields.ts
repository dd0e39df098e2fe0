import { Type } from "@sinclair/typebox";
import { presentBlindSince } from "../../domain/checks/blindness.ts";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import type { Calendar, SelectedMonitor } from "../../domain/maintenance/calendar.ts";
import type { MonitorMaintenance } from "../../domain/maintenance/maintenance.ts";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { type Status, statusesOf } from "../../domain/monitors/status.ts";
import type { HistoryItem } from "../../domain/results/history.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { described, named, nullable } from "../../domain/schemas/schema.ts";

/** Behavior 14.47. */
export const MonitorMaintenanceBody = nullable(
  Type.Object(
    { id: Type.String(), title: Type.String(), endsAt: Timestamp },
    {
      ...named("MonitorMaintenance"),
      description: "The maintenance that the monitor is in. Of several, the one whose window ends last.",
    },
  ),
);

/** The maintenances of the organization of a response. @property now milliseconds since 1970 */
export interface PresentWindows {
  calendar: Calendar;
  now: number;
}

export function monitorMaintenanceBody(monitor: SelectedMonitor, { calendar, now }: PresentWindows) {
  return windowBody(calendar.windowOf(monitor, now));
}

export function windowBody(window: MonitorMaintenance | null) {
  return window && { ...window, endsAt: iso(window.endsAt) };
}

/** Behavior 1.60. */
export const BlindSince = nullable(
  described(
    Timestamp,
    "When it was last checked, if no check has said anything about it for two intervals plus twice its timeout; otherwise `null`.",
  ),
);

export function blindSinceOf(monitor: Parameters<typeof presentBlindSince>[0]): string | null {
  return isoOrNull(presentBlindSince(monitor));
}

/** A history in a compact form, for responses with many monitors. */
export const CompactHistory = Type.String({
  description:
    "One character for each bucket, oldest first: the index of its most severe status in the list of statuses of the " +
    "type, or `-` without results.",
});

export function compactHistory(type: MonitorType, history: HistoryItem[]): string {
  return history.map(({ status }) => characterOf(type, status)).join("");
}

function characterOf(type: MonitorType, status: Status): string {
  const at = (statusesOf[type] as readonly Status[]).indexOf(status);
  return at < 0 ? "-" : String(at);
}
