import { and, count, eq, gt, ne } from "drizzle-orm";
import {
  assertMonitorLimit,
  assertSubscribed,
  type Plan,
  type Subscription,
} from "../../domain/accounts/organization.ts";
import {
  type AlertBinding,
  AT_ONCE,
  receiverField,
  requestedBindings,
} from "../../domain/alerts/alert-binding.ts";
import { fault } from "../../domain/faults/fault.ts";
import { ONLY_HERE, placementAfter } from "../../domain/locations/place.ts";
import { uniqueDependencies } from "../../domain/monitors/dependencies.ts";
import type { Monitor, MonitorType } from "../../domain/monitors/monitor.ts";
import {
  assertUpdatable,
  type MonitorChanges,
  type MonitorRequest,
  monitorReplacement,
  newSettings,
  parseNewMonitor,
} from "../../domain/monitors/monitor-update.ts";
import { pushTokenOf } from "../../domain/monitors/push-token.ts";
import { uniqueTags } from "../../domain/monitors/tags.ts";
import { pick } from "../../domain/pick.ts";
import { assertSameType } from "../../domain/schemas/format.ts";
import { defaultChannelIds } from "../accounts/organization-settings.ts";
import { findOrganization, organizationPk } from "../accounts/organizations.ts";
import { findWanted } from "../alerts/bindings.ts";
import { audit, auditCreation, auditUpdate } from "../audit/audit.ts";
import type { LockMonitors } from "../engine.ts";
import { createId } from "../ids.ts";
import { findLocationIds, reviseWork, withStoredPlacements } from "../locations/monitor-locations.ts";
import { assertRefFree } from "../refs.ts";
import { readInBatches, type TimedTx, type Tx } from "../tx.ts";
import {
  findDependencies,
  findMonitor,
  findParents,
  type MonitorWithBindings,
  type NewMonitor,
  oneMonitor,
} from "./monitors.ts";
import {
  assertCheckable,
  insertMonitors,
  insertRelations,
  planUpdates,
  revisedLocations,
  updateMonitors,
} from "./update-monitors.ts";

/* Requests about one monitor, or about all. Times are milliseconds since 1970. */

export interface Owner {
  organizationId: string;
  plan: Plan;
}

/**
 * Without bindings, it gets the default channels of the organization.
 *
 * @throws AppError `invalid` for its tags, for both forms of bindings, for its locations, for pings that they can't send, for its ref, for
 *   its push token, for its dependencies, for an unknown channel, then `limit_reached` if the plan allows no more monitors
 */
export async function createMonitor(tx: TimedTx, owner: Owner, given: NewMonitor): Promise<Monitor> {
  const requested = requestedBindings(given);
  const tags = uniqueTags(given.tags ?? []);
  const dependsOn = uniqueDependencies(given.dependsOn ?? []);
  const { name, type, config, ref = null } = given;
  const placement = placementAfter({ ...ONLY_HERE, type }, given);
  const organization = await organizationPk(tx, owner.organizationId);
  const settings = { id: createId(), type, name, config, ref, ...newSettings(given), ...placement, tags };
  const rows = await withStoredPlacements(tx, organization, [settings]);
  await assertCheckable(tx, rows);
  await assertRefFree(tx, { table: tx.tables.monitors, organizationPk: organization, ref: given.ref });
  await assertPushTokenFree(tx, pushTokenOf(config));
  const relations = {
    dependsOn: await findParents(tx, { monitorPk: null, organizationPk: organization }, dependsOn),
    bindings: await findWanted(tx, {
      organizationPk: organization,
      bindings: requested ?? (await defaultBindings(tx, organization)),
      fieldOf: (at) => receiverField(given, at),
    }),
  };
  assertMonitorLimit(owner.plan, await countMonitors(tx, organization));
  await reviseWork(tx, ...rows.map(({ locations }) => locations));
  const pks = await insertMonitors(tx, { organizationPk: organization, rows });
  const monitorPk = pks.get(settings.id) ?? 0;
  await insertRelations(tx, [{ monitorPk, ...relations }]);
  const audited = { organizationPk: organization, type: "monitor", id: settings.id, name } as const;
  await auditCreation(tx, audited, given);
  return {
    ...settings,
    dependsOn: dependsOn.length > 0 ? await findDependencies(tx, monitorPk) : [],
    status: "unknown",
    blindSince: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
}

async function defaultBindings(tx: Tx, organization: number): Promise<AlertBinding[]> {
  const ids = await defaultChannelIds(tx, organization);
  return ids.map((alertChannelId) => ({ alertChannelId, ...AT_ONCE }));
}

async function countMonitors({ db, tables: { monitors } }: Tx, organization: number): Promise<number> {
  const ofOrganization = eq(monitors.organizationPk, organization);
  const [existing] = await db.select({ count: count() }).from(monitors).where(ofOrganization);
  return existing?.count ?? 0;
}

/**
 * @throws AppError in this order: `invalid` for its tags, for too many dependencies, for both forms of bindings and for the
 *   interval, `not_found`, `invalid` for a config that does not fit the type, for its locations, for its ref, for its push token,
 *   for its dependencies, and for an unknown channel
 */
export async function updateMonitor(
  tx: TimedTx,
  owner: Owner,
  id: string,
  given: MonitorChanges,
): Promise<MonitorWithBindings> {
  const { name, ...others } = given;
  if (Object.values(others).every((value) => value === undefined))
    return renameMonitor(tx, owner.organizationId, { id, name });
  const tags = given.tags && uniqueTags(given.tags);
  const dependsOn = given.dependsOn && uniqueDependencies(given.dependsOn);
  const bindings = requestedBindings(given);
  const monitor = await findRow(tx, owner.organizationId, id);
  assertUpdatable(monitor, given, owner.plan);
  const before = tx.author && (await findMonitor(tx, owner.organizationId, id));
  const { pk, organizationPk } = monitor;
  const changes = { ...given, tags };
  const planned = await planUpdates(tx, { ...owner, organizationPk }, [{ monitor, changes }]);
  const ref = given.ref === monitor.ref ? undefined : given.ref;
  await assertRefFree(tx, { table: tx.tables.monitors, organizationPk, ref, except: pk });
  for (const { plan } of planned) await assertPushTokenFree(tx, pushTokenOf(plan.config), pk);
  const fieldOf = (at: number) => receiverField(given, at);
  const relations = {
    dependsOn: dependsOn && (await findParents(tx, { monitorPk: pk, organizationPk }, dependsOn)),
    bindings: bindings && (await findWanted(tx, { organizationPk, bindings, fieldOf })),
  };
  const updates = planned.map((update) => ({ ...update, ...relations }));
  await reviseWork(tx, ...revisedLocations(updates));
  await updateMonitors(tx, { organizationPk, updates });
  const after = await findMonitor(tx, owner.organizationId, id);
  const audited = { organizationPk, type: "monitor", id, name: after.name } as const;
  if (before) await auditUpdate(tx, audited, { before, after });
  return after;
}

/** Nothing that checks, notifies or is planned depends on a name. @throws AppError `not_found` */
async function renameMonitor(
  tx: TimedTx,
  organizationId: string,
  { id, name }: { id: string; name: string | undefined },
): Promise<MonitorWithBindings> {
  const before = await findMonitor(tx, organizationId, id);
  const after = { ...before, name: name ?? before.name, updatedAt: tx.now };
  await tx.sets.update(tx.tables.monitors, [{ where: { id }, set: pick(after, ["name", "updatedAt"]) }]);
  const audited = { type: "monitor", id, name: after.name } as const;
  const organization = await organizationPk(tx, organizationId);
  await auditUpdate(tx, { organizationPk: organization, ...audited }, { before, after });
  return after;
}

async function findRow(tx: Tx, organizationId: string, id: string) {
  const thisMonitor = await oneMonitor(tx, organizationId, id);
  const [row] = await tx.db.select().from(tx.tables.monitors).where(thisMonitor);
  return row;
}

/** The result of a request with a ref. */
export type CreatedOrReplacedMonitor =
  | { isNew: true; monitor: Monitor }
  | { isNew: false; monitor: MonitorWithBindings };

/**
 * Creates the monitor with a ref, or replaces it in full (behavior 16.4, 16.5).
 *
 * @throws AppError as `createMonitor` or `replaceMonitor`, and `no_subscription` for a new monitor
 */
export async function createOrReplaceMonitor(
  tx: TimedTx,
  owner: Owner & { subscription: Subscription },
  request: MonitorRequest & { ref: string },
): Promise<CreatedOrReplacedMonitor> {
  const stored = await findByRef(tx, owner.organizationId, request.ref);
  if (stored) return { isNew: false, monitor: await replaceMonitor(tx, owner, stored, request) };
  assertSubscribed(owner);
  const values = parseNewMonitor(request, owner.plan);
  return { isNew: true, monitor: await createMonitor(tx, owner, values) };
}

/**
 * Gives a monitor exactly the values of a request: what it does not give gets the default of a new monitor. Its history stays.
 *
 * @throws AppError `invalid` for another type, then as `updateMonitor`
 */
async function replaceMonitor(
  tx: TimedTx,
  owner: Owner,
  stored: { id: string; type: MonitorType },
  request: MonitorRequest,
): Promise<MonitorWithBindings> {
  assertSameType(stored.type, request.type);
  const organization = await organizationPk(tx, owner.organizationId);
  const replacement = monitorReplacement(request, await defaultChannelIds(tx, organization));
  return updateMonitor(tx, owner, stored.id, replacement);
}

async function findByRef(tx: Tx, organizationId: string, ref: string) {
  const { monitors } = tx.tables;
  const ofOrganization = eq(monitors.organizationPk, await organizationPk(tx, organizationId));
  const [found] = await tx.db
    .select({ id: monitors.id, type: monitors.type })
    .from(monitors)
    .where(and(eq(monitors.ref, ref), ofOrganization));
  return found;
}

/**
 * Pauses every monitor of an organization.
 *
 * @returns how many monitors were enabled
 * @throws AppError `not_found` if the organization does not exist
 */
export async function pauseAllMonitors(
  tx: TimedTx,
  lock: LockMonitors,
  organizationId: string,
): Promise<number> {
  const { pk: organizationPk, plan, name } = await findOrganization(tx, organizationId);
  const { monitors } = tx.tables;
  const rows = await readInBatches((after, limit) => {
    const { pk, enabled } = monitors;
    const isRunning = and(eq(monitors.organizationPk, organizationPk), eq(enabled, true), gt(pk, after));
    return tx.db.select().from(monitors).where(isRunning).orderBy(pk).limit(limit);
  });
  const requests = rows.map((monitor) => ({ monitor, changes: { enabled: false } }));
  const updates = await planUpdates(tx, { organizationPk, plan }, requests);
  // All locations of the organization, because pauses of all monitors are rare.
  await reviseWork(tx, [...(await findLocationIds(tx, organizationPk, rows)).keys()]);
  await updateMonitors(tx, { organizationPk, updates }, lock);
  const resource = { type: "organization", id: organizationId, name } as const;
  await audit(tx, { organizationPk, action: "monitor.all_paused", resource });
  return updates.length;
}

/**
 * Behavior 16.130. The message does not say which monitor has the token, because it may belong to another organization.
 *
 * @param token nothing is asserted without one
 * @param except the number of the monitor that may have it
 * @throws AppError `invalid` if another monitor of the server has it
 */
async function assertPushTokenFree(
  { db, tables: { monitors } }: Tx,
  token: string | null,
  except?: number,
): Promise<void> {
  if (token === null) return;
  const isOther = except === undefined ? undefined : ne(monitors.pk, except);
  const [taken] = await db
    .select({ pk: monitors.pk })
    .from(monitors)
    .where(and(eq(monitors.pushToken, token), isOther));
  if (taken) throw fault("taken", { field: "config.pushToken" });
}

/** The ID of the monitor with a push token; null for an unknown token. */
export async function findIdByPushToken(
  { db, tables: { monitors } }: Tx,
  token: string,
): Promise<string | null> {
  const [found] = await db.select({ id: monitors.id }).from(monitors).where(eq(monitors.pushToken, token));
  return found?.id ?? null;
}
