import { iso } from "../domain/iso-time.ts";
import type { Impact } from "../domain/pages/incident.ts";
import type { PublicMaintenance, PublicPage } from "../domain/pages/public-page.ts";
import { type ComponentJson, componentsJson, only } from "./statuspage-json-components.ts";
import {
  type EventJson,
  type IncidentJson,
  incidentsJson,
  type UpdateJson,
  updateJson,
} from "./statuspage-json-incidents.ts";

type MaintenanceStatus = "scheduled" | "in_progress" | "completed";

interface MaintenanceJson extends EventJson<MaintenanceStatus> {
  scheduled_for: string;
  scheduled_until: string;
}

const STATUSES: Record<PublicMaintenance["state"], MaintenanceStatus> = {
  scheduled: "scheduled",
  active: "in_progress",
  ended: "completed",
};

/** The windows in these states, in the order of the page (behavior 15.58). @param url of the page */
function maintenancesJson(
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

/** An update for each state that the window had, the newest first. */
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

/*
 * A page in the form of the Status API of Atlassian Statuspage, so that its clients work (behavior 15.55 to 15.58): each field
 * of theirs, and no other one.
 */

interface PageJson {
  page: { id: string; name: string; url: string; time_zone: string; updated_at: string };
}

interface StatusJson extends PageJson {
  status: { indicator: Impact; description: string };
}

interface ComponentsJson extends PageJson {
  components: ComponentJson[];
}

interface IncidentsJson extends PageJson {
  incidents: IncidentJson[];
}

interface MaintenancesJson extends PageJson {
  scheduled_maintenances: MaintenanceJson[];
}

interface SummaryJson extends StatusJson, ComponentsJson, IncidentsJson, MaintenancesJson {}

/** @param url of the page, without a trailing slash */
type Document<Body> = (page: PublicPage, url: string) => Body;

const summary: Document<SummaryJson> = (page, url) => ({
  ...pageJson(page, url),
  components: componentsJson(page),
  incidents: incidentsJson(page, url, { isOpen: true }),
  scheduled_maintenances: maintenancesJson(page, url, ["scheduled", "active"]),
  ...statusJson(page),
});

const status: Document<StatusJson> = (page, url) => ({ ...pageJson(page, url), ...statusJson(page) });

const components: Document<ComponentsJson> = (page, url) => ({
  ...pageJson(page, url),
  components: componentsJson(page),
});

function incidents(options: { isOpen: boolean }): Document<IncidentsJson> {
  return (page, url) => ({ ...pageJson(page, url), incidents: incidentsJson(page, url, options) });
}

function maintenances(...states: PublicMaintenance["state"][]): Document<MaintenancesJson> {
  return (page, url) => ({
    ...pageJson(page, url),
    scheduled_maintenances: maintenancesJson(page, url, states),
  });
}

/** All documents, by their path below `/api/v2/`. */
export const STATUSPAGE_DOCUMENTS = {
  "summary.json": summary,
  "status.json": status,
  "components.json": components,
  "incidents.json": incidents({ isOpen: false }),
  "incidents/unresolved.json": incidents({ isOpen: true }),
  "scheduled-maintenances.json": maintenances("scheduled", "active", "ended"),
  "scheduled-maintenances/upcoming.json": maintenances("scheduled"),
  "scheduled-maintenances/active.json": maintenances("active"),
};
export type StatuspageDocument = keyof typeof STATUSPAGE_DOCUMENTS;

function pageJson({ id, title, timezone, updatedAt }: PublicPage, url: string): PageJson {
  const time_zone = timezone === "UTC" ? "Etc/UTC" : timezone;
  return { page: { id, name: title, url, time_zone, updated_at: iso(updatedAt) } };
}

function statusJson({ indicator, summary: description }: PublicPage): Pick<StatusJson, "status"> {
  return { status: { indicator, description } };
}
