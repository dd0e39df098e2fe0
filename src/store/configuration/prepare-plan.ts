import { and, isNotNull } from "drizzle-orm";
import type { Plan } from "../../domain/accounts/organization.ts";
import {
  type ApplyPlan,
  apiFieldsOf,
  isNew,
  only,
  type PlannedMonitor,
  type Step,
} from "../../domain/configuration/plan.ts";
import { STORED_SETTINGS } from "../../domain/monitors/monitor-update.ts";
import { pick } from "../../domain/pick.ts";
import { organizationPk } from "../accounts/organizations.ts";
import {
  type AuditedChange,
  type AuditRow,
  creationOf,
  deletionOf,
  entryOf,
  updateOf,
} from "../audit/audit.ts";
import { withStoredPlacements } from "../locations/monitor-locations.ts";
import {
  assertCheckable,
  findMonitorRows,
  insertMonitors,
  insertRelations,
  type NewRow,
  type PlannedUpdate,
  planUpdates,
  type Relations,
} from "../monitors/update-monitors.ts";
import { createTurns } from "../turns.ts";
import type { TimedTx, Tx } from "../tx.ts";
import {
  createNewIds,
  type Deleted,
  findDeleted,
  findNamed,
  type NamedObjects,
  type NewIds,
  named,
  newId,
} from "./save-channels.ts";

/** A plan for an organization. */
export interface OwnedPlan {
  owner: { organizationId: string; plan: Plan };
  plan: ApplyPlan;
  /** The IDs of the people whom a document may name, by `emailKey`. */
  people: ReadonlyMap<string, string>;
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

/** @throws AppError `invalid` for a monitor whose pings a location can't send */
export async function preparePlan(tx: TimedTx, { owner, plan, people }: OwnedPlan): Promise<PreparedPlan> {
  const pk = await organizationPk(tx, owner.organizationId);
  const newIds = createNewIds([...plan.channels, ...plan.monitors]);
  const created = plan.monitors
    .filter(isNew)
    .map((step) => ({ ...step.values, ref: step.ref, id: newId(newIds, step) }));
  const steps = plan.monitors.filter((step) => !isNew(step));
  const deleted = await findDeleted(tx, plan.deletions);
  const placed = await withStoredPlacements(tx, pk, created);
  await assertCheckable(tx, placed, true);
  const updates = await prepareUpdates(tx, { plan: owner.plan, organizationPk: pk, steps });
  return {
    owner,
    plan,
    people,
    organizationPk: pk,
    objects: await findNamed(tx, pk),
    newIds,
    deleted,
    created: placed,
    updates,
    auditRows: await auditRowsOf(tx, { organizationPk: pk, plan, deleted, newIds, updates }),
  };
}

interface Audited {
  organizationPk: number;
  plan: ApplyPlan;
  deleted: readonly Deleted[];
  newIds: NewIds;
  updates: readonly PreparedUpdate[];
}

/** The rows of the audit log about a plan, except for the maintenances and pages that are saved: those write their own. */
async function auditRowsOf({ author }: Tx, audited: Audited): Promise<AuditRow[]> {
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

function* changesIn({ organizationPk, plan, deleted, newIds, updates }: Audited): Generator<AuditedChange> {
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
  for (const { step, monitor, plan: after } of updates) {
    const before = pick(monitor, STORED_SETTINGS);
    yield updateOf(audited("monitor", step), updatedFields(step), { before, after });
  }
}

/** Under the names of the API, which has one for both forms of bindings. */
function updatedFields({ fields, values: { bindingsField } }: ApplyPlan["monitors"][number]): string[] {
  return apiFieldsOf(fields).map((field) => (field === bindingsField ? "alertBindings" : field));
}

type MonitorStep = Step<PlannedMonitor>;

/** The update of a monitor, planned before anything is locked. */
interface PreparedUpdate extends PlannedUpdate {
  step: MonitorStep;
}

async function prepareUpdates(
  tx: TimedTx,
  { plan, organizationPk, steps }: { plan: Plan; organizationPk: number; steps: readonly MonitorStep[] },
): Promise<PreparedUpdate[]> {
  const ids = steps.flatMap(({ id }) => id ?? []);
  const rows = await findMonitorRows(tx, ids);
  const requests = steps.flatMap((step) => {
    const monitor = rows.get(step.id ?? "");
    return monitor ? [{ step, monitor, changes: only(step.fields, step.values) }] : [];
  });
  return planUpdates(tx, { organizationPk, plan }, requests);
}

/** Creates the new monitors of a plan, and adds them to the objects. */
export async function createMonitors(
  tx: TimedTx,
  { plan, organizationPk, created, objects }: PreparedPlan,
): Promise<void> {
  const pks = await insertMonitors(tx, { organizationPk, rows: created });
  for (const { ref, id } of created) objects.monitors.set(ref ?? "", { pk: pks.get(id) ?? 0, id });
  // Only after all of them exist, because a monitor may depend on one that is created later.
  const relations = plan.monitors.filter(isNew).map((step) => ({
    monitorPk: named(objects.monitors, step.ref).pk,
    dependsOn: dependenciesIn(step, objects),
    bindings: bindingsIn(step, objects),
  }));
  await insertRelations(tx, relations);
}

/** An update with the relations that it changes. To be called after the new monitors and channels are created. */
export function withRelations(update: PreparedUpdate, objects: NamedObjects): PreparedUpdate & Relations {
  const { step } = update;
  const { fields, values } = step;
  return {
    ...update,
    dependsOn: fields.includes("dependsOn") ? dependenciesIn(step, objects) : undefined,
    bindings: fields.includes(values.bindingsField) ? bindingsIn(step, objects) : undefined,
  };
}

function dependenciesIn({ values }: MonitorStep, { monitors }: NamedObjects) {
  return values.dependsOn.map((key) => named(monitors, key).pk);
}

function bindingsIn({ values }: MonitorStep, { channels, schedules }: NamedObjects) {
  return new Map(
    values.bindings.map(({ channel, isSchedule, ...timing }) => {
      return [named(isSchedule ? schedules : channels, channel).pk, timing];
    }),
  );
}

/** Takes the push tokens that updates change from their monitors, because another monitor may get them. */
export async function freeTokens(
  { db, sets, tables: { monitors } }: Tx,
  steps: readonly MonitorStep[],
  deleted: readonly Deleted[],
): Promise<void> {
  const changed = steps.flatMap(({ id, fields }) =>
    id !== null && fields.includes("config.pushToken") ? [id] : [],
  );
  const free = [...changed, ...deleted.filter(({ kind }) => kind === "monitor").map(({ id }) => id)];
  if (free.length === 0) return;
  const hasToken = and(sets.among(monitors.id, free), isNotNull(monitors.pushToken));
  await db.update(monitors).set({ pushToken: null }).where(hasToken);
}
