import { iso } from "../domain/iso-time.ts";
import type { Impact } from "../domain/pages/incident.ts";
import type { PublicMaintenance, PublicPage } from "../domain/pages/public-page.ts";
import { type ComponentJson, componentsJson } from "./statuspage-json-components.ts";
import { type IncidentJson, incidentsJson } from "./statuspage-json-incidents.ts";
import { type MaintenanceJson, maintenancesJson } from "./statuspage-json-maintenances.ts";

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
