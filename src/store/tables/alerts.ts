import { sql } from "drizzle-orm";
import type { AlertEvent } from "../../domain/alerts/alert-event.ts";
import type { ChannelConfig, ChannelType, StoredChannelType } from "../../domain/alerts/channel.ts";
import type { Hold } from "../../domain/alerts/delivery.ts";
import type { Hours } from "../../domain/alerts/hours.ts";
import type { NotifyOn } from "../../domain/alerts/notify.ts";
import type { Language } from "../../domain/pages/reader-locale.ts";
import type { accountTables } from "./accounts.ts";
import type { monitorTables } from "./monitors.ts";
import type { scheduleTables } from "./on-call.ts";
import type { Dialect } from "./sqlite-dialect.ts";

export function alertingTables(
  t: Dialect,
  {
    organizations,
    monitors,
    schedules,
  }: Pick<ReturnType<typeof accountTables>, "organizations"> &
    Pick<ReturnType<typeof monitorTables>, "monitors"> &
    Pick<ReturnType<typeof scheduleTables>, "schedules">,
) {
  const organizationPk = () =>
    t
      .integer()
      .notNull()
      .references(() => organizations.pk, { onDelete: "cascade" });

  const alertChannels = t.table(
    "alert_channels",
    {
      /** Never reused: the deliveries of a deleted channel stay. */
      pk: t.lastingKey(),
      id: t.text().notNull().unique(),
      organizationPk: organizationPk(),
      name: t.text().notNull(),
      type: t.text().$type<ChannelType>().notNull(),
      config: t.json().$type<ChannelConfig>().notNull(),
      enabled: t.boolean().notNull(),
      notifyOn: t.json().$type<NotifyOn>().notNull(),
      /** The language of its notifications; null: its organization decides. */
      language: t.text().$type<Language>(),
      /** Counts the changes of the config: a failed attempt with an older config does not count. */
      revision: t.integer().notNull().default(0),
      /** The name under which a configuration file knows it; null if none does. */
      ref: t.text(),
      createdAt: t.time().notNull(),
      updatedAt: t.time().notNull(),
      /**
       * Set for a previous address of a channel, which exists until the ends of its incidents are sent: see `retireAddress`. Nothing
       * lists it, and nothing is bound to it.
       */
      retiredAt: t.time(),
      /**
       * Set for the row by which bindings and deliveries name a schedule: it has the ID of the schedule, and its type is `SCHEDULE`.
       * Nothing lists it, and nothing is sent to it: see `routes.ts`.
       */
      schedulePk: t.integer().references(() => schedules.pk),
      ...t.onPostgres(() => ({
        claim: t.integer().notNull().default(0),
        claimedBy: t.integer(),
        claimedUntil: t.time(),
      })),
    },
    (table) => [
      t.index("alert_channels_organization").on(table.organizationPk),
      t.uniqueIndex("alert_channels_ref").on(table.organizationPk, table.ref).where(sql`ref IS NOT NULL`),
      t.index("alert_channels_retired").on(table.retiredAt).where(sql`retired_at IS NOT NULL`),
      t.uniqueIndex("alert_channels_schedule").on(table.schedulePk).where(sql`schedule_pk IS NOT NULL`),
    ],
  );

  const alertBindings = t.table(
    "alert_bindings",
    {
      monitorPk: t
        .integer()
        .notNull()
        .references(() => monitors.pk, { onDelete: "cascade" }),
      channelPk: t
        .integer()
        .notNull()
        .references(() => alertChannels.pk, { onDelete: "cascade" }),
      /** The status in the last notification about this monitor that the channel received; null before the first. */
      notifiedStatus: t.statusCode(),
      /** Whether no user bound the channel, and a schedule notified it of the monitor: see `routes.ts`. */
      routed: t.boolean().notNull().default(false),
      /** Key of the incident that notifications opened at the receiver; null if none is open. See `incidentAfter`. */
      incident: t.text(),
      /** How long trouble lasts before the channel is notified, and how often it is reminded, in seconds; 0: at once, never. */
      after: t.integer().notNull().default(0),
      every: t.integer().notNull().default(0),
      /** When the channel may be notified of trouble; null: at all times. */
      hours: t.json().$type<Hours>(),
      /** During one outage, the values from before a change of `after`, `every` or `hours` hold. All are null without such an outage. */
      keptForOutage: t.large(),
      keptAfter: t.integer(),
      keptEvery: t.integer(),
      keptHours: t.json().$type<Hours>(),
      /** When the next reminder is due; null if none is. */
      remindAt: t.time(),
      /** Until when a reminder that is due waits for a check; null if none does. */
      remindWaitsUntil: t.time(),
    },
    (table) => [
      t.primaryKey({ columns: [table.monitorPk, table.channelPk] }),
      t.index("alert_bindings_channel").on(table.channelPk),
      t.index("alert_bindings_reminder").on(table.remindAt).where(sql`remind_at IS NOT NULL`),
    ],
  );

  /** The channels of a new monitor that names none (behavior 7.39). */
  const defaultChannels = t.table(
    "default_channels",
    {
      organizationPk: organizationPk(),
      channelPk: t
        .integer()
        .notNull()
        .references(() => alertChannels.pk, { onDelete: "cascade" }),
    },
    (table) => [t.primaryKey({ columns: [table.organizationPk, table.channelPk] })],
  );

  /** The outbox: one row for each notification to one channel. */
  const deliveries = t.table(
    "deliveries",
    {
      /** Never reused, so that it says which deliveries are on the disk. The order in which a channel gets them. */
      pk: t.largeLastingKey(),
      /** The `webhook-id`, the same for every attempt; also a cursor. */
      id: t.text().notNull().unique(),
      /** Null for a notice, as is the monitor. */
      resultPk: t.large(),
      /** The monitor may be deleted: see `deletedMonitors`. */
      monitorPk: t.integer(),
      /** The channel may be deleted: see `deletedChannels`. */
      channelPk: t.integer().notNull(),
      channelId: t.text().notNull(),
      channelType: t.text().$type<StoredChannelType>().notNull(),
      event: t.json("transition").$type<AlertEvent>().notNull(),
      status: t.deliveryStatus().notNull(),
      attempts: t.integer().notNull().default(0),
      /** Null after it is delivered or given up. */
      nextAttemptAt: t.time(),
      firstAttemptAt: t.time(),
      lastAttemptAt: t.time(),
      answer: t.text(),
      error: t.text(),
      deliveredAt: t.time(),
      createdAt: t.time().notNull(),
      /** The outage that it is about, which may be deleted; null for others. */
      outagePk: t.large(),
      /** Why it is not sent, or was not sent; null for one that is or was to be sent at once. */
      hold: t.json().$type<Hold>(),
      /** Time of the next review; null after the decision. */
      reviewAt: t.time(),
      /** The first delivery of the message that contains this one and others; null if it has a message of its own. */
      digestPk: t.large(),
    },
    (table) => [
      t.index("deliveries_outage").on(table.outagePk).where(sql`outage_pk IS NOT NULL`),
      t.index("deliveries_review").on(table.reviewAt).where(sql`review_at IS NOT NULL`),
      t.index("deliveries_undecided").on(table.monitorPk, table.channelPk).where(sql`review_at IS NOT NULL`),
      t.index("deliveries_result").on(table.resultPk),
      /** Only pending deliveries. SQLite uses this index only for the literal `status = 0`, not for a parameter. */
      t
        .index("deliveries_pending")
        .on(...t.inOrder(table.channelPk, table.pk))
        .where(sql`status = 0`),
      t.index("deliveries_page").on(...t.inOrder(table.channelPk, table.pk)),
      t.index("deliveries_monitor").on(table.monitorPk, table.channelPk),
      // SQLite deletes the rows of a result by its number.
      ...(t.isPostgres ? [t.index("deliveries_age").on(table.createdAt)] : []),
    ],
  );

  /** Deleted channels whose pending deliveries are not all marked as failed yet. The deliveries stay on the results. */
  const deletedChannels = t.table("deleted_channels", { pk: t.integer().primaryKey() });

  return { alertChannels, alertBindings, defaultChannels, deliveries, deletedChannels };
}
