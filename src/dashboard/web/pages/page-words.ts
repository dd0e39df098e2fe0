import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import type { ComponentStatus } from "../../../domain/pages/component-status.ts";
import type { PageVisibility } from "../../../domain/pages/page.ts";

export const visibilityLabels: Record<PageVisibility, string> = { public: "Public", off: "Off" };

/** The mark beside the status of a component. */
export const componentMarks: Record<ComponentStatus, DisplayState | "maintenance"> = {
  operational: "healthy",
  degraded_performance: "warning",
  major_outage: "down",
  under_maintenance: "maintenance",
};
