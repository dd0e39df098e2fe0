/*
 * The form of the answers of Atlassian Statuspage's Status API: the fields that its documentation (`/api/v2` of each of its
 * pages) and its servers have, with their types. A missing field and an additional one are both faults.
 */

const text = { type: "string" };
const time = { type: "string", format: "date-time" };
const optionalTime = { ...time, type: ["string", "null"] };
const optionalText = { type: ["string", "null"] };
const id = { type: "string", minLength: 1 };
const url = { type: "string", format: "uri" };
const boolean = { type: "boolean" };
const always = { type: "null" };

function object(properties: Record<string, object>, optional: string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

function listOf(items: object) {
  return { type: "array", items };
}

function oneOf(...values: string[]) {
  return { enum: values };
}

const page = object({ id, name: text, url, time_zone: text, updated_at: time });
const status = object({ indicator: oneOf("none", "minor", "major", "critical"), description: text });

const componentStatus = oneOf(
  "operational",
  "degraded_performance",
  "partial_outage",
  "major_outage",
  "under_maintenance",
);

const component = object(
  {
    id,
    name: text,
    status: componentStatus,
    created_at: time,
    updated_at: time,
    position: { type: "integer", minimum: 1 },
    description: optionalText,
    showcase: boolean,
    start_date: { type: ["string", "null"], format: "date" },
    group_id: optionalText,
    page_id: id,
    group: boolean,
    only_show_if_degraded: boolean,
    components: listOf(id),
  },
  ["components"],
);

const affected = object({
  code: id,
  name: text,
  old_status: componentStatus,
  new_status: componentStatus,
});

function event(statuses: string[], impacts: string[]) {
  const update = object({
    id,
    status: oneOf(...statuses),
    body: text,
    incident_id: id,
    created_at: time,
    updated_at: time,
    display_at: time,
    affected_components: { anyOf: [listOf(affected), always] },
    deliver_notifications: boolean,
    custom_tweet: optionalText,
    tweet_id: optionalText,
  });
  return {
    id,
    name: text,
    status: oneOf(...statuses),
    created_at: time,
    updated_at: time,
    monitoring_at: optionalTime,
    resolved_at: optionalTime,
    impact: oneOf(...impacts),
    shortlink: url,
    started_at: time,
    page_id: id,
    incident_updates: listOf(update),
    components: listOf(component),
    reminder_intervals: optionalText,
  };
}

const incident = object(
  event(
    ["investigating", "identified", "monitoring", "resolved", "postmortem"],
    ["none", "minor", "major", "critical"],
  ),
);

const maintenance = object({
  ...event(["scheduled", "in_progress", "verifying", "completed"], ["maintenance"]),
  scheduled_for: time,
  scheduled_until: time,
});

const components = listOf(component);
const incidents = listOf(incident);
const scheduled_maintenances = listOf(maintenance);

/** JSON Schemas of the documents, by their path below `/api/v2/`. */
export const STATUSPAGE_FORM: Record<string, object> = {
  "summary.json": object({ page, status, components, incidents, scheduled_maintenances }),
  "status.json": object({ page, status }),
  "components.json": object({ page, components }),
  "incidents.json": object({ page, incidents }),
  "incidents/unresolved.json": object({ page, incidents }),
  "scheduled-maintenances.json": object({ page, scheduled_maintenances }),
  "scheduled-maintenances/upcoming.json": object({ page, scheduled_maintenances }),
  "scheduled-maintenances/active.json": object({ page, scheduled_maintenances }),
};
