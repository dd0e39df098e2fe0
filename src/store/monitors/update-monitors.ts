import type { Plan } from "../../domain/accounts/organization.ts";
import type { AlertTiming } from "../../domain/alerts/alert-binding.ts";
import { fault } from "../../domain/faults/fault.ts";
import { HERE } from "../../domain/locations/location.ts";
import { isPinged, pingRefusal } from "../../domain/locations/ping-access.ts";
import type { Placement } from "../../domain/locations/place.ts";
import type { Monitor, MonitorConfig } from "../../domain/monitors/monitor.ts";
import {
  CREATED_SETTINGS,
  firstCheckAt,
  type MonitorChanges,
  type MonitorUpdatePlan,
  PLACEMENT,
  planMonitorUpdate,
  STORED_SETTINGS,
} from "../../domain/monitors/monitor-update.ts";
import { pushTokenOf } from "../../domain/monitors/push-token.ts";
import { pick } from "../../domain/pick.ts";
import { invalid } from "../../errors.ts";
import { replaceBindings } from "../alerts/bindings.ts";
import {
  revivePaused,
  scheduleReviews,
  scheduleReviewsOfDependents,
  withdrawPaused,
} from "../alerts/review/schedule-reviews.ts";
import type { LockMonitors } from "../engine.ts";
import {
  findLocationIds,
  isCheckedHere,
  placementOf,
  type StoredPlacement,
  withStoredPlacements,
} from "../locations/monitor-locations.ts";
import { askRetagged } from "../maintenance/ask-at-end.ts";
import { createTurns } from "../turns.ts";
import { inBatches, type TimedTx, type Tx } from "../tx.ts";
import { restartStates } from "./restart-states.ts";

/*
 * The only functions that update monitors: a request is a batch of one. The number of statements does not depend on the number of
 * monitors. Times are milliseconds since 1970.
 */

/** The row of a monitor. */
export type MonitorRow = Tx["tables"]["monitors"]["$inferSelect"];

/** By the ID of the monitor. */
export async function findMonitorRows(
  { db, sets, tables: { monitors } }: Tx,
  ids: readonly string[],
): Promise<Map<string, MonitorRow>> {
  const found = new Map<string, MonitorRow>();
  await inBatches(ids, async (some) => {
    const rows = await db.select().from(monitors).where(sets.among(monitors.id, some));
    for (const row of rows) found.set(row.id, row);
  });
  return found;
}

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
  tx: TimedTx,
  { organizationPk, plan }: { organizationPk: number; plan: Plan },
  requests: readonly Request[],
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
    plans.push(planMonitorUpdate(before, changes, { plan, now: tx.now }));
    await turn();
  }
  const stored = await withStoredPlacements(tx, organizationPk, plans);
  await assertCheckable(
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
  tx: TimedTx,
  { organizationPk, updates }: { organizationPk: number; updates: readonly Update[] },
  lock?: LockMonitors,
): Promise<void> {
  const revised = updates.filter((update) => update.plan.isRevised);
  if (!lock) await tx.lockStates(pksOf(updates));
  await saveRows(tx, updates);
  await replaceDependencies(tx, updates);
  const changed = updates.filter(touchesState);
  await lock?.(pksOf(changed));
  if (changed.length === 0) return;
  await restartStates(tx, revised);
  await bind(tx, changed);
  await review(tx, { organizationPk, changed });
}

function pksOf(updates: readonly PlannedUpdate[]): number[] {
  return updates.map(({ monitor }) => monitor.pk);
}

/** Whether the state of a monitor changes with an update, or what was notified of it: others wait for it meanwhile. */
function touchesState({ plan, changes, dependsOn, bindings }: Update): boolean {
  return plan.isRevised || [dependsOn, bindings, changes.tags].some((value) => value !== undefined);
}

async function saveRows(tx: TimedTx, updates: readonly PlannedUpdate[]): Promise<void> {
  await tx.sets.update(
    tx.tables.monitors,
    updates.map(({ monitor: { pk, revision }, plan }) => ({
      where: { pk },
      set: {
        ...pick(plan, [...STORED_SETTINGS, ...PLACEMENT]),
        pushToken: pushTokenOf(plan.config),
        pingsHere: pingsHere(plan),
        revision: revision + Number(plan.isRevised),
        updatedAt: tx.now,
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
  tx: TimedTx,
  { organizationPk, changed }: { organizationPk: number; changed: readonly Update[] },
): Promise<void> {
  const paused = pksOf(changed.filter(({ plan }) => plan.isRevised && plan.isPaused));
  const resumed = pksOf(changed.filter(({ monitor, plan }) => !monitor.enabled && plan.enabled));
  const related = pksOf(changed.filter(({ dependsOn }) => dependsOn));
  const retagged = changed.flatMap(({ monitor: { pk, id, tags: before }, changes: { tags: after } }) =>
    after ? [{ pk, id, before, after }] : [],
  );
  await withdrawPaused(tx, paused);
  await revivePaused(tx, resumed);
  await askRetagged(tx, { organizationPk, retagged });
  await scheduleReviews(tx, [...new Set([...related, ...retagged.map(({ pk }) => pk)])]);
  await scheduleReviewsOfDependents(tx, [...new Set([...related, ...paused])]);
}

/*
 * The only functions that insert monitors: a request is a batch of one. The number of statements does not depend on the number of
 * monitors.
 */

/** The settings of a monitor to insert. @property locations as a monitor stores them */
export type NewRow = Pick<Monitor, (typeof CREATED_SETTINGS)[number]> & StoredPlacement;

/**
 * Inserts monitors without their relations. The work of their locations is revised before.
 *
 * @returns their numbers by their IDs
 */
export async function insertMonitors(
  tx: TimedTx,
  { organizationPk, rows }: { organizationPk: number; rows: readonly NewRow[] },
): Promise<ReadonlyMap<string, number>> {
  if (rows.length === 0) return new Map();
  const { monitors, monitorStates } = tx.tables;
  await tx.sets.insert(
    monitors,
    rows.map((row) => {
      const derived = { pushToken: pushTokenOf(row.config), pingsHere: pingsHere(row) };
      const fixed = { organizationPk, ...derived, createdAt: tx.now, updatedAt: tx.now };
      return { ...pick(row, [...CREATED_SETTINGS, ...PLACEMENT]), ...fixed };
    }),
  );
  const { pk, id } = monitors;
  const ids = rows.map((row) => row.id);
  const created = await tx.db.select({ pk, id }).from(monitors).where(tx.sets.among(id, ids));
  const pks = new Map(created.map((row) => [row.id, row.pk]));
  await tx.sets.insert(
    monitorStates,
    rows.map((row) => ({
      monitorPk: pks.get(row.id) ?? 0,
      organizationPk,
      status: "unknown" as const,
      nextCheckAt: firstCheckAt({ ...row, isHere: isCheckedHere(row) }, tx.now),
      placesSince: row.locations && tx.now,
    })),
  );
  return pks;
}

/** Whom a monitor depends on and which channels it notifies, by their numbers; undefined for what does not change. */
export interface Relations {
  dependsOn?: readonly number[] | undefined;
  bindings?: ReadonlyMap<number, AlertTiming> | undefined;
}

/** Stores the relations of monitors that were just created. */
export async function insertRelations(
  { sets, tables }: Tx,
  created: readonly (Relations & { monitorPk: number })[],
): Promise<void> {
  await sets.insert(tables.monitorDependencies, created.flatMap(dependenciesOf));
  const bindings = created.flatMap(({ monitorPk, bindings = new Map() }) =>
    [...bindings].map(([channelPk, { after, every, hours }]) => {
      return { monitorPk, channelPk, after, every, hours };
    }),
  );
  await sets.insert(tables.alertBindings, bindings);
}

function dependenciesOf({ monitorPk, dependsOn = [] }: Relations & { monitorPk: number }) {
  return dependsOn.map((dependsOnPk) => ({ monitorPk, dependsOnPk }));
}

type Placed = Pick<StoredPlacement, "locations"> & { name: string; config: MonitorConfig };

/** Whether this server is to ping for a monitor. */
function pingsHere({ config, locations }: Omit<Placed, "name">): boolean {
  return isPinged(config) && isCheckedHere({ locations });
}

/**
 * Refuses monitors whose target this server does not check, or whose pings a location can't send (behavior 20.36).
 *
 * @param isOneOfMany whether the error names the monitor
 * @throws AppError `invalid` that says what would be right
 */
export async function assertCheckable(
  tx: Tx,
  monitors: readonly Placed[],
  isOneOfMany = false,
): Promise<void> {
  for (const { name, config } of tx.targetRefusal ? monitors : []) {
    const refusal = tx.targetRefusal?.(config) ?? null;
    if (refusal !== null) throw invalid(isOneOfMany ? `${JSON.stringify(name)}: ${refusal}` : refusal);
  }
  await assertPingable(tx, monitors, isOneOfMany);
}

async function assertPingable(tx: Tx, monitors: readonly Placed[], isOneOfMany: boolean): Promise<void> {
  const pinged = monitors.filter(({ config }) => isPinged(config));
  if (pinged.length === 0) return;
  const refusals = await refusalsAt(tx, pinged);
  for (const { name, locations } of pinged) {
    const refusal = (locations ?? [HERE]).map((pk) => refusals.get(pk)).find((one) => one);
    if (refusal && !isOneOfMany) throw fault("pingRefused", { field: "config.protocol", why: refusal });
    if (refusal) throw invalid(`config.protocol of ${JSON.stringify(name)} can't be icmp: ${refusal}`);
  }
}

/** By the number of the location. */
async function refusalsAt(
  tx: Tx,
  pinged: readonly Placed[],
): Promise<ReadonlyMap<number, string | null | undefined>> {
  const { pk, name, lastSeenAt, pingAccess } = tx.tables.locations;
  const all = new Set(pinged.flatMap(({ locations }) => locations ?? [HERE]));
  const here = all.has(HERE) ? await tx.pingRefusal?.() : null;
  const remote = [...all].filter((one) => one !== HERE);
  const rows =
    remote.length === 0
      ? []
      : await tx.db
          .select({ pk, name, lastSeenAt, pingAccess })
          .from(tx.tables.locations)
          .where(tx.sets.among(pk, remote));
  return new Map([[HERE, here], ...rows.map((row) => [row.pk, pingRefusal(row)] as const)]);
}

/** Whether any enabled monitor is to be pinged by this server. */
export async function anyPingsHere({ query }: Pick<Tx, "query">): Promise<boolean> {
  const found = await query("SELECT pk FROM monitors WHERE pings_here AND enabled LIMIT 1");
  return found.length > 0;
}
