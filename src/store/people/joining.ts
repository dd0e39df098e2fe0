import { and, eq, gt, isNull } from "drizzle-orm";
import type { Tx } from "../tx.ts";

/** A membership that begins. */
interface Joining {
  personPk: number;
  organizationPk: number;
}

/**
 * Makes somebody who is invited a member, and ends the invitation. What the organization wrote about them until then no longer counts:
 * it sees the person now.
 *
 * @returns false if they are not invited there
 */
export async function joinOrganization(
  { db, tables: { memberships, invites } }: Tx,
  { personPk, organizationPk }: Joining,
  now: number,
): Promise<boolean> {
  const isOfBoth = (table: typeof memberships | typeof invites) =>
    and(eq(table.personPk, personPk), eq(table.organizationPk, organizationPk));
  await db.delete(invites).where(isOfBoth(invites));
  const joined = await db
    .update(memberships)
    .set({ state: "active", acceptedAt: now, name: null, email: null })
    .where(and(isOfBoth(memberships), eq(memberships.state, "invited")))
    .returning({ personPk: memberships.personPk });
  return joined.length > 0;
}

/** The organizations that have an open invitation for a person, the first one first, with what each calls the person. */
export function listOpenInvitations(
  { db, tables: { memberships, invites, organizations } }: Tx,
  personPk: number,
  now: number,
) {
  const ofMember = and(
    eq(memberships.personPk, invites.personPk),
    eq(memberships.organizationPk, invites.organizationPk),
    eq(memberships.state, "invited"),
  );
  return db
    .select({
      organizationPk: organizations.pk,
      organizationId: organizations.id,
      name: memberships.name,
    })
    .from(invites)
    .innerJoin(memberships, ofMember)
    .innerJoin(organizations, eq(organizations.pk, memberships.organizationPk))
    .where(and(eq(invites.personPk, personPk), gt(invites.expiresAt, now)))
    .orderBy(invites.pk);
}

/** Ends the links of a person that were not used yet. */
export async function deleteLinks({ db, tables: { invites } }: Tx, personPk: number): Promise<void> {
  await db.delete(invites).where(and(eq(invites.personPk, personPk), isNull(invites.organizationPk)));
}

/**
 * Removes all ways in of a person (behavior 19.8), and what is under way with them: whoever had the account before has nothing of it
 * any more.
 */
export async function removeWaysIn(tx: Tx, personPk: number): Promise<void> {
  const { people, personSessions, passkeys, identities } = tx.tables;
  for (const table of [personSessions, passkeys, identities])
    await tx.db.delete(table).where(eq(table.personPk, personPk));
  await tx.db.update(people).set({ passwordHash: null }).where(eq(people.pk, personPk));
  await deleteLinks(tx, personPk);
}

/** Makes a person nobody again, of whom only invitations are left. */
export async function forgetPerson(tx: Tx, personPk: number): Promise<void> {
  const { people } = tx.tables;
  await removeWaysIn(tx, personPk);
  await tx.db.update(people).set({ name: null, lastSeenAt: null }).where(eq(people.pk, personPk));
}
