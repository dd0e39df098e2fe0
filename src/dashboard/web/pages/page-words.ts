import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import type { PageVisibility } from "../../../domain/pages/page.ts";
import type { ComponentStatus } from "../../../domain/pages/public-page.ts";

export const visibilityLabels: Record<PageVisibility, string> = { public: "Public", off: "Off" };

/** How readers of a page see the status of a component. */
export const componentStatuses: Record<
  ComponentStatus,
  { label: string; mark: DisplayState | "maintenance" }
> = {
  operational: { label: "Operational", mark: "healthy" },
  degraded_performance: { label: "Degraded performance", mark: "warning" },
  major_outage: { label: "Major outage", mark: "down" },
  under_maintenance: { label: "Under maintenance", mark: "maintenance" },
};
