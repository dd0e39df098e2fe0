import { and, eq, gt, isNull } from "drizzle-orm";
import type { Role } from "../../domain/accounts/role.ts";
import { fault } from "../../domain/faults/fault.ts";
import { AppError } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { type AuditedChange, audit } from "../audit/audit.ts";
import type { Sql, TimedTx, Tx } from "../tx.ts";

/**
 * Gives a person the role that a provider says (behavior 19.71), and makes them a member if they are not. Somebody who is disabled
 * stays so.
 *
 * @returns the role that stays because the organization would lose its last way in; null if the role counts
 */
export async function setGivenRole(
  tx: TimedTx,
  {
    personPk,
    role,
    organizationId,
    resource,
  }: { personPk: number; role: Role; organizationId: string; resource: AuditedChange["resource"] },
): Promise<Role | null> {
  const { memberships, organizations } = tx.tables;
  const pk = await organizationPk(tx, organizationId);
  const ofMember = and(eq(memberships.personPk, personPk), eq(memberships.organizationPk, pk));
  const [member] = await tx.db
    .select({ role: memberships.role, state: memberships.state })
    .from(memberships)
    .where(ofMember);
  if (!member) {
    const row = { personPk, organizationPk: pk, role, state: "active", createdAt: tx.now } as const;
    await tx.db.insert(memberships).values({ ...row, acceptedAt: tx.now });
    await tx.db.update(organizations).set({ hadPeople: true }).where(eq(organizations.pk, pk));
    return null;
  }
  if (member.state === "invited") await joinOrganization(tx, { personPk, organizationPk: pk });
  const setRole = (to: Role) => tx.db.update(memberships).set({ role: to }).where(ofMember).returning();
  if (member.role === role) return null;
  try {
    await keepingWayIn(tx, pk, () => setRole(role));
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "last_way_in") throw error;
    await setRole(member.role);
    return member.role;
  }
  await audit(tx, {
    organizationPk: pk,
    action: "person.updated",
    resource,
    changed: ["role"],
    before: { role: member.role },
  });
  return null;
}

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
  { db, tables: { memberships, invites }, now }: TimedTx,
  { personPk, organizationPk }: Joining,
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
  { db, tables: { memberships, invites, organizations }, now }: TimedTx,
  personPk: number,
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
  await tx.db
    .update(people)
    .set({ name: null, lastSeenAt: null, language: null })
    .where(eq(people.pk, personPk));
}

/** An update without a change, which locks the row: two nodes must not end the last two ways in at the same time. */
const LOCK_GUARDED =
  "UPDATE organizations SET had_people = had_people WHERE pk = $1 AND had_people RETURNING pk";

/** The owners that can always get in: people who are active, and keys that do not expire. */
const COUNT_OWNERS = `SELECT
  (SELECT count(*) FROM memberships WHERE organization_pk = $1 AND role = 'owner' AND state = 'active')
  + (SELECT count(*) FROM api_keys WHERE organization_pk = $1 AND role = 'owner' AND expires_at IS NULL) AS count`;

/**
 * Makes a change of the owners of an organization, which keeps at least one way in if it ever had a person (behavior 19.40).
 *
 * @throws AppError `last_way_in` if the change ends the last one
 */
export async function keepingWayIn<Result>(
  { query }: Sql,
  organizationPk: number,
  change: () => Promise<Result>,
): Promise<Result> {
  const isGuarded = (await query(LOCK_GUARDED, [organizationPk])).length > 0;
  const before = isGuarded ? await countOwners({ query }, organizationPk) : 0;
  const result = await change();
  if (before > 0 && (await countOwners({ query }, organizationPk)) === 0)
    throw fault("lastOwner", {}, { kind: "last_way_in" });
  return result;
}

async function countOwners({ query }: Sql, organizationPk: number): Promise<number> {
  const [row] = await query<{ count: number | string }>(COUNT_OWNERS, [organizationPk]);
  return Number(row?.count ?? 0);
}
