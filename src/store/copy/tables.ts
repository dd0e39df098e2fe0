/** The tables that a copy moves, each after those that its rows refer to. A test compares them with both schemas. */
export const COPIED_TABLES = [
  "organizations",
  "api_keys",
  "sessions",
  "alert_channels",
  "default_channels",
  "locations",
  "monitors",
  "monitor_dependencies",
  "monitor_states",
  "location_states",
  "alert_bindings",
  "details",
  "check_results",
  "deliveries",
  "outages",
  "outage_downs",
  "status_changes",
  "hourly_rollups",
  "daily_rollups",
  "deleted_monitors",
  "deleted_channels",
  "maintenances",
  "maintenance_runs",
  "audit_entries",
  "pages",
  "released_slugs",
  "page_components",
  "incidents",
  "incident_updates",
  "page_subscribers",
  "page_opt_ins",
  "page_announcements",
  "page_mails",
  "service",
] as const;

export type CopiedTable = (typeof COPIED_TABLES)[number];

/** What belongs to the processes on a database, and to the database itself. */
export const OTHER_TABLES = ["nodes", "leases", "schema_versions"];

/** How many rows are read and written at once. */
export const BATCH = 10_000;

/** A server that was seen this many milliseconds ago may still run (behavior 12.52). */
export const SILENCE = 30_000;
