import { type ApplyPlan, isNew, type Step } from "../../domain/configuration/plan.ts";
import { apiFieldsOf } from "../../domain/configuration/plan-entries.ts";
import {
  type AuditedChange,
  type AuditRow,
  creationOf,
  deletionOf,
  entryOf,
  updateOf,
} from "../audit/audit.ts";
import { createTurns } from "../turns.ts";
import type { Tx } from "../tx.ts";
import type { Deleted } from "./plan-objects.ts";
import { type NewIds, newId } from "./plan-objects.ts";

interface Audited {
  organizationPk: number;
  plan: ApplyPlan;
  deleted: readonly Deleted[];
  newIds: NewIds;
}

/** The rows of the audit log about a plan, except for the maintenances and pages that are saved: those write their own. */
export async function auditRowsOf({ author }: Tx, audited: Audited): Promise<AuditRow[]> {
  if (!author) return [];
  const rows: AuditRow[] = [];
  const turn = createTurns();
  for (const change of changesIn(audited)) {
    rows.push(entryOf(author, change));
    const others = turn();
    if (others) await others;
  }
  return rows;
}

function* changesIn({ organizationPk, plan, deleted, newIds }: Audited): Generator<AuditedChange> {
  const audited = (type: "channel" | "monitor", step: Step<{ name: string }>) => {
    return { organizationPk, type, id: step.id ?? newId(newIds, step), name: step.values.name };
  };
  for (const { kind: type, id, name } of deleted) yield deletionOf({ organizationPk, type, id, name });
  for (const step of plan.channels)
    yield isNew(step)
      ? creationOf(audited("channel", step), apiFieldsOf(step.fields, "name", "type", "config", "ref"))
      : updateOf(audited("channel", step), apiFieldsOf(step.fields));
  for (const step of plan.monitors)
    if (isNew(step)) yield creationOf(audited("monitor", step), apiFieldsOf(step.fields, "name", "ref"));
  for (const step of plan.monitors)
    if (!isNew(step)) yield updateOf(audited("monitor", step), updatedFields(step));
}

/** Under the names of the API, which has one for both forms of bindings. */
function updatedFields({ fields, values: { bindingsField } }: ApplyPlan["monitors"][number]): string[] {
  return apiFieldsOf(fields).map((field) => (field === bindingsField ? "alertBindings" : field));
}
