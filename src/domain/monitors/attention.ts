import type { SelectedMonitor } from "../maintenance/calendar.ts";
import { displayStateOfStatus } from "./display-state.ts";
import type { Status } from "./status.ts";

/** How many monitors need somebody, by state. */
export interface Attention {
  down: number;
  warning: number;
}

/** Counts monitors whose outage is not acknowledged, without those in maintenance (behavior 16.372). */
export function countAttention<Monitor extends SelectedMonitor & { status: Status }>(
  unattended: readonly Monitor[],
  isInMaintenance: (monitor: Monitor) => boolean,
): Attention {
  const counts = { down: 0, warning: 0 };
  for (const monitor of unattended) {
    const state = displayStateOfStatus(monitor.status);
    if ((state === "down" || state === "warning") && !isInMaintenance(monitor)) counts[state]++;
  }
  return counts;
}
