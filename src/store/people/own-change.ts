import type { Method } from "../../domain/people/person.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { audit } from "../audit/audit.ts";
import type { Tx } from "../tx.ts";

/** A way in that its person removes. @property organizationId of the session @property usable the ways that this server offers */
export interface OwnWay {
  personId: string;
  id: string;
  organizationId?: string | undefined;
  usable: readonly Method[];
}

/**
 * Writes what people change about their ways to sign in to the audit log. Nothing is written without an author.
 *
 * @param organizationId the organization of the session
 */
export async function auditOwnChange(
  tx: Tx,
  { organizationId, changed }: { organizationId: string | undefined; changed: string },
): Promise<void> {
  const { author } = tx;
  if (author?.actor.type !== "person" || author.actor.id === null || organizationId === undefined) return;
  const { id, name } = author.actor;
  await audit(tx, {
    organizationPk: await organizationPk(tx, organizationId),
    action: "person.updated",
    resource: { type: "person", id, name },
    changed: [changed],
  });
}
