import { Type } from "@sinclair/typebox";
import type { Calendar, SelectedMonitor } from "../../domain/maintenance/calendar.ts";
import { named, nullable } from "../../domain/schemas/schema.ts";
import { iso, Timestamp } from "./time.ts";

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
  const window = calendar.windowOf(monitor, now);
  return window && { ...window, endsAt: iso(window.endsAt) };
}
