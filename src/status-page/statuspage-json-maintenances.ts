import { iso } from "../domain/iso-time.ts";
import type { PublicMaintenance, PublicPage } from "../domain/pages/public-page.ts";
import { type ComponentJson, componentsJson, only } from "./statuspage-json-components.ts";
import { type EventJson, type UpdateJson, updateJson } from "./statuspage-json-incidents.ts";

type MaintenanceStatus = "scheduled" | "in_progress" | "completed";

export interface MaintenanceJson extends EventJson<MaintenanceStatus> {
  scheduled_for: string;
  scheduled_until: string;
}

const STATUSES: Record<PublicMaintenance["state"], MaintenanceStatus> = {
  scheduled: "scheduled",
  active: "in_progress",
  ended: "completed",
};

/** The windows in these states, in the order of the page (behavior 15.58). @param url of the page */
export function maintenancesJson(
  page: PublicPage,
  url: string,
  states: PublicMaintenance["state"][],
): MaintenanceJson[] {
  const components = componentsJson(page);
  return page.maintenances
    .filter(({ state }) => states.includes(state))
    .map((maintenance) => ({
      ...maintenanceJson(maintenance, only(components, maintenance.componentIds)),
      shortlink: url,
      page_id: page.id,
    }));
}

function maintenanceJson(
  maintenance: PublicMaintenance,
  components: ComponentJson[],
): Omit<MaintenanceJson, "shortlink" | "page_id"> {
  const { id, title, state, startsAt, endsAt, updatedAt } = maintenance;
  return {
    id,
    name: title,
    status: STATUSES[state],
    created_at: iso(announcedAt(maintenance)),
    updated_at: iso(updatedAt),
    monitoring_at: null,
    resolved_at: state === "ended" ? iso(endsAt) : null,
    impact: "maintenance",
    started_at: iso(startsAt),
    incident_updates: updatesOf(maintenance, components),
    components,
    reminder_intervals: null,
    scheduled_for: iso(startsAt),
    scheduled_until: iso(endsAt),
  };
}

/** The latest known time at which the window was planned. */
function announcedAt({ startsAt, updatedAt }: PublicMaintenance): number {
  return Math.min(startsAt, updatedAt);
}

/** One for each state that the window had, the newest first. */
function updatesOf(
  maintenance: PublicMaintenance,
  components: ComponentJson[],
): UpdateJson<MaintenanceStatus>[] {
  const { id, title, message, state, startsAt, endsAt } = maintenance;
  const update = (status: MaintenanceStatus, body: string, at: number) =>
    updateJson({
      id: `${id}-${status.replace("_", "-")}`,
      incidentId: id,
      status,
      body,
      at,
      components,
      before: status === "completed" ? "under_maintenance" : "operational",
      after: status === "in_progress" ? "under_maintenance" : "operational",
    });
  const scheduled = update("scheduled", message ?? title, announcedAt(maintenance));
  const started = update("in_progress", "The maintenance is in progress.", startsAt);
  const ended = update("completed", "The maintenance has ended.", endsAt);
  return { scheduled: [scheduled], active: [started, scheduled], ended: [ended, started, scheduled] }[state];
}
