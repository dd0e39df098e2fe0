import { and, eq, isNull } from "drizzle-orm";
import { changedFields } from "../../domain/accounts/audit.ts";
import type { Role } from "../../domain/accounts/role.ts";
import { emailKey, inviteEnd, type Person, type PersonState } from "../../domain/people/person.ts";
import { invalid, notFound } from "../../errors.ts";
import { hashKey } from "../accounts/api-keys.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { type Audited, audit, auditCreation, auditDeletion, updateOf } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import type { Tx } from "../tx.ts";
import { markAcknowledgements } from "./marked-acknowledgements.ts";
import { methodColumns, methodsOf } from "./methods.ts";
import { keepingWayIn } from "./way-in.ts";

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
export async function createPerson(tx: Tx, given: NewPerson, now: number): Promise<Person> {
  const { people, memberships, organizations } = tx.tables;
  const organization = await organizationPk(tx, given.organizationId);
  const personPk = (await findByEmail(tx, given.email)) ?? (await insertPerson(tx, given, now));
  const [member] = await tx.db
    .select({ state: memberships.state })
    .from(memberships)
    .where(and(eq(memberships.personPk, personPk), eq(memberships.organizationPk, organization)));
  if (member) throw invalid("email must be the address of somebody who is not in the organization yet");
  const { role, token } = given;
  await tx.db
    .insert(memberships)
    .values({ personPk, organizationPk: organization, role, state: "invited", createdAt: now });
  await tx.db.update(organizations).set({ hadPeople: true }).where(eq(organizations.pk, organization));
  await insertInvite(tx, { personPk, organizationPk: organization, token }, now);
  const [found] = await tx.db.select({ id: people.id }).from(people).where(eq(people.pk, personPk));
  const created = await findPerson(tx, given.organizationId, found?.id ?? "");
  const { name, email } = given;
  await auditCreation(tx, auditedPerson(created, organization), { name, email, role });
  return created;
}

async function findByEmail({ db, tables: { people } }: Tx, email: string): Promise<number | undefined> {
  const [found] = await db
    .select({ pk: people.pk })
    .from(people)
    .where(eq(people.emailKey, emailKey(email)));
  return found?.pk;
}

/** @returns the number of the person, who is in no organization yet */
export async function insertPerson(
  { db, tables: { people } }: Tx,
  { email, name }: Pick<NewPerson, "email" | "name">,
  now: number,
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
  { db, tables: { invites } }: Tx,
  { personPk, organizationPk, token }: { personPk: number; organizationPk: number | null; token: string },
  now: number,
): Promise<void> {
  const expiresAt = inviteEnd(organizationPk === null ? "link" : "invite", now);
  await db.insert(invites).values({ hash: hashKey(token), personPk, organizationPk, expiresAt });
}

/** Ends the links of a person that were not used yet. */
export async function deleteLinks({ db, tables: { invites } }: Tx, personPk: number): Promise<void> {
  await db.delete(invites).where(and(eq(invites.personPk, personPk), isNull(invites.organizationPk)));
}

/** The people of an organization, or of all; oldest first. @throws AppError `not_found` for an unknown organization */
export async function listPeople(tx: Tx, organizationId: string): Promise<Person[]> {
  const { memberships } = tx.tables;
  const inOrganization = eq(memberships.organizationPk, await organizationPk(tx, organizationId));
  const rows = await selectPeople(tx)
    .where(inOrganization)
    .orderBy(memberships.createdAt, memberships.personPk);
  return rows.map(personOf);
}

/** @throws AppError `not_found` */
export async function findPerson(tx: Tx, organizationId: string, id: string): Promise<Person> {
  return personOf(await findRow(tx, organizationId, id));
}

async function findRow(tx: Tx, organizationId: string, id: string) {
  const { people, memberships } = tx.tables;
  const inOrganization = eq(memberships.organizationPk, await organizationPk(tx, organizationId));
  const [row] = await selectPeople(tx).where(and(eq(people.id, id), inOrganization));
  if (!row) throw notFound();
  return row;
}

function selectPeople({ db, tables: { people, memberships } }: Tx) {
  return db
    .select({
      pk: people.pk,
      organizationPk: memberships.organizationPk,
      ...{ id: people.id, name: people.name, email: people.email },
      ...{ role: memberships.role, state: memberships.state },
      ...methodColumns,
      ...{ lastSeenAt: people.lastSeenAt, createdAt: memberships.createdAt },
    })
    .from(memberships)
    .innerJoin(people, eq(people.pk, memberships.personPk));
}

type PersonRow = Awaited<ReturnType<typeof selectPeople>>[number];

function personOf({
  pk: _,
  organizationPk: __,
  hasPassword,
  hasPasskey,
  hasIdentity,
  lastSeenAt,
  createdAt,
  ...row
}: PersonRow): Person {
  return { ...row, methods: methodsOf({ hasPassword, hasPasskey, hasIdentity }), lastSeenAt, createdAt };
}

export interface PersonChanges {
  name?: string | undefined;
  role?: Role | undefined;
  state?: Exclude<PersonState, "invited"> | undefined;
}

/**
 * Whoever is disabled loses the sessions and the invitation there, also if they are enabled again.
 *
 * @throws AppError `not_found`; `invalid` for the state of somebody who has accepted no invitation; `last_way_in`
 */
export async function updatePerson(
  tx: Tx,
  organizationId: string,
  id: string,
  { name, role, state }: PersonChanges,
): Promise<Person> {
  const { people, memberships } = tx.tables;
  const before = await findRow(tx, organizationId, id);
  const hasAccepted = before.state !== "invited" && personOf(before).methods.length > 0;
  if (state === "active" && before.state !== "active" && !hasAccepted)
    throw invalid("state must not be active for somebody who has not accepted the invitation yet");
  await keepingWayIn(tx, before.organizationPk, async () => {
    if (name !== undefined) await tx.db.update(people).set({ name }).where(eq(people.pk, before.pk));
    if (role !== undefined || state !== undefined)
      await tx.db
        .update(memberships)
        .set({ role: role ?? before.role, state: state ?? before.state })
        .where(ofMember(tx, before));
  });
  if (state === "disabled") await endAccess(tx, before);
  const after = await findPerson(tx, organizationId, id);
  // The state of a person changes by a decision, unlike the states of other resources.
  const changed = [
    ...changedFields(personOf(before), after),
    ...(after.state === before.state ? [] : ["state"]),
  ];
  if (changed.length > 0) await audit(tx, updateOf(auditedPerson(after, before.organizationPk), changed));
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

/** Takes a person out of an organization. Whoever is in none then is gone. @throws AppError as `updatePerson` */
export async function deletePerson(tx: Tx, organizationId: string, id: string): Promise<{ id: string }> {
  const { people, memberships } = tx.tables;
  const row = await findRow(tx, organizationId, id);
  await keepingWayIn(tx, row.organizationPk, () =>
    tx.db
      .delete(memberships)
      .where(ofMember(tx, row))
      .then(() => {}),
  );
  await endAccess(tx, row);
  const [other] = await tx.db
    .select({ pk: memberships.personPk })
    .from(memberships)
    .where(eq(memberships.personPk, row.pk))
    .limit(1);
  if (!other) await tx.db.delete(people).where(eq(people.pk, row.pk));
  await markAcknowledgements(tx, { organizationPk: row.organizationPk, person: id });
  await auditDeletion(tx, auditedPerson(personOf(row), row.organizationPk));
  return { id };
}

/** A new invitation, which ends the previous one. @throws AppError `not_found`; `invalid` for somebody who is not invited */
export async function invitePerson(
  tx: Tx,
  { organizationId, id, token }: { organizationId: string; id: string; token: string },
  now: number,
): Promise<Person> {
  const { invites } = tx.tables;
  const row = await findRow(tx, organizationId, id);
  if (row.state !== "invited") throw invalid("an invitation is for somebody who has not accepted one yet");
  await tx.db
    .delete(invites)
    .where(and(eq(invites.personPk, row.pk), eq(invites.organizationPk, row.organizationPk)));
  await insertInvite(tx, { personPk: row.pk, organizationPk: row.organizationPk, token }, now);
  const { type, id: personId, name } = auditedPerson(personOf(row), row.organizationPk);
  const resource = { type, id: personId, name };
  await audit(tx, { organizationPk: row.organizationPk, action: "person.invited", resource });
  return personOf(row);
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
