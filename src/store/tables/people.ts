import type { Role } from "../../domain/accounts/role.ts";
import type { Language } from "../../domain/pages/reader-locale.ts";
import type { PersonState, SessionMethod } from "../../domain/people/person.ts";
import type { accountTables } from "./accounts.ts";
import type { Dialect } from "./sqlite-dialect.ts";

/** People who sign in to the page. Tokens are stored as their SHA-256. */
export function peopleTables(
  t: Dialect,
  { organizations }: Pick<ReturnType<typeof accountTables>, "organizations">,
) {
  const organizationPk = () =>
    t
      .integer()
      .notNull()
      .references(() => organizations.pk, { onDelete: "cascade" });

  const people = t.table("people", {
    /** Never reused: entries of the audit log name people who are gone. */
    pk: t.lastingKey(),
    id: t.text().notNull().unique(),
    email: t.text().notNull(),
    /** As it is compared. */
    emailKey: t.text().notNull().unique("people_email_key_unique"),
    /** Null until known. */
    name: t.text(),
    /** In the form of PHC, of argon2id; null without a password. */
    passwordHash: t.text(),
    createdAt: t.time().notNull(),
    lastSeenAt: t.time(),
    /** The language of their page and mails; null: the browser decides. */
    language: t.text().$type<Language>(),
  });

  const personPk = () =>
    t
      .integer()
      .notNull()
      .references(() => people.pk, { onDelete: "cascade" });

  /** The role and the state of a person in an organization. */
  const memberships = t.table(
    "memberships",
    {
      personPk: personPk(),
      organizationPk: organizationPk(),
      role: t.text().$type<Role>().notNull(),
      state: t.text().$type<PersonState>().notNull(),
      /** The name that the organization gave to the person; null for their own name. */
      name: t.text(),
      /** As the organization wrote the address; null after the person has accepted. */
      email: t.text(),
      createdAt: t.time().notNull(),
      /** Null until the person has accepted. */
      acceptedAt: t.time(),
    },
    (table) => [
      t.primaryKey({ columns: [table.personPk, table.organizationPk] }),
      t.index("memberships_organization").on(table.organizationPk),
    ],
  );

  /** Open invitations, and the links of the command line: these have no organization. */
  const invites = t.table(
    "invites",
    {
      pk: t.key(),
      hash: t.bytes().notNull().unique(),
      personPk: personPk(),
      organizationPk: t.integer().references(() => organizations.pk, { onDelete: "cascade" }),
      expiresAt: t.time().notNull(),
    },
    (table) => [t.index("invites_person").on(table.personPk)],
  );

  /** The sessions of people. The sessions of keys are in `sessions`. */
  const personSessions = t.table(
    "person_sessions",
    {
      pk: t.key(),
      id: t.text().notNull().unique(),
      hash: t.bytes().notNull().unique(),
      personPk: personPk(),
      /** The organization that its requests are about. */
      organizationPk: organizationPk(),
      method: t.text().$type<SessionMethod>().notNull(),
      createdAt: t.time().notNull(),
      lastSeenAt: t.time().notNull(),
      expiresAt: t.time().notNull(),
      address: t.text().notNull(),
      userAgent: t.text().notNull(),
    },
    (table) => [
      t.index("person_sessions_person").on(table.personPk),
      t.index("person_sessions_end").on(table.expiresAt),
    ],
  );

  const passkeys = t.table(
    "passkeys",
    {
      pk: t.key(),
      id: t.text().notNull().unique(),
      personPk: personPk(),
      credentialId: t.bytes().notNull().unique(),
      /** As a COSE key, in CBOR. */
      publicKey: t.bytes().notNull(),
      /** How many signatures its authenticator has made; 0 if it does not count. */
      counter: t.large().notNull(),
      isBackupEligible: t.boolean().notNull(),
      isBackedUp: t.boolean().notNull(),
      transports: t.json().$type<string[]>().notNull(),
      name: t.text().notNull(),
      createdAt: t.time().notNull(),
      lastUsedAt: t.time(),
    },
    (table) => [t.index("passkeys_person").on(table.personPk)],
  );

  /** Who a person is at a provider of OpenID Connect. */
  const identities = t.table(
    "identities",
    {
      pk: t.key(),
      personPk: personPk(),
      issuer: t.text().notNull(),
      subject: t.text().notNull(),
      createdAt: t.time().notNull(),
      lastUsedAt: t.time(),
    },
    (table) => [
      t.uniqueIndex("identities_subject").on(table.subject, table.issuer),
      t.index("identities_person").on(table.personPk),
    ],
  );

  /** One row after the first start: the key by which what strangers begin is sealed, so that nothing of it has to be stored. */
  const sealKeys = t.table("seal_keys", {
    pk: t.integer().primaryKey(),
    key: t.bytes().notNull(),
  });

  /** States of sign-ins at a provider and challenges of passkeys that were used, until they would have ended by themselves. */
  const usedBeginnings = t.table(
    "used_beginnings",
    {
      /** The SHA-256 of the state or the challenge. */
      hash: t.bytes().primaryKey(),
      /** The ID of the person who may use it once more; null if nobody may. */
      keptFor: t.text(),
      expiresAt: t.time().notNull(),
    },
    (table) => [t.index("used_beginnings_end").on(table.expiresAt)],
  );

  return {
    people,
    memberships,
    invites,
    personSessions,
    passkeys,
    identities,
    sealKeys,
    usedBeginnings,
  };
}
