import { sql } from "drizzle-orm";
import type { Impact, IncidentStatus } from "../../domain/pages/incident.ts";
import type { PageLanguage } from "../../domain/pages/language.ts";
import type { PageVisibility } from "../../domain/pages/page.ts";
import type { PasswordHash } from "../../domain/pages/page-password.ts";
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
