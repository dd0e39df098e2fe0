import { sql } from "drizzle-orm";
import type { Impact, IncidentStatus } from "../../domain/pages/incident.ts";
import type { PasswordHash } from "../../domain/pages/page-password.ts";
import type { PageVisibility } from "../../domain/pages/page-request.ts";
import type { PageLanguage } from "../../domain/pages/reader-locale.ts";
import type { PageMail } from "../../domain/pages/subscription.ts";
import type { accountTables } from "./accounts.ts";
import type { monitorTables } from "./monitors.ts";
import type { Dialect } from "./sqlite-dialect.ts";

export function pageTables(
  t: Dialect,
  {
    organizations,
    monitors,
  }: Pick<ReturnType<typeof accountTables>, "organizations"> &
    Pick<ReturnType<typeof monitorTables>, "monitors">,
) {
  const organizationPk = () =>
    t
      .integer()
      .notNull()
      .references(() => organizations.pk, { onDelete: "cascade" });

  /** Public pages. */
  const pages = t.table(
    "pages",
    {
      pk: t.lastingKey(),
      id: t.text().notNull().unique(),
      organizationPk: organizationPk(),
      slug: t.text().notNull().unique(),
      title: t.text().notNull(),
      description: t.text(),
      visibility: t.text().$type<PageVisibility>().notNull(),
      /** Only with the visibility `password`. */
      passwordHash: t.text().$type<PasswordHash>(),
      days: t.integer().notNull(),
      /** Seconds. */
      minOutage: t.integer().notNull(),
      showLatency: t.boolean().notNull(),
      accent: t.text(),
      /** A data URL. */
      logo: t.text(),
      embedOrigins: t.json().$type<string[]>().notNull().default([]),
      language: t.text().$type<PageLanguage>().notNull().default("auto"),
      /** IANA name. */
      timezone: t.text().notNull().default("UTC"),
      /** Counts the changes of the page, its components and its incidents. */
      revision: t.integer().notNull().default(0),
      /** The name under which a configuration file knows it; null if none does. */
      ref: t.text(),
      createdAt: t.time().notNull(),
      updatedAt: t.time().notNull(),
    },
    (table) => [
      t.index("pages_organization").on(table.organizationPk),
      t.uniqueIndex("pages_ref").on(table.organizationPk, table.ref).where(sql`ref IS NOT NULL`),
    ],
  );

  const pagePk = () =>
    t
      .integer()
      .notNull()
      .references(() => pages.pk, { onDelete: "cascade" });

  /** The parts of a page, each with a monitor. Their IDs are public, because the ID of a monitor can be a secret (behavior 8.1). */
  const pageComponents = t.table(
    "page_components",
    {
      pk: t.lastingKey(),
      id: t.text().notNull().unique(),
      pagePk: pagePk(),
      monitorPk: t
        .integer()
        .notNull()
        .references(() => monitors.pk, { onDelete: "cascade" }),
      /** Null: the name of the monitor. */
      name: t.text(),
      group: t.text("group_name"),
      position: t.integer().notNull(),
      createdAt: t.time().notNull(),
    },
    (table) => [
      t.index("page_components_page").on(table.pagePk, table.position),
      t.index("page_components_monitor").on(table.monitorPk),
    ],
  );

  /** Incidents that people wrote. Outages show by themselves. */
  const incidents = t.table(
    "incidents",
    {
      pk: t.lastingKey(),
      id: t.text().notNull().unique(),
      pagePk: pagePk(),
      title: t.text().notNull(),
      impact: t.text().$type<Impact>().notNull(),
      /** Components of the page, which may be deleted. */
      componentIds: t.json().$type<string[]>().notNull(),
      startedAt: t.time().notNull(),
      resolvedAt: t.time(),
      /** The ID of the outage that the page shows as this incident, which may be deleted; null if it was written without one. */
      outageId: t.text(),
      updatedAt: t.time().notNull(),
    },
    (table) => [t.index("incidents_page").on(table.pagePk, table.startedAt)],
  );

  const incidentUpdates = t.table(
    "incident_updates",
    {
      pk: t.lastingKey(),
      id: t.text().notNull().unique(),
      incidentPk: t
        .integer()
        .notNull()
        .references(() => incidents.pk, { onDelete: "cascade" }),
      status: t.text().$type<IncidentStatus>().notNull(),
      /** Markdown. */
      body: t.text().notNull(),
      createdAt: t.time().notNull(),
      /** When people last changed it. */
      editedAt: t.time(),
    },
    (table) => [t.index("incident_updates_incident").on(table.incidentPk)],
  );

  /** Slugs that an organization gave up, until others can have them. */
  const releasedSlugs = t.table("released_slugs", {
    slug: t.text().primaryKey(),
    organizationPk: organizationPk(),
    releasedAt: t.time().notNull(),
  });

  return { pages, pageComponents, incidents, incidentUpdates, releasedSlugs };
}

export function pageMailTables(t: Dialect, { pages }: Pick<ReturnType<typeof pageTables>, "pages">) {
  const pagePk = () =>
    t
      .integer()
      .notNull()
      .references(() => pages.pk, { onDelete: "cascade" });

  /** Who gets e-mails of a page. The row is deleted with the subscription. */
  const pageSubscribers = t.table(
    "page_subscribers",
    {
      pk: t.lastingKey(),
      pagePk: pagePk(),
      email: t.text().notNull(),
      /**
       * The token in the links of the messages. It is not a hash, because each message has the link to unsubscribe. It is valid only for
       * this subscription.
       */
      token: t.text().notNull().unique(),
      /** Null until the opt-in message is confirmed. */
      confirmedAt: t.time(),
      /** A day since 1970 (UTC), and how many messages were sent on that day. */
      sentDay: t.integer().notNull().default(0),
      sentCount: t.integer().notNull().default(0),
      writtenCount: t.integer().notNull().default(0),
      /** Locale of the request that subscribed; null if it was stored before pages had languages. */
      locale: t.text(),
      /** The components that its messages are about, which may be deleted; null for all. */
      componentIds: t.json().$type<string[]>(),
      createdAt: t.time().notNull(),
    },
    (table) => [t.uniqueIndex("page_subscribers_email").on(table.pagePk, table.email)],
  );

  /** The opt-in messages of the last 24 hours, which an address gets only some of, also after its subscription is deleted. */
  const pageOptIns = t.table(
    "page_opt_ins",
    {
      pk: t.lastingKey(),
      /** SHA-256 of the address. */
      addressHash: t.bytes().notNull(),
      sentAt: t.time().notNull(),
    },
    (table) => [
      t.index("page_opt_ins_address").on(table.addressHash),
      t.index("page_opt_ins_age").on(table.sentAt),
    ],
  );

  /** The outages and windows of maintenances that the subscribers of a page were notified of, so that each is sent once. */
  const pageAnnouncements = t.table(
    "page_announcements",
    {
      pk: t.lastingKey(),
      pagePk: pagePk(),
      kind: t.text().$type<"outage" | "maintenance">().notNull(),
      /** The ID of the outage, or the number of the window in `maintenance_runs`; it may be deleted. */
      subject: t.text().notNull(),
      startedAt: t.time().notNull(),
      /** Null until its end is sent too. */
      endedAt: t.time(),
    },
    (table) => [t.uniqueIndex("page_announcements_subject").on(table.pagePk, table.kind, table.subject)],
  );

  /** The outbox of e-mails to subscribers: a row is deleted when its e-mail is sent or given up. */
  const pageMails = t.table(
    "page_mails",
    {
      /** Never reused. The order in which a subscriber gets them. */
      pk: t.lastingKey(),
      /** Part of the `Message-ID`, the same for every attempt. */
      id: t.text().notNull().unique(),
      subscriberPk: t
        .integer()
        .notNull()
        .references(() => pageSubscribers.pk, { onDelete: "cascade" }),
      mail: t.json().$type<PageMail>().notNull(),
      attempts: t.integer().notNull().default(0),
      nextAttemptAt: t.time().notNull(),
      createdAt: t.time().notNull(),
    },
    (table) => [
      t.index("page_mails_due").on(table.nextAttemptAt),
      t.index("page_mails_subscriber").on(table.subscriberPk),
    ],
  );

  return { pageSubscribers, pageOptIns, pageAnnouncements, pageMails };
}
