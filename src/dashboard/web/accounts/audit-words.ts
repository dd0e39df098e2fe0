import type { AuditAction, AuditEntry as Entry } from "../../../domain/accounts/audit.ts";

type AuditEntry = Pick<Entry, "action" | "resource">;

const resourceLabels: Record<Entry["resource"]["type"], string> = {
  monitor: "monitor",
  channel: "channel",
  api_key: "API key",
  maintenance: "maintenance",
  page: "public page",
  incident: "incident",
  location: "location",
  organization: "organization",
  outage: "outage",
  person: "person",
  report: "report by mail",
  schedule: "schedule",
  session: "session",
};

/** Actions whose words name no type of object. */
const sentences: Partial<Record<AuditAction, string>> = {
  "monitor.all_paused": "Paused all monitors",
  "person.created": "Invited the person",
  "person.invited": "Renewed the invitation of the person",
  "person.deleted": "Removed the person",
  "session.created": "Signed in",
  "session.failed": "Failed to sign in",
};

/** Verbs of the other actions. */
const verbs: Record<string, string> = {
  created: "Created",
  updated: "Changed",
  deleted: "Deleted",
  acknowledged: "Acknowledged",
  unacknowledged: "Took back the acknowledgement of",
};

/** An action without the name of its object, such as `Created the monitor`. */
export function describeAction({ action, resource }: AuditEntry): string {
  const words = sentences[action];
  if (words) return words;
  const verb = action.slice(action.indexOf(".") + 1);
  return `${verbs[verb] ?? verb} the ${resourceLabels[resource.type]}`;
}

/** The IDs of the entries after which no other one is about the same thing. @param entries the latest first */
export function latestEntries(entries: readonly (AuditEntry & { id: string })[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const latest = new Set<string>();
  for (const { id, action, resource } of entries) {
    const key = `${resource.type} ${resource.id}`;
    if (!seen.has(key) && !(resource.type === "monitor" && seen.has("all monitors"))) latest.add(id);
    seen.add(action === "monitor.all_paused" ? "all monitors" : key);
  }
  return latest;
}

/** Names that say nothing beside the action. */
const UNNAMED: AuditAction[] = ["monitor.all_paused", "session.created", "session.failed"];

/** Empty if the action says all. */
export function nameOf({ action, resource }: AuditEntry): string {
  return UNNAMED.includes(action) ? "" : resource.name;
}

const views: Partial<Record<Entry["resource"]["type"], (id: string) => string>> = {
  monitor: (id) => `/monitors/${id}`,
  channel: (id) => `/channels/${id}`,
  outage: (id) => `/outages/${id}`,
  api_key: () => "/keys",
  location: () => "/locations",
  page: (id) => `/pages/${id}`,
  maintenance: () => "/maintenances",
  organization: () => "/settings",
  person: () => "/settings/people",
};

/** The address of the view of what was changed; null if it has none, or if it was deleted then. */
export function viewOf({ action, resource }: AuditEntry): string | null {
  return action.endsWith(".deleted") ? null : (views[resource.type]?.(resource.id) ?? null);
}
