import { eq, inArray } from "drizzle-orm";
import type { Method } from "../../domain/people/person.ts";
import { entryOf } from "../audit/audit.ts";
import type { Tx } from "../tx.ts";

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
