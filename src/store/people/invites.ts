import { and, eq, gt, isNotNull, lte } from "drizzle-orm";
import type { Role } from "../../domain/accounts/role.ts";
import { emailKey, type Method } from "../../domain/people/person.ts";
import { notFound } from "../../errors.ts";
import { hashKey } from "../accounts/api-keys.ts";
import { audit } from "../audit/audit.ts";
import type { Tx } from "../tx.ts";
import { methodColumns, methodsOf } from "./methods.ts";
import { insertPasskey, type NamedCredential } from "./passkeys.ts";
import { deleteLinks, insertInvite } from "./people.ts";
import { activeOrganizations } from "./person-sessions.ts";

/** An open invitation, or a link of the command line. */
export interface OpenInvite {
  personId: string;
  email: string;
  name: string | null;
  /** The organization that somebody joins; null for a link. */
  organization: { id: string; name: string } | null;
  /** Null for a link. */
  role: Role | null;
  /** Null if the person has no password. */
  passwordHash: string | null;
  /** The ways in which the person can sign in already. */
  methods: Method[];
}

/** @param token in plain text @throws AppError `not_found` for one that is used, replaced, expired or unknown */
export async function findInvite(tx: Tx, token: string, now: number): Promise<OpenInvite> {
  const { pk: _, personPk: __, organizationPk: ___, ...invite } = await findRow(tx, token, now);
  return invite;
}

async function findRow({ db, tables }: Tx, token: string, now: number) {
  const { invites, people, memberships, organizations } = tables;
  const ofMember = and(
    eq(memberships.personPk, invites.personPk),
    eq(memberships.organizationPk, invites.organizationPk),
  );
  const [row] = await db
    .select({
      ...{ pk: invites.pk, personPk: invites.personPk, organizationPk: invites.organizationPk },
      ...{ personId: people.id, email: people.email, name: people.name, passwordHash: people.passwordHash },
      ...methodColumns,
      organizationId: organizations.id,
      organizationName: organizations.name,
      role: memberships.role,
    })
    .from(invites)
    .innerJoin(people, eq(people.pk, invites.personPk))
    .leftJoin(organizations, eq(organizations.pk, invites.organizationPk))
    .leftJoin(memberships, ofMember)
    .where(and(eq(invites.hash, hashKey(token)), gt(invites.expiresAt, now)));
  if (!row) throw notFound();
  const { organizationId: id, organizationName: name, hasPassword, hasPasskey, hasIdentity, ...invite } = row;
  const organization = id === null || name === null ? null : { id, name };
  return { ...invite, methods: methodsOf({ hasPassword, hasPasskey, hasIdentity }), organization };
}

/**
 * @property passwordHash null if the person has set no password, or has presented a way in
 * @property passkey a new one
 * @property address of the client, for the audit log
 */
export interface Redemption {
  token: string;
  name?: string | undefined;
  passwordHash: string | null;
  passkey?: NamedCredential | undefined;
  address?: string;
}

/**
 * Redeems an invitation once. Somebody without a way in gets this name, and this password or passkey; for everybody else all
 * stay, except by a link of the command line, which also ends the sessions of the person.
 *
 * @throws AppError `not_found` if it was redeemed, or the person got a way in, meanwhile
 */
export async function redeemInvite(
  tx: Tx,
  { token, name, passwordHash, passkey, address }: Redemption,
  now: number,
): Promise<{ personId: string; organizationId: string | null }> {
  const { people, memberships, invites, personSessions } = tx.tables;
  const invite = await findRow(tx, token, now);
  const { personPk, organizationPk } = invite;
  const deleted = await tx.db.delete(invites).where(eq(invites.pk, invite.pk)).returning({ pk: invites.pk });
  if (deleted.length === 0) throw notFound();
  await tx.db.delete(invites).where(lte(invites.expiresAt, now));
  const isLink = organizationPk === null;
  if (passwordHash !== null || passkey) {
    // The person got it by another invitation meanwhile, which somebody else may have.
    if (!isLink && invite.methods.length > 0) throw notFound();
    await tx.db
      .update(people)
      .set({ passwordHash: passwordHash ?? invite.passwordHash, name: name ?? invite.name })
      .where(eq(people.pk, personPk));
    if (passkey) await insertPasskey(tx, personPk, passkey, now);
  }
  if (isLink) {
    await tx.db.delete(personSessions).where(eq(personSessions.personPk, personPk));
    await deleteLinks(tx, personPk);
  }
  // A link is for somebody who is a member already. If they are active nowhere, it accepts the invitations too.
  const joins = !isLink || (await activeOrganizations(tx, personPk)).length === 0;
  const invited = and(
    eq(memberships.personPk, personPk),
    eq(memberships.state, "invited"),
    isLink ? undefined : eq(memberships.organizationPk, organizationPk),
  );
  if (joins) await tx.db.update(memberships).set({ state: "active" }).where(invited);
  const resource = {
    type: "person",
    id: invite.personId,
    name: name ?? invite.name ?? invite.email,
  } as const;
  const authored = { ...tx, author: { actor: resource, address: address ?? null, at: now } };
  if (organizationPk !== null)
    await audit(authored, { organizationPk, action: "person.updated", resource, changed: ["state"] });
  return { personId: invite.personId, organizationId: invite.organization?.id ?? null };
}

/** A link that lets a person set a new password, and ends the previous one. @throws AppError `not_found` */
export async function createPersonLink(
  tx: Tx,
  { personId, token }: { personId: string; token: string },
  now: number,
): Promise<{ email: string }> {
  const { people, invites } = tx.tables;
  const [person] = await tx.db
    .select({ pk: people.pk, email: people.email })
    .from(people)
    .where(eq(people.id, personId));
  if (!person) throw notFound();
  await deleteLinks(tx, person.pk);
  await tx.db.delete(invites).where(lte(invites.expiresAt, now));
  await insertInvite(tx, { personPk: person.pk, organizationPk: null, token }, now);
  return { email: person.email };
}

/**
 * A link for somebody who forgot the password (behavior 19.17). It changes nothing until it is used: other links stay, because anybody
 * may ask for one.
 *
 * @returns null unless somebody with the address signs in with a password, and is active somewhere
 */
export async function createLinkForEmail(
  tx: Tx,
  { email, token }: { email: string; token: string },
  now: number,
): Promise<{ id: string; email: string } | null> {
  const { people, invites } = tx.tables;
  const [person] = await tx.db
    .select({ pk: people.pk, id: people.id, email: people.email })
    .from(people)
    .where(and(eq(people.emailKey, emailKey(email)), isNotNull(people.passwordHash)));
  if (!person || (await activeOrganizations(tx, person.pk)).length === 0) return null;
  await tx.db.delete(invites).where(lte(invites.expiresAt, now));
  await insertInvite(tx, { personPk: person.pk, organizationPk: null, token }, now);
  return { id: person.id, email: person.email };
}
