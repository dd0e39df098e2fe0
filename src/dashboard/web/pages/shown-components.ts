import { groupOf, type Status } from "../../../domain/monitors/status.ts";
import type { ComponentStatus } from "../../../domain/pages/public-page.ts";

interface MonitorState {
  status: Status;
  enabled: boolean;
  maintenance: object | null;
}

/** How a page shows a monitor now (behavior 15.20). @param monitor undefined for one that is not known */
export function componentStatusOf(monitor: MonitorState | undefined): ComponentStatus {
  if (!monitor?.enabled) return "operational";
  if (monitor.maintenance) return "under_maintenance";
  if (monitor.status === "unknown") return "operational";
  const group = groupOf(monitor.status);
  if (group === "down") return "major_outage";
  return group === "warning" ? "degraded_performance" : "operational";
}
