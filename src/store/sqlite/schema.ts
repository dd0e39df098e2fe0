import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
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
 * `pk` is the small integer by which rows refer to each other; `id` is the opaque string that users see.
 * Times are milliseconds since 1970.
 */

export const organizations = sqliteTable("organizations", {
  pk: integer().primaryKey(),
  id: text().notNull().unique(),
  name: text().notNull(),
  plan: text().$type<Plan>().notNull(),
  subscription: text().$type<Subscription>().notNull(),
  createdAt: integer("created_at").notNull(),
  /** Since when the network of this server is at fault, as its monitors that have several locations show; null if it is not. */
  hereAtFaultAt: integer("here_at_fault_at"),
  /** Another random number after each change of its maintenances, so that a cache is valid for one. 0: it never had one. */
  maintenanceRevision: integer("maintenance_revision").notNull().default(0),
  /** Since when it has blind monitors, as its channels were notified; null if it has none. */
  blindSince: integer("blind_since"),
});

const organizationPk = () =>
  integer("organization_pk")
    .notNull()
    .references(() => organizations.pk, { onDelete: "cascade" });

export const apiKeys = sqliteTable(
  "api_keys",
  {
    pk: integer().primaryKey(),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    name: text().notNull(),
    /** SHA-256 of the whole key. */
    hash: bytes("hash").notNull().unique(),
    prefix: text().notNull(),
    role: text().$type<Role>().notNull(),
    expiresAt: integer("expires_at"),
    lastUsedAt: integer("last_used_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("api_keys_organization").on(table.organizationPk)],
);

/** Sessions of the page. A session ends with its key. */
export const sessions = sqliteTable(
  "sessions",
  {
    pk: integer().primaryKey(),
    apiKeyPk: integer("api_key_pk")
      .notNull()
      .references(() => apiKeys.pk, { onDelete: "cascade" }),
    /** SHA-256 of the token in the cookie. */
    hash: bytes("hash").notNull().unique(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("sessions_api_key").on(table.apiKeyPk), index("sessions_end").on(table.expiresAt)],
);

/** The places besides this server from which monitors are checked. */
export const locations = sqliteTable(
  "locations",
  {
    /** Never reused, because rollups refer to it. 0 is this server. */
    pk: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    name: text().notNull(),
    /** SHA-256 of the whole key. */
    keyHash: bytes("key_hash").notNull().unique(),
    createdAt: integer("created_at").notNull(),
    /** When its probe last sent a request, and the version of the probe; null before the first request. */
    lastSeenAt: integer("last_seen_at"),
    version: text(),
    /** Since when it is silent; null if it is not. */
    silentAt: integer("silent_at"),
    /** Since when its network is at fault; null if it is not. */
    atFaultAt: integer("at_fault_at"),
    /** Counts the changes of its work. */
    revision: integer().notNull().default(1),
    /** Observations that wait at the probe, and those that became too old to be sent. */
    waiting: integer().notNull().default(0),
    dropped: integer().notNull().default(0),
    /** The age of the observations that its probe sends, in milliseconds. */
    lagMs: integer("lag_ms"),
    /** The database of the probe, and the numbers of the observations that were taken of it: first and last of each range. */
    stream: text(),
    acknowledged: text({ mode: "json" }).$type<[number, number][]>(),
    /** Previous databases, the latest first, and when one of them last sent observations again. */
    replacedStreams: text("replaced_streams", { mode: "json" }).$type<string[]>().notNull().default([]),
    streamReturnedAt: integer("stream_returned_at"),
  },
  (table) => [uniqueIndex("locations_name").on(table.organizationPk, table.name)],
);

/** What users configure. What checks change is in `monitor_states` and `location_states`. */
export const monitors = sqliteTable(
  "monitors",
  {
    /** Never reused: rows of a deleted monitor are deleted in the background and must not appear at another monitor. */
    pk: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    name: text().notNull(),
    type: text().$type<MonitorType>().notNull(),
    config: text({ mode: "json" }).$type<MonitorConfig>().notNull(),
    enabled: integer({ mode: "boolean" }).notNull(),
    /** How many further checks confirm a change to a worse and to a better group. */
    confirmations: integer().notNull().default(0),
    recoveries: integer().notNull().default(0),
    /** The numbers of its locations, in the order of their slots; null if only this server checks it. */
    locations: text({ mode: "json" }).$type<number[]>(),
    /** Null: more than half of them. */
    downWhen: text("down_when", { mode: "json" }).$type<DownWhen>(),
    tags: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** Counts the changes that invalidate a check under way. */
    revision: integer().notNull().default(0),
    /** The name under which a configuration file knows it; null if none does. */
    ref: text(),
    /** That of the config, so that it is unique on the server and found fast; null without one. */
    pushToken: text("push_token"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("monitors_organization").on(table.organizationPk),
    uniqueIndex("monitors_ref").on(table.organizationPk, table.ref).where(sql`ref IS NOT NULL`),
    uniqueIndex("monitors_push_token").on(table.pushToken).where(sql`push_token IS NOT NULL`),
  ],
);

/** Which monitors a monitor depends on. */
export const monitorDependencies = sqliteTable(
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

/** What recordings change: one row for each monitor. */
export const monitorStates = sqliteTable(
  "monitor_states",
  {
    monitorPk: integer("monitor_pk")
      .primaryKey()
      .references(() => monitors.pk, { onDelete: "cascade" }),
    /** The same as in `monitors`, so that an index counts the statuses of an organization. */
    organizationPk: integer("organization_pk").notNull(),
    status: statusCode("status").notNull(),
    /** When the status last changed; null before its first change. */
    statusSince: integer("status_since"),
    /** When the present trouble began, for notifications; null while there is none. A pause does not end it. */
    troubleSince: integer("trouble_since"),
    /** The open outage, if there is one. A pause ends it. */
    outagePk: integer("outage_pk"),
    /** Null if nothing is to be probed: a paused or a SCHEDULED monitor. */
    nextCheckAt: integer("next_check_at"),
    lastResultPk: integer("last_result_pk"),
    /** Of the latest healthy result, in hundredths of a millisecond; null if it had none. */
    lastGoodLatency: integer("last_good_latency"),
    /** When a SCHEDULED monitor is late. */
    deadline: integer(),
    /** What is known of the rhythm of a SCHEDULED monitor, besides the deadline. */
    rhythm: text({ mode: "json" }).$type<Omit<HeartbeatState, "deadline">>(),
    /** The latest checks, if they differ from the status and do not yet change it. */
    suspicion: text({ mode: "json" }).$type<Suspicion>(),
    /** Since when its present config is checked from its present locations; null if only this server checks it. */
    placesSince: integer("places_since"),
    /** The status before all of its locations became silent; null after the next decision. */
    statusBefore: statusCode("status_before"),
    /** Until when it was checked, if it is blind; null if it is not. See `domain/checks/blindness.ts`. */
    blindSince: integer("blind_since"),
  },
  (table) => [
    index("monitor_states_status").on(table.organizationPk, table.status),
    index("monitor_states_next_check").on(table.nextCheckAt),
    index("monitor_states_deadline").on(table.deadline),
    index("monitor_states_blind").on(table.organizationPk).where(sql`blind_since IS NOT NULL`),
  ],
);

/**
 * What the checks of a monitor from one location leave for the next one. Baselines exist for HTTP and TCP monitors:
 * sums of latencies in tenths of a millisecond. Hours are hours since 1970. In the migration this table is WITHOUT
 * ROWID, which drizzle cannot express.
 */
export const locationStates = sqliteTable(
  "location_states",
  {
    monitorPk: integer("monitor_pk")
      .notNull()
      .references(() => monitors.pk, { onDelete: "cascade" }),
    /** 0 is this server. */
    location: integer().notNull(),
    memory: text({ mode: "json" }).$type<Memory>(),
    baselineCount: integer("baseline_count").notNull(),
    baselineSum: integer("baseline_sum").notNull(),
    baselineSquares: integer("baseline_squares").notNull(),
    /** The first hour of the baseline. */
    baselineStart: integer("baseline_start").notNull(),
    /** The hour of the latest change of the target, and what its rollup contained before; null if there was none. */
    restartHour: integer("restart_hour"),
    restartCount: integer("restart_count"),
    restartSum: integer("restart_sum"),
    restartSquares: integer("restart_squares"),
    /** When the latest check ended, what it saw, and the rest of it. All are null for a monitor that only this server checks. */
    latestAt: integer("latest_at"),
    latestStatus: statusCode("latest_status"),
    latest: text({ mode: "json" }).$type<Omit<LatestObservation, "at" | "status">>(),
    /** When a check outside of the slots is due; null if none is. Only for other locations than this server. */
    recheckAt: integer("recheck_at"),
  },
  (table) => [
    primaryKey({ columns: [table.monitorPk, table.location] }),
    index("location_states_latest")
      .on(table.latestStatus, table.location)
      .where(sql`latest_status IS NOT NULL`),
    index("location_states_recheck").on(table.location, table.recheckAt).where(sql`recheck_at IS NOT NULL`),
  ],
);

/** Stretches in which a monitor was in group warning or down. */
export const outages = sqliteTable(
  "outages",
  {
    pk: integer().primaryKey(),
    id: text().notNull().unique(),
    /** The monitor may be deleted: see `deletedMonitors`. */
    monitorPk: integer("monitor_pk").notNull(),
    startedAt: integer("started_at").notNull(),
    /** Null while it continues. */
    endedAt: integer("ended_at"),
    /** The worst status so far. */
    status: statusCode("status").notNull(),
    /** Of the first result. */
    reason: text(),
    /** The first result with a status of trouble; it may be deleted. */
    resultPk: integer("result_pk").notNull(),
    organizationPk: integer("organization_pk").notNull().default(0),
    /** All three are null if it is not acknowledged; `note` may be null if it is. */
    acknowledgedAt: integer("acknowledged_at"),
    acknowledgedBy: text("acknowledged_by"),
    note: text(),
    /** The ID of the maintenance in whose window it began, which may be deleted; null if it began in none. */
    maintenanceId: text("maintenance_id"),
  },
  (table) => [
    index("outages_monitor").on(table.monitorPk, table.startedAt),
    index("outages_page").on(table.organizationPk),
    index("outages_open").on(table.organizationPk).where(sql`ended_at IS NULL`),
  ],
);

/** The results whose status differs from the one before. */
/** The stretches of an outage in which its monitor was in group down. */
export const outageDowns = sqliteTable(
  "outage_downs",
  {
    outagePk: integer("outage_pk")
      .notNull()
      .references(() => outages.pk, { onDelete: "cascade" }),
    startedAt: integer("started_at").notNull(),
    /** Null if it lasts until the end of the outage. */
    endedAt: integer("ended_at"),
  },
  (table) => [primaryKey({ columns: [table.outagePk, table.startedAt] })],
);

export const statusChanges = sqliteTable(
  "status_changes",
  {
    resultPk: integer("result_pk")
      .primaryKey()
      .references(() => checkResults.pk, { onDelete: "cascade" }),
    organizationPk: integer("organization_pk").notNull(),
    monitorPk: integer("monitor_pk").notNull(),
    previousStatus: statusCode("previous_status").notNull(),
    /** That of the result. */
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("status_changes_page").on(table.organizationPk),
    index("status_changes_monitor").on(table.monitorPk),
  ],
);

/** Deleted monitors whose results, rollups, details, outages and deliveries are not all deleted yet. */
export const deletedMonitors = sqliteTable("deleted_monitors", { pk: integer().primaryKey() });

/** Deleted channels whose pending deliveries are not all marked as failed yet. The deliveries stay on the results. */
export const deletedChannels = sqliteTable("deleted_channels", { pk: integer().primaryKey() });

/*
 * The results of an hour or a day: one row for each monitor, location and status. Latencies are in tenths of a
 * millisecond. In the migration these tables are WITHOUT ROWID, which drizzle cannot express: it saves a third of their
 * space.
 */
const rollupColumns = () => ({
  monitorPk: integer("monitor_pk").notNull(),
  /** Hours since 1970. */
  start: integer().notNull(),
  location: integer().notNull(),
  status: statusCode("status").notNull(),
  count: integer().notNull(),
  /** Results that count in the latencies: those with a latency whose status does not lower the uptime. */
  latencyCount: integer("latency_count").notNull(),
  latencySum: integer("latency_sum").notNull(),
  latencySquares: integer("latency_squares").notNull(),
  shortest: integer(),
  longest: integer(),
});

export const hourlyRollups = sqliteTable("hourly_rollups", rollupColumns(), (table) => [
  primaryKey({ columns: [table.monitorPk, table.start, table.location, table.status] }),
]);

export const dailyRollups = sqliteTable("daily_rollups", rollupColumns(), (table) => [
  primaryKey({ columns: [table.monitorPk, table.start, table.location, table.status] }),
]);

/** One row for each check. Keep it small: this is the table that grows. */
export const checkResults = sqliteTable(
  "check_results",
  {
    /** Never reused, so that the ID of a deleted result still works as a cursor. */
    pk: integer().primaryKey({ autoIncrement: true }),
    /** The monitor may be deleted: see `deletedMonitors`. */
    monitorPk: integer("monitor_pk").notNull(),
    status: statusCode("status").notNull(),
    /** See `timings.ts`. */
    timings: bytes("timings"),
    /** What few results have, such as a location other than this server, belongs there: a column costs a byte a row. */
    detailPk: integer("detail_pk"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("check_results_monitor").on(table.monitorPk, table.status)],
);

export const alertChannels = sqliteTable(
  "alert_channels",
  {
    /** Never reused: the deliveries of a deleted channel stay. */
    pk: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    name: text().notNull(),
    type: text().$type<ChannelType>().notNull(),
    config: text({ mode: "json" }).$type<ChannelConfig>().notNull(),
    enabled: integer({ mode: "boolean" }).notNull(),
    notifyOn: text("notify_on", { mode: "json" }).$type<NotifyOn>().notNull(),
    /** Counts the changes of the config: a failed attempt with an older config does not count. */
    revision: integer().notNull().default(0),
    /** The name under which a configuration file knows it; null if none does. */
    ref: text(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("alert_channels_organization").on(table.organizationPk),
    uniqueIndex("alert_channels_ref").on(table.organizationPk, table.ref).where(sql`ref IS NOT NULL`),
  ],
);

export const alertBindings = sqliteTable(
  "alert_bindings",
  {
    monitorPk: integer("monitor_pk")
      .notNull()
      .references(() => monitors.pk, { onDelete: "cascade" }),
    channelPk: integer("channel_pk")
      .notNull()
      .references(() => alertChannels.pk, { onDelete: "cascade" }),
    /** The status in the last notification about this monitor that the channel received; null before the first. */
    notifiedStatus: statusCode("notified_status"),
    /** Key of the incident that notifications opened at the receiver; null if none is open. See `incidentAfter`. */
    incident: text(),
    /** How long trouble lasts before the channel is notified, and how often it is reminded, in seconds; 0: at once, never. */
    after: integer().notNull().default(0),
    every: integer().notNull().default(0),
    /** During one outage, the values from before a change of `after` or `every` hold. All are null without such an outage. */
    keptForOutage: integer("kept_for_outage"),
    keptAfter: integer("kept_after"),
    keptEvery: integer("kept_every"),
    /** When the next reminder is due; null if none is. */
    remindAt: integer("remind_at"),
    /** Until when a reminder that is due waits for a check; null if none does. */
    remindWaitsUntil: integer("remind_waits_until"),
  },
  (table) => [
    primaryKey({ columns: [table.monitorPk, table.channelPk] }),
    index("alert_bindings_channel").on(table.channelPk),
    index("alert_bindings_reminder").on(table.remindAt).where(sql`remind_at IS NOT NULL`),
  ],
);

/** The channels of a new monitor that names none (behavior 7.39). */
export const defaultChannels = sqliteTable(
  "default_channels",
  {
    organizationPk: organizationPk(),
    channelPk: integer("channel_pk")
      .notNull()
      .references(() => alertChannels.pk, { onDelete: "cascade" }),
  },
  (table) => [primaryKey({ columns: [table.organizationPk, table.channelPk] })],
);

/** What checks saw besides their timings: one row for all results of a monitor with the same text. */
export const details = sqliteTable(
  "details",
  {
    pk: integer().primaryKey(),
    monitorPk: integer("monitor_pk").notNull(),
    /** The first 16 bytes of the SHA-256 of the text. */
    hash: bytes("hash").notNull(),
    /** JSON. */
    text: text().notNull(),
    /** When a result last referred to it; updated once a day. */
    usedAt: integer("used_at").notNull(),
  },
  (table) => [uniqueIndex("details_hash").on(table.monitorPk, table.hash)],
);

/** The outbox: one row for each notification to one channel. */
export const deliveries = sqliteTable(
  "deliveries",
  {
    /** Never reused, so that it says which deliveries are on the disk. The order in which a channel gets them. */
    pk: integer().primaryKey({ autoIncrement: true }),
    /** The `webhook-id`, the same for every attempt; also a cursor. */
    id: text().notNull().unique(),
    /** Null for a notice, as is the monitor. */
    resultPk: integer("result_pk").references(() => checkResults.pk, { onDelete: "cascade" }),
    /** The monitor may be deleted: see `deletedMonitors`. */
    monitorPk: integer("monitor_pk"),
    /** The channel may be deleted: see `deletedChannels`. */
    channelPk: integer("channel_pk").notNull(),
    channelId: text("channel_id").notNull(),
    channelType: text("channel_type").$type<ChannelType>().notNull(),
    event: text("transition", { mode: "json" }).$type<AlertEvent>().notNull(),
    status: deliveryStatus("status").notNull(),
    attempts: integer().notNull().default(0),
    /** Null after it is delivered or given up. */
    nextAttemptAt: integer("next_attempt_at"),
    firstAttemptAt: integer("first_attempt_at"),
    lastAttemptAt: integer("last_attempt_at"),
    answer: text(),
    error: text(),
    deliveredAt: integer("delivered_at"),
    createdAt: integer("created_at").notNull(),
    /** The outage that it is about, which may be deleted; null for others. */
    outagePk: integer("outage_pk"),
    /** Why it is not sent, or was not sent; null for one that is or was to be sent at once. */
    hold: text({ mode: "json" }).$type<Hold>(),
    /** When it is next decided whether to send it; null if that is decided. */
    reviewAt: integer("review_at"),
    /** The first delivery of the message that contains this one and others; null if it has a message of its own. */
    digestPk: integer("digest_pk"),
  },
  (table) => [
    index("deliveries_outage").on(table.outagePk).where(sql`outage_pk IS NOT NULL`),
    index("deliveries_review").on(table.reviewAt).where(sql`review_at IS NOT NULL`),
    index("deliveries_undecided").on(table.monitorPk, table.channelPk).where(sql`review_at IS NOT NULL`),
    index("deliveries_result").on(table.resultPk),
    /** Only pending deliveries. SQLite uses this index only for the literal `status = 0`, not for a parameter. */
    index("deliveries_pending").on(table.channelPk).where(sql`status = 0`),
    index("deliveries_page").on(table.channelPk),
    index("deliveries_monitor").on(table.monitorPk, table.channelPk),
  ],
);

/** Windows in which changes of the status notify nobody: either one, or those that a cron expression starts. */
export const maintenances = sqliteTable(
  "maintenances",
  {
    pk: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    title: text().notNull(),
    message: text(),
    selector: text({ mode: "json" }).$type<Selector>().notNull(),
    startsAt: integer("starts_at"),
    endsAt: integer("ends_at"),
    cron: text(),
    timezone: text(),
    /** Seconds. */
    duration: integer(),
    until: integer(),
    /** IDs of channels, which may be deleted. */
    notifyChannelIds: text("notify_channel_ids", { mode: "json" }).$type<string[]>().notNull(),
    /** What was ended early, and when: see `MaintenanceTimes`. */
    endedRun: integer("ended_run"),
    endedRunAt: integer("ended_run_at"),
    /** The name under which a configuration file knows it; null if none does. */
    ref: text(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("maintenances_organization").on(table.organizationPk),
    uniqueIndex("maintenances_ref").on(table.organizationPk, table.ref).where(sql`ref IS NOT NULL`),
  ],
);

/**
 * The windows that began, for their notifications and for reports. Whether a window is open is computed from its
 * maintenance, never read from here.
 */
export const maintenanceRuns = sqliteTable(
  "maintenance_runs",
  {
    pk: integer().primaryKey({ autoIncrement: true }),
    organizationPk: organizationPk(),
    /** The maintenance may be deleted. */
    maintenanceId: text("maintenance_id").notNull(),
    title: text().notNull(),
    selector: text({ mode: "json" }).$type<Selector>().notNull(),
    startsAt: integer("starts_at").notNull(),
    /** Null until its end was noticed. */
    endsAt: integer("ends_at"),
  },
  (table) => [
    uniqueIndex("maintenance_runs_start").on(table.maintenanceId, table.startsAt),
    index("maintenance_runs_organization").on(table.organizationPk, table.startsAt),
    index("maintenance_runs_open").on(table.maintenanceId).where(sql`ends_at IS NULL`),
  ],
);

/** Public pages. */
export const pages = sqliteTable(
  "pages",
  {
    pk: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    slug: text().notNull().unique(),
    title: text().notNull(),
    description: text(),
    visibility: text().$type<PageVisibility>().notNull(),
    days: integer().notNull(),
    /** Seconds. */
    minOutage: integer("min_outage").notNull(),
    showLatency: integer("show_latency", { mode: "boolean" }).notNull(),
    /** Counts the changes of the page, its components and its incidents. */
    revision: integer().notNull().default(0),
    /** The name under which a configuration file knows it; null if none does. */
    ref: text(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
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

/** What a page shows of a monitor. Their IDs are public, because the ID of a monitor can be a secret (behavior 8.1). */
export const pageComponents = sqliteTable(
  "page_components",
  {
    pk: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    pagePk: pagePk(),
    monitorPk: integer("monitor_pk")
      .notNull()
      .references(() => monitors.pk, { onDelete: "cascade" }),
    /** Null: the name of the monitor. */
    name: text(),
    group: text("group_name"),
    position: integer().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("page_components_page").on(table.pagePk, table.position),
    index("page_components_monitor").on(table.monitorPk),
  ],
);

/** Incidents that people wrote. Outages show by themselves. */
export const incidents = sqliteTable(
  "incidents",
  {
    pk: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    pagePk: pagePk(),
    title: text().notNull(),
    impact: text().$type<Impact>().notNull(),
    /** Components of the page, which may be deleted. */
    componentIds: text("component_ids", { mode: "json" }).$type<string[]>().notNull(),
    startedAt: integer("started_at").notNull(),
    resolvedAt: integer("resolved_at"),
    /** The ID of the outage that the page shows as this incident, which may be deleted; null if it was written without one. */
    outageId: text("outage_id"),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("incidents_page").on(table.pagePk, table.startedAt)],
);

export const incidentUpdates = sqliteTable(
  "incident_updates",
  {
    pk: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    incidentPk: integer("incident_pk")
      .notNull()
      .references(() => incidents.pk, { onDelete: "cascade" }),
    status: text().$type<IncidentStatus>().notNull(),
    /** Markdown. */
    body: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("incident_updates_incident").on(table.incidentPk)],
);

/** Who gets e-mails of a page. The row is deleted with the subscription. */
export const pageSubscribers = sqliteTable(
  "page_subscribers",
  {
    pk: integer().primaryKey({ autoIncrement: true }),
    pagePk: pagePk(),
    email: text().notNull(),
    /**
     * Of the links in the messages. It is not a hash, because each message has the link to unsubscribe. It is valid only for
     * this subscription.
     */
    token: text().notNull().unique(),
    /** Null until the opt-in message is confirmed. */
    confirmedAt: integer("confirmed_at"),
    /** A day since 1970 (UTC), and how many messages were sent on that day. */
    sentDay: integer("sent_day").notNull().default(0),
    sentCount: integer("sent_count").notNull().default(0),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("page_subscribers_email").on(table.pagePk, table.email)],
);

/** Slugs that an organization gave up, until others can have them. */
export const releasedSlugs = sqliteTable("released_slugs", {
  slug: text().primaryKey(),
  organizationPk: organizationPk(),
  releasedAt: integer("released_at").notNull(),
});

/** The opt-in messages of the last 24 hours, which an address gets only some of, also after its subscription is deleted. */
export const pageOptIns = sqliteTable(
  "page_opt_ins",
  {
    pk: integer().primaryKey({ autoIncrement: true }),
    /** SHA-256 of the address. */
    addressHash: bytes("address_hash").notNull(),
    sentAt: integer("sent_at").notNull(),
  },
  (table) => [
    index("page_opt_ins_address").on(table.addressHash),
    index("page_opt_ins_age").on(table.sentAt),
  ],
);

/** The outages and windows of maintenances that the subscribers of a page were notified of, so that each is sent once. */
export const pageAnnouncements = sqliteTable(
  "page_announcements",
  {
    pk: integer().primaryKey({ autoIncrement: true }),
    pagePk: pagePk(),
    kind: text().$type<"outage" | "maintenance">().notNull(),
    /** The ID of the outage, or the number of the window in `maintenance_runs`; it may be deleted. */
    subject: text().notNull(),
    startedAt: integer("started_at").notNull(),
    /** Null until its end is sent too. */
    endedAt: integer("ended_at"),
  },
  (table) => [uniqueIndex("page_announcements_subject").on(table.pagePk, table.kind, table.subject)],
);

/** The outbox of e-mails to subscribers: a row is deleted when its e-mail is sent or given up. */
export const pageMails = sqliteTable(
  "page_mails",
  {
    /** Never reused. The order in which a subscriber gets them. */
    pk: integer().primaryKey({ autoIncrement: true }),
    /** Part of the `Message-ID`, the same for every attempt. */
    id: text().notNull().unique(),
    subscriberPk: integer("subscriber_pk")
      .notNull()
      .references(() => pageSubscribers.pk, { onDelete: "cascade" }),
    mail: text({ mode: "json" }).$type<PageMail>().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: integer("next_attempt_at").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("page_mails_due").on(table.nextAttemptAt),
    index("page_mails_subscriber").on(table.subscriberPk),
  ],
);

/** Who changed what. */
export const auditEntries = sqliteTable(
  "audit_entries",
  {
    pk: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    createdAt: integer("created_at").notNull(),
    actor: text({ mode: "json" }).$type<AuditActor>().notNull(),
    /** Of the client; null for the command line. */
    address: text(),
    action: text().$type<AuditAction>().notNull(),
    resource: text({ mode: "json" }).$type<AuditResource>().notNull(),
    /** The names of the fields. */
    changed: text({ mode: "json" }).$type<string[]>().notNull(),
  },
  (table) => [
    index("audit_entries_page").on(table.organizationPk),
    index("audit_entries_age").on(table.createdAt),
  ],
);

/** What this service remembers about itself; one row. */
export const service = sqliteTable("service", {
  pk: integer().primaryKey(),
  /** When it last ran. */
  aliveAt: integer("alive_at").notNull(),
  /** When its clock was last steady: see `runner/steady-clock.ts`. */
  steadyAt: integer("steady_at"),
  /** When a DNS server of the operator answered first (behavior 4.18). */
  dnsAnsweredAt: integer("dns_answered_at"),
});

/** The server processes on this database: at most one that is alive. */
export const nodes = sqliteTable("nodes", {
  /** A random number that a process draws at its start. */
  pk: integer().primaryKey(),
  name: text().notNull(),
  version: text().notNull(),
  startedAt: integer("started_at").notNull(),
  seenAt: integer("seen_at").notNull(),
  checksPerSecond: integer("checks_per_second").notNull(),
  /** For how many days it keeps results; null for a version that does not say so. */
  retentionDays: integer("retention_days"),
  /** It has ended, but its retention still counts. */
  hasLeft: integer("has_left", { mode: "boolean" }).notNull().default(false),
});
