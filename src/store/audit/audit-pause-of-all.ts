import { findOrganization } from "../accounts/organizations.ts";
import type { Tx } from "../tx.ts";
import { audit } from "./audit.ts";

/** Writes that all monitors of an organization were paused. */
export async function auditPauseOfAll(tx: Tx, organizationId: string): Promise<void> {
  if (!tx.author) return;
  const { pk, id, name } = await findOrganization(tx, organizationId);
  const resource = { type: "organization", id, name } as const;
  await audit(tx, { organizationPk: pk, action: "monitor.all_paused", resource });
}
