import { eq, inArray } from "drizzle-orm";
import type { Plan } from "../../domain/accounts/organization.ts";
import type { PlannedMonitor, Step } from "../../domain/configuration/plan.ts";
import { type MonitorChanges, planMonitorUpdate } from "../../domain/monitors/monitor-update.ts";
import { bindChannels } from "../alerting/bindings.ts";
import { pokeDependents, pokeMonitors } from "../alerting/review/poke.ts";
import { revivePaused, withdrawPaused } from "../alerting/review/withdrawal.ts";
import { auditAll, updateOf } from "../audit/audit.ts";
import { findLocationIds } from "../locations/monitor-locations.ts";
import { savePlan, subjectOf, type UpdatedRow } from "../monitors/monitor-update.ts";
import type { Tx } from "../tx.ts";
import { apiFieldsOf, only } from "./api-fields.ts";
import { inBatches } from "./batches.ts";
import { type NamedObjects, named } from "./named-objects.ts";

interface UpdatedMonitors {
  plan: Plan;
  organizationPk: number;
  steps: readonly Step<PlannedMonitor>[];
  objects: NamedObjects;
}

/**
 * Updates monitors as `updateMonitor` does, with fewer statements, because there may be thousands. The plan has no cycles of
 * dependencies.
 *
 * @param now milliseconds since 1970
 */
export async function updateMonitors(tx: Tx, updated: UpdatedMonitors, now: number): Promise<void> {
  await inBatches(updated.steps, (steps) => updateSome(tx, { ...updated, steps }, now));
}

async function updateSome(tx: Tx, { plan, organizationPk, steps, objects }: UpdatedMonitors, now: number) {
  const rows = await findRows(
    tx,
    steps.flatMap(({ id }) => id ?? []),
  );
  const locations = await findLocationIds(
    tx,
    organizationPk,
    [...rows.values()].map(({ monitor }) => monitor),
  );
  const done = { paused: [] as number[], dependent: [] as number[], tagged: [] as number[] };
  for (const { id, fields, values } of steps) {
    const row = rows.get(id ?? "");
    if (!row) continue;
    const { pk, enabled } = row.monitor;
    const update = planMonitorUpdate(subjectOf(row, locations), changesOf(fields, values), { plan, now });
    await savePlan(tx, row, update, now);
    if (fields.includes(values.bindingsField)) {
      const outagePk = update.isPaused ? null : row.state.outagePk;
      await bind(tx, { monitorPk: pk, organizationPk, outagePk }, values, objects);
    }
    if (update.isPaused) done.paused.push(pk);
    if (!enabled && update.enabled) await revivePaused(tx, pk, now);
    if (fields.includes("dependsOn")) done.dependent.push(pk);
    if (fields.includes("tags")) done.tagged.push(pk);
  }
  await replaceDependencies(tx, steps, objects);
  await withdrawPaused(tx, done.paused);
  await pokeMonitors(tx, [...new Set([...done.dependent, ...done.tagged])], now);
  await pokeDependents(tx, [...new Set([...done.dependent, ...done.paused])], now);
  await auditAll(
    tx,
    steps.map(({ id, fields, values }) => {
      const audited = { organizationPk, type: "monitor", id: id ?? "", name: values.name } as const;
      return updateOf(
        audited,
        apiFieldsOf(fields).map((field) => (field === values.bindingsField ? "alertBindings" : field)),
      );
    }),
  );
}

/** By the ID of the monitor. */
async function findRows(
  { db, tables: { monitors, monitorStates } }: Tx,
  ids: string[],
): Promise<Map<string, UpdatedRow>> {
  const rows = await db
    .select({ monitor: monitors, state: monitorStates })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(inArray(monitors.id, ids));
  return new Map(rows.map((row) => [row.monitor.id, row]));
}

function changesOf(fields: readonly string[], values: PlannedMonitor): MonitorChanges {
  const { name, config, enabled, confirmations, recoveries, locations, downWhen, tags } = values;
  return only(fields, { name, config, enabled, confirmations, recoveries, locations, downWhen, tags });
}

function bind(
  tx: Tx,
  monitor: { monitorPk: number; organizationPk: number; outagePk: number | null },
  { bindings }: PlannedMonitor,
  { channels }: NamedObjects,
): Promise<void> {
  const asked = bindings.map(({ channel, after, every }) => ({
    alertChannelId: named(channels, channel).id,
    after,
    every,
  }));
  return bindChannels(tx, {
    ...monitor,
    bindings: asked,
    fieldOf: (at) => `alertBindings.${at}.alertChannelId`,
  });
}

async function replaceDependencies(
  { db, tables: { monitorDependencies } }: Tx,
  steps: readonly Step<PlannedMonitor>[],
  { monitors }: NamedObjects,
): Promise<void> {
  const changed = steps.filter(({ fields }) => fields.includes("dependsOn"));
  const pks = changed.map(({ ref }) => named(monitors, ref).pk);
  if (pks.length > 0) await db.delete(monitorDependencies).where(inArray(monitorDependencies.monitorPk, pks));
  const rows = changed.flatMap(({ ref, values }) =>
    values.dependsOn.map((key) => ({
      monitorPk: named(monitors, ref).pk,
      dependsOnPk: named(monitors, key).pk,
    })),
  );
  if (rows.length > 0) await db.insert(monitorDependencies).values(rows);
}
