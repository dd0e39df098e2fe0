import type { ComponentStatus } from "../domain/pages/component-status.ts";
import type { Impact } from "../domain/pages/incident.ts";
import { iso } from "./iso.ts";
import type { ComponentJson } from "./statuspage-json-components.ts";

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

/** @property at milliseconds since 1970 @property before the status of all affected components before the update */
interface Update<Status extends string> {
  id: string;
  incidentId: string;
  status: Status;
  body: string;
  at: number;
  components: ComponentJson[];
  before: ComponentStatus;
  after: ComponentStatus;
}

export function updateJson<Status extends string>(update: Update<Status>): UpdateJson<Status> {
  const { id, incidentId, status, body, at, components, before, after } = update;
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
    updated_at: iso(at),
    display_at: iso(at),
    affected_components: affected.length > 0 ? affected : null,
    deliver_notifications: true,
    custom_tweet: null,
    tweet_id: null,
  };
}
