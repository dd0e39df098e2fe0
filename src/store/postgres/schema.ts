import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { dialect } from "../tables/postgres-dialect.ts";
import { tablesOf } from "../tables/tables.ts";

export const {
  organizations,
  apiKeys,
  sessions,
  wallLinks,
  auditEntries,
  people,
  memberships,
  invites,
  personSessions,
  passkeys,
  identities,
  sealKeys,
  usedBeginnings,
  locations,
  monitors,
  monitorDependencies,
  goneMonitors,
  monitorStates,
  locationStates,
  deletedMonitors,
  checkResults,
  resultSegments,
  details,
  hourlyRollups,
  dailyRollups,
  hourRuns,
  jobRuns,
  runOutputs,
  hourlyTotals,
  dailyTotals,
  statusChanges,
  outages,
  outageDowns,
  evidence,
  causes,
  causeMembers,
  alertChannels,
  alertBindings,
  defaultChannels,
  deliveries,
  deletedChannels,
  schedules,
  scheduleOverrides,
  personChannels,
  maintenances,
  maintenanceRuns,
  reportMails,
  reportLetters,
  pages,
  pageComponents,
  incidents,
  incidentUpdates,
  releasedSlugs,
  pageSubscribers,
  pageOptIns,
  pageAnnouncements,
  pageMails,
  registrations,
  service,
  nodes,
  pushKeys,
} = tablesOf(dialect);

/** Work that only one node does at a time. */
export const leases = pgTable("leases", {
  name: text().primaryKey(),
  claim: integer().notNull(),
  claimedBy: integer().notNull(),
  claimedUntil: bigint({ mode: "number" }).notNull(),
});

/** The checks that nodes have claimed: one row for all that a node claims at once with the same lease. */
export const checkClaims = pgTable(
  "check_claims",
  {
    /** The fencing number. */
    pk: bigint({ mode: "number" }).primaryKey().generatedByDefaultAsIdentity(),
    node: integer().notNull(),
    claimedAt: bigint({ mode: "number" }).notNull(),
    /** How long the claim of a slot lasts after it was made, or after the slot if that is later; milliseconds. */
    lease: bigint({ mode: "number" }).notNull(),
    /** Whether other nodes had claimed these slots before. */
    isTakeover: boolean().notNull(),
    monitorPks: integer().array().notNull(),
    /** The value of `next_check_at` of each monitor when it was claimed: another value ends the claim. */
    slots: bigint({ mode: "number" }).array().notNull(),
  },
  (table) => [index("check_claims_takeovers").on(table.pk).where(sql`is_takeover`)],
);

/** The UTC days whose results are packed, or become so: see `housekeeping/pack-days.ts`. */
export const packedDays = pgTable("packed_days", {
  /** Its start, in milliseconds since 1970. */
  day: bigint({ mode: "number" }).primaryKey(),
  /** The number of its first result. Null until its segments are a partition of `result_segments`. */
  firstPk: bigint({ mode: "number" }),
  /** Results with larger numbers, which were recorded later, stay rows. */
  lastPk: bigint({ mode: "number" }).notNull(),
  /** When its segments became a partition. Null before, and after its rows were dropped. */
  packedAt: bigint({ mode: "number" }),
});

/** The applied migrations. */
export const schemaVersions = pgTable("schema_versions", {
  /** The first is 1. */
  version: integer().primaryKey(),
  /** The oldest version whose programs can still work with this one, during an upgrade node by node. */
  compatibleWith: integer().notNull(),
});
