import type { AuditAction, AuditActor, AuditResource, OldValues } from "../../domain/accounts/audit.ts";
import type { Plan, Subscription } from "../../domain/accounts/organization.ts";
import type { Role } from "../../domain/accounts/role.ts";
import type { Language } from "../../domain/pages/reader-locale.ts";
import type { RegistrationFacts } from "../../domain/registration/registration.ts";
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
    /** The language of its notifications and invitations; null for `en`. */
    language: t.text().$type<Language>(),
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
      /** The old values of fields that hold no secret: see `oldValues`. */
      before: t.json().$type<OldValues>(),
    },
    (table) => [
      t.index("audit_entries_page").on(...t.inOrder(table.organizationPk, table.pk)),
      t.index("audit_entries_age").on(table.createdAt),
    ],
  );

  return { organizations, apiKeys, sessions, wallLinks, auditEntries };
}

export function registrationTables(t: Dialect) {
  /** The answers of registries about domains: all monitors and organizations share them. See `StoredRegistration`. */
  const registrations = t.table(
    "registrations",
    {
      domain: t.text().primaryKey(),
      registry: t.text().notNull(),
      facts: t.json().$type<RegistrationFacts>(),
      answeredAt: t.time(),
      failingSince: t.time(),
      notFound: t.integer().notNull(),
      notFoundAt: t.time(),
      hasNoDate: t.boolean().notNull(),
      nextAt: t.time().notNull(),
      pausedUntil: t.time(),
    },
    (table) => [
      t.index("registrations_registry").on(table.registry),
      t.index("registrations_next").on(table.nextAt),
    ],
  );

  return { registrations };
}

export function serviceTables(t: Dialect) {
  /** One row that this service stores about itself. */
  const service = t.table("service", {
    pk: t.integer().primaryKey(),
    /** When it last ran. */
    aliveAt: t.time().notNull(),
    /** When its clock was last steady: see `runner/loop.ts`. */
    steadyAt: t.time(),
    /** The last time to which the clock was set back, and by how much: other nodes notice the same step a little later. */
    ...t.onPostgres(() => ({ setbackTo: t.time(), setbackBy: t.time() })),
    /** When a DNS server of the operator answered first (behavior 4.18). */
    dnsAnsweredAt: t.time(),
    /** All results in segments have a smaller number. */
    ...t.onSqlite(() => ({ sealedUntil: t.large() })),
  });

  /** The server processes on this database: at most one that is alive. */
  const nodes = t.table("nodes", {
    /** A random number that a process draws at its start. */
    pk: t.integer().primaryKey(),
    name: t.text().notNull(),
    version: t.text().notNull(),
    startedAt: t.time().notNull(),
    seenAt: t.time().notNull(),
    checksPerSecond: t.integer().notNull(),
    /** For how many days it keeps results; null for a version that does not say so. */
    retentionDays: t.integer(),
    /** The node has stopped, but its `retentionDays` still applies. */
    hasLeft: t.boolean().notNull().default(false),
  });

  /** One row after the first use of Web Push: the key pair by which push services know this server (RFC 8292). */
  const pushKeys = t.table("push_keys", {
    pk: t.integer().primaryKey(),
    publicKey: t.bytes().notNull(),
    privateKey: t.bytes().notNull(),
  });

  return { service, nodes, pushKeys };
}
