import type { Plan } from "../../domain/accounts/organization.ts";
import type { Placement } from "../../domain/locations/placement.ts";
import { PLACEMENT, STORED_SETTINGS } from "../../domain/monitors/monitor-settings.ts";
import {
  type MonitorChanges,
  type MonitorUpdatePlan,
  planMonitorUpdate,
} from "../../domain/monitors/monitor-update.ts";
import { pushTokenOf } from "../../domain/monitors/push-token.ts";
import { pick } from "../../domain/pick.ts";
import { replaceBindings } from "../alerts/bindings.ts";
import { scheduleReviews, scheduleReviewsOfDependents } from "../alerts/review/schedule-reviews.ts";
import { revivePaused, withdrawPaused } from "../alerts/review/withdrawal.ts";
import type { LockMonitors } from "../engine.ts";
import {
  findLocationIds,
  placementOf,
  type StoredPlacement,
  withStoredPlacements,
} from "../locations/monitor-locations.ts";
import { askRetagged } from "../maintenance/ask-at-end.ts";
import { createTurns } from "../turns.ts";
import type { Tx } from "../tx.ts";
import { dependenciesOf, type Relations } from "./insert-monitors.ts";
import { assertPingable, pingsHere } from "./ping-places.ts";
import { restartStates } from "./restart-states.ts";

/*
 * The only functions that update monitors: a request is a batch of one. The number of statements does not depend on the number of
 * monitors. Times are milliseconds since 1970.
 */

/** The row of a monitor. */
export type MonitorRow = Tx["tables"]["monitors"]["$inferSelect"];

/** @property monitor its row before the update @property plan with the placement as it is stored */
export interface PlannedUpdate {
  monitor: MonitorRow;
  changes: MonitorChanges;
  plan: Omit<MonitorUpdatePlan, keyof Placement> & StoredPlacement;
}

/**
 * Plans updates without the states of the monitors: so nothing needs to be locked yet.
 *
 * @throws AppError as `planMonitorUpdate`, then `invalid` for an ID that is not a location of the organization, then for pings that a
 *   location can't send
 */
export async function planUpdates<Request extends Omit<PlannedUpdate, "plan">>(
  tx: Tx,
  { organizationPk, plan }: { organizationPk: number; plan: Plan },
  requests: readonly Request[],
  now: number,
): Promise<(Request & PlannedUpdate)[]> {
  const ids = await findLocationIds(
    tx,
    organizationPk,
    requests.map(({ monitor }) => monitor),
  );
  const turn = createTurns();
  const plans: MonitorUpdatePlan[] = [];
  for (const { monitor, changes } of requests) {
    const before = { ...monitor, ...placementOf(monitor, ids) };
    plans.push(planMonitorUpdate(before, changes, { plan, now }));
    await turn();
  }
  const stored = await withStoredPlacements(tx, organizationPk, plans);
  await assertPingable(
    tx,
    stored.filter((_, at) => startsChecks(requests[at]?.changes)),
    requests.length > 1,
  );
  return requests.flatMap((request, at) => {
    const one = stored[at];
    return one ? [{ ...request, plan: one }] : [];
  });
}

/** Whether a monitor may be checked otherwise than before. */
function startsChecks({ config, locations, enabled }: MonitorChanges = {}): boolean {
  return config !== undefined || locations !== undefined || enabled === true;
}

type Update = PlannedUpdate & Relations;

/** The locations whose work changes with updates: see `reviseWork`. */
export function revisedLocations(updates: readonly PlannedUpdate[]): (number[] | null)[] {
  return updates.flatMap(({ monitor, plan }) => (plan.isRevised ? [monitor.locations, plan.locations] : []));
}

/**
 * Saves updates with their relations, and lets the review of notifications look at what they concern. The work of the
 * locations is revised before.
 *
 * @param lock locks the states of the monitors whose states change, before these are read. Without it, the states of all of them are
 *   locked before anything is written, as recordings do; with it, only after the rows are written, so that nothing waits for these
 */
export async function updateMonitors(
  tx: Tx,
  { organizationPk, updates }: { organizationPk: number; updates: readonly Update[] },
  now: number,
  lock?: LockMonitors,
): Promise<void> {
  const revised = updates.filter((update) => update.plan.isRevised);
  if (!lock) await tx.lockStates(pksOf(updates));
  await saveRows(tx, updates, now);
  await replaceDependencies(tx, updates);
  const changed = updates.filter(touchesState);
  await lock?.(pksOf(changed));
  if (changed.length === 0) return;
  await restartStates(tx, revised, now);
  await bind(tx, changed);
  await review(tx, { organizationPk, changed }, now);
}

function pksOf(updates: readonly PlannedUpdate[]): number[] {
  return updates.map(({ monitor }) => monitor.pk);
}

/** Whether the state of a monitor changes with an update, or what was notified of it: others wait for it meanwhile. */
function touchesState({ plan, changes, dependsOn, bindings }: Update): boolean {
  return plan.isRevised || [dependsOn, bindings, changes.tags].some((value) => value !== undefined);
}

async function saveRows(tx: Tx, updates: readonly PlannedUpdate[], now: number): Promise<void> {
  await tx.sets.update(
    tx.tables.monitors,
    updates.map(({ monitor: { pk, revision }, plan }) => ({
      where: { pk },
      set: {
        ...pick(plan, [...STORED_SETTINGS, ...PLACEMENT]),
        pushToken: pushTokenOf(plan.config),
        pingsHere: pingsHere(plan),
        revision: revision + Number(plan.isRevised),
        updatedAt: now,
      },
    })),
  );
}

async function replaceDependencies({ db, sets, tables }: Tx, updates: readonly Update[]): Promise<void> {
  const related = updates.filter(({ dependsOn }) => dependsOn);
  if (related.length === 0) return;
  const { monitorDependencies } = tables;
  await db.delete(monitorDependencies).where(sets.among(monitorDependencies.monitorPk, pksOf(related)));
  const rows = related.flatMap(({ monitor, dependsOn }) =>
    dependenciesOf({ monitorPk: monitor.pk, dependsOn }),
  );
  await sets.insert(monitorDependencies, rows);
}

/** Replaces the bindings. The outages that updates end are over. */
async function bind(tx: Tx, changed: readonly Update[]): Promise<void> {
  const bound = changed.flatMap(({ monitor, bindings: wanted }) =>
    wanted ? [{ monitorPk: monitor.pk, wanted }] : [],
  );
  if (bound.length === 0) return;
  const { monitorPk, outagePk } = tx.tables.monitorStates;
  const pks = bound.map((one) => one.monitorPk);
  const rows = await tx.db
    .select({ monitorPk, outagePk })
    .from(tx.tables.monitorStates)
    .where(tx.sets.among(monitorPk, pks));
  const outages = new Map(rows.map((row) => [row.monitorPk, row.outagePk]));
  await replaceBindings(
    tx,
    bound.map((one) => ({ ...one, outagePk: outages.get(one.monitorPk) ?? null })),
  );
}

/**
 * A monitor that is paused no longer mutes the monitors that depend on it, other dependencies may mute other notifications, and
 * other tags may take a monitor out of a window.
 */
async function review(
  tx: Tx,
  { organizationPk, changed }: { organizationPk: number; changed: readonly Update[] },
  now: number,
): Promise<void> {
  const paused = pksOf(changed.filter(({ plan }) => plan.isRevised && plan.isPaused));
  const resumed = pksOf(changed.filter(({ monitor, plan }) => !monitor.enabled && plan.enabled));
  const related = pksOf(changed.filter(({ dependsOn }) => dependsOn));
  const retagged = changed.flatMap(({ monitor: { pk, id, tags: before }, changes: { tags: after } }) =>
    after ? [{ pk, id, before, after }] : [],
  );
  await withdrawPaused(tx, paused);
  await revivePaused(tx, resumed, now);
  await askRetagged(tx, { organizationPk, retagged }, now);
  await scheduleReviews(tx, [...new Set([...related, ...retagged.map(({ pk }) => pk)])], now);
  await scheduleReviewsOfDependents(tx, [...new Set([...related, ...paused])], now);
}
