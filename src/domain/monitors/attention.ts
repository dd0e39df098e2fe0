import type { SelectedMonitor } from "../maintenance/calendar.ts";
import { standingOf } from "./standing.ts";
import type { Status } from "./status.ts";

/** How many monitors need somebody, by state. */
export interface Attention {
  down: number;
  warning: number;
}

/** Counts monitors whose outage is not acknowledged, without those in maintenance (behavior 16.372). */
export function countAttention<Monitor extends SelectedMonitor & { status: Status }>(
  unattended: readonly Monitor[],
  maintenanceOf: (monitor: Monitor) => object | null,
): Attention {
  const counts = { down: 0, warning: 0 };
  for (const monitor of unattended) {
    const standing = standingOf({
      ...{ status: monitor.status, enabled: true },
      maintenance: maintenanceOf(monitor),
      acknowledgement: null,
    });
    if (standing === "down" || standing === "warning") counts[standing]++;
  }
  return counts;
}
