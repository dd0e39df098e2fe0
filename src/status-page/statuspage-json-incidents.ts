import type { ComponentStatus } from "../domain/pages/component-status.ts";
import type { Impact, IncidentStatus, IncidentUpdate } from "../domain/pages/incident.ts";
import type { PublicIncident, PublicPage } from "../domain/pages/public-page.ts";
import { iso } from "./iso.ts";
import { type ComponentJson, componentsJson, only } from "./statuspage-json-components.ts";
import { type EventJson, updateJson } from "./statuspage-json-events.ts";

export type IncidentJson = EventJson<IncidentStatus>;

/**
 * Incidents and outages, the latest first (behavior 15.57).
 *
 * @param url of the page
 * @param isOpen whether only the ones that are not resolved
 */
export function incidentsJson(page: PublicPage, url: string, { isOpen = false } = {}): IncidentJson[] {
  const components = componentsJson(page);
  return page.incidents
    .filter(({ resolvedAt }) => !isOpen || resolvedAt === null)
    .toSorted((a, b) => b.startedAt - a.startedAt)
    .map((incident) => ({
      ...incidentJson(incident, only(components, incident.componentIds)),
      shortlink: `${url}/incidents/${incident.id}`,
      page_id: page.id,
    }));
}

/** In the updates of one incident: each update repeats all of its components, which would be some 30 MB on the largest page. */
const MOST_AFFECTED = 1000;

function incidentJson(
  incident: PublicIncident,
  components: ComponentJson[],
): Omit<IncidentJson, "shortlink" | "page_id"> {
  const { id, title, impact, status, startedAt, resolvedAt, updatedAt, updates } = incident;
  const monitoring = updates.find((update) => update.status === "monitoring");
  return {
    id,
    name: title,
    status,
    created_at: iso(startedAt),
    updated_at: iso(updatedAt),
    monitoring_at: monitoring ? iso(monitoring.createdAt) : null,
    resolved_at: resolvedAt === null ? null : iso(resolvedAt),
    impact,
    started_at: iso(startedAt),
    incident_updates: updates.map(({ createdAt, ...update }, index) =>
      updateJson({
        ...update,
        incidentId: id,
        at: createdAt,
        components: index * components.length < MOST_AFFECTED ? components : [],
        before: statusBy(updates[index + 1], impact),
        after: statusBy({ ...update, createdAt }, impact),
      }),
    ),
    components,
    reminder_intervals: null,
  };
}

/** What the impact of an open incident means for its components. */
const STATUS_OF_IMPACT: Record<Impact, ComponentStatus> = {
  none: "operational",
  minor: "degraded_performance",
  major: "major_outage",
  critical: "major_outage",
};

/** @param update the latest one; undefined before the first one */
function statusBy(update: IncidentUpdate | undefined, impact: Impact): ComponentStatus {
  return !update || update.status === "resolved" ? "operational" : STATUS_OF_IMPACT[impact];
}
