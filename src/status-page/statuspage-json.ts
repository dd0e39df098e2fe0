import type { Impact } from "../domain/pages/incident.ts";
import type { PublicPage } from "../domain/pages/public-page.ts";
import { iso } from "./iso.ts";
import { type ComponentJson, componentsJson } from "./statuspage-json-components.ts";
import { type IncidentJson, incidentsJson } from "./statuspage-json-incidents.ts";
import { type MaintenanceJson, maintenancesJson } from "./statuspage-json-maintenances.ts";

/*
 * A page in the form of the Status API of Atlassian Statuspage, so that its clients work (behavior 15.55 to 15.58): each field
 * of theirs, and no other one.
 */

export interface PageJson {
  page: { id: string; name: string; url: string; time_zone: string; updated_at: string };
}

export interface StatusJson extends PageJson {
  status: { indicator: Impact; description: string };
}

export interface ComponentsJson extends PageJson {
  components: ComponentJson[];
}

export interface IncidentsJson extends PageJson {
  incidents: IncidentJson[];
}

export interface MaintenancesJson extends PageJson {
  scheduled_maintenances: MaintenanceJson[];
}

export interface SummaryJson extends StatusJson, ComponentsJson, IncidentsJson, MaintenancesJson {}

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

const incidents: Document<IncidentsJson> = (page, url) => ({
  ...pageJson(page, url),
  incidents: incidentsJson(page, url),
});

const unresolved: Document<IncidentsJson> = (page, url) => ({
  ...pageJson(page, url),
  incidents: incidentsJson(page, url, { isOpen: true }),
});

const maintenances: Document<MaintenancesJson> = (page, url) => ({
  ...pageJson(page, url),
  scheduled_maintenances: maintenancesJson(page, url),
});

const upcoming: Document<MaintenancesJson> = (page, url) => ({
  ...pageJson(page, url),
  scheduled_maintenances: maintenancesJson(page, url, ["scheduled"]),
});

const active: Document<MaintenancesJson> = (page, url) => ({
  ...pageJson(page, url),
  scheduled_maintenances: maintenancesJson(page, url, ["active"]),
});

/** All documents, by their path below `/api/v2/`. */
export const STATUSPAGE_DOCUMENTS = {
  "summary.json": summary,
  "status.json": status,
  "components.json": components,
  "incidents.json": incidents,
  "incidents/unresolved.json": unresolved,
  "scheduled-maintenances.json": maintenances,
  "scheduled-maintenances/upcoming.json": upcoming,
  "scheduled-maintenances/active.json": active,
};
export type StatuspageDocument = keyof typeof STATUSPAGE_DOCUMENTS;

function pageJson({ id, title, updatedAt }: PublicPage, url: string): PageJson {
  return {
    page: { id, name: title, url, time_zone: "Etc/UTC", updated_at: iso(updatedAt) },
  };
}

function statusJson({ indicator, summary: description }: PublicPage): Pick<StatusJson, "status"> {
  return { status: { indicator, description } };
}
