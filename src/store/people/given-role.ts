import { and, eq } from "drizzle-orm";
import type { Role } from "../../domain/accounts/role.ts";
import { AppError } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { type AuditedChange, audit } from "../audit/audit.ts";
import type { Tx } from "../tx.ts";
import { joinOrganization } from "./joining.ts";
import { keepingWayIn } from "./way-in.ts";

/**
 * Gives a person the role that a provider says (behavior 19.71), and makes them a member if they are not. Somebody who is disabled
 * stays so.
 *
 * @returns the role that stays because the organization would lose its last way in; null if the role counts
 */
export async function setGivenRole(
  tx: Tx,
  {
    personPk,
    role,
    organizationId,
    resource,
  }: { personPk: number; role: Role; organizationId: string; resource: AuditedChange["resource"] },
  now: number,
): Promise<Role | null> {
  const { memberships, organizations } = tx.tables;
  const pk = await organizationPk(tx, organizationId);
  const ofMember = and(eq(memberships.personPk, personPk), eq(memberships.organizationPk, pk));
  const [member] = await tx.db
    .select({ role: memberships.role, state: memberships.state })
    .from(memberships)
    .where(ofMember);
  if (!member) {
    const row = { personPk, organizationPk: pk, role, state: "active", createdAt: now } as const;
    await tx.db.insert(memberships).values({ ...row, acceptedAt: now });
    await tx.db.update(organizations).set({ hadPeople: true }).where(eq(organizations.pk, pk));
    return null;
  }
  if (member.state === "invited") await joinOrganization(tx, { personPk, organizationPk: pk }, now);
  const setRole = (to: Role) => tx.db.update(memberships).set({ role: to }).where(ofMember).returning();
  if (member.role === role) return null;
  try {
    await keepingWayIn(tx, pk, () => setRole(role));
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "last_way_in") throw error;
    await setRole(member.role);
    return member.role;
  }
  await audit(tx, { organizationPk: pk, action: "person.updated", resource, changed: ["role"] });
  return null;
}
