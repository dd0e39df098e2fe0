import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { AuditAction, AuditActor, AuditResource } from "../../domain/accounts/audit.ts";
import type { Plan, Subscription } from "../../domain/accounts/organization.ts";
import type { Role } from "../../domain/accounts/role.ts";
import type { AlertEvent } from "../../domain/alerts/alert-event.ts";
import type { ChannelConfig, ChannelType } from "../../domain/alerts/channel.ts";
import type { Hold } from "../../domain/alerts/hold.ts";
import type { NotifyOn } from "../../domain/alerts/notify.ts";
import type { Memory } from "../../domain/checks/judge.ts";
import type { HeartbeatState } from "../../domain/heartbeats/heartbeat.ts";
import type { DownWhen } from "../../domain/locations/location.ts";
import type { LatestObservation } from "../../domain/locations/place.ts";
import type { Suspicion } from "../../domain/monitors/confirmation.ts";
import type { MonitorConfig, MonitorType } from "../../domain/monitors/monitor.ts";
import type { Selector } from "../../domain/monitors/selector.ts";
import type { Impact, IncidentStatus } from "../../domain/pages/incident.ts";
import type { PageVisibility } from "../../domain/pages/page.ts";
import type { PageMail } from "../../domain/pages/page-mail.ts";
import { bytes, deliveryStatus, statusCode } from "./columns.ts";

/*
 * The tables of the embedded engine (`sqlite/schema.ts`, which explains their columns) with the same names and types of
 * values, so that engine-neutral queries work on both. What only this engine has is explained here.
 *
 * A claim says which node works on a row: `claim` is the fencing number, which grows with each claim, and decides whether
 * an outcome may be written. A claim ends at `claimed_until`. Numbers of nodes are those of the table `nodes`.
 *
 * JSON is stored as `json`, not `jsonb`, because a config is returned as it was sent.
 */

const time = (name: string) => bigint(name, { mode: "number" });

const number = () => integer().primaryKey().generatedByDefaultAsIdentity();

export const organizations = pgTable("organizations", {
  pk: number(),
  id: text().notNull().unique(),
  name: text().notNull(),
  plan: text().$type<Plan>().notNull(),
  subscription: text().$type<Subscription>().notNull(),
  createdAt: time("created_at").notNull(),
  hereAtFaultAt: time("here_at_fault_at"),
  maintenanceRevision: integer("maintenance_revision").notNull().default(0),
  blindSince: time("blind_since"),
});

const organizationPk = () =>
  integer("organization_pk")
    .notNull()
    .references(() => organizations.pk, { onDelete: "cascade" });

export const apiKeys = pgTable(
  "api_keys",
  {
    pk: number(),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    name: text().notNull(),
    hash: bytes("hash").notNull().unique(),
    prefix: text().notNull(),
    role: text().$type<Role>().notNull(),
    expiresAt: time("expires_at"),
    lastUsedAt: time("last_used_at"),
    createdAt: time("created_at").notNull(),
  },
  (table) => [index("api_keys_organization").on(table.organizationPk)],
);

export const sessions = pgTable(
  "sessions",
  {
    pk: number(),
    apiKeyPk: integer("api_key_pk")
      .notNull()
      .references(() => apiKeys.pk, { onDelete: "cascade" }),
    hash: bytes("hash").notNull().unique(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("sessions_api_key").on(table.apiKeyPk), index("sessions_end").on(table.expiresAt)],
);

export const locations = pgTable(
  "locations",
  {
    pk: number(),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    name: text().notNull(),
    keyHash: bytes("key_hash").notNull().unique(),
    createdAt: time("created_at").notNull(),
    lastSeenAt: time("last_seen_at"),
    version: text(),
    silentAt: time("silent_at"),
    atFaultAt: time("at_fault_at"),
    revision: integer().notNull().default(1),
    waiting: time("waiting").notNull().default(0),
    dropped: time("dropped").notNull().default(0),
    lagMs: time("lag_ms"),
    stream: text(),
    acknowledged: json().$type<[number, number][]>(),
    replacedStreams: json("replaced_streams").$type<string[]>().notNull().default([]),
    streamReturnedAt: time("stream_returned_at"),
  },
  (table) => [uniqueIndex("locations_name").on(table.organizationPk, table.name)],
);

export const monitors = pgTable(
  "monitors",
  {
    pk: number(),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    name: text().notNull(),
    type: text().$type<MonitorType>().notNull(),
    config: json().$type<MonitorConfig>().notNull(),
    enabled: boolean().notNull(),
    confirmations: integer().notNull().default(0),
    recoveries: integer().notNull().default(0),
    locations: json().$type<number[]>(),
    downWhen: json("down_when").$type<DownWhen>(),
    tags: json().$type<string[]>().notNull().default([]),
    revision: integer().notNull().default(0),
    ref: text(),
    pushToken: text("push_token"),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (table) => [
    index("monitors_organization").on(table.organizationPk),
    uniqueIndex("monitors_ref").on(table.organizationPk, table.ref).where(sql`ref IS NOT NULL`),
    uniqueIndex("monitors_push_token").on(table.pushToken).where(sql`push_token IS NOT NULL`),
  ],
);

export const monitorDependencies = pgTable(
  "monitor_dependencies",
  {
    monitorPk: integer("monitor_pk")
      .notNull()
      .references(() => monitors.pk, { onDelete: "cascade" }),
    dependsOnPk: integer("depends_on_pk")
      .notNull()
      .references(() => monitors.pk, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.monitorPk, table.dependsOnPk] }),
    index("monitor_dependencies_reverse").on(table.dependsOnPk),
  ],
);

/** In the migration, pages of this table keep free space for the new versions of rows. */
export const monitorStates = pgTable(
  "monitor_states",
  {
    monitorPk: integer("monitor_pk")
      .primaryKey()
      .references(() => monitors.pk, { onDelete: "cascade" }),
    organizationPk: integer("organization_pk").notNull(),
    status: statusCode("status").notNull(),
    statusSince: time("status_since"),
    troubleSince: time("trouble_since"),
    outagePk: time("outage_pk"),
    nextCheckAt: time("next_check_at"),
    lastResultPk: time("last_result_pk"),
    lastGoodLatency: time("last_good_latency"),
    deadline: time("deadline"),
    rhythm: json().$type<Omit<HeartbeatState, "deadline">>(),
    suspicion: json().$type<Suspicion>(),
    placesSince: time("places_since"),
    statusBefore: statusCode("status_before"),
    blindSince: time("blind_since"),
    /** The latest result as in `check_results`, whose rows have no index on their number. */
    lastStatus: statusCode("last_status"),
    lastTimings: bytes("last_timings"),
    lastDetailPk: time("last_detail_pk"),
    lastResultAt: time("last_result_at"),
    /** How many results were of an earlier hour than the previous one: a cache of past hours is valid while this is the same. */
    lateResults: integer("late_results").notNull().default(0),
    claim: integer().notNull().default(0),
    claimedBy: integer("claimed_by"),
    /** The value of `next_check_at`, or of `deadline`, when it was claimed: another value ends the claim. */
    claimedSlot: time("claimed_slot"),
    claimedUntil: time("claimed_until"),
  },
  (table) => [
    index("monitor_states_status").on(table.organizationPk, table.status),
    // Each monitor has at most one of them.
    index("monitor_states_next_check").on(table.nextCheckAt).where(sql`next_check_at IS NOT NULL`),
    index("monitor_states_deadline").on(table.deadline).where(sql`deadline IS NOT NULL`),
    index("monitor_states_blind").on(table.organizationPk).where(sql`blind_since IS NOT NULL`),
  ],
);

export const locationStates = pgTable(
  "location_states",
  {
    monitorPk: integer("monitor_pk")
      .notNull()
      .references(() => monitors.pk, { onDelete: "cascade" }),
    location: integer().notNull(),
    memory: json().$type<Memory>(),
    baselineCount: time("baseline_count").notNull(),
    baselineSum: time("baseline_sum").notNull(),
    baselineSquares: time("baseline_squares").notNull(),
    baselineStart: integer("baseline_start").notNull(),
    restartHour: integer("restart_hour"),
    restartCount: time("restart_count"),
    restartSum: time("restart_sum"),
    restartSquares: time("restart_squares"),
    latestAt: time("latest_at"),
    latestStatus: statusCode("latest_status"),
    latest: json().$type<Omit<LatestObservation, "at" | "status">>(),
    recheckAt: time("recheck_at"),
  },
  (table) => [
    primaryKey({ columns: [table.monitorPk, table.location] }),
    index("location_states_latest")
      .on(table.latestStatus, table.location)
      .where(sql`latest_status IS NOT NULL`),
    index("location_states_recheck").on(table.location, table.recheckAt).where(sql`recheck_at IS NOT NULL`),
  ],
);

export const outages = pgTable(
  "outages",
  {
    pk: bigint({ mode: "number" }).primaryKey().generatedByDefaultAsIdentity(),
    id: text().notNull().unique(),
    monitorPk: integer("monitor_pk").notNull(),
    startedAt: time("started_at").notNull(),
    endedAt: time("ended_at"),
    status: statusCode("status").notNull(),
    reason: text(),
    resultPk: time("result_pk").notNull(),
    /** Of the first result, whose row has no index on its number. */
    timings: bytes("timings"),
    detailPk: time("detail_pk"),
    organizationPk: integer("organization_pk").notNull().default(0),
    acknowledgedAt: time("acknowledged_at"),
    acknowledgedBy: text("acknowledged_by"),
    note: text(),
    maintenanceId: text("maintenance_id"),
  },
  (table) => [
    index("outages_monitor").on(table.monitorPk, table.startedAt),
    index("outages_page").on(table.organizationPk, table.pk),
    index("outages_open").on(table.organizationPk).where(sql`ended_at IS NULL`),
  ],
);

export const outageDowns = pgTable(
  "outage_downs",
  {
    outagePk: bigint("outage_pk", { mode: "number" })
      .notNull()
      .references(() => outages.pk, { onDelete: "cascade" }),
    startedAt: time("started_at").notNull(),
    endedAt: time("ended_at"),
  },
  (table) => [primaryKey({ columns: [table.outagePk, table.startedAt] })],
);

export const statusChanges = pgTable(
  "status_changes",
  {
    /** No reference, because a partition is dropped without looking at its rows. */
    resultPk: bigint("result_pk", { mode: "number" }).primaryKey(),
    organizationPk: integer("organization_pk").notNull(),
    monitorPk: integer("monitor_pk").notNull(),
    previousStatus: statusCode("previous_status").notNull(),
    /** That of the result. */
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    index("status_changes_page").on(table.organizationPk, table.resultPk),
    index("status_changes_monitor").on(table.monitorPk),
    index("status_changes_age").on(table.createdAt),
  ],
);

export const deletedMonitors = pgTable("deleted_monitors", { pk: integer().primaryKey() });

export const deletedChannels = pgTable("deleted_channels", { pk: integer().primaryKey() });

const rollupColumns = () => ({
  monitorPk: integer("monitor_pk").notNull(),
  start: integer().notNull(),
  location: smallint().notNull(),
  status: statusCode("status").notNull(),
  count: integer().notNull(),
  latencyCount: integer("latency_count").notNull(),
  latencySum: time("latency_sum").notNull(),
  latencySquares: time("latency_squares").notNull(),
  shortest: integer(),
  longest: integer(),
});

export const hourlyRollups = pgTable("hourly_rollups", rollupColumns(), (table) => [
  primaryKey({ columns: [table.monitorPk, table.start, table.location, table.status] }),
]);

export const dailyRollups = pgTable("daily_rollups", rollupColumns(), (table) => [
  primaryKey({ columns: [table.monitorPk, table.start, table.location, table.status] }),
]);

/**
 * In the migration this table is partitioned by the day of `created_at`, which drizzle cannot express: expired days are
 * dropped, which costs nothing. `pk` comes from the sequence `check_results_pk`. It is unique, but has only a BRIN index:
 * a btree would be a third of the space.
 */
export const checkResults = pgTable(
  "check_results",
  {
    pk: bigint({ mode: "number" }).notNull(),
    createdAt: time("created_at").notNull(),
    // Beside the others of its size, because a row would be padded otherwise.
    detailPk: time("detail_pk"),
    monitorPk: integer("monitor_pk").notNull(),
    status: statusCode("status").notNull(),
    timings: bytes("timings"),
  },
  (table) => [
    index("check_results_monitor").on(table.monitorPk, table.status),
    index("check_results_pk_brin").using("brin", table.pk).with({ autosummarize: true, pages_per_range: 32 }),
  ],
);

export const alertChannels = pgTable(
  "alert_channels",
  {
    pk: number(),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    name: text().notNull(),
    type: text().$type<ChannelType>().notNull(),
    config: json().$type<ChannelConfig>().notNull(),
    enabled: boolean().notNull(),
    notifyOn: json("notify_on").$type<NotifyOn>().notNull(),
    revision: integer().notNull().default(0),
    ref: text(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
    claim: integer().notNull().default(0),
    claimedBy: integer("claimed_by"),
    claimedUntil: time("claimed_until"),
  },
  (table) => [
    index("alert_channels_organization").on(table.organizationPk),
    uniqueIndex("alert_channels_ref").on(table.organizationPk, table.ref).where(sql`ref IS NOT NULL`),
  ],
);

export const alertBindings = pgTable(
  "alert_bindings",
  {
    monitorPk: integer("monitor_pk")
      .notNull()
      .references(() => monitors.pk, { onDelete: "cascade" }),
    channelPk: integer("channel_pk")
      .notNull()
      .references(() => alertChannels.pk, { onDelete: "cascade" }),
    notifiedStatus: statusCode("notified_status"),
    incident: text(),
    after: integer().notNull().default(0),
    every: integer().notNull().default(0),
    keptForOutage: time("kept_for_outage"),
    keptAfter: integer("kept_after"),
    keptEvery: integer("kept_every"),
    remindAt: time("remind_at"),
    /** Until when a reminder that is due waits for a check; null if none does. */
    remindWaitsUntil: time("remind_waits_until"),
  },
  (table) => [
    primaryKey({ columns: [table.monitorPk, table.channelPk] }),
    index("alert_bindings_channel").on(table.channelPk),
    index("alert_bindings_reminder").on(table.remindAt).where(sql`remind_at IS NOT NULL`),
  ],
);

export const defaultChannels = pgTable(
  "default_channels",
  {
    organizationPk: organizationPk(),
    channelPk: integer("channel_pk")
      .notNull()
      .references(() => alertChannels.pk, { onDelete: "cascade" }),
  },
  (table) => [primaryKey({ columns: [table.organizationPk, table.channelPk] })],
);

export const details = pgTable(
  "details",
  {
    // The results of a slow target have a new detail each, and each day takes a number for every detail in use.
    pk: bigint({ mode: "number" }).primaryKey().generatedByDefaultAsIdentity(),
    monitorPk: integer("monitor_pk").notNull(),
    hash: bytes("hash").notNull(),
    text: text().notNull(),
    usedAt: time("used_at").notNull(),
  },
  (table) => [uniqueIndex("details_hash").on(table.monitorPk, table.hash)],
);

export const deliveries = pgTable(
  "deliveries",
  {
    pk: bigint({ mode: "number" }).primaryKey().generatedByDefaultAsIdentity(),
    id: text().notNull().unique(),
    /** Null for a notice, as is the monitor. No reference, because a partition is dropped without looking at its rows. */
    resultPk: time("result_pk"),
    monitorPk: integer("monitor_pk"),
    channelPk: integer("channel_pk").notNull(),
    channelId: text("channel_id").notNull(),
    channelType: text("channel_type").$type<ChannelType>().notNull(),
    event: json("transition").$type<AlertEvent>().notNull(),
    status: deliveryStatus("status").notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: time("next_attempt_at"),
    firstAttemptAt: time("first_attempt_at"),
    lastAttemptAt: time("last_attempt_at"),
    answer: text(),
    error: text(),
    deliveredAt: time("delivered_at"),
    createdAt: time("created_at").notNull(),
    outagePk: time("outage_pk"),
    hold: json().$type<Hold>(),
    reviewAt: time("review_at"),
    digestPk: time("digest_pk"),
  },
  (table) => [
    index("deliveries_outage").on(table.outagePk).where(sql`outage_pk IS NOT NULL`),
    index("deliveries_review").on(table.reviewAt).where(sql`review_at IS NOT NULL`),
    index("deliveries_undecided").on(table.monitorPk, table.channelPk).where(sql`review_at IS NOT NULL`),
    index("deliveries_result").on(table.resultPk),
    index("deliveries_pending").on(table.channelPk, table.pk).where(sql`status = 0`),
    index("deliveries_page").on(table.channelPk, table.pk),
    index("deliveries_monitor").on(table.monitorPk, table.channelPk),
    index("deliveries_age").on(table.createdAt),
  ],
);

export const maintenances = pgTable(
  "maintenances",
  {
    pk: number(),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    title: text().notNull(),
    message: text(),
    selector: json().$type<Selector>().notNull(),
    startsAt: time("starts_at"),
    endsAt: time("ends_at"),
    cron: text(),
    timezone: text(),
    duration: integer(),
    until: time("until"),
    notifyChannelIds: json("notify_channel_ids").$type<string[]>().notNull(),
    endedRun: time("ended_run"),
    endedRunAt: time("ended_run_at"),
    ref: text(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (table) => [
    index("maintenances_organization").on(table.organizationPk),
    uniqueIndex("maintenances_ref").on(table.organizationPk, table.ref).where(sql`ref IS NOT NULL`),
  ],
);

export const maintenanceRuns = pgTable(
  "maintenance_runs",
  {
    pk: number(),
    organizationPk: organizationPk(),
    maintenanceId: text("maintenance_id").notNull(),
    title: text().notNull(),
    selector: json().$type<Selector>().notNull(),
    startsAt: time("starts_at").notNull(),
    endsAt: time("ends_at"),
  },
  (table) => [
    uniqueIndex("maintenance_runs_start").on(table.maintenanceId, table.startsAt),
    index("maintenance_runs_organization").on(table.organizationPk, table.startsAt),
    index("maintenance_runs_open").on(table.maintenanceId).where(sql`ends_at IS NULL`),
  ],
);

export const pages = pgTable(
  "pages",
  {
    pk: number(),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    slug: text().notNull().unique(),
    title: text().notNull(),
    description: text(),
    visibility: text().$type<PageVisibility>().notNull(),
    days: integer().notNull(),
    minOutage: integer("min_outage").notNull(),
    showLatency: boolean("show_latency").notNull(),
    revision: integer().notNull().default(0),
    ref: text(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (table) => [
    index("pages_organization").on(table.organizationPk),
    uniqueIndex("pages_ref").on(table.organizationPk, table.ref).where(sql`ref IS NOT NULL`),
  ],
);

const pagePk = () =>
  integer("page_pk")
    .notNull()
    .references(() => pages.pk, { onDelete: "cascade" });

export const pageComponents = pgTable(
  "page_components",
  {
    pk: number(),
    id: text().notNull().unique(),
    pagePk: pagePk(),
    monitorPk: integer("monitor_pk")
      .notNull()
      .references(() => monitors.pk, { onDelete: "cascade" }),
    name: text(),
    group: text("group_name"),
    position: integer().notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    index("page_components_page").on(table.pagePk, table.position),
    index("page_components_monitor").on(table.monitorPk),
  ],
);

export const incidents = pgTable(
  "incidents",
  {
    pk: number(),
    id: text().notNull().unique(),
    pagePk: pagePk(),
    title: text().notNull(),
    impact: text().$type<Impact>().notNull(),
    componentIds: json("component_ids").$type<string[]>().notNull(),
    startedAt: time("started_at").notNull(),
    resolvedAt: time("resolved_at"),
    outageId: text("outage_id"),
    updatedAt: time("updated_at").notNull(),
  },
  (table) => [index("incidents_page").on(table.pagePk, table.startedAt)],
);

export const incidentUpdates = pgTable(
  "incident_updates",
  {
    pk: number(),
    id: text().notNull().unique(),
    incidentPk: integer("incident_pk")
      .notNull()
      .references(() => incidents.pk, { onDelete: "cascade" }),
    status: text().$type<IncidentStatus>().notNull(),
    body: text().notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [index("incident_updates_incident").on(table.incidentPk)],
);

export const pageSubscribers = pgTable(
  "page_subscribers",
  {
    pk: number(),
    pagePk: pagePk(),
    email: text().notNull(),
    token: text().notNull().unique(),
    confirmedAt: time("confirmed_at"),
    sentDay: integer("sent_day").notNull().default(0),
    sentCount: integer("sent_count").notNull().default(0),
    createdAt: time("created_at").notNull(),
  },
  (table) => [uniqueIndex("page_subscribers_email").on(table.pagePk, table.email)],
);

export const releasedSlugs = pgTable("released_slugs", {
  slug: text().primaryKey(),
  organizationPk: organizationPk(),
  releasedAt: time("released_at").notNull(),
});

export const pageOptIns = pgTable(
  "page_opt_ins",
  {
    pk: number(),
    addressHash: bytes("address_hash").notNull(),
    sentAt: time("sent_at").notNull(),
  },
  (table) => [
    index("page_opt_ins_address").on(table.addressHash),
    index("page_opt_ins_age").on(table.sentAt),
  ],
);

export const pageAnnouncements = pgTable(
  "page_announcements",
  {
    pk: number(),
    pagePk: pagePk(),
    kind: text().$type<"outage" | "maintenance">().notNull(),
    subject: text().notNull(),
    startedAt: time("started_at").notNull(),
    endedAt: time("ended_at"),
  },
  (table) => [uniqueIndex("page_announcements_subject").on(table.pagePk, table.kind, table.subject)],
);

export const pageMails = pgTable(
  "page_mails",
  {
    pk: number(),
    id: text().notNull().unique(),
    subscriberPk: integer("subscriber_pk")
      .notNull()
      .references(() => pageSubscribers.pk, { onDelete: "cascade" }),
    mail: json().$type<PageMail>().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: time("next_attempt_at").notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    index("page_mails_due").on(table.nextAttemptAt),
    index("page_mails_subscriber").on(table.subscriberPk),
  ],
);

export const auditEntries = pgTable(
  "audit_entries",
  {
    pk: bigint({ mode: "number" }).primaryKey().generatedByDefaultAsIdentity(),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    createdAt: time("created_at").notNull(),
    actor: json().$type<AuditActor>().notNull(),
    address: text(),
    action: text().$type<AuditAction>().notNull(),
    resource: json().$type<AuditResource>().notNull(),
    changed: json().$type<string[]>().notNull(),
  },
  (table) => [
    index("audit_entries_page").on(table.organizationPk, table.pk),
    index("audit_entries_age").on(table.createdAt),
  ],
);

export const service = pgTable("service", {
  pk: integer().primaryKey(),
  aliveAt: time("alive_at").notNull(),
  steadyAt: time("steady_at"),
  /** The last time to which the clock was set back, and by how much: other nodes notice the same step a little later. */
  setbackTo: time("setback_to"),
  setbackBy: time("setback_by"),
  dnsAnsweredAt: time("dns_answered_at"),
});

export const nodes = pgTable("nodes", {
  /** A random number that a process draws at its start. */
  pk: integer().primaryKey(),
  name: text().notNull(),
  version: text().notNull(),
  startedAt: time("started_at").notNull(),
  seenAt: time("seen_at").notNull(),
  checksPerSecond: integer("checks_per_second").notNull(),
  /** For how many days it keeps results; null for a version that does not say so. */
  retentionDays: integer("retention_days"),
  /** It has ended, but its retention still counts. */
  hasLeft: boolean("has_left").notNull().default(false),
});

/** Work that only one node does at a time. */
export const leases = pgTable("leases", {
  name: text().primaryKey(),
  claim: integer().notNull(),
  claimedBy: integer("claimed_by").notNull(),
  claimedUntil: time("claimed_until").notNull(),
});

/** The applied migrations. */
export const schemaVersions = pgTable("schema_versions", {
  /** The first is 1. */
  version: integer().primaryKey(),
  /** The oldest version whose programs can still work with this one, during an upgrade node by node. */
  compatibleWith: integer("compatible_with").notNull(),
});
