import type { PlannedMonitor, Step } from "../../domain/configuration/plan.ts";
import { firstCheckAt } from "../../domain/monitors/monitor-update.ts";
import { pushTokenOf } from "../../domain/monitors/push-token.ts";
import { reviseWork, storedPlacements } from "../locations/monitor-locations.ts";
import type { Tx } from "../tx.ts";
import { type NamedObjects, named } from "./named-objects.ts";
import { type NewIds, newId } from "./new-ids.ts";

interface NewMonitors {
  organizationPk: number;
  steps: readonly Step<PlannedMonitor>[];
  /** The created monitors are added. */
  objects: NamedObjects;
  newIds: NewIds;
}

/**
 * Creates monitors in a few statements, however many they are. Their rows are as those of `createMonitor`.
 *
 * @param now milliseconds since 1970
 */
export async function createMonitors(tx: Tx, created: NewMonitors, now: number): Promise<void> {
  if (created.steps.length === 0) return;
  await insertMonitors(tx, created, now);
  await relateMonitors(tx, created);
}

async function insertMonitors(
  tx: Tx,
  { organizationPk, steps, objects, newIds }: NewMonitors,
  now: number,
): Promise<void> {
  const { monitors, monitorStates } = tx.tables;
  const planned = steps.map(({ values }) => values);
  const placements = await storedPlacements(tx, organizationPk, planned);
  await reviseWork(tx, ...placements.map(({ locations }) => locations));
  const rows = steps.map((step, at) => {
    const { ref, values } = step;
    const { name, type, config, enabled, confirmations, recoveries, tags } = values;
    const settings = { name, type, config, enabled, confirmations, recoveries, tags };
    const { locations = null, downWhen = null } = placements[at] ?? {};
    const names = { id: newId(newIds, step), ref, pushToken: pushTokenOf(config) };
    const fixed = { organizationPk, createdAt: now, updatedAt: now };
    return { ...settings, locations, downWhen, ...names, ...fixed };
  });
  await tx.sets.insert(monitors, rows);
  const pks = await findPks(
    tx,
    rows.map(({ id }) => id),
  );
  for (const { ref, id } of rows) objects.monitors.set(ref, { pk: pks.get(id) ?? 0, id });
  const states = rows.map(({ id, locations, ...row }, at) => ({
    monitorPk: pks.get(id) ?? 0,
    organizationPk,
    status: "unknown" as const,
    nextCheckAt: firstCheckAt(planned[at] ?? { ...row, locations: [] }, now),
    placesSince: locations && now,
  }));
  await tx.sets.insert(monitorStates, states);
}

/** The numbers of monitors by their IDs. */
async function findPks({ db, sets, tables: { monitors } }: Tx, ids: string[]): Promise<Map<string, number>> {
  const { pk, id } = monitors;
  const rows = await db.select({ pk, id }).from(monitors).where(sets.among(id, ids));
  return new Map(rows.map((row) => [row.id, row.pk]));
}

/** Only after all of them exist, because a monitor may depend on one that is created later. */
async function relateMonitors({ sets, tables }: Tx, { steps, objects }: NewMonitors): Promise<void> {
  const pkOf = (ref: string) => named(objects.monitors, ref).pk;
  const dependencies = steps.flatMap(({ ref, values }) =>
    values.dependsOn.map((parent) => ({ monitorPk: pkOf(ref), dependsOnPk: pkOf(parent) })),
  );
  const bindings = steps.flatMap(({ ref, values }) =>
    values.bindings.map(({ channel, after, every }) => {
      return { monitorPk: pkOf(ref), channelPk: named(objects.channels, channel).pk, after, every };
    }),
  );
  await sets.insert(tables.monitorDependencies, dependencies);
  await sets.insert(tables.alertBindings, bindings);
}
