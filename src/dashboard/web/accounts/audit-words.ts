import type { AuditAction, AuditEntry as Entry } from "../../../domain/accounts/audit.ts";
import { texts } from "../languages/texts.ts";

type AuditEntry = Pick<Entry, "action" | "resource">;

/** An action without the name of its object, such as `Created the monitor`. */
export function describeAction({ action }: AuditEntry): string {
  const [resource = "", verb = ""] = action.split(".");
  const verbs = (texts.audit.action as Record<string, Record<string, string>>)[resource];
  return verbs?.[verb] ?? action;
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
