import type { Plan } from "../../domain/accounts/organization.ts";
import { type ApplyPlan, isNew } from "../../domain/configuration/plan.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { AuditRow } from "../audit/audit.ts";
import { withStoredPlacements } from "../locations/monitor-locations.ts";
import type { NewRow } from "../monitors/insert-monitors.ts";
import { assertPingable } from "../monitors/ping-places.ts";
import type { Tx } from "../tx.ts";
import { auditRowsOf } from "./audit-plan.ts";
import {
  createNewIds,
  type Deleted,
  findDeleted,
  findNamed,
  type NamedObjects,
  type NewIds,
  newId,
} from "./plan-objects.ts";
import { type PreparedUpdate, prepareUpdates } from "./save-monitors.ts";

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
  /** The new monitors, in the order of their steps. */
  created: readonly NewRow[];
  updates: readonly PreparedUpdate[];
  auditRows: readonly AuditRow[];
}

/** @param now milliseconds since 1970 @throws AppError `invalid` for a monitor whose pings a location can't send */
export async function preparePlan(tx: Tx, { owner, plan }: OwnedPlan, now: number): Promise<PreparedPlan> {
  const pk = await organizationPk(tx, owner.organizationId);
  const newIds = createNewIds([...plan.channels, ...plan.monitors]);
  const created = plan.monitors
    .filter(isNew)
    .map((step) => ({ ...step.values, ref: step.ref, id: newId(newIds, step) }));
  const steps = plan.monitors.filter((step) => !isNew(step));
  const deleted = await findDeleted(tx, plan.deletions);
  const placed = await withStoredPlacements(tx, pk, created);
  await assertPingable(tx, placed, true);
  return {
    owner,
    plan,
    organizationPk: pk,
    objects: await findNamed(tx, pk),
    newIds,
    deleted,
    created: placed,
    updates: await prepareUpdates(tx, { plan: owner.plan, organizationPk: pk, steps }, now),
    auditRows: await auditRowsOf(tx, { organizationPk: pk, plan, deleted, newIds }),
  };
}
