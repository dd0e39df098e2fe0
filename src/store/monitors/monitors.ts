import { and, count, eq, inArray } from "drizzle-orm";
import type { AlertBinding } from "../../domain/alerts/alert-binding.ts";
import { fault } from "../../domain/faults/fault.ts";
import { assertAcyclic, type DependencyGraph } from "../../domain/monitors/dependencies.ts";
import type { Monitor, MonitorConfig } from "../../domain/monitors/monitor.ts";
import { CREATED_SETTINGS, type MonitorRequest, PLACEMENT } from "../../domain/monitors/monitor-update.ts";
import type { Status } from "../../domain/monitors/status.ts";
import { pick } from "../../domain/pick.ts";
import { AppError, invalid, notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { listBindings } from "../alerts/bindings.ts";
import { closeIncidents } from "../alerts/open-incidents.ts";
import { findDependents, scheduleReviews } from "../alerts/review/schedule-reviews.ts";
import { auditDeletion } from "../audit/audit.ts";
import { findLocationIds, placementOf, reviseWork } from "../locations/monitor-locations.ts";
import { ask } from "../maintenance/ask-at-end.ts";
import type { TimedTx, Tx } from "../tx.ts";

/** A monitor to create, with a valid config. */
export interface NewMonitor extends MonitorRequest {
  config: MonitorConfig;
}

export interface MonitorWithBindings extends Monitor {
  /** Oldest first. */
  alertBindings: AlertBinding[];
}

/** @throws AppError `not_found` */
export async function findMonitor(tx: Tx, organizationId: string, id: string): Promise<MonitorWithBindings> {
  const { monitors, monitorStates } = tx.tables;
  const { pk: number, organizationPk: organization } = monitors;
  const [row] = await tx.db
    .select({
      pk: number,
      organization,
      stored: pick(monitors, PLACEMENT),
      ...pick(monitors, CREATED_SETTINGS),
      createdAt: monitors.createdAt,
      updatedAt: monitors.updatedAt,
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

/** The config of the monitor with a ref, or undefined. */
export async function findConfigByRef(
  tx: Tx,
  organizationId: string,
  ref: string,
): Promise<MonitorConfig | undefined> {
  const { monitors } = tx.tables;
  const ofOrganization = eq(monitors.organizationPk, await organizationPk(tx, organizationId));
  const [row] = await tx.db
    .select({ config: monitors.config })
    .from(monitors)
    .where(and(eq(monitors.ref, ref), ofOrganization));
  return row?.config;
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
  const [found] = await tx.db
    .select()
    .from(tx.tables.monitors)
    .where(await oneMonitor(tx, organizationId, id));
  if (!found) throw notFound();
  await reviseWork(tx, found.locations);
  await deleteMonitors(tx, [found.pk]);
  const { organizationPk, name } = found;
  await auditDeletion(tx, { organizationPk, type: "monitor", id, name }, found);
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
  await scheduleReviews({ ...tx, now: LONG_AGO }, dependents);
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

/** The condition that selects one monitor of an organization. */
export async function oneMonitor(tx: Tx, organizationId: string, id: string) {
  const { monitors } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  return and(eq(monitors.id, id), eq(monitors.organizationPk, organization));
}

/** The IDs of the monitors that a monitor depends on, oldest first. */
export async function findDependencies({ db, tables }: Tx, monitorPk: number): Promise<string[]> {
  const { monitorDependencies, monitors } = tables;
  const rows = await db
    .select({ id: monitors.id })
    .from(monitorDependencies)
    .innerJoin(monitors, eq(monitors.pk, monitorDependencies.dependsOnPk))
    .where(eq(monitorDependencies.monitorPk, monitorPk))
    .orderBy(monitors.pk);
  return rows.map(({ id }) => id);
}

/**
 * The numbers of the monitors that a monitor is to depend on, in the order of their IDs.
 *
 * @property monitorPk null for a new monitor, which no other one depends on yet
 * @throws AppError `invalid` for an ID that is not a monitor of the organization, the monitor itself, or a cycle
 */
export async function findParents(
  tx: Tx,
  { monitorPk, organizationPk }: { monitorPk: number | null; organizationPk: number },
  ids: readonly string[],
): Promise<number[]> {
  const parents = await findMonitorPks(tx, organizationPk, ids);
  if (monitorPk !== null && parents.length > 0)
    assertAcyclic(await loadGraph(tx, organizationPk), monitorPk, parents);
  return parents;
}

async function findMonitorPks(
  { db, tables: { monitors } }: Tx,
  organizationPk: number,
  ids: readonly string[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: monitors.id, pk: monitors.pk })
    .from(monitors)
    .where(and(inArray(monitors.id, [...ids]), eq(monitors.organizationPk, organizationPk)));
  const pks = new Map(rows.map(({ id, pk }) => [id, pk]));
  return ids.map((id, at) => {
    const pk = pks.get(id);
    if (pk !== undefined) return pk;
    throw new AppError("invalid", `dependsOn.${at} is not a monitor of this organization`);
  });
}

async function loadGraph({ db, tables }: Tx, organizationPk: number): Promise<DependencyGraph> {
  const { monitorDependencies, monitors } = tables;
  const { monitorPk, dependsOnPk } = monitorDependencies;
  const rows = await db
    .select({ monitorPk, dependsOnPk })
    .from(monitorDependencies)
    .innerJoin(monitors, eq(monitors.pk, monitorPk))
    .where(eq(monitors.organizationPk, organizationPk));
  const graph = new Map<number, number[]>();
  for (const row of rows) {
    const parents = graph.get(row.monitorPk);
    if (parents) parents.push(row.dependsOnPk);
    else graph.set(row.monitorPk, [row.dependsOnPk]);
  }
  return graph;
}

/**
 * Schedules a check of a monitor now, by all of its locations (behavior 16.247). A check that is due already stays as it is, so that at most
 * one is pending.
 *
 * @throws AppError `not_found`, then `invalid` for a monitor that is paused or that a job reports
 */
export async function requestCheck(tx: TimedTx, organizationId: string, id: string): Promise<{ id: string }> {
  const { monitors } = tx.tables;
  const { pk, organizationPk, tags, locations, type, enabled } = monitors;
  const [monitor] = await tx.db
    .select({ pk, id: monitors.id, organizationPk, tags, locations, type, enabled })
    .from(monitors)
    .where(await oneMonitor(tx, organizationId, id));
  if (!monitor) throw notFound();
  if (monitor.type === "SCHEDULED") throw invalid("a SCHEDULED monitor is not checked: its job checks in");
  if (!monitor.enabled) throw fault("monitorPaused", {});
  await tx.lockStates([monitor.pk]);
  await ask(tx, [monitor]);
  return { id };
}
