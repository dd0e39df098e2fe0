import { iso } from "../domain/iso-time.ts";
import type { ComponentStatus } from "../domain/pages/component-status.ts";
import type { Impact, IncidentStatus, IncidentUpdate } from "../domain/pages/incident.ts";
import type { PublicIncident, PublicPage } from "../domain/pages/public-page.ts";
import { type ComponentJson, componentsJson, only } from "./statuspage-json-components.ts";

export type IncidentJson = EventJson<IncidentStatus>;

/**
 * Incidents and outages, the latest first (behavior 15.57).
 *
 * @param url of the page
 * @param isOpen whether only the ones that are not resolved
 */
export function incidentsJson(
  page: PublicPage,
  url: string,
  { isOpen }: { isOpen: boolean },
): IncidentJson[] {
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
const MAX_AFFECTED = 1000;

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
    incident_updates: updates.map((update, index) =>
      updateJson({
        ...{ id: update.id, status: update.status, body: update.body },
        incidentId: id,
        at: update.createdAt,
        editedAt: update.editedAt,
        components: index * components.length < MAX_AFFECTED ? components : [],
        before: statusBy(updates[index + 1], impact),
        after: statusBy(update, impact),
      }),
    ),
    components,
    reminder_intervals: null,
  };
}

/** The status of the components of an open incident, by its impact. */
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

/** An incident or a maintenance. */
export interface EventJson<Status extends string> {
  id: string;
  name: string;
  status: Status;
  created_at: string;
  updated_at: string;
  monitoring_at: string | null;
  resolved_at: string | null;
  impact: Impact | "maintenance";
  /** The URL of its page. */
  shortlink: string;
  started_at: string;
  page_id: string;
  /** The newest first. */
  incident_updates: UpdateJson<Status>[];
  /** The affected ones, as they are now. */
  components: ComponentJson[];
  reminder_intervals: null;
}

export interface UpdateJson<Status extends string> {
  id: string;
  status: Status;
  /** Markdown. */
  body: string;
  incident_id: string;
  created_at: string;
  updated_at: string;
  display_at: string;
  /** Null if there are none. */
  affected_components: AffectedJson[] | null;
  deliver_notifications: true;
  custom_tweet: null;
  tweet_id: null;
}

/** @property code the ID of the component */
interface AffectedJson {
  code: string;
  name: string;
  old_status: ComponentStatus;
  new_status: ComponentStatus;
}

/** Times are milliseconds since 1970. @property before the status of all affected components before the update */
interface Update<Status extends string> {
  id: string;
  incidentId: string;
  status: Status;
  body: string;
  at: number;
  editedAt?: number | null;
  components: ComponentJson[];
  before: ComponentStatus;
  after: ComponentStatus;
}

export function updateJson<Status extends string>(update: Update<Status>): UpdateJson<Status> {
  const { id, incidentId, status, body, at, editedAt, components, before, after } = update;
  const affected = components.map((component) => ({
    code: component.id,
    name: component.name,
    old_status: before,
    new_status: after,
  }));
  return {
    id,
    status,
    body,
    incident_id: incidentId,
    created_at: iso(at),
    updated_at: iso(editedAt ?? at),
    display_at: iso(at),
    affected_components: affected.length > 0 ? affected : null,
    deliver_notifications: true,
    custom_tweet: null,
    tweet_id: null,
  };
}
