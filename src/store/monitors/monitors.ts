import { and, count, eq, isNotNull, isNull } from "drizzle-orm";
import { assertMonitorLimit, type Plan } from "../../domain/accounts/organization.ts";
import { type AlertBinding, channelField, requestedBindings } from "../../domain/alerts/alert-binding.ts";
import { ONLY_HERE, placementAfter } from "../../domain/locations/placement.ts";
import { uniqueDependencies } from "../../domain/monitors/dependencies.ts";
import type { Monitor, MonitorConfig } from "../../domain/monitors/monitor.ts";
import type { MonitorRequest } from "../../domain/monitors/monitor-replacement.ts";
import { firstCheckAt } from "../../domain/monitors/monitor-update.ts";
import { pushTokenOf } from "../../domain/monitors/push-token.ts";
import type { Status } from "../../domain/monitors/status.ts";
import { uniqueTags } from "../../domain/monitors/tags.ts";
import { AppError, notFound } from "../../errors.ts";
import { defaultChannelIds } from "../accounts/organization-settings.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { bindChannels, listBindings } from "../alerts/bindings.ts";
import { closeIncidents } from "../alerts/open-incidents.ts";
import { findDependents, pokeMonitors } from "../alerts/review/poke.ts";
import { auditCreation, auditDeletion } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import { findLocationIds, placementOf, reviseWork, storedPlacement } from "../locations/monitor-locations.ts";
import { assertRefFree } from "../refs.ts";
import type { Tx } from "../tx.ts";
import { findDependencies, replaceDependencies } from "./dependencies.ts";
import { assertPushTokenFree } from "./push-tokens.ts";

/** A monitor to create, with a valid config. */
export interface NewMonitor extends MonitorRequest {
  config: MonitorConfig;
}

/**
 * Without bindings, it gets the default channels of the organization.
 *
 * @param now milliseconds since 1970
 * @throws AppError `invalid` for its tags, for both forms of bindings, for its locations, for its ref, for its push token, for its
 *   dependencies, for an unknown channel, then `limit_reached` if the plan allows no more monitors
 */
export async function createMonitor(
  tx: Tx,
  owner: { organizationId: string; plan: Plan },
  given: NewMonitor,
  now: number,
): Promise<Monitor> {
  const { alertChannelIds: _, alertBindings: __, dependsOn = [], ...values } = given;
  const bindings = requestedBindings(given);
  const tags = uniqueTags(values.tags ?? []);
  uniqueDependencies(dependsOn);
  const { monitors, monitorStates } = tx.tables;
  const { name, type, enabled = true } = values;
  const pushToken = pushTokenOf(values.config);
  const placement = placementAfter({ ...ONLY_HERE, type }, values);
  const organization = await organizationPk(tx, owner.organizationId);
  const stored = await storedPlacement(tx, organization, placement);
  await assertRefFree(tx, { table: monitors, organizationPk: organization, ref: values.ref });
  await assertPushTokenFree(tx, pushToken);
  await reviseWork(tx, stored.locations);
  const ofOrganization = eq(monitors.organizationPk, organization);
  const [existing] = await tx.db.select({ count: count() }).from(monitors).where(ofOrganization);
  const keyed = { ...values, ...stored, tags, enabled, pushToken };
  const row = { ...keyed, id: createId(), organizationPk: organization };
  const [created] = await tx.db
    .insert(monitors)
    .values({ ...row, createdAt: now, updatedAt: now })
    .returning({ pk: monitors.pk, ...configuredColumns(tx) });
  if (!created) throw new Error("the insert returned no monitor");
  const { pk, ...monitor } = created;
  const state = {
    status: "unknown",
    nextCheckAt: firstCheckAt({ type, enabled, locations: placement.locations }, now),
    placesSince: stored.locations && now,
  } as const;
  await tx.db.insert(monitorStates).values({ monitorPk: pk, organizationPk: organization, ...state });
  const keys = { monitorPk: pk, organizationPk: organization };
  await replaceDependencies(tx, keys, dependsOn);
  await bindChannels(tx, {
    ...keys,
    outagePk: null,
    bindings: bindings ?? (await defaultBindings(tx, organization)),
    fieldOf: (at) => channelField(given, at),
  });
  // Last, because an unknown channel is reported before the limit.
  assertMonitorLimit(owner.plan, existing?.count ?? 0);
  const audited = { organizationPk: organization, type: "monitor", id: monitor.id, name } as const;
  await auditCreation(tx, audited, given);
  return {
    ...monitor,
    ...placement,
    status: state.status,
    blindSince: null,
    dependsOn: await findDependencies(tx, pk),
  };
}

async function defaultBindings(tx: Tx, organization: number): Promise<AlertBinding[]> {
  const ids = await defaultChannelIds(tx, organization);
  return ids.map((alertChannelId) => ({ alertChannelId, after: 0, every: 0 }));
}

export interface MonitorWithBindings extends Monitor {
  /** Oldest first. */
  alertBindings: AlertBinding[];
}

/** @throws AppError `not_found` */
export async function findMonitor(tx: Tx, organizationId: string, id: string): Promise<MonitorWithBindings> {
  const { monitors, monitorStates } = tx.tables;
  const { organizationPk: organization, locations, downWhen } = monitors;
  const [row] = await tx.db
    .select({
      pk: monitors.pk,
      organization,
      stored: { locations, downWhen },
      ...configuredColumns(tx),
      status: monitorStates.status,
      blindSince: monitorStates.blindSince,
    })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(await oneMonitor(tx, organizationId, id));
  if (!row) throw notFound();
  const { pk, organization: organizationPk, stored, ...monitor } = row;
  const ids = await findLocationIds(tx, organizationPk, [stored]);
  const related = { dependsOn: await findDependencies(tx, pk), alertBindings: await listBindings(tx, pk) };
  return { ...monitor, ...placementOf(stored, ids), ...related };
}

/**
 * The config of a monitor that a request names beside its path.
 *
 * @throws AppError `invalid` for an ID that is not a monitor of the organization
 */
export async function findConfig(tx: Tx, organizationId: string, monitorId: string): Promise<MonitorConfig> {
  const { monitors } = tx.tables;
  const thisMonitor = await oneMonitor(tx, organizationId, monitorId);
  const [row] = await tx.db.select({ config: monitors.config }).from(monitors).where(thisMonitor);
  if (!row) throw new AppError("invalid", "monitorId must be the ID of a monitor of the organization");
  return row.config;
}

/** A time that has passed, whatever the clock shows. */
const LONG_AGO = 0;

/**
 * Deletes a monitor with its bindings. Queries no longer find its results, which may be millions of rows and are deleted
 * in the background.
 *
 * @throws AppError `not_found`
 */
export async function deleteMonitor(tx: Tx, organizationId: string, id: string): Promise<{ id: string }> {
  const { pk, organizationPk, name, locations } = tx.tables.monitors;
  const [found] = await tx.db
    .select({ pk, organizationPk, name, locations })
    .from(tx.tables.monitors)
    .where(await oneMonitor(tx, organizationId, id));
  if (!found) throw notFound();
  await reviseWork(tx, found.locations);
  await deleteMonitors(tx, [found.pk]);
  await auditDeletion(tx, {
    organizationPk: found.organizationPk,
    type: "monitor",
    id,
    name: found.name,
  });
  return { id };
}

/** Deletes some monitors, without entries in the audit log. The work of their locations is revised before. */
export async function deleteMonitors(tx: Tx, pks: readonly number[]): Promise<void> {
  if (pks.length === 0) return;
  const { monitors, monitorStates, deletedMonitors } = tx.tables;
  const { db, sets } = tx;
  // Before their dependencies are deleted with them.
  const dependents = await findDependents(tx, pks);
  // The states first, because recordings lock in this order.
  await db.delete(monitorStates).where(sets.among(monitorStates.monitorPk, pks));
  await closeIncidents(tx, { monitorPks: pks }, "deleted");
  await db.delete(monitors).where(sets.among(monitors.pk, pks));
  await sets.insert(
    deletedMonitors,
    pks.map((pk) => ({ pk })),
  );
  await pokeMonitors(tx, dependents, LONG_AGO);
}

/** How many monitors of an organization have each status. */
export async function countStatuses(
  tx: Tx,
  organizationId: string,
): Promise<{ status: Status; count: number }[]> {
  const { monitorStates } = tx.tables;
  return tx.db
    .select({ status: monitorStates.status, count: count() })
    .from(monitorStates)
    .where(eq(monitorStates.organizationPk, await organizationPk(tx, organizationId)))
    .groupBy(monitorStates.status);
}

/** Ends the open outages of some monitors, because a pause ends them. @param now milliseconds since 1970 */
export async function endOutages(
  { db, sets, tables: { monitorStates, outages } }: Tx,
  monitorPks: readonly number[],
  now: number,
): Promise<void> {
  if (monitorPks.length === 0) return;
  const open = and(sets.among(outages.monitorPk, monitorPks), isNull(outages.endedAt));
  await db.update(outages).set({ endedAt: now }).where(open);
  const hasOutage = and(sets.among(monitorStates.monitorPk, monitorPks), isNotNull(monitorStates.outagePk));
  await db.update(monitorStates).set({ outagePk: null }).where(hasOutage);
}

/** The condition that selects one monitor of an organization. */
export async function oneMonitor(tx: Tx, organizationId: string, id: string) {
  const { monitors } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  return and(eq(monitors.id, id), eq(monitors.organizationPk, organization));
}

/** The columns of a monitor that users configure. */
function configuredColumns({ tables: { monitors } }: Tx) {
  const { id, name, type, config, enabled, tags, confirmations, recoveries, ref } = monitors;
  const { createdAt, updatedAt } = monitors;
  return { id, name, type, config, enabled, tags, confirmations, recoveries, ref, createdAt, updatedAt };
}
