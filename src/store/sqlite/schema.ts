import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Plan, Subscription } from "../../domain/accounts/organization.ts";
import type { Role } from "../../domain/accounts/role.ts";
import type { ChannelConfig, ChannelType } from "../../domain/alerts/channel.ts";
import type { Transition } from "../../domain/alerts/delivery.ts";
import type { NotifyOn } from "../../domain/alerts/notify.ts";
import type { Memory } from "../../domain/checks/judge.ts";
import type { Baseline, Restart } from "../../domain/checks/latency-baseline.ts";
import type { HeartbeatState } from "../../domain/heartbeats/heartbeat.ts";
import type { MonitorConfig, MonitorType } from "../../domain/monitors/monitor.ts";
import type { Status } from "../../domain/monitors/status.ts";
import { bytes, deliveryStatus } from "./columns.ts";

/*
 * `pk` is the small integer by which rows refer to each other; `id` is the opaque string that the world sees.
 * Times are milliseconds since 1970.
 */

export const organizations = sqliteTable("organizations", {
  pk: integer().primaryKey(),
  id: text().notNull().unique(),
  name: text().notNull(),
  plan: text().$type<Plan>().notNull(),
  subscription: text().$type<Subscription>().notNull(),
  createdAt: integer("created_at").notNull(),
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

/** Who is signed in on the page. A session ends with its key. */
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

/** @property since the first hour in it @property restart of the latest change of the target, if there was one */
export type StoredBaseline = Baseline & { since: number; restart?: Restart };

export const monitors = sqliteTable(
  "monitors",
  {
    /** Never used twice: what a deleted monitor leaves goes in the background, and must not become another's. */
    pk: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    name: text().notNull(),
    type: text().$type<MonitorType>().notNull(),
    config: text({ mode: "json" }).$type<MonitorConfig>().notNull(),
    status: text().$type<Status>().notNull(),
    /** When the status last changed; null before its first change. */
    statusSince: integer("status_since"),
    /** When the trouble began that goes on; null while there is none. */
    troubleSince: integer("trouble_since"),
    enabled: integer({ mode: "boolean" }).notNull(),
    /** Counts the changes after which a check that is under way no longer says anything of this monitor. */
    revision: integer().notNull().default(0),
    /** What its checks leave for the next one. */
    memory: text({ mode: "json" }).$type<Memory>(),
    /** Null where nothing is to be probed: a paused or a SCHEDULED monitor. */
    nextCheckAt: integer("next_check_at"),
    lastResultPk: integer("last_result_pk"),
    /** When a SCHEDULED monitor is late if nothing is heard. */
    deadline: integer(),
    /** What is known of the rhythm of a SCHEDULED monitor, besides the deadline. */
    heartbeat: text({ mode: "json" }).$type<Omit<HeartbeatState, "deadline">>(),
    /** What is normal, of an HTTP or TCP monitor. */
    baseline: text({ mode: "json" }).$type<StoredBaseline>(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("monitors_organization").on(table.organizationPk, table.status),
    index("monitors_next_check").on(table.nextCheckAt),
    index("monitors_deadline").on(table.deadline),
  ],
);

/** Monitors that are deleted, but not yet all of their results, rollups, details and deliveries. */
export const deletedMonitors = sqliteTable("deleted_monitors", { pk: integer().primaryKey() });

/** Channels that are deleted, but whose pending deliveries have not all failed yet. The deliveries stay on the results. */
export const deletedChannels = sqliteTable("deleted_channels", { pk: integer().primaryKey() });

/*
 * What the results of a monitor in an hour or a day come to. Latencies are in tenths of a millisecond. In the migration
 * these tables are WITHOUT ROWID, which drizzle can't say: it saves a third of their space.
 */
const rollupColumns = () => ({
  monitorPk: integer("monitor_pk").notNull(),
  /** Hours since 1970. */
  start: integer().notNull(),
  /** How many results have each status, in the order of `statusesOf`. */
  count0: integer("count_0").notNull(),
  count1: integer("count_1").notNull(),
  count2: integer("count_2").notNull(),
  count3: integer("count_3").notNull(),
  latencyCount: integer("latency_count").notNull(),
  latencySum: integer("latency_sum").notNull(),
  latencySquares: integer("latency_squares").notNull(),
  shortest: integer(),
  longest: integer(),
});

export const hourlyRollups = sqliteTable("hourly_rollups", rollupColumns(), (table) => [
  primaryKey({ columns: [table.monitorPk, table.start] }),
]);

export const dailyRollups = sqliteTable("daily_rollups", rollupColumns(), (table) => [
  primaryKey({ columns: [table.monitorPk, table.start] }),
]);

/** One row a check: kept small, for it is the table that grows. */
export const checkResults = sqliteTable(
  "check_results",
  {
    /** Never used twice, so that the ID of a deleted result still works as a cursor. */
    pk: integer().primaryKey({ autoIncrement: true }),
    /** The monitor and the status, see `series.ts`. */
    series: integer().notNull(),
    /** See `timings.ts`. */
    timings: bytes("timings"),
    detailPk: integer("detail_pk"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("check_results_series").on(table.series)],
);

export const alertChannels = sqliteTable(
  "alert_channels",
  {
    /** Never used twice: a deleted channel leaves its deliveries. */
    pk: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    organizationPk: organizationPk(),
    name: text().notNull(),
    type: text().$type<ChannelType>().notNull(),
    config: text({ mode: "json" }).$type<ChannelConfig>().notNull(),
    enabled: integer({ mode: "boolean" }).notNull(),
    notifyOn: text("notify_on", { mode: "json" }).$type<NotifyOn>().notNull(),
    /** Counts the changes of the config: a failure at an older one says nothing of the channel. */
    revision: integer().notNull().default(0),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("alert_channels_organization").on(table.organizationPk)],
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
    /** The status in the last notification of this monitor that the channel got; null before the first. */
    toldStatus: text("told_status").$type<Status>(),
  },
  (table) => [
    primaryKey({ columns: [table.monitorPk, table.channelPk] }),
    index("alert_bindings_channel").on(table.channelPk),
  ],
);

/** What a new monitor is bound to if it names no channels (interface 4.2 rule 8). */
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

/** What checks saw besides their timings: once for all results of a monitor that say the same. */
export const details = sqliteTable(
  "details",
  {
    pk: integer().primaryKey(),
    monitorPk: integer("monitor_pk").notNull(),
    text: text().notNull(),
    /** Milliseconds since 1970, to a day. */
    usedAt: integer("used_at").notNull(),
  },
  (table) => [uniqueIndex("details_text").on(table.monitorPk, table.text)],
);

/** The outbox: one row for each notification to one channel. */
export const deliveries = sqliteTable(
  "deliveries",
  {
    pk: integer().primaryKey(),
    /** The `webhook-id`, the same on every attempt. It begins with the ID of the result, and so serves as a cursor. */
    id: text().notNull().unique(),
    resultPk: integer("result_pk")
      .notNull()
      .references(() => checkResults.pk, { onDelete: "cascade" }),
    /** The monitor may be deleted: see `deletedMonitors`. */
    monitorPk: integer("monitor_pk").notNull(),
    /** The channel may be deleted: see `deletedChannels`. */
    channelPk: integer("channel_pk").notNull(),
    channelId: text("channel_id").notNull(),
    channelType: text("channel_type").$type<ChannelType>().notNull(),
    transition: text({ mode: "json" }).$type<Transition>().notNull(),
    status: deliveryStatus("status").notNull(),
    attempts: integer().notNull().default(0),
    /** Null once it is delivered or given up. */
    nextAttemptAt: integer("next_attempt_at"),
    firstAttemptAt: integer("first_attempt_at"),
    lastAttemptAt: integer("last_attempt_at"),
    answer: text(),
    error: text(),
    deliveredAt: integer("delivered_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("deliveries_result").on(table.resultPk),
    /** Holds only what is pending. SQLite uses it if a query says so with the number itself, not with a parameter. */
    index("deliveries_pending").on(table.channelPk).where(sql`status = 0`),
    index("deliveries_page").on(table.channelPk, table.resultPk),
    index("deliveries_monitor").on(table.monitorPk, table.channelPk),
  ],
);

/** What this service knows of itself; one row. */
export const service = sqliteTable("service", {
  pk: integer().primaryKey(),
  /** When it was last known to run. */
  aliveAt: integer("alive_at").notNull(),
  /** When its clock was last known to be steady: see `runner/steady-clock.ts`. */
  steadyAt: integer("steady_at"),
});
