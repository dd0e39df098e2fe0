import { eq } from "drizzle-orm";
import type { Plan } from "../../domain/accounts/organization.ts";
import { channelField, requestedBindings } from "../../domain/alerts/alert-binding.ts";
import { silentHeartbeat } from "../../domain/heartbeats/heartbeat.ts";
import { uniqueDependencies } from "../../domain/monitors/dependencies.ts";
import {
  type MonitorChanges,
  type MonitorUpdatePlan,
  planMonitorUpdate,
} from "../../domain/monitors/monitor-update.ts";
import { pushTokenOf } from "../../domain/monitors/push-token.ts";
import { uniqueTags } from "../../domain/monitors/tags.ts";
import { bindChannels } from "../alerts/bindings.ts";
import { pokeDependents, pokeMonitors } from "../alerts/review/poke.ts";
import { revivePaused, withdrawPaused } from "../alerts/review/withdrawal.ts";
import { auditUpdate } from "../audit/audit.ts";
import {
  findLocationIds,
  type LocationIdsByPk,
  placementOf,
  reviseWork,
  type StoredPlacement,
  storedPlacement,
} from "../locations/monitor-locations.ts";
import { restartPlaces } from "../locations/restart-places.ts";
import { askRetagged } from "../maintenance/ask-at-end.ts";
import { assertRefFree } from "../refs.ts";
import type { Tx } from "../tx.ts";
import { replaceDependencies } from "./dependencies.ts";
import { endOutages, findMonitor, type MonitorWithBindings, oneMonitor } from "./monitors.ts";
import { assertPushTokenFree } from "./push-tokens.ts";
import { restartBaselines } from "./restart-baseline.ts";

/**
 * Loads a monitor, plans the update in the domain and saves it.
 *
 * @param now milliseconds since 1970
 * @throws AppError in this order: `invalid` for its tags, for too many dependencies, for both forms of bindings and for the
 *   interval, `not_found`, `invalid` for a config that does not fit the type, for its locations, for its ref, for its push token,
 *   for its dependencies, and for an unknown channel
 */
export async function updateMonitor(
  tx: Tx,
  owner: { organizationId: string; plan: Plan },
  id: string,
  changes: MonitorChanges,
  now: number,
): Promise<MonitorWithBindings> {
  const lists = parseLists(changes);
  const row = await findRow(tx, owner.organizationId, id);
  const ids = await findLocationIds(tx, row?.monitor.organizationPk ?? 0, row ? [row.monitor] : []);
  const before = row && tx.author && (await findMonitor(tx, owner.organizationId, id));
  const parsed = { ...changes, tags: lists.tags };
  const plan = planMonitorUpdate(row && subjectOf(row, ids), parsed, { plan: owner.plan, now });
  if (row) {
    await save(tx, row, plan, now);
    await saveLists(tx, { monitor: row.monitor, outagePk: plan.isPaused ? null : row.state.outagePk }, lists);
    await reviewAfter(tx, row.monitor, { plan, lists }, now);
  }
  const after = await findMonitor(tx, owner.organizationId, id);
  if (before) {
    const { organizationPk } = row.monitor;
    await auditUpdate(tx, { organizationPk, type: "monitor", id, name: after.name }, { before, after });
  }
  return after;
}

/** The lists of a request, each entry once. @throws AppError `invalid` */
function parseLists(changes: MonitorChanges) {
  return {
    tags: changes.tags && uniqueTags(changes.tags),
    dependsOn: changes.dependsOn && uniqueDependencies(changes.dependsOn),
    bindings: requestedBindings(changes),
    fieldOf: (at: number) => channelField(changes, at),
  };
}

/** Saves what is in other tables. @property outagePk the open outage, after the update */
async function saveLists(
  tx: Tx,
  { monitor, outagePk }: Pick<Row, "monitor"> & { outagePk: number | null },
  { dependsOn, bindings, fieldOf }: ReturnType<typeof parseLists>,
): Promise<void> {
  const keys = { monitorPk: monitor.pk, organizationPk: monitor.organizationPk };
  if (dependsOn) await replaceDependencies(tx, keys, dependsOn);
  if (bindings) await bindChannels(tx, { ...keys, outagePk, bindings, fieldOf });
}

/**
 * What depends on a paused monitor is not muted by it any more, other dependencies may mute other notifications, and other tags
 * may take the monitor out of a window.
 */
async function reviewAfter(
  tx: Tx,
  { pk, id, organizationPk, enabled, tags: before }: Row["monitor"],
  { plan, lists }: { plan: MonitorUpdatePlan; lists: ReturnType<typeof parseLists> },
  now: number,
): Promise<void> {
  const { dependsOn, tags } = lists;
  if (plan.isPaused) await withdrawPaused(tx, [pk]);
  if (!enabled && plan.enabled) await revivePaused(tx, [pk], now);
  if (tags) await askRetagged(tx, { organizationPk, retagged: [{ pk, id, before, after: tags }] }, now);
  if (dependsOn || tags) await pokeMonitors(tx, [pk], now);
  if (plan.isPaused || dependsOn) await pokeDependents(tx, [pk], now);
}

async function findRow(tx: Tx, organizationId: string, id: string) {
  const { monitors, monitorStates } = tx.tables;
  const [row] = await tx.db
    .select({ monitor: monitors, state: monitorStates })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(await oneMonitor(tx, organizationId, id));
  return row;
}

export type UpdatedRow = NonNullable<Awaited<ReturnType<typeof findRow>>>;
type Row = UpdatedRow;

/** What the plan of an update depends on. @param ids of the locations of the organization */
export function subjectOf({ monitor, state }: Row, ids: LocationIdsByPk) {
  const { type, name, config, enabled, tags, confirmations, recoveries, ref } = monitor;
  const heartbeat = { ...silentHeartbeat, ...state.rhythm, deadline: state.deadline };
  const settings = { type, name, config, enabled, tags, confirmations, recoveries, ref };
  return { ...settings, ...placementOf(monitor, ids), heartbeat };
}

/** @throws AppError `invalid` for its locations, its ref or its push token */
async function save(tx: Tx, { monitor, state }: Row, plan: MonitorUpdatePlan, now: number): Promise<void> {
  const { pk, organizationPk } = monitor;
  const placement = await storedPlacement(tx, organizationPk, plan);
  const ref = plan.ref === monitor.ref ? undefined : (plan.ref ?? undefined);
  await assertRefFree(tx, { table: tx.tables.monitors, organizationPk, ref, except: pk });
  await assertPushTokenFree(tx, pushTokenOf(plan.config), pk);
  const updates = [{ monitor, plan, placement, rhythm: state.rhythm }];
  if (plan.isRevised) await reviseWork(tx, monitor.locations, placement.locations);
  // The state first, because recordings lock in this order.
  if (plan.isRevised) await saveStates(tx, updates, now);
  else await touchState(tx, monitor);
  await saveRows(tx, updates, now);
}

/** A recording at the same time has loaded what changes, such as the channels. So one of both conflicts and is repeated. */
async function touchState({ db, tables: { monitorStates } }: Tx, { pk, organizationPk }: Row["monitor"]) {
  await db.update(monitorStates).set({ organizationPk }).where(eq(monitorStates.monitorPk, pk));
}

/** @property monitor its row before the update @property rhythm the stored one */
export interface PlannedUpdate {
  monitor: Row["monitor"];
  plan: MonitorUpdatePlan;
  placement: StoredPlacement;
  rhythm: Row["state"]["rhythm"];
}

/** Saves the updates in the states of monitors. The work of the locations is revised before. */
export async function saveStates(tx: Tx, updates: readonly PlannedUpdate[], now: number): Promise<void> {
  const revised = updates.filter(({ plan }) => plan.isRevised);
  await tx.sets.update(
    tx.tables.monitorStates,
    revised.map(({ monitor, plan, placement, rhythm }) => {
      const { deadline, ...after } = plan.heartbeat;
      const { nextCheckAt } = plan;
      const set = { nextCheckAt, suspicion: null, placesSince: placement.locations && now };
      return { where: { monitorPk: monitor.pk }, set: { ...set, deadline, rhythm: rhythm && after } };
    }),
  );
  await restartPlaces(
    tx,
    revised.map(({ monitor: { pk, locations: before }, placement: { locations: after } }) => {
      return { pk, before, after };
    }),
  );
  const pksOf = (some: readonly PlannedUpdate[]) => some.map(({ monitor }) => monitor.pk);
  await restartBaselines(tx, pksOf(revised.filter(({ plan }) => plan.isOtherTarget)), now);
  await endOutages(tx, pksOf(revised.filter(({ plan }) => plan.isPaused)), now);
}

/** Saves the updates in the rows of monitors. */
export async function saveRows(
  { sets, tables: { monitors } }: Tx,
  updates: readonly PlannedUpdate[],
  now: number,
): Promise<void> {
  await sets.update(
    monitors,
    updates.map(({ monitor: { pk, revision }, plan, placement }) => {
      const { name, config, enabled, tags, confirmations, recoveries, ref, isRevised } = plan;
      const values = { name, config, enabled, tags, confirmations, recoveries, ref, ...placement };
      const changed = {
        pushToken: pushTokenOf(config),
        updatedAt: now,
        revision: revision + Number(isRevised),
      };
      return { where: { pk }, set: { ...values, ...changed } };
    }),
  );
}
