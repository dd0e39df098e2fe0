import type { MaintenanceTimes } from "../maintenance/maintenance.ts";
import type { Selector } from "../monitors/selector.ts";
import type { Status } from "../monitors/status.ts";
import type { DownStretch } from "../outages/outage.ts";
import type { StatusCount } from "../results/uptime.ts";
import type { Incident } from "./incident.ts";
import type { Page } from "./page.ts";
import type { PasswordHash } from "./page-password.ts";

/*
 * The stored facts of a page at one moment. Each `id` is public; the internal IDs of monitors are
 * called `monitorId`, and are never shown. Times are milliseconds since 1970.
 */

export interface PageFacts {
  page: Omit<Page, "visibility" | "password" | "components" | "ref"> & {
    updatedAt: number;
    passwordHash: PasswordHash | null;
  };
  /** In the order of the page. */
  components: ComponentFacts[];
  /** Open incidents, then incidents that were resolved in the days of the page; each part the newest first. */
  incidents: IncidentFacts[];
  /** In the order of `incidents`. Outages that are shown as an incident that people wrote are left out. */
  outages: OutageFacts[];
  /** Maintenances that may have a window now or later, or had one lately. */
  maintenances: MaintenanceFacts[];
  /** Windows that are open or ended lately, the newest first. */
  runs: RunFacts[];
}

export interface ComponentFacts {
  id: string;
  /** Display name; default: name of the monitor. */
  name: string;
  group: { id: string; name: string } | null;
  createdAt: number;
  /** When its name may last have changed. */
  editedAt: number;
  monitorId: string;
  tags: readonly string[];
  enabled: boolean;
  status: Status;
  /** Null before its first result. */
  statusSince: number | null;
  /** How many results of each status yesterday and today have; several for one day and status are possible. */
  latestCounts: readonly StatusCount[];
  /** Mean of the last 24 hours in milliseconds; null without one, or if the page does not show it. */
  latencyMs: number | null;
}

export interface IncidentFacts extends Incident {
  updatedAt: number;
}

export interface OutageFacts {
  id: string;
  monitorId: string;
  startedAt: number;
  endedAt: number | null;
  /** When its monitor was in group down. */
  downs: DownStretch[];
  /** The `id` of the maintenance in whose window it began; null if it began in none. */
  maintenanceId: string | null;
  /** When that window ended; null if it is open, or not known. */
  windowEndedAt: number | null;
}

/** @property id the same for all of its windows */
export interface MaintenanceFacts extends MaintenanceTimes {
  id: string;
  title: string;
  message: string | null;
  selector: Selector;
  updatedAt: number;
}

/** A window that began. */
export interface RunFacts {
  /** ID of the maintenance, which may have been deleted: then `message` and `updatedAt` are null. */
  maintenanceId: string;
  title: string;
  message: string | null;
  selector: Selector;
  startsAt: number;
  /** Null until its end was noticed. */
  endsAt: number | null;
  updatedAt: number | null;
}
