import { isDown, levelOf, type Status } from "../monitors/status.ts";
import { IMPACTS, type Impact } from "./incident.ts";

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

interface WithStatus {
  status: ComponentStatus;
}

const IMPACT_OF: Record<ComponentStatus, Impact> = {
  operational: "none",
  under_maintenance: "none",
  degraded_performance: "minor",
  major_outage: "major",
};

const SUMMARIES: Record<Impact, string> = {
  none: "All Systems Operational",
  minor: "Minor Service Outage",
  major: "Partial System Outage",
  critical: "Major Service Outage",
};

/** The worst of the components and the open incidents (behavior 15.23). */
export function indicatorOf(
  components: readonly WithStatus[],
  openIncidents: readonly { impact: Impact }[],
): Impact {
  const impacts = [
    ...components.map(({ status }) => IMPACT_OF[status]),
    ...openIncidents.map(({ impact }) => impact),
  ];
  return areAllDown(components) ? "critical" : worstImpact(impacts);
}

/** The overall state in words (behavior 15.24). */
export function summaryOf(indicator: Impact, components: readonly WithStatus[]): string {
  return isUnderMaintenance(indicator, components) ? "Service Under Maintenance" : SUMMARIES[indicator];
}

/** Whether nothing is wrong and a component is in a maintenance. */
export function isUnderMaintenance(indicator: Impact, components: readonly WithStatus[]): boolean {
  return indicator === "none" && components.some(({ status }) => status === "under_maintenance");
}

/** Components in a maintenance do not count. */
function areAllDown(components: readonly WithStatus[]): boolean {
  const counted = components.filter(({ status }) => status !== "under_maintenance");
  return counted.length > 0 && counted.every(({ status }) => status === "major_outage");
}

function worstImpact(impacts: readonly Impact[]): Impact {
  return IMPACTS.findLast((impact) => impacts.includes(impact)) ?? "none";
}
