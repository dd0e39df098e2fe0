import type { PlannedMonitor, Step } from "../../domain/configuration/plan.ts";
import { firstCheckAt } from "../../domain/monitors/monitor-update.ts";
import { pushTokenOf } from "../../domain/monitors/push-token.ts";
import { auditAll, creationOf } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import { reviseWork, storedPlacement } from "../locations/monitor-locations.ts";
import type { Tx } from "../tx.ts";
import { apiFieldsOf } from "./api-fields.ts";
import { inBatches } from "./batches.ts";
import { type NamedObjects, named } from "./named-objects.ts";

interface NewMonitors {
  organizationPk: number;
  steps: readonly Step<PlannedMonitor>[];
  /** The created monitors are added. */
  objects: NamedObjects;
}

/**
 * Creates monitors in a few statements, however many they are. Their rows are as those of `createMonitor`.
 *
 * @param now milliseconds since 1970
 */
export async function createMonitors(tx: Tx, created: NewMonitors, now: number): Promise<void> {
  await inBatches(created.steps, (steps) => insertMonitors(tx, { ...created, steps }, now));
  // Only now, because a monitor may depend on one that is created later.
  await inBatches(created.steps, (steps) => relateMonitors(tx, { ...created, steps }));
}

async function insertMonitors(
  tx: Tx,
  { organizationPk, steps, objects }: NewMonitors,
  now: number,
): Promise<void> {
  const { monitors, monitorStates } = tx.tables;
  const rows: (typeof monitors.$inferInsert)[] = [];
  for (const { ref, values } of steps) {
    const { name, type, config, enabled, confirmations, recoveries, tags } = values;
    const placement = await storedPlacement(tx, organizationPk, values);
    const settings = { name, type, config, enabled, confirmations, recoveries, tags, ...placement };
    const names = { id: createId(), ref, pushToken: pushTokenOf(config) };
    rows.push({ ...settings, ...names, organizationPk, createdAt: now, updatedAt: now });
  }
  await reviseWork(tx, ...rows.map(({ locations }) => locations ?? null));
  const inserted = await tx.db.insert(monitors).values(rows).returning({ pk: monitors.pk, id: monitors.id });
  const pks = new Map(inserted.map(({ pk, id }) => [id, pk]));
  const created = steps.map((step, at) => {
    const { id = "" } = rows[at] ?? {};
    return { ...step, id, pk: pks.get(id) ?? 0, isPlaced: rows[at]?.locations !== null };
  });
  for (const { ref, pk, id } of created) objects.monitors.set(ref, { pk, id });
  const states = created.map(({ pk, values, isPlaced }) => ({
    monitorPk: pk,
    organizationPk,
    status: "unknown" as const,
    nextCheckAt: firstCheckAt(values, now),
    placesSince: isPlaced ? now : null,
  }));
  await tx.db.insert(monitorStates).values(states);
  await auditAll(
    tx,
    created.map(({ id, values, fields }) =>
      creationOf(
        { organizationPk, type: "monitor", id, name: values.name },
        apiFieldsOf(fields, "name", "ref"),
      ),
    ),
  );
}

async function relateMonitors({ db, tables }: Tx, { steps, objects }: NewMonitors): Promise<void> {
  const { monitorDependencies, alertBindings } = tables;
  const pkOf = (ref: string) => named(objects.monitors, ref).pk;
  const dependencies = steps.flatMap(({ ref, values }) =>
    values.dependsOn.map((parent) => ({ monitorPk: pkOf(ref), dependsOnPk: pkOf(parent) })),
  );
  const bindings = steps.flatMap(({ ref, values }) =>
    values.bindings.map(({ channel, after, every }) => {
      return { monitorPk: pkOf(ref), channelPk: named(objects.channels, channel).pk, after, every };
    }),
  );
  if (dependencies.length > 0) await db.insert(monitorDependencies).values(dependencies);
  if (bindings.length > 0) await db.insert(alertBindings).values(bindings);
}
