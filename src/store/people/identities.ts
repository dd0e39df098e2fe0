import { and, eq, gt, isNotNull } from "drizzle-orm";
import type { Role } from "../../domain/accounts/role.ts";
import { emailKey } from "../../domain/people/person.ts";
import { AppError } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { audit, auditCreation } from "../audit/audit.ts";
import type { Tx } from "../tx.ts";
import { setGivenRole } from "./given-role.ts";
import { methodColumns, methodsOf } from "./methods.ts";
import { insertPerson } from "./people.ts";
import { activeOrganizations } from "./person-sessions.ts";

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
 * Finds the person with an identity, or makes one of an open invitation or of a role (behavior 19.66 and 19.71).
 *
 * @throws AppError `forbidden` with the reason, for the log
 */
export async function signInByIdentity(tx: Tx, proven: ProvenPerson, now: number): Promise<IdentifiedPerson> {
  const { people } = tx.tables;
  const personPk = (await findIdentity(tx, proven)) ?? (await admit(tx, proven, now));
  const [person] = await tx.db
    .select({ id: people.id, name: people.name, email: people.email, emailKey: people.emailKey })
    .from(people)
    .where(eq(people.pk, personPk));
  if (!person) throw new Error("an identity has no person");
  const actor = { type: "person", id: person.id, name: person.name ?? person.email } as const;
  const authored = { ...tx, author: { actor, address: proven.address, at: now } };
  const isInvited = proven.isEmailVerified && emailKey(proven.email ?? "") === person.emailKey;
  const redeemed = isInvited ? await redeemOpenInvites(authored, { personPk, resource: actor }, now) : [];
  const { given } = proven;
  const keptRole = given && (await setGivenRole(authored, { ...given, personPk, resource: actor }, now));
  const organizations = await activeOrganizations(tx, personPk);
  const preferred = [...redeemed, given?.organizationId];
  const chosen = organizations.find(({ id }) => preferred.includes(id)) ?? organizations[0];
  if (!chosen) throw refused("the person is in no organization, or disabled");
  return { personId: person.id, organizationId: chosen.id, keptRole };
}

async function findIdentity({ db, tables: { identities } }: Tx, { issuer, subject }: Identity) {
  const [found] = await db
    .select({ personPk: identities.personPk })
    .from(identities)
    .where(and(eq(identities.subject, subject), eq(identities.issuer, issuer)));
  return found?.personPk;
}

/** An identity that is not known yet. */
async function admit(tx: Tx, proven: ProvenPerson, now: number): Promise<number> {
  const { email } = proven;
  if (email === undefined) throw refused("the provider gave no e-mail address");
  const personPk =
    (await findInvited(tx, { ...proven, email }, now)) ?? (await create(tx, { ...proven, email }, now));
  await insertIdentity(tx, { personPk, ...proven }, now);
  return personPk;
}

/**
 * Behavior 19.66: an e-mail address proves nothing except that an invitation is for this person.
 *
 * @returns undefined if nobody has the address
 */
async function findInvited(
  { db, tables: { people, invites } }: Tx,
  { email, isEmailVerified, name }: ProvenPerson & { email: string },
  now: number,
): Promise<number | undefined> {
  const [person] = await db
    .select({ pk: people.pk, name: people.name, ...methodColumns })
    .from(people)
    .where(eq(people.emailKey, emailKey(email)));
  if (!person) return undefined;
  if (methodsOf(person).length > 0)
    throw refused(
      "the e-mail address is that of somebody who signs in otherwise: they can link this identity",
    );
  if (!isEmailVerified)
    throw refused("the e-mail address is that of an invitation, but email_verified is not true");
  const isOpen = and(
    eq(invites.personPk, person.pk),
    isNotNull(invites.organizationPk),
    gt(invites.expiresAt, now),
  );
  const [invite] = await db.select({ pk: invites.pk }).from(invites).where(isOpen).limit(1);
  if (!invite) throw refused("the invitation has expired");
  if (person.name === null && name !== undefined)
    await db.update(people).set({ name }).where(eq(people.pk, person.pk));
  return person.pk;
}

/** Behavior 19.71: only a role makes somebody a person without an invitation. */
async function create(
  tx: Tx,
  { email, name, given, address }: ProvenPerson & { email: string },
  now: number,
): Promise<number> {
  if (!given) throw refused("nobody has this identity, and no invitation is for its e-mail address");
  const { people } = tx.tables;
  const personPk = await insertPerson(tx, { email, name }, now);
  const [created] = await tx.db.select({ id: people.id }).from(people).where(eq(people.pk, personPk));
  const resource = { type: "person", id: created?.id ?? "", name: name ?? email } as const;
  await auditCreation(
    { ...tx, author: { actor: resource, address, at: now } },
    { organizationPk: await organizationPk(tx, given.organizationId), ...resource },
    { name, email, role: given.role },
  );
  return personPk;
}

async function insertIdentity(
  { db, tables: { identities } }: Tx,
  { personPk, issuer, subject }: Identity & { personPk: number },
  now: number,
): Promise<void> {
  await db.insert(identities).values({ personPk, issuer, subject, createdAt: now });
}

/** @returns the IDs of the organizations that the person joins */
async function redeemOpenInvites(
  tx: Tx,
  { personPk, resource }: { personPk: number; resource: { type: "person"; id: string; name: string } },
  now: number,
): Promise<string[]> {
  const { invites, memberships, organizations } = tx.tables;
  const isOpen = and(
    eq(invites.personPk, personPk),
    isNotNull(invites.organizationPk),
    gt(invites.expiresAt, now),
  );
  const open = await tx.db
    .delete(invites)
    .where(isOpen)
    .returning({ organizationPk: invites.organizationPk });
  const joined: string[] = [];
  for (const { organizationPk } of open) {
    if (organizationPk === null) continue;
    const isInvited = and(
      eq(memberships.personPk, personPk),
      eq(memberships.organizationPk, organizationPk),
      eq(memberships.state, "invited"),
    );
    await tx.db.update(memberships).set({ state: "active" }).where(isInvited);
    await audit(tx, { organizationPk, action: "person.updated", resource, changed: ["state"] });
    const [organization] = await tx.db
      .select({ id: organizations.id })
      .from(organizations)
      .where(eq(organizations.pk, organizationPk));
    if (organization) joined.push(organization.id);
  }
  return joined;
}

/**
 * Links an identity to the person of a session (behavior 19.67).
 *
 * @throws AppError `forbidden` if another person has it, or if the session has ended
 */
export async function linkIdentity(
  tx: Tx,
  { sessionId, address, ...identity }: Identity & { sessionId: string; address: string },
  now: number,
): Promise<void> {
  const { people, personSessions } = tx.tables;
  const [session] = await tx.db
    .select({
      ...{ personPk: people.pk, id: people.id, name: people.name, email: people.email },
      organizationPk: personSessions.organizationPk,
    })
    .from(personSessions)
    .innerJoin(people, eq(people.pk, personSessions.personPk))
    .where(and(eq(personSessions.id, sessionId), gt(personSessions.expiresAt, now)));
  const isActive = session && (await activeOrganizations(tx, session.personPk)).length > 0;
  if (!isActive) throw refused("the session in which the identity is linked has ended");
  const { personPk, organizationPk, id, name, email } = session;
  const known = await findIdentity(tx, identity);
  if (known === personPk) return;
  if (known !== undefined) throw refused("the identity is that of another person");
  await insertIdentity(tx, { personPk, ...identity }, now);
  const actor = { type: "person", id, name: name ?? email } as const;
  await audit(
    { ...tx, author: { actor, address, at: now } },
    { organizationPk, action: "person.updated", resource: actor, changed: ["methods"] },
  );
}
