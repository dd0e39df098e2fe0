import { and, eq, gt, lte, ne, sql } from "drizzle-orm";
import type { Role } from "../../domain/accounts/role.ts";
import { fault } from "../../domain/faults/fault.ts";
import { DEFAULT_LANGUAGE, type Language } from "../../domain/pages/reader-locale.ts";
import { emailKey, type Method } from "../../domain/people/person.ts";
import { notFound, unauthorized } from "../../errors.ts";
import { hashKey } from "../accounts/api-keys.ts";
import { audit } from "../audit/audit.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { deleteLinks, joinOrganization, removeWaysIn } from "./given-role.ts";
import { insertPasskey, type NamedCredential } from "./passkeys.ts";
import { insertInvite, methodColumns, methodsOf } from "./people.ts";
import { activeOrganizations } from "./person-sessions.ts";
import { assertStillProved, type Proof } from "./proof.ts";

/** An open invitation, or a link of the command line. */
export interface OpenInvite {
  personId: string;
  /** As the organization wrote it. */
  email: string;
  /** The name that the organization gave in the invitation; for a link, the name of the person. */
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
export async function findInvite(tx: TimedTx, token: string): Promise<OpenInvite> {
  const { own, person, organization, role, personId, passwordHash, methods } = await findRow(tx, token);
  const { name, email } = organization ? { name: own.name, email: own.email ?? person.email } : person;
  return { personId, email, name, organization, role, passwordHash, methods };
}

async function findRow({ db, tables, now }: TimedTx, token: string) {
  const { invites, people, memberships, organizations } = tables;
  const ofMember = and(
    eq(memberships.personPk, invites.personPk),
    eq(memberships.organizationPk, invites.organizationPk),
  );
  const [row] = await db
    .select({
      ...{ pk: invites.pk, personPk: invites.personPk, organizationPk: invites.organizationPk },
      ...{ personId: people.id, passwordHash: people.passwordHash, role: memberships.role },
      ...methodColumns,
      organizationId: organizations.id,
      organizationName: organizations.name,
      person: { name: people.name, email: people.email },
      own: { name: sql<string | null>`${memberships.name}`, email: sql<string | null>`${memberships.email}` },
    })
    .from(invites)
    .innerJoin(people, eq(people.pk, invites.personPk))
    .leftJoin(organizations, eq(organizations.pk, invites.organizationPk))
    .leftJoin(memberships, ofMember)
    .where(and(eq(invites.hash, hashKey(token)), gt(invites.expiresAt, now)));
  if (!row) throw notFound();
  const { organizationId: id, organizationName: name, ...invite } = row;
  const organization = id === null || name === null ? null : { id, name };
  return { ...invite, methods: methodsOf(row), organization };
}

/** A new way in of somebody who has none. @property passwordHash null with a passkey */
export interface NewWay {
  passwordHash: string | null;
  passkey?: NamedCredential | undefined;
}

/**
 * @property name of somebody who has none yet
 * @property way what somebody sets: a new person, or anybody by a link; otherwise the proof of who they are
 * @property address of the client, for the audit log
 */
export interface Redemption {
  token: string;
  name?: string | undefined;
  way: NewWay | Proof;
  address?: string;
}

/** @property proof of who the person is now @property organizationId where the session begins */
export interface Redeemed {
  personId: string;
  organizationId: string;
  proof: Proof;
}

/**
 * Redeems an invitation, or a link, once (behavior 19.5 to 19.8).
 *
 * @throws AppError `not_found` if it was redeemed meanwhile; `unauthorized` if what was presented does not hold any more, or nobody can
 * sign in by it; `invalid` without a name
 */
export async function redeemInvite(tx: TimedTx, redemption: Redemption): Promise<Redeemed> {
  const { invites } = tx.tables;
  const invite = await findRow(tx, redemption.token);
  const deleted = await tx.db.delete(invites).where(eq(invites.pk, invite.pk)).returning({ pk: invites.pk });
  if (deleted.length === 0) throw notFound();
  await tx.db.delete(invites).where(lte(invites.expiresAt, tx.now));
  return invite.organization ? accept(tx, invite, redemption) : startAnew(tx, invite, redemption);
}

type InviteRow = Awaited<ReturnType<typeof findRow>>;

/** A new person sets a way in. Everybody else has proved who they are, and keeps all, the name too. */
async function accept(tx: TimedTx, invite: InviteRow, { name, way, address }: Redemption): Promise<Redeemed> {
  const { personId, personPk, organizationPk, organization, methods, own, person } = invite;
  if (organizationPk === null || !organization) throw notFound();
  const isNew = methods.length === 0;
  // The person got a way in by another invitation meanwhile, which somebody else may have; or has lost it.
  if (isNew === "by" in way) throw notFound();
  const proof = "by" in way ? way : await setWay(tx, personPk, way);
  await assertStillProved(tx, personPk, proof);
  if (isNew) await describePerson(tx, personPk, { name, email: own.email ?? person.email });
  if (!(await joinOrganization(tx, { personPk, organizationPk }))) throw notFound();
  const known = (isNew ? name : person.name) ?? person.email;
  const resource = { type: "person", id: personId, name: known } as const;
  const authored = { ...tx, author: { actor: resource, address: address ?? null, at: tx.now } };
  await audit(authored, { organizationPk, action: "person.updated", resource, changed: ["state"] });
  return { personId, organizationId: organization.id, proof };
}

/**
 * Behavior 19.8: whoever has a link has the mailbox, or was given it by whoever runs the server. All earlier ways in end. Somebody who
 * is active nowhere accepts the invitations too.
 */
async function startAnew(
  tx: TimedTx,
  { personId, personPk, person }: InviteRow,
  { name, way }: Redemption,
): Promise<Redeemed> {
  if ("by" in way) throw notFound();
  await removeWaysIn(tx, personPk);
  const proof = await setWay(tx, personPk, way);
  if (person.name === null) await describePerson(tx, personPk, { name, email: person.email });
  const [active] = await activeOrganizations(tx, personPk);
  if (!active) await joinAll(tx, personPk);
  const [first] = active ? [active] : await activeOrganizations(tx, personPk);
  // Nothing of this is kept: the link can be used when somebody has enabled the person.
  if (!first) throw unauthorized();
  return { personId, organizationId: first.id, proof };
}

async function joinAll(tx: TimedTx, personPk: number): Promise<void> {
  const { memberships } = tx.tables;
  const invited = await tx.db
    .select({ organizationPk: memberships.organizationPk })
    .from(memberships)
    .where(and(eq(memberships.personPk, personPk), eq(memberships.state, "invited")));
  for (const { organizationPk } of invited) await joinOrganization(tx, { personPk, organizationPk });
}

async function setWay(tx: TimedTx, personPk: number, way: NewWay): Promise<Proof> {
  const { people } = tx.tables;
  const { passwordHash, passkey } = way;
  if (passkey) return { by: "passkey", passkeyId: (await insertPasskey(tx, personPk, passkey)).id };
  if (passwordHash === null) throw fault("required", { field: "password" });
  await tx.db.update(people).set({ passwordHash }).where(eq(people.pk, personPk));
  return { by: "password", passwordHash };
}

/** A new person. @throws AppError `invalid` without a name */
async function describePerson(
  { db, tables: { people } }: Tx,
  personPk: number,
  { name, email }: { name: string | undefined; email: string },
): Promise<void> {
  if (name === undefined) throw fault("required", { field: "name" });
  await db.update(people).set({ name, email }).where(eq(people.pk, personPk));
}

/** A link that lets a person set a new password, and ends the previous one. @throws AppError `not_found` */
export async function createPersonLink(
  tx: TimedTx,
  { personId, token }: { personId: string; token: string },
): Promise<{ email: string }> {
  const { people, invites } = tx.tables;
  const [person] = await tx.db
    .select({ pk: people.pk, email: people.email })
    .from(people)
    .where(eq(people.id, personId));
  if (!person) throw notFound();
  await deleteLinks(tx, person.pk);
  await tx.db.delete(invites).where(lte(invites.expiresAt, tx.now));
  await insertInvite(tx, { personPk: person.pk, organizationPk: null, token });
  return { email: person.email };
}

/** Somebody who gets a link. @property organizationLanguage of the oldest organization that the person is in */
export interface LinkReceiver {
  id: string;
  email: string;
  /** The own choice of the person; null without any. */
  language: Language | null;
  organizationLanguage: Language;
}

/**
 * A link for somebody who forgot the password (behavior 19.17). It changes nothing until it is used: other links stay, because anybody
 * may ask for one.
 *
 * @returns null unless somebody with the address has a way to sign in, and is active or invited somewhere
 */
export async function createLinkForEmail(
  tx: TimedTx,
  { email, token }: { email: string; token: string },
): Promise<LinkReceiver | null> {
  const { people, invites, memberships, organizations } = tx.tables;
  const { pk, id, email: address, language } = people;
  const [person] = await tx.db
    .select({ pk, id, email: address, language, ...methodColumns })
    .from(people)
    .where(eq(people.emailKey, emailKey(email)));
  if (!person || methodsOf(person).length === 0) return null;
  const [usable] = await tx.db
    .select({ language: organizations.language })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.pk, memberships.organizationPk))
    .where(and(eq(memberships.personPk, person.pk), ne(memberships.state, "disabled")))
    .orderBy(organizations.pk)
    .limit(1);
  if (!usable) return null;
  await tx.db.delete(invites).where(lte(invites.expiresAt, tx.now));
  await insertInvite(tx, { personPk: person.pk, organizationPk: null, token });
  const organizationLanguage = usable.language ?? DEFAULT_LANGUAGE;
  return { id: person.id, email: person.email, language: person.language, organizationLanguage };
}
