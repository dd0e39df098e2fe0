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
import { bindChannels } from "../alerting/bindings.ts";
import { pokeDependents, pokeMonitors } from "../alerting/review/poke.ts";
import { revivePaused, withdrawPaused } from "../alerting/review/withdrawal.ts";
import { auditUpdate } from "../audit/audit.ts";
import {
  findLocationIds,
  type LocationIdsByPk,
  placementOf,
  reviseWork,
  storedPlacement,
} from "../locations/monitor-locations.ts";
import { restartPlaces } from "../locations/restart-places.ts";
import { assertRefFree } from "../refs.ts";
import type { Tx } from "../tx.ts";
import { replaceDependencies } from "./dependencies.ts";
import { endOutages, findMonitor, type MonitorWithBindings, oneMonitor } from "./monitors.ts";
import { assertPushTokenFree } from "./push-tokens.ts";
import { restartBaseline } from "./restart-baseline.ts";

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
    await savePlan(tx, row, plan, now);
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
  { pk, enabled }: Row["monitor"],
  { plan, lists }: { plan: MonitorUpdatePlan; lists: ReturnType<typeof parseLists> },
  now: number,
): Promise<void> {
  const { dependsOn, tags } = lists;
  if (plan.isPaused) await withdrawPaused(tx, [pk]);
  if (!enabled && plan.enabled) await revivePaused(tx, pk, now);
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

/** Saves what is in the rows of a monitor and its state. @throws AppError `invalid` for its locations, its ref or its push token */
export async function savePlan(
  tx: Tx,
  { monitor, state }: Row,
  plan: MonitorUpdatePlan,
  now: number,
): Promise<void> {
  const { monitors, monitorStates } = tx.tables;
  const { pk, revision, organizationPk } = monitor;
  const { name, config, enabled, tags, confirmations, recoveries, ref, isRevised, nextCheckAt } = plan;
  const placement = await storedPlacement(tx, organizationPk, plan);
  const newRef = ref === monitor.ref ? undefined : (ref ?? undefined);
  await assertRefFree(tx, { table: monitors, organizationPk, ref: newRef, except: pk });
  const pushToken = pushTokenOf(config);
  await assertPushTokenFree(tx, pushToken, pk);
  const values = { name, config, enabled, tags, confirmations, recoveries, ref, pushToken, ...placement };
  const { deadline, ...rhythm } = plan.heartbeat;
  if (isRevised) await reviseWork(tx, monitor.locations, placement.locations);
  // The state first, because recordings lock in this order.
  const revised = { nextCheckAt, suspicion: null, placesSince: placement.locations && now };
  await tx.db
    .update(monitorStates)
    .set({ deadline, ...(state.rhythm && { rhythm }), ...(isRevised && revised) })
    .where(eq(monitorStates.monitorPk, pk));
  if (isRevised) await restartPlaces(tx, { pk, before: monitor.locations, after: placement.locations });
  await tx.db
    .update(monitors)
    .set({ ...values, updatedAt: now, ...(isRevised && { revision: revision + 1 }) })
    .where(eq(monitors.pk, pk));
  if (plan.isOtherTarget) await restartBaseline(tx, pk, now);
  if (plan.isPaused) await endOutages(tx, [pk], now);
}
