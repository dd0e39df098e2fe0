import { and, desc, eq, gt, isNotNull, isNull, lte, ne, sql } from "drizzle-orm";
import type { Caller } from "../../domain/accounts/api-key.ts";
import type { Role } from "../../domain/accounts/role.ts";
import { fault } from "../../domain/faults/fault.ts";
import { emailKey, SESSION_LENGTH, type SessionMethod } from "../../domain/people/person.ts";
import { notFound, unauthorized } from "../../errors.ts";
import { hashKey } from "../accounts/api-keys.ts";
import { audit } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import { preparedOnce, type TimedTx, type Tx } from "../tx.ts";
import { deleteLinks } from "./given-role.ts";
import { methodColumns, methodsOf } from "./people.ts";
import { assertFreshSession, assertStillProved, auditOwnChange, type Proof } from "./proof.ts";

/** Somebody who signs in. @property organizations those in which the person is active */
export interface Applicant {
  personId: string;
  passwordHash: string | null;
  organizations: { id: string; name: string; role: Role }[];
}

/** The person with an address; undefined if there is none. */
export async function findApplicant(tx: Tx, email: string): Promise<Applicant | undefined> {
  const { people } = tx.tables;
  const [person] = await tx.db
    .select({ pk: people.pk, personId: people.id, passwordHash: people.passwordHash })
    .from(people)
    .where(eq(people.emailKey, emailKey(email)));
  // Also for nobody, so that the time does not reveal whether there is a person: the database may be distant (behavior 19.22).
  const organizations = await activeOrganizations(tx, person?.pk ?? NOBODY);
  if (!person) return undefined;
  const { pk: _, ...applicant } = person;
  return { ...applicant, organizations };
}

/** The numbers of people begin at 1. */
const NOBODY = 0;

/** Whether anybody could sign in with a password. */
export async function hasPasswords({ db, tables: { people } }: Tx): Promise<boolean> {
  const [one] = await db
    .select({ pk: people.pk })
    .from(people)
    .where(isNotNull(people.passwordHash))
    .limit(1);
  return one !== undefined;
}

/** The organizations in which a person is active, oldest first. @returns also what each calls the person, if not by their name */
export async function activeOrganizations(
  { db, tables: { memberships, organizations } }: Tx,
  personPk: number,
) {
  return db
    .select({
      ...{ id: organizations.id, name: organizations.name, role: memberships.role },
      personName: memberships.name,
    })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.pk, memberships.organizationPk))
    .where(and(eq(memberships.personPk, personPk), eq(memberships.state, "active")))
    .orderBy(organizations.pk);
}

/** @property token in plain text; only its hash is stored @property proof of who the person is */
export interface NewSession {
  personId: string;
  organizationId: string;
  token: string;
  method: SessionMethod;
  proof: Proof;
  address: string;
  userAgent: string;
}

/** @throws AppError `unauthorized` if the person is not active in the organization, or has removed meanwhile what they presented */
export async function createPersonSession(tx: TimedTx, given: NewSession): Promise<Caller> {
  const { people, personSessions } = tx.tables;
  const { personId, organizationId, token, proof, ...values } = given;
  const member = await findMember(tx, { personId, organizationId });
  if (!member) throw unauthorized();
  await assertStillProved(tx, member.personPk, proof);
  await tx.db.delete(personSessions).where(lte(personSessions.expiresAt, tx.now));
  await tx.db.insert(personSessions).values({
    ...{ id: createId(), hash: hashKey(token), ...member, ...values },
    ...{ createdAt: tx.now, lastSeenAt: tx.now, expiresAt: tx.now + SESSION_LENGTH },
  });
  await tx.db.update(people).set({ lastSeenAt: tx.now }).where(eq(people.pk, member.personPk));
  const caller = await findPersonCaller(tx, hashKey(token));
  if (!caller) throw unauthorized();
  const { actor } = caller;
  await audit(
    { ...tx, author: { actor, address: given.address, at: tx.now } },
    {
      organizationPk: member.organizationPk,
      action: "session.created",
      resource: { type: "session", id: actor.id, name: actor.name },
      changed: [given.method],
    },
  );
  return caller;
}

async function findMember(
  { db, tables: { people, memberships, organizations } }: Tx,
  { personId, organizationId }: { personId: string; organizationId: string },
): Promise<{ personPk: number; organizationPk: number } | undefined> {
  const [member] = await db
    .select({ personPk: memberships.personPk, organizationPk: memberships.organizationPk })
    .from(memberships)
    .innerJoin(people, eq(people.pk, memberships.personPk))
    .innerJoin(organizations, eq(organizations.pk, memberships.organizationPk))
    .where(
      and(eq(people.id, personId), eq(organizations.id, organizationId), eq(memberships.state, "active")),
    );
  return member;
}

/** The caller of a session of a person who is active in its organization; undefined otherwise. */
export async function findPersonCaller(tx: Tx, hash: Uint8Array): Promise<Caller | undefined> {
  const [found] = await selectPersonCaller(tx).execute({ hash });
  if (!found) return undefined;
  const { personId: id, ownName, name, email, ...caller } = found;
  return { actor: { type: "person", id, name: ownName ?? name ?? email }, ...caller };
}

const selectPersonCaller = preparedOnce(({ db, tables }) => {
  const { people, memberships, organizations, personSessions } = tables;
  const ofSession = and(
    eq(memberships.personPk, personSessions.personPk),
    eq(memberships.organizationPk, personSessions.organizationPk),
    eq(memberships.state, "active"),
  );
  return db
    .select({
      ...{ personId: people.id, ownName: memberships.name, name: people.name, email: people.email },
      ...{ sessionId: personSessions.id, role: memberships.role, expiresAt: personSessions.expiresAt },
      language: people.language,
      ...{
        organizationId: organizations.id,
        plan: organizations.plan,
        subscription: organizations.subscription,
      },
    })
    .from(personSessions)
    .innerJoin(people, eq(people.pk, personSessions.personPk))
    .innerJoin(memberships, ofSession)
    .innerJoin(organizations, eq(organizations.pk, personSessions.organizationPk))
    .where(eq(personSessions.hash, sql.placeholder("hash")))
    .prepare();
});

/** Lets the requests of a session be about another organization of the person. @throws AppError `not_found` */
export async function switchOrganization(
  tx: Tx,
  { token, personId, organizationId }: { token: string; personId: string; organizationId: string },
): Promise<void> {
  const { personSessions } = tx.tables;
  const member = await findMember(tx, { personId, organizationId });
  if (!member) throw notFound();
  await tx.db
    .update(personSessions)
    .set({ organizationPk: member.organizationPk })
    .where(eq(personSessions.hash, hashKey(token)));
}

/** Notes that sessions are used, which renews them. @param uses the last use of each session by its ID */
export async function renewSessions(
  { db, tables: { people, personSessions } }: Tx,
  uses: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [id, at] of [...uses].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [session] = await db
      .update(personSessions)
      .set({ lastSeenAt: at, expiresAt: at + SESSION_LENGTH })
      .where(eq(personSessions.id, id))
      .returning({ personPk: personSessions.personPk });
    if (session) await db.update(people).set({ lastSeenAt: at }).where(eq(people.pk, session.personPk));
  }
}

/** A session as its person sees it. Times are milliseconds since 1970. */
export interface OwnSession {
  id: string;
  createdAt: number;
  lastSeenAt: number;
  address: string;
  userAgent: string;
}

/** The latest first. */
export async function listOwnSessions(tx: TimedTx, personId: string): Promise<OwnSession[]> {
  const { people, personSessions } = tx.tables;
  const { id, createdAt, lastSeenAt, address, userAgent } = personSessions;
  return tx.db
    .select({ id, createdAt, lastSeenAt, address, userAgent })
    .from(personSessions)
    .innerJoin(people, eq(people.pk, personSessions.personPk))
    .where(and(eq(people.id, personId), gt(personSessions.expiresAt, tx.now)))
    .orderBy(desc(personSessions.pk));
}

/** @throws AppError `not_found` for a session of somebody else */
export async function deleteOwnSession(
  tx: Tx,
  { personId, id }: { personId: string; id: string },
): Promise<{ id: string }> {
  const { personSessions } = tx.tables;
  const own = and(eq(personSessions.id, id), eq(personSessions.personPk, await personPkOf(tx, personId)));
  const deleted = await tx.db.delete(personSessions).where(own).returning({ id: personSessions.id });
  if (deleted.length === 0) throw notFound();
  return { id };
}

/**
 * Sets a password, and ends the other sessions of the person and their links that were not used yet.
 *
 * @property currentHash of the present password, as it was judged; null if there was none, and the session began a moment ago
 * @throws AppError `unauthorized` if the session has ended meanwhile; `invalid` if the present password has changed
 */
export async function setPassword(
  tx: TimedTx,
  {
    personId,
    currentHash,
    passwordHash,
    keptSessionId: sessionId,
    organizationId,
  }: {
    personId: string;
    currentHash: string | null;
    passwordHash: string;
    keptSessionId: string;
    organizationId?: string;
  },
): Promise<void> {
  const { people, personSessions } = tx.tables;
  const personPk = await personPkOf(tx, personId);
  if (currentHash === null) await assertFreshSession(tx, { personId, sessionId });
  else await assertStillProved(tx, personPk, { by: "session", sessionId });
  const isCurrent = currentHash === null ? isNull(people.passwordHash) : eq(people.passwordHash, currentHash);
  const set = await tx.db
    .update(people)
    .set({ passwordHash })
    .where(and(eq(people.pk, personPk), isCurrent))
    .returning({ pk: people.pk });
  if (set.length === 0) throw fault("wrongPassword", { field: "current" });
  await deleteLinks(tx, personPk);
  const others = and(eq(personSessions.personPk, personPk), ne(personSessions.id, sessionId));
  await tx.db.delete(personSessions).where(others);
  await auditOwnChange(tx, { organizationId, changed: "password" });
}

/** The number of the row of a person. @throws AppError `not_found` */
export async function personPkOf({ db, tables: { people } }: Tx, personId: string): Promise<number> {
  const [person] = await db.select({ pk: people.pk }).from(people).where(eq(people.id, personId));
  if (!person) throw notFound();
  return person.pk;
}

/** The profile of a person, with the organizations in which they are active. */
export async function findProfile(tx: Tx, personId: string) {
  const { people } = tx.tables;
  const [person] = await tx.db
    .select({
      ...{ pk: people.pk, id: people.id, name: people.name, email: people.email },
      ...{ language: people.language, passwordHash: people.passwordHash },
      ...methodColumns,
    })
    .from(people)
    .where(eq(people.id, personId));
  if (!person) throw notFound();
  const { pk, hasPassword, hasPasskey, hasIdentity, ...profile } = person;
  const methods = methodsOf({ hasPassword, hasPasskey, hasIdentity });
  return { ...profile, methods, organizations: await activeOrganizations(tx, pk) };
}

/** Ends the session of a token. */
export async function deletePersonSession(
  { db, tables: { personSessions } }: Tx,
  token: string,
): Promise<void> {
  await db.delete(personSessions).where(eq(personSessions.hash, hashKey(token)));
}
