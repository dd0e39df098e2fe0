import { and, count, eq } from "drizzle-orm";
import { FIRST_NAME } from "../../domain/accounts/organization.ts";
import { inviteEnd } from "../../domain/people/person.ts";
import { createPersonToken } from "../ids.ts";
import { createPerson } from "../people/people.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { createApiKey, hashKey } from "./api-keys.ts";
import { createOrganization } from "./organizations.ts";

/** Whether no organization exists yet. */
export async function isFirstStart({ db, tables: { organizations } }: Tx): Promise<boolean> {
  const [row] = await db.select({ count: count() }).from(organizations);
  return row?.count === 0;
}

/** @property key in plain text @property ownerEmail invites the owner too */
export interface FirstAccess {
  key: string;
  ownerEmail?: string | undefined;
}

/**
 * Creates the organization and the owner key of a fresh installation, and invites its owner (behavior 24.1).
 *
 * @returns false if there is an organization already
 */
export async function createDefaultOrganization(
  tx: TimedTx,
  { key, ownerEmail }: FirstAccess,
): Promise<boolean> {
  if (!(await isFirstStart(tx))) return false;
  const values = { name: FIRST_NAME, plan: "enterprise", subscription: "active" } as const;
  const { id: organizationId } = await createOrganization(tx, values);
  const owner = { name: "Initial owner key", role: "owner", expiresAt: null, key } as const;
  await createApiKey(tx, { ...owner, organizationId });
  if (ownerEmail !== undefined) await inviteOwner(tx, { organizationId, email: ownerEmail });
  return true;
}

/**
 * The end of an invitation whose link nobody has seen yet, in milliseconds since 1970: the largest time. Nobody knows the token of such an
 * invitation, because the link is shown only after the server listens.
 */
const UNSHOWN = 8_640_000_000_000_000;

async function inviteOwner(
  tx: TimedTx,
  { organizationId, email }: { organizationId: string; email: string },
): Promise<void> {
  const { invites } = tx.tables;
  const token = createPersonToken();
  await createPerson(tx, { organizationId, email, role: "owner", token });
  await tx.db
    .update(invites)
    .set({ expiresAt: UNSHOWN })
    .where(eq(invites.hash, hashKey(token)));
}

/** The invitation of the first owner, before its link was shown. @property pk its number */
export interface UnshownInvite {
  pk: number;
  email: string;
  organizationId: string;
}

/** @returns undefined if there is none: it was shown, replaced, or never made */
export async function findUnshownInvite(tx: Tx): Promise<UnshownInvite | undefined> {
  const { invites, people, organizations } = tx.tables;
  const [found] = await tx.db
    .select({ pk: invites.pk, email: people.email, organizationId: organizations.id })
    .from(invites)
    .innerJoin(people, eq(people.pk, invites.personPk))
    .innerJoin(organizations, eq(organizations.pk, invites.organizationPk))
    .where(eq(invites.expiresAt, UNSHOWN));
  return found;
}

/**
 * Makes the link of an invitation valid that has been shown now.
 *
 * @param invite.token in plain text @returns false if another node has shown another link, or the invitation was replaced
 */
export async function noteInviteShown(
  tx: TimedTx,
  { pk, token }: Pick<UnshownInvite, "pk"> & { token: string },
): Promise<boolean> {
  const { invites } = tx.tables;
  const noted = await tx.db
    .update(invites)
    .set({ hash: hashKey(token), expiresAt: inviteEnd("invite", tx.now) })
    .where(and(eq(invites.pk, pk), eq(invites.expiresAt, UNSHOWN)))
    .returning({ pk: invites.pk });
  return noted.length > 0;
}
