import { isDown, levelOf, type Status } from "../monitors/status.ts";

/** From the least to the worst, in the words of Atlassian Statuspage. */
const COMPONENT_STATUSES = [
  "operational",
  "under_maintenance",
  "degraded_performance",
  "major_outage",
] as const;
export type ComponentStatus = (typeof COMPONENT_STATUSES)[number];

export const COMPONENT_LABELS: Record<ComponentStatus, string> = {
  operational: "Operational",
  under_maintenance: "Under maintenance",
  degraded_performance: "Degraded performance",
  major_outage: "Major outage",
};

/** How a page shows a monitor (behavior 15.20). */
export function componentStatus({
  status,
  enabled,
  isMaintained,
}: {
  status: Status;
  enabled: boolean;
  isMaintained: boolean;
}): ComponentStatus {
  if (!enabled) return "operational";
  if (isMaintained) return "under_maintenance";
  if (status === "unknown") return "operational";
  if (isDown(status)) return "major_outage";
  return levelOf(status) > 0 ? "degraded_performance" : "operational";
}

/** The worst status of some components; without any, `operational`. */
export function worstStatus(components: readonly { status: ComponentStatus }[]): ComponentStatus {
  return (
    COMPONENT_STATUSES.findLast((one) => components.some(({ status }) => status === one)) ?? "operational"
  );
}
