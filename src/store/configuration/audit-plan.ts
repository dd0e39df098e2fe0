import type { ApplyPlan, PlannedMonitor, Step } from "../../domain/configuration/plan.ts";
import { auditAll, creationOf, deletionOf, updateOf } from "../audit/audit.ts";
import type { Tx } from "../tx.ts";
import { apiFieldsOf } from "./api-fields.ts";
import type { Deleted } from "./deleted-objects.ts";
import { type NamedObjects, named } from "./named-objects.ts";

interface Audited {
  organizationPk: number;
  plan: ApplyPlan;
  deleted: readonly Deleted[];
  objects: NamedObjects;
}

/** The entries of the audit log about a plan, except for the maintenances and pages that are saved: those write their own. */
export async function auditPlan(tx: Tx, { organizationPk, plan, deleted, objects }: Audited): Promise<void> {
  if (!tx.author) return;
  const deletions = deleted.map(({ kind: type, id, name }) => deletionOf({ organizationPk, type, id, name }));
  const channels = plan.channels.map(({ ref, id, fields, values: { name } }) => {
    const channel = {
      organizationPk,
      type: "channel",
      id: id ?? named(objects.channels, ref).id,
      name,
    } as const;
    return id === null
      ? creationOf(channel, apiFieldsOf(fields, "name", "type", "config", "ref"))
      : updateOf(channel, apiFieldsOf(fields));
  });
  const monitorOf = ({ ref, id, values: { name } }: Step<PlannedMonitor>) => {
    return { organizationPk, type: "monitor", id: id ?? named(objects.monitors, ref).id, name } as const;
  };
  const created = plan.monitors
    .filter(({ id }) => id === null)
    .map((step) => creationOf(monitorOf(step), apiFieldsOf(step.fields, "name", "ref")));
  const updated = plan.monitors
    .filter(({ id }) => id !== null)
    .map((step) => updateOf(monitorOf(step), updatedFields(step)));
  await auditAll(tx, [...deletions, ...channels, ...created, ...updated]);
}

/** Under the names of the API, which has one for both forms of bindings. */
function updatedFields({ fields, values: { bindingsField } }: Step<PlannedMonitor>): string[] {
  return apiFieldsOf(fields).map((field) => (field === bindingsField ? "alertBindings" : field));
}
