import type { Plan } from "../../domain/accounts/organization.ts";
import type { PlannedMonitor, Step } from "../../domain/configuration/plan.ts";
import { silentHeartbeat } from "../../domain/heartbeats/heartbeat.ts";
import { type MonitorChanges, planMonitorUpdate } from "../../domain/monitors/monitor-update.ts";
import { replaceBindings } from "../alerts/bindings.ts";
import { pokeDependents, pokeMonitors } from "../alerts/review/poke.ts";
import { revivePaused, withdrawPaused } from "../alerts/review/withdrawal.ts";
import { findLocationIds, placementOf, storedPlacements } from "../locations/monitor-locations.ts";
import { askRetagged } from "../maintenance/ask-at-end.ts";
import { type PlannedUpdate, saveRows, saveStates } from "../monitors/monitor-update.ts";
import { createTurns } from "../turns.ts";
import type { Tx } from "../tx.ts";
import { only } from "./api-fields.ts";
import { inBatches } from "./batches.ts";
import { type NamedObjects, named } from "./named-objects.ts";

interface Given {
  plan: Plan;
  organizationPk: number;
  steps: readonly Step<PlannedMonitor>[];
}

/** The update of a monitor as its row is without its state. */
export interface PreparedUpdate extends PlannedUpdate {
  step: Step<PlannedMonitor>;
  changes: MonitorChanges;
}

/**
 * Plans updates as `updateMonitor` does, without the states of the monitors: so nothing is locked yet.
 *
 * @param now milliseconds since 1970
 */
export async function prepareUpdates(
  tx: Tx,
  { plan, organizationPk, steps }: Given,
  now: number,
): Promise<PreparedUpdate[]> {
  const rows = await findRows(
    tx,
    steps.flatMap(({ id }) => id ?? []),
  );
  const locations = await findLocationIds(tx, organizationPk, [...rows.values()]);
  const prepared: Omit<PreparedUpdate, "placement" | "rhythm">[] = [];
  const turn = createTurns();
  for (const step of steps) {
    const monitor = rows.get(step.id ?? "");
    if (!monitor) continue;
    const changes = changesOf(step.fields, step.values);
    const subject = { ...monitor, ...placementOf(monitor, locations), heartbeat: silentHeartbeat };
    prepared.push({ step, monitor, changes, plan: planMonitorUpdate(subject, changes, { plan, now }) });
    await turn();
  }
  const placements = await storedPlacements(
    tx,
    organizationPk,
    prepared.map((one) => one.plan),
  );
  return prepared.map((one, at) => {
    const placement = placements[at] ?? { locations: null, downWhen: null };
    return { ...one, placement, rhythm: null };
  });
}

/** Saves what recordings don't write: the rows of the monitors, and what they depend on. @param now milliseconds since 1970 */
export async function saveSettings(
  tx: Tx,
  { updates, objects }: { updates: readonly PreparedUpdate[]; objects: NamedObjects },
  now: number,
): Promise<void> {
  if (updates.length === 0) return;
  await saveRows(tx, updates, now);
  const related = updates.filter(({ step }) => step.fields.includes("dependsOn"));
  if (related.length === 0) return;
  const { monitorDependencies } = tx.tables;
  const pks = related.map(({ monitor }) => monitor.pk);
  await tx.db.delete(monitorDependencies).where(tx.sets.among(monitorDependencies.monitorPk, pks));
  const rows = related.flatMap(({ monitor: { pk: monitorPk }, step: { values } }) =>
    values.dependsOn.map((key) => ({ monitorPk, dependsOnPk: named(objects.monitors, key).pk })),
  );
  await tx.sets.insert(monitorDependencies, rows);
}

/** Whether the state of a monitor changes with an update, or what was notified of it: others wait for it meanwhile. */
export function touchesState({ plan, step: { fields, values } }: PreparedUpdate): boolean {
  return (
    plan.isRevised || [values.bindingsField, "dependsOn", "tags"].some((field) => fields.includes(field))
  );
}

/** @property changed the updates that touch the states */
interface ChangedStates extends Omit<Given, "steps"> {
  changed: readonly PreparedUpdate[];
  objects: NamedObjects;
}

/** Saves what recordings write too. The states are locked. @param now milliseconds since 1970 */
export async function saveChangedStates(
  tx: Tx,
  { plan, organizationPk, changed, objects }: ChangedStates,
  now: number,
): Promise<void> {
  if (changed.length === 0) return;
  await saveStates(tx, await withRhythms(tx, { changed, plan }, now), now);
  await bind(tx, changed, objects);
  const pksOf = (some: readonly PreparedUpdate[]) => some.map(({ monitor }) => monitor.pk);
  const paused = pksOf(changed.filter(({ plan }) => plan.isRevised && plan.isPaused));
  const dependent = pksOf(changed.filter(({ step }) => step.fields.includes("dependsOn")));
  const tagged = changed.filter(({ step }) => step.fields.includes("tags"));
  await askRetagged(tx, { organizationPk, retagged: tagged.map(retaggedOf) }, now);
  await revivePaused(tx, pksOf(changed.filter(({ monitor, plan }) => !monitor.enabled && plan.enabled)), now);
  await withdrawPaused(tx, paused);
  await pokeMonitors(tx, [...new Set([...dependent, ...pksOf(tagged)])], now);
  await pokeDependents(tx, [...new Set([...dependent, ...paused])], now);
}

function retaggedOf({ monitor: { pk, id, tags: before }, step }: PreparedUpdate) {
  return { pk, id, before, after: step.values.tags };
}

/** Plans the rhythms of jobs, now that their states are locked. */
async function withRhythms(
  { db, sets, tables: { monitorStates } }: Tx,
  { changed, plan }: { changed: readonly PreparedUpdate[]; plan: Plan },
  now: number,
): Promise<PlannedUpdate[]> {
  const jobs = changed.filter((update) => update.plan.isRevised && update.monitor.type === "SCHEDULED");
  if (jobs.length === 0) return [...changed];
  const { monitorPk, rhythm, deadline } = monitorStates;
  const pks = jobs.map(({ monitor }) => monitor.pk);
  const rows = await db
    .select({ monitorPk, rhythm, deadline })
    .from(monitorStates)
    .where(sets.among(monitorPk, pks));
  const states = new Map(rows.map((row) => [row.monitorPk, row]));
  return changed.map((update) => {
    const state = states.get(update.monitor.pk);
    if (!state) return update;
    const heartbeat = { ...silentHeartbeat, ...state.rhythm, deadline: state.deadline };
    const { locations, downWhen } = update.plan;
    const subject = { ...update.monitor, locations, downWhen, heartbeat };
    const planned = planMonitorUpdate(subject, update.changes, { plan, now });
    return { ...update, plan: { ...update.plan, heartbeat: planned.heartbeat }, rhythm: state.rhythm };
  });
}

async function bind(tx: Tx, changed: readonly PreparedUpdate[], { channels }: NamedObjects): Promise<void> {
  const bound = changed.filter(({ step: { fields, values } }) => fields.includes(values.bindingsField));
  if (bound.length === 0) return;
  const { monitorPk, outagePk } = tx.tables.monitorStates;
  const pks = bound.map(({ monitor }) => monitor.pk);
  const rows = await tx.db
    .select({ monitorPk, outagePk })
    .from(tx.tables.monitorStates)
    .where(tx.sets.among(monitorPk, pks));
  const outages = new Map(rows.map((row) => [row.monitorPk, row.outagePk]));
  await replaceBindings(
    tx,
    bound.map(({ monitor: { pk }, step: { values } }) => ({
      monitorPk: pk,
      outagePk: outages.get(pk) ?? null,
      wanted: new Map(
        values.bindings.map(({ channel, after, every }) => [named(channels, channel).pk, { after, every }]),
      ),
    })),
  );
}

type MonitorRow = PlannedUpdate["monitor"];

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

function changesOf(fields: readonly string[], values: PlannedMonitor): MonitorChanges {
  const { name, config, enabled, confirmations, recoveries, locations, downWhen, tags } = values;
  return only(fields, { name, config, enabled, confirmations, recoveries, locations, downWhen, tags });
}
