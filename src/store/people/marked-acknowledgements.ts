import { and, eq } from "drizzle-orm";
import type { Tx } from "../tx.ts";

/**
 * Marks the acknowledgements of a person who is removed from an organization (behavior 19.91). An outage has only the name of whoever
 * acknowledged it, so the audit log says which ones are theirs.
 *
 * @param person the ID
 */
export async function markAcknowledgements(
  { db, sets, tables: { auditEntries, outages } }: Tx,
  { organizationPk, person }: { organizationPk: number; person: string },
): Promise<void> {
  const entries = await db
    .select({ actor: auditEntries.actor, resource: auditEntries.resource })
    .from(auditEntries)
    .where(
      and(eq(auditEntries.organizationPk, organizationPk), eq(auditEntries.action, "outage.acknowledged")),
    );
  const own = entries.filter(({ actor }) => actor.type === "person" && actor.id === person);
  await sets.update(
    outages,
    own.map(({ actor: { name }, resource: { id } }) => ({
      // Somebody else may have replaced it.
      where: { id, acknowledgedBy: name },
      set: { acknowledgedBy: `${name} (deleted)` },
    })),
  );
}
