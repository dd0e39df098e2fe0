import { and, isNotNull } from "drizzle-orm";
import type { Plan } from "../../domain/accounts/organization.ts";
import { isNew, type PlannedMonitor, type Step } from "../../domain/configuration/plan.ts";
import { only } from "../../domain/configuration/plan-entries.ts";
import { inBatches } from "../batches.ts";
import { insertMonitors, insertRelations, type Relations } from "../monitors/insert-monitors.ts";
import { type MonitorRow, type PlannedUpdate, planUpdates } from "../monitors/update-monitors.ts";
import type { Tx } from "../tx.ts";
import { type Deleted, type NamedObjects, named } from "./plan-objects.ts";
import type { PreparedPlan } from "./prepare-plan.ts";

type MonitorStep = Step<PlannedMonitor>;

/** The update of a monitor, planned before anything is locked. */
export interface PreparedUpdate extends PlannedUpdate {
  step: MonitorStep;
}

/** @param now milliseconds since 1970 */
export async function prepareUpdates(
  tx: Tx,
  { plan, organizationPk, steps }: { plan: Plan; organizationPk: number; steps: readonly MonitorStep[] },
  now: number,
): Promise<PreparedUpdate[]> {
  const ids = steps.flatMap(({ id }) => id ?? []);
  const rows = await findRows(tx, ids);
  const requests = steps.flatMap((step) => {
    const monitor = rows.get(step.id ?? "");
    return monitor ? [{ step, monitor, changes: only(step.fields, step.values) }] : [];
  });
  return planUpdates(tx, { organizationPk, plan }, requests, now);
}

/** By the ID of the monitor. */
async function findRows(
  { db, sets, tables: { monitors } }: Tx,
  ids: string[],
): Promise<Map<string, MonitorRow>> {
  const found = new Map<string, MonitorRow>();
  await inBatches(ids, async (some) => {
    const rows = await db.select().from(monitors).where(sets.among(monitors.id, some));
    for (const row of rows) found.set(row.id, row);
  });
  return found;
}

/** Creates the new monitors of a plan, and adds them to the objects. @param now milliseconds since 1970 */
export async function createMonitors(
  tx: Tx,
  { plan, organizationPk, created, objects }: PreparedPlan,
  now: number,
): Promise<void> {
  const pks = await insertMonitors(tx, { organizationPk, rows: created }, now);
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

function bindingsIn({ values }: MonitorStep, { channels }: NamedObjects) {
  return new Map(
    values.bindings.map(({ channel, after, every }) => [named(channels, channel).pk, { after, every }]),
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
