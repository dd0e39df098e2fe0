import type { Plan } from "../../domain/accounts/organization.ts";
import { type ApplyPlan, isNew } from "../../domain/configuration/plan.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { AuditRow } from "../audit/audit.ts";
import type { Tx } from "../tx.ts";
import { auditRowsOf } from "./audit-plan.ts";
import { type Deleted, findDeleted } from "./deleted-objects.ts";
import { findNamed, type NamedObjects } from "./named-objects.ts";
import { createNewIds, type NewIds } from "./new-ids.ts";
import { type PreparedUpdate, prepareUpdates } from "./update-monitors.ts";

/** A plan for an organization. */
export interface OwnedPlan {
  owner: { organizationId: string; plan: Plan };
  plan: ApplyPlan;
}

/** A plan with what its writes need of stored rows. It holds until the next edit of a user: nothing else changes these rows. */
export interface PreparedPlan extends OwnedPlan {
  organizationPk: number;
  objects: NamedObjects;
  newIds: NewIds;
  deleted: readonly Deleted[];
  updates: readonly PreparedUpdate[];
  auditRows: readonly AuditRow[];
}

/** @param now milliseconds since 1970 */
export async function preparePlan(tx: Tx, { owner, plan }: OwnedPlan, now: number): Promise<PreparedPlan> {
  const pk = await organizationPk(tx, owner.organizationId);
  const steps = plan.monitors.filter((step) => !isNew(step));
  const newIds = createNewIds([...plan.channels, ...plan.monitors]);
  const deleted = await findDeleted(tx, plan.deletions);
  return {
    owner,
    plan,
    organizationPk: pk,
    objects: await findNamed(tx, pk),
    newIds,
    deleted,
    updates: await prepareUpdates(tx, { plan: owner.plan, organizationPk: pk, steps }, now),
    auditRows: await auditRowsOf(tx, { organizationPk: pk, plan, deleted, newIds }),
  };
}
