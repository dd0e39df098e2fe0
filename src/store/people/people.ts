import { and, eq, sql } from "drizzle-orm";
import { changedFields } from "../../domain/accounts/audit.ts";
import type { Role } from "../../domain/accounts/role.ts";
import { fault } from "../../domain/faults/fault.ts";
import type { Language } from "../../domain/pages/reader-locale.ts";
import {
  emailKey,
  inviteEnd,
  METHODS,
  type Method,
  type Person,
  type PersonState,
} from "../../domain/people/person.ts";
import { assertMay, hasAccepted, seenPerson } from "../../domain/people/standing.ts";
import { notFound } from "../../errors.ts";
import { hashKey } from "../accounts/api-keys.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { type Audited, audit, auditCreation, auditDeletion, updateOf } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import { leaveSchedules, listOwnChannels, replaceOwnChannels } from "../on-call/person-on-call.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { forgetPerson, keepingWayIn } from "./given-role.ts";

export interface NewPerson {
  organizationId: string;
  email: string;
  role: Role;
  name?: string | undefined;
  /** The token of the invitation, in plain text; only its hash is stored. */
  token: string;
}

/**
 * Invites a person to an organization (behavior 19.3). Somebody who is in another one stays the same person.
 *
 * @throws AppError `invalid` if the organization has this person already
 */
export async function createPerson(tx: TimedTx, given: NewPerson): Promise<PersonWithChannels> {
  const { memberships, organizations } = tx.tables;
  const { organizationId, role, token, name, email } = given;
  const pk = await organizationPk(tx, organizationId);
  const personPk = (await findByEmail(tx, email)) ?? (await insertPerson(tx, { email }));
  assertMay("create", await findMembership(tx, { personPk, organizationPk: pk }));
  const own = { name: name ?? null, email: email.trim() };
  const row = { personPk, organizationPk: pk, role, state: "invited", ...own, createdAt: tx.now } as const;
  await tx.db.insert(memberships).values(row);
  await tx.db.update(organizations).set({ hadPeople: true }).where(eq(organizations.pk, pk));
  await insertInvite(tx, { personPk, organizationPk: pk, token });
  const created = await oneWithChannels(tx, await findRow(tx, organizationId, { personPk }));
  await auditCreation(tx, auditedPerson(created, pk), { name, email, role });
  return created;
}

async function findMembership(
  { db, tables: { memberships } }: Tx,
  { personPk, organizationPk: pk }: { personPk: number; organizationPk: number },
) {
  const [member] = await db
    .select({ state: memberships.state, acceptedAt: memberships.acceptedAt })
    .from(memberships)
    .where(and(eq(memberships.personPk, personPk), eq(memberships.organizationPk, pk)));
  return member;
}

/** The number of the person with an address. */
export async function findByEmail(
  { db, tables: { people } }: Tx,
  email: string,
): Promise<number | undefined> {
  const [found] = await db
    .select({ pk: people.pk })
    .from(people)
    .where(eq(people.emailKey, emailKey(email)));
  return found?.pk;
}

/** @returns the number of the person, who is in no organization yet */
export async function insertPerson(
  { db, tables: { people }, now }: TimedTx,
  { email, name }: { email: string; name?: string | undefined },
): Promise<number> {
  const row = {
    id: createId(),
    email: email.trim(),
    emailKey: emailKey(email),
    name: name ?? null,
    createdAt: now,
  };
  const [created] = await db.insert(people).values(row).returning({ pk: people.pk });
  if (!created) throw new Error("the insert returned no person");
  return created.pk;
}

export async function insertInvite(
  { db, tables: { invites }, now }: TimedTx,
  { personPk, organizationPk, token }: { personPk: number; organizationPk: number | null; token: string },
): Promise<void> {
  const expiresAt = inviteEnd(organizationPk === null ? "link" : "invite", now);
  await db.insert(invites).values({ hash: hashKey(token), personPk, organizationPk, expiresAt });
}

/** The people of an organization as it sees them, oldest first. @throws AppError `not_found` for an unknown organization */
export async function listPeople(tx: Tx, organizationId: string): Promise<PersonWithChannels[]> {
  const organization = await organizationPk(tx, organizationId);
  return withChannels(tx, organization, await listRows(tx, organization));
}

/** The same without their channels. */
export async function seenNames(tx: Tx, organization: number): Promise<Person[]> {
  return (await listRows(tx, organization)).map(personOf);
}

function listRows(tx: Tx, organization: number) {
  const { memberships } = tx.tables;
  return selectPeople(tx)
    .where(eq(memberships.organizationPk, organization))
    .orderBy(memberships.createdAt, memberships.personPk);
}

/** @throws AppError `not_found` */
export async function findPerson(tx: Tx, organizationId: string, id: string): Promise<PersonWithChannels> {
  return oneWithChannels(tx, await findRow(tx, organizationId, { id }));
}

/** A person with the IDs of their own channels there, the oldest channel first (behavior 23.34). */
export interface PersonWithChannels extends Person {
  alertChannelIds: string[];
}

async function withChannels(
  tx: Tx,
  organization: number,
  rows: readonly PersonRow[],
): Promise<PersonWithChannels[]> {
  const pks = rows.map(({ pk }) => pk);
  const channels = await listOwnChannels(tx, organization, pks);
  return rows.map((row) => ({ ...personOf(row), alertChannelIds: channels.get(row.pk) ?? [] }));
}

async function oneWithChannels(tx: Tx, row: PersonRow): Promise<PersonWithChannels> {
  const [person] = await withChannels(tx, row.organizationPk, [row]);
  if (!person) throw notFound();
  return person;
}

async function findRow(tx: Tx, organizationId: string, person: { id: string } | { personPk: number }) {
  const { people, memberships } = tx.tables;
  const inOrganization = eq(memberships.organizationPk, await organizationPk(tx, organizationId));
  const isPerson = "id" in person ? eq(people.id, person.id) : eq(people.pk, person.personPk);
  const [row] = await selectPeople(tx).where(and(isPerson, inOrganization));
  if (!row) throw notFound();
  return row;
}

function selectPeople({ db, tables: { people, memberships } }: Tx) {
  return db
    .select({
      ...{ pk: people.pk, organizationPk: memberships.organizationPk, id: people.id },
      ...{ role: memberships.role, state: memberships.state, createdAt: memberships.createdAt },
      ...{ acceptedAt: memberships.acceptedAt, ownName: memberships.name, ownEmail: memberships.email },
      ...{ name: people.name, email: people.email, lastSeenAt: people.lastSeenAt },
      language: people.language,
      ...methodColumns,
    })
    .from(memberships)
    .innerJoin(people, eq(people.pk, memberships.personPk));
}

type PersonRow = Awaited<ReturnType<typeof selectPeople>>[number];

function personOf({ ownName, ownEmail, name, email, lastSeenAt, ...row }: PersonRow): Person {
  const person = { name, email, lastSeenAt, methods: methodsOf(row) };
  return seenPerson({ ...row, own: { name: ownName, email: ownEmail }, person });
}

export interface PersonChanges {
  name?: string | undefined;
  role?: Role | undefined;
  state?: Exclude<PersonState, "invited"> | undefined;
  /** The channels on which a schedule reaches them. */
  alertChannelIds?: string[] | undefined;
  /** The own choice of the person, for all organizations; null: the browser decides. */
  language?: Language | null | undefined;
}

/**
 * Whoever is disabled loses the sessions and the invitation there, also if they are enabled again. The name is what this organization
 * calls the person.
 *
 * @throws AppError `not_found`; `invalid` for the state of somebody who has accepted no invitation, then for an unknown channel;
 *   `last_way_in`
 */
export async function updatePerson(
  tx: Tx,
  organizationId: string,
  id: string,
  { name, role, state, alertChannelIds, language }: PersonChanges,
): Promise<PersonWithChannels> {
  const { memberships, people } = tx.tables;
  const before = await findRow(tx, organizationId, { id });
  const own = await oneWithChannels(tx, before);
  if (name !== undefined) assertMay("rename", before);
  if (role !== undefined) assertMay("changeRole", before);
  if (state !== undefined) assertMay(state === "active" ? "enable" : "disable", before);
  const values = {
    ...{ name: name ?? before.ownName, role: role ?? before.role, state: state ?? before.state },
    // A node of an earlier version wrote no time.
    acceptedAt: before.acceptedAt ?? (hasAccepted(before) ? before.createdAt : null),
  };
  await keepingWayIn(tx, before.organizationPk, () =>
    tx.db.update(memberships).set(values).where(ofMember(tx, before)).returning(),
  );
  if (state === "disabled") await endAccess(tx, before);
  const { pk: personPk, organizationPk: organization } = before;
  if (alertChannelIds)
    await replaceOwnChannels(tx, { personPk, organizationPk: organization }, alertChannelIds);
  const speaksOther = language !== undefined && language !== before.language;
  if (speaksOther) await tx.db.update(people).set({ language }).where(eq(people.pk, personPk));
  const after = await findPerson(tx, organizationId, id);
  const changed = [
    ...changedFields(own, after),
    // The state of a person changes by a decision, unlike the states of other resources.
    ...(after.state === own.state ? [] : ["state"]),
    // Without its old value: no organization can take it back.
    ...(speaksOther ? ["language"] : []),
  ];
  const audited = auditedPerson(after, before.organizationPk);
  if (changed.length > 0) await audit(tx, updateOf(audited, changed, { before: own, after }));
  return after;
}

/** Ends the sessions and the invitation of a person in an organization. */
async function endAccess(
  { db, tables: { invites, personSessions } }: Tx,
  { pk, organizationPk }: Pick<PersonRow, "pk" | "organizationPk">,
): Promise<void> {
  for (const table of [invites, personSessions])
    await db.delete(table).where(and(eq(table.personPk, pk), eq(table.organizationPk, organizationPk)));
}

/**
 * Takes a person out of an organization. Whoever has accepted no other invitation then is gone, with their ways to sign in: what
 * others have written about the address stays, as if nobody were behind it.
 *
 * @throws AppError as `updatePerson`
 */
export async function deletePerson(tx: Tx, organizationId: string, id: string): Promise<{ id: string }> {
  const { people, memberships } = tx.tables;
  const row = await findRow(tx, organizationId, { id });
  assertMay("remove", row);
  await keepingWayIn(tx, row.organizationPk, () =>
    tx.db
      .delete(memberships)
      .where(ofMember(tx, row))
      .then(() => {}),
  );
  await endAccess(tx, row);
  await leaveSchedules(tx, { organizationPk: row.organizationPk, personPk: row.pk, personId: id });
  const others = await tx.db
    .select({ state: memberships.state, acceptedAt: memberships.acceptedAt })
    .from(memberships)
    .where(eq(memberships.personPk, row.pk));
  if (others.length === 0) await tx.db.delete(people).where(eq(people.pk, row.pk));
  else if (!others.some(hasAccepted)) await forgetPerson(tx, row.pk);
  await markAcknowledgements(tx, { organizationPk: row.organizationPk, person: id });
  await auditDeletion(tx, auditedPerson(personOf(row), row.organizationPk));
  return { id };
}

/** A new invitation, which ends the previous one. @throws AppError `not_found`; `invalid` for somebody who is not invited */
export async function invitePerson(
  tx: TimedTx,
  { organizationId, id, token }: { organizationId: string; id: string; token: string },
): Promise<PersonWithChannels> {
  const { invites } = tx.tables;
  const row = await findRow(tx, organizationId, { id });
  assertMay("invite", row);
  await tx.db
    .delete(invites)
    .where(and(eq(invites.personPk, row.pk), eq(invites.organizationPk, row.organizationPk)));
  await insertInvite(tx, { personPk: row.pk, organizationPk: row.organizationPk, token });
  const invited = await oneWithChannels(tx, row);
  const { type, name } = auditedPerson(invited, row.organizationPk);
  await audit(tx, {
    organizationPk: row.organizationPk,
    action: "person.invited",
    resource: { type, id, name },
  });
  return invited;
}

function ofMember({ tables: { memberships } }: Tx, { pk, organizationPk }: PersonRow) {
  return and(eq(memberships.personPk, pk), eq(memberships.organizationPk, organizationPk));
}

function auditedPerson(
  { id, name, email }: Pick<Person, "id" | "name" | "email">,
  organizationPk: number,
): Audited {
  return { organizationPk, type: "person", id, name: name ?? email };
}

/**
 * The columns that say in which ways a person can sign in, for a query that reads the table of people: see `methodsOf`. As text,
 * because drizzle leaves the names of tables out of a query that has one table, also within a subquery.
 */
export const methodColumns = {
  hasPassword: sql<boolean | number>`people.password_hash IS NOT NULL`,
  hasPasskey: sql<boolean | number>`EXISTS (SELECT 1 FROM passkeys WHERE passkeys.person_pk = people.pk)`,
  hasIdentity: sql<
    boolean | number
  >`EXISTS (SELECT 1 FROM identities WHERE identities.person_pk = people.pk)`,
};

/** On SQLite, a boolean of an expression is 0 or 1. */
export function methodsOf(row: { [Column in keyof typeof methodColumns]: boolean | number }): Method[] {
  const { hasPassword: password, hasPasskey: passkey, hasIdentity: oidc } = row;
  return METHODS.filter((method) => ({ password, passkey, oidc })[method]);
}

/** @param usable the ways that this server offers @throws AppError `invalid` if none of them is left to the person */
export async function assertWayInLeft(
  { db, tables: { people } }: Tx,
  personPk: number,
  usable: readonly Method[],
): Promise<void> {
  const [left] = await db.select(methodColumns).from(people).where(eq(people.pk, personPk));
  if (!left || !methodsOf(left).some((method) => usable.includes(method))) throw fault("lastMethod", {});
}

/**
 * Marks the acknowledgements of a person who is removed from an organization (behavior 19.91). An outage has only the name of whoever
 * acknowledged it, so the audit log says which ones are theirs.
 *
 * @param person the ID
 */
async function markAcknowledgements(
  { db, sets, tables: { auditEntries, outages } }: Tx,
  { organizationPk, person }: { organizationPk: number; person: string },
): Promise<void> {
  const entries = await db
    .select({ actor: auditEntries.actor, resource: auditEntries.resource })
    .from(auditEntries)
    .where(
      and(eq(auditEntries.organizationPk, organizationPk), eq(auditEntries.action, "outage.acknowledged")),
    );
  const own = entries.filter(({ actor }) => actor.type === "person" && actor.id === person);
  await sets.update(
    outages,
    own.map(({ actor: { name }, resource: { id } }) => ({
      // Somebody else may have replaced it.
      where: { id, acknowledgedBy: name },
      set: { acknowledgedBy: `${name} (deleted)` },
    })),
  );
}
