import { bigint, integer, pgTable, text } from "drizzle-orm/pg-core";
import { dialect } from "../tables/postgres-dialect.ts";
import { tablesOf } from "../tables/tables.ts";

export const {
  organizations,
  apiKeys,
  sessions,
  auditEntries,
  locations,
  monitors,
  monitorDependencies,
  monitorStates,
  locationStates,
  deletedMonitors,
  checkResults,
  details,
  hourlyRollups,
  dailyRollups,
  hourlyTotals,
  dailyTotals,
  statusChanges,
  outages,
  outageDowns,
  alertChannels,
  alertBindings,
  defaultChannels,
  deliveries,
  deletedChannels,
  maintenances,
  maintenanceRuns,
  pages,
  pageComponents,
  incidents,
  incidentUpdates,
  releasedSlugs,
  pageSubscribers,
  pageOptIns,
  pageAnnouncements,
  pageMails,
  service,
  nodes,
} = tablesOf(dialect);

/** Work that only one node does at a time. */
export const leases = pgTable("leases", {
  name: text().primaryKey(),
  claim: integer().notNull(),
  claimedBy: integer().notNull(),
  claimedUntil: bigint({ mode: "number" }).notNull(),
});

/** The applied migrations. */
export const schemaVersions = pgTable("schema_versions", {
  /** The first is 1. */
  version: integer().primaryKey(),
  /** The oldest version whose programs can still work with this one, during an upgrade node by node. */
  compatibleWith: integer().notNull(),
});
