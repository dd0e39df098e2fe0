import type { AuditAction, AuditActor, AuditResource } from "../../domain/accounts/audit.ts";
import type { Plan, Subscription } from "../../domain/accounts/organization.ts";
import type { Role } from "../../domain/accounts/role.ts";
import type { Dialect } from "./sqlite-dialect.ts";

export function accountTables(t: Dialect) {
  const organizations = t.table("organizations", {
    pk: t.key(),
    id: t.text().notNull().unique(),
    name: t.text().notNull(),
    plan: t.text().$type<Plan>().notNull(),
    subscription: t.text().$type<Subscription>().notNull(),
    createdAt: t.time().notNull(),
    /** Since when the network of this server is at fault, as its monitors that have several locations show; null if it is not. */
    hereAtFaultAt: t.time(),
    /** Random number, new after each change of maintenances: the key of a cache. 0 before the first. */
    maintenanceRevision: t.integer().notNull().default(0),
    /** Whether it ever had a person, so that it keeps a way in (behavior 19.40). */
    hadPeople: t.boolean().notNull().default(false),
    /** Since when it has blind monitors, as its channels were notified; null if it has none. */
    blindSince: t.time(),
  });

  const organizationPk = () =>
    t
      .integer()
      .notNull()
      .references(() => organizations.pk, { onDelete: "cascade" });

  const apiKeys = t.table(
    "api_keys",
    {
      pk: t.key(),
      id: t.text().notNull().unique(),
      organizationPk: organizationPk(),
      name: t.text().notNull(),
      /** SHA-256 of the whole key. */
      hash: t.bytes().notNull().unique(),
      prefix: t.text().notNull(),
      role: t.text().$type<Role>().notNull(),
      expiresAt: t.time(),
      lastUsedAt: t.time(),
      createdAt: t.time().notNull(),
    },
    (table) => [t.index("api_keys_organization").on(table.organizationPk)],
  );

  /** Sessions of the page. A session ends with its key. */
  const sessions = t.table(
    "sessions",
    {
      pk: t.key(),
      apiKeyPk: t
        .integer()
        .notNull()
        .references(() => apiKeys.pk, { onDelete: "cascade" }),
      /** SHA-256 of the token in the cookie. */
      hash: t.bytes().notNull().unique(),
      expiresAt: t.time().notNull(),
    },
    (table) => [t.index("sessions_api_key").on(table.apiKeyPk), t.index("sessions_end").on(table.expiresAt)],
  );

  /** Links that open the wall without a key. */
  const wallLinks = t.table(
    "wall_links",
    {
      pk: t.key(),
      id: t.text().notNull().unique(),
      organizationPk: organizationPk(),
      name: t.text().notNull(),
      /** Only monitors with this tag; null for all. */
      tag: t.text(),
      /** SHA-256 of the token in the link. */
      hash: t.bytes().notNull().unique(),
      createdAt: t.time().notNull(),
    },
    (table) => [t.index("wall_links_organization").on(table.organizationPk)],
  );

  /** Who changed what. */
  const auditEntries = t.table(
    "audit_entries",
    {
      pk: t.largeLastingKey(),
      id: t.text().notNull().unique(),
      organizationPk: organizationPk(),
      createdAt: t.time().notNull(),
      actor: t.json().$type<AuditActor>().notNull(),
      /** The address of the client; null for the command line. */
      address: t.text(),
      action: t.text().$type<AuditAction>().notNull(),
      resource: t.json().$type<AuditResource>().notNull(),
      /** The names of the fields. */
      changed: t.json().$type<string[]>().notNull(),
    },
    (table) => [
      t.index("audit_entries_page").on(...t.inOrder(table.organizationPk, table.pk)),
      t.index("audit_entries_age").on(table.createdAt),
    ],
  );

  return { organizations, apiKeys, sessions, wallLinks, auditEntries };
}
