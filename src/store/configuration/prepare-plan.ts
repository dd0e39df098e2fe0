import type { Plan } from "../../domain/accounts/organization.ts";
import { type ApplyPlan, isNew } from "../../domain/configuration/plan.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { Tx } from "../tx.ts";
import { type Deleted, findDeleted } from "./deleted-objects.ts";
import { findNamed, type NamedObjects } from "./named-objects.ts";
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
  deleted: readonly Deleted[];
  updates: readonly PreparedUpdate[];
}

/** @param now milliseconds since 1970 */
export async function preparePlan(tx: Tx, { owner, plan }: OwnedPlan, now: number): Promise<PreparedPlan> {
  const pk = await organizationPk(tx, owner.organizationId);
  const steps = plan.monitors.filter((step) => !isNew(step));
  return {
    owner,
    plan,
    organizationPk: pk,
    objects: await findNamed(tx, pk),
    deleted: await findDeleted(tx, plan.deletions),
    updates: await prepareUpdates(tx, { plan: owner.plan, organizationPk: pk, steps }, now),
  };
}
