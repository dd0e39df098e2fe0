import { and, desc, eq, gt, inArray } from "drizzle-orm";
import type { Role } from "../../domain/accounts/role.ts";
import type { Method } from "../../domain/people/person.ts";
import { AppError, notFound } from "../../errors.ts";
import { hashKey } from "../accounts/api-keys.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { audit, auditCreation, entryOf } from "../audit/audit.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { joinOrganization, listOpenInvitations, setGivenRole } from "./given-role.ts";
import { assertWayInLeft, findByEmail, insertPerson, methodColumns, methodsOf } from "./people.ts";
import { activeOrganizations, personPkOf } from "./person-sessions.ts";
import { auditOwnChange, type OwnWay } from "./proof.ts";

/** Identities of one person, as many as passkeys. */
const MOST = 20;

/** Who signs in, as a provider has proven it. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** Somebody who signs in, according to the provider. */
export interface ProvenPerson extends Identity {
  email: string | undefined;
  isEmailVerified: boolean;
  name: string | undefined;
  /** The role that the claim gives, and its organization; null without a role claim. */
  given: { role: Role; organizationId: string } | null;
  /** The IP address of the client, for the audit log. */
  address: string;
}

/** @property keptRole a role that stays, because the organization would lose its last way in */
export interface IdentifiedPerson {
  personId: string;
  organizationId: string;
  keptRole: Role | null;
}

/** Why somebody whom the provider knows can't sign in here. */
function refused(reason: string): AppError {
  return new AppError("forbidden", reason);
}

/**
 * Refuses, without the lock for edits, somebody whom `signInByIdentity` would refuse: a provider may know many who are nobody here.
 *
 * @throws AppError `forbidden` with the reason, for the log
 */
export async function assertMaySignIn(tx: TimedTx, proven: ProvenPerson): Promise<void> {
  const personPk = await findIdentity(tx, proven);
  if (personPk === undefined) return void (await findAdmission(tx, proven));
  if ((await activeOrganizations(tx, personPk)).length > 0) return;
  if (!proven.given || (await isDisabled(tx, { ...proven.given, personPk }))) throw inNoOrganization();
}

/**
 * Finds the person with an identity, or makes one of open invitations or of a role (behavior 19.66 and 19.71). Only a new person joins by
 * signing in: somebody who has an account accepts an invitation on its page.
 *
 * @throws AppError `forbidden` with the reason, for the log
 */
export async function signInByIdentity(tx: TimedTx, proven: ProvenPerson): Promise<IdentifiedPerson> {
  const { people } = tx.tables;
  const known = await findIdentity(tx, proven);
  const { personPk, joined } =
    known === undefined ? await admit(tx, proven) : { personPk: known, joined: [] };
  await noteUse(tx, proven);
  const [person] = await tx.db
    .select({ id: people.id, name: people.name, email: people.email })
    .from(people)
    .where(eq(people.pk, personPk));
  if (!person) throw new Error("an identity has no person");
  const actor = { type: "person", id: person.id, name: person.name ?? person.email } as const;
  const authored = { ...tx, author: { actor, address: proven.address, at: tx.now } };
  for (const { organizationPk: pk } of joined)
    await audit(authored, {
      ...{ organizationPk: pk, action: "person.updated", resource: actor, changed: ["state"] },
    });
  const { given } = proven;
  const keptRole = given && (await setGivenRole(authored, { ...given, personPk, resource: actor }));
  const organizations = await activeOrganizations(tx, personPk);
  const preferred = [...joined.map(({ organizationId }) => organizationId), given?.organizationId];
  const chosen = organizations.find(({ id }) => preferred.includes(id)) ?? organizations[0];
  if (!chosen) throw inNoOrganization();
  return { personId: person.id, organizationId: chosen.id, keptRole };
}

function inNoOrganization(): AppError {
  return refused("the person is in no organization, or disabled");
}

async function isDisabled(
  tx: Tx,
  membership: { personPk: number; organizationId: string },
): Promise<boolean> {
  return (await findMember(tx, membership))?.state === "disabled";
}

async function findMember(
  tx: Tx,
  { personPk, organizationId }: { personPk: number; organizationId: string },
) {
  const { memberships } = tx.tables;
  const pk = await organizationPk(tx, organizationId);
  const ofMember = and(eq(memberships.personPk, personPk), eq(memberships.organizationPk, pk));
  const [member] = await tx.db.select({ state: memberships.state }).from(memberships).where(ofMember);
  return member;
}

async function findIdentity({ db, tables: { identities } }: Tx, identity: Identity) {
  const [found] = await db
    .select({ personPk: identities.personPk })
    .from(identities)
    .where(isIdentity(identities, identity));
  return found?.personPk;
}

function isIdentity(table: Tx["tables"]["identities"], { issuer, subject }: Identity) {
  return and(eq(table.subject, subject), eq(table.issuer, issuer));
}

async function noteUse({ db, tables: { identities }, now }: TimedTx, identity: Identity): Promise<void> {
  await db.update(identities).set({ lastUsedAt: now }).where(isIdentity(identities, identity));
}

interface Admitted {
  personPk: number;
  /** The organizations whose invitations were redeemed. */
  joined: { organizationPk: number; organizationId: string }[];
}

/** Adds an identity that is not known yet. */
async function admit(tx: TimedTx, proven: ProvenPerson): Promise<Admitted> {
  const { given } = proven;
  const { email, invitedPk, open } = await findAdmission(tx, proven);
  const name = proven.name ?? open.find((invitation) => invitation.name !== null)?.name ?? undefined;
  const personPk = invitedPk ?? (await insertPerson(tx, { email }));
  const { people } = tx.tables;
  const own = { name: name ?? null, email: email.trim() };
  await tx.db.update(people).set(own).where(eq(people.pk, personPk));
  await insertIdentity(tx, { personPk, ...proven });
  for (const { organizationPk: pk } of open) await joinOrganization(tx, { personPk, organizationPk: pk });
  if (open.length === 0 && given)
    await auditCreated(tx, { personPk, ...own, ...given, address: proven.address });
  return { personPk, joined: open };
}

/**
 * The invitations for somebody whose identity is not known yet. An e-mail address proves nothing except that invitations are for this
 * person, and only an address that is verified does (behavior 19.66).
 *
 * @throws AppError `forbidden` without any, and without a role
 */
async function findAdmission(tx: TimedTx, { email, isEmailVerified, given }: ProvenPerson) {
  if (email === undefined) throw refused("the provider gave no e-mail address");
  const invitedPk = await findByEmail(tx, email);
  if (invitedPk !== undefined) await assertNoWayIn(tx, invitedPk);
  const open = invitedPk !== undefined && isEmailVerified ? await listOpenInvitations(tx, invitedPk) : [];
  if (open.length === 0) {
    if (!given) throw refused(reasonWithoutInvitation(invitedPk, isEmailVerified));
    if (!isEmailVerified && invitedPk !== undefined)
      await assertNotInvitedBy(tx, invitedPk, given.organizationId);
  }
  return { email, invitedPk, open };
}

/** @throws AppError `forbidden` for the address of somebody who has an account */
async function assertNoWayIn({ db, tables: { people } }: Tx, personPk: number): Promise<void> {
  const [person] = await db.select(methodColumns).from(people).where(eq(people.pk, personPk));
  if (person && methodsOf(person).length > 0)
    throw refused(
      "the e-mail address is that of somebody who signs in otherwise: they can link this identity",
    );
}

function reasonWithoutInvitation(invitedPk: number | undefined, isEmailVerified: boolean): string {
  if (invitedPk === undefined) return "nobody has this identity, and no invitation is for its e-mail address";
  if (!isEmailVerified) return "the e-mail address is that of an invitation, but email_verified is not true";
  return "the invitation has expired";
}

/** The invitations of other organizations do not prevent the role that the provider gives. */
async function assertNotInvitedBy(tx: Tx, personPk: number, organizationId: string): Promise<void> {
  const member = await findMember(tx, { personPk, organizationId });
  if (member) throw refused(reasonWithoutInvitation(personPk, false));
}

/** Behavior 19.71: only a role makes somebody a person without an invitation. */
async function auditCreated(
  tx: TimedTx,
  created: {
    personPk: number;
    name: string | null;
    email: string;
    address: string;
    role: Role;
    organizationId: string;
  },
): Promise<void> {
  const { people } = tx.tables;
  const { personPk, name, email, role, address, organizationId } = created;
  const [person] = await tx.db.select({ id: people.id }).from(people).where(eq(people.pk, personPk));
  const resource = { type: "person", id: person?.id ?? "", name: name ?? email } as const;
  await auditCreation(
    { ...tx, author: { actor: resource, address, at: tx.now } },
    { organizationPk: await organizationPk(tx, organizationId), ...resource },
    { name: name ?? undefined, email, role },
  );
}

async function insertIdentity(
  { db, tables: { identities }, now }: TimedTx,
  { personPk, issuer, subject }: Identity & { personPk: number },
): Promise<void> {
  await db.insert(identities).values({ personPk, issuer, subject, createdAt: now });
}

/**
 * Links an identity to the person of a session (behavior 19.67).
 *
 * @throws AppError `forbidden` if another person has it, or if the session has ended
 */
export async function linkIdentity(
  tx: TimedTx,
  { sessionId, address, ...identity }: Identity & { sessionId: string; address: string },
): Promise<void> {
  const { people, personSessions } = tx.tables;
  const [session] = await tx.db
    .select({
      ...{ personPk: people.pk, id: people.id, name: people.name, email: people.email },
      organizationPk: personSessions.organizationPk,
    })
    .from(personSessions)
    .innerJoin(people, eq(people.pk, personSessions.personPk))
    .where(and(eq(personSessions.id, sessionId), gt(personSessions.expiresAt, tx.now)));
  const isActive = session && (await activeOrganizations(tx, session.personPk)).length > 0;
  if (!isActive) throw refused("the session in which the identity is linked has ended");
  const { personPk, organizationPk, id, name, email } = session;
  const known = await findIdentity(tx, identity);
  if (known === personPk) return;
  if (known !== undefined) throw refused("the identity is that of another person");
  if ((await findIdentities(tx, personPk)).length >= MOST)
    throw refused(`the person has ${MOST} identities already`);
  await insertIdentity(tx, { personPk, ...identity });
  const actor = { type: "person", id, name: name ?? email } as const;
  await audit(
    { ...tx, author: { actor, address, at: tx.now } },
    { organizationPk, action: "person.updated", resource: actor, changed: ["methods"] },
  );
}

/** An identity as its person sees it. Times are milliseconds since 1970. */
export interface OwnIdentity {
  id: string;
  issuer: string;
  createdAt: number;
  lastUsedAt: number | null;
}

/** The latest first. */
export async function listIdentities(tx: Tx, personId: string): Promise<OwnIdentity[]> {
  const rows = await findIdentities(tx, await personPkOf(tx, personId));
  return rows.map(({ issuer, subject, createdAt, lastUsedAt }) => ({
    ...{ id: identityId({ issuer, subject }), issuer, createdAt, lastUsedAt },
  }));
}

function findIdentities({ db, tables: { identities } }: Tx, personPk: number) {
  return db.select().from(identities).where(eq(identities.personPk, personPk)).orderBy(desc(identities.pk));
}

/** An identity has no ID of its own, and is of one person: a part of its hash names it. */
function identityId({ issuer, subject }: Identity): string {
  return Buffer.from(hashKey(`${issuer}\n${subject}`))
    .toString("hex")
    .slice(0, 32);
}

/**
 * Unlinks an identity (behavior 19.69).
 *
 * @param usable the ways to sign in that this server offers
 * @throws AppError `not_found` for an identity of somebody else; `invalid` if the person would have no way to sign in
 */
export async function deleteIdentity(
  tx: Tx,
  { personId, id, organizationId, usable }: OwnWay,
): Promise<{ id: string }> {
  const { identities } = tx.tables;
  const personPk = await personPkOf(tx, personId);
  const own = (await findIdentities(tx, personPk)).find((identity) => identityId(identity) === id);
  if (!own) throw notFound();
  await tx.db.delete(identities).where(eq(identities.pk, own.pk));
  await assertWayInLeft(tx, personPk, usable);
  await auditOwnChange(tx, { organizationId, changed: "methods" });
  return { id };
}

/** A sign-in of a known person that failed. @property at milliseconds since 1970 */
export interface FailedSignIn {
  personId: string;
  organizationId: string;
  method: Method;
  at: number;
}

/**
 * Writes failed sign-ins to the audit log (behavior 19.42): without any address, because the client may be anybody, and what was
 * entered may be a password.
 */
export async function recordFailedSignIns(tx: Tx, failures: readonly FailedSignIn[]): Promise<void> {
  const { people, memberships, organizations, auditEntries } = tx.tables;
  const ids = [...new Set(failures.map(({ personId }) => personId))];
  const members = await tx.db
    .select({
      ...{ personId: people.id, ownName: memberships.name, name: people.name },
      ...{ organizationId: organizations.id, organizationPk: organizations.pk },
    })
    .from(memberships)
    .innerJoin(people, eq(people.pk, memberships.personPk))
    .innerJoin(organizations, eq(organizations.pk, memberships.organizationPk))
    .where(inArray(people.id, ids));
  const keyOf = (of: { personId: string; organizationId: string }) => `${of.personId} ${of.organizationId}`;
  const known = new Map(members.map((member) => [keyOf(member), member]));
  const rows = failures.flatMap((failure) => {
    // Deleted meanwhile.
    const member = known.get(keyOf(failure));
    if (!member) return [];
    const who = { id: failure.personId, name: member.ownName ?? member.name ?? failure.personId };
    const author = { actor: { type: "person", ...who }, address: null, at: failure.at } as const;
    const { organizationPk } = member;
    const resource = { type: "session", ...who } as const;
    return [
      entryOf(author, { organizationPk, action: "session.failed", resource, changed: [failure.method] }),
    ];
  });
  if (rows.length > 0) await tx.sets.insert(auditEntries, rows);
}
