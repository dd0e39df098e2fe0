import { and, eq } from "drizzle-orm";
import { fault } from "../../domain/faults/fault.ts";
import { iso } from "../../domain/iso-time.ts";
import type { Maintenance, MaintenanceTimes } from "../../domain/maintenance/maintenance.ts";
import {
  assertMayNotify,
  type MaintenanceChanges,
  type NewMaintenance,
  replacedTimes,
  requestedTimes,
  timesAfter,
  timesOf,
} from "../../domain/maintenance/request.ts";
import { openWindowAt, withEndedWindow } from "../../domain/maintenance/windows.ts";
import { withoutRepeatedParts } from "../../domain/monitors/selector.ts";
import { notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { findChannelPks } from "../alerts/bindings.ts";
import { scheduleReviewsOfOrganization } from "../alerts/review/schedule-reviews.ts";
import { audit, auditCreation, auditDeletion, auditUpdate } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import { announcePlan } from "../pages/page-events.ts";
import { assertRefFree, findIdByRef } from "../refs.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { ask, findAskedAtEnd } from "./ask-at-end.ts";
import { findMovedDeadlines } from "./calendars.ts";
import { noteWindow } from "./runs.ts";
import { asMaintenances, assertMonitors, type MaintenanceRow } from "./stored-maintenance.ts";

/* All times are milliseconds since 1970. */

/** @throws AppError `invalid` for its times, for its ref, for an unknown monitor, then for an unknown channel */
export async function createMaintenance(
  tx: TimedTx,
  organizationId: string,
  request: NewMaintenance,
): Promise<Maintenance> {
  const times = timesOf(request, tx.now);
  assertMayNotify(times, request.notifySubscribers);
  const organization = await organizationPk(tx, organizationId);
  const { title, selector, ref } = request;
  const required = { title: title.trim(), selector: withoutRepeatedParts(selector) };
  await assertRefFree(tx, { table: tx.tables.maintenances, organizationPk: organization, ref });
  const values = { message: null, notifyChannelIds: [], ...(await valuesOf(tx, organization, request)) };
  const { maintenances } = tx.tables;
  const fixed = { id: createId(), organizationPk: organization, createdAt: tx.now, updatedAt: tx.now };
  const [created] = await tx.db
    .insert(maintenances)
    .values({ ...values, ...required, ...times, ...fixed })
    .returning();
  if (!created) throw new Error("the insert returned no maintenance");
  await noteChange(tx, { before: null, after: created });
  await announcePlan(tx, { before: null, after: created });
  await auditCreation(tx, auditedAs(created), request);
  return one(tx, created);
}

/** Oldest first. @throws AppError `not_found` if the organization does not exist */
export async function listMaintenances(tx: TimedTx, organizationId: string): Promise<Maintenance[]> {
  return asMaintenances(tx, await listRows(tx, await organizationPk(tx, organizationId)));
}

/** @throws AppError `not_found` */
export async function findMaintenance(tx: TimedTx, organizationId: string, id: string): Promise<Maintenance> {
  return one(tx, await findRow(tx, organizationId, id));
}

/** @throws AppError `not_found`, then `invalid` as `createMaintenance` */
export async function updateMaintenance(
  tx: TimedTx,
  organizationId: string,
  id: string,
  request: MaintenanceChanges,
): Promise<Maintenance> {
  const before = await findRow(tx, organizationId, id);
  return change(tx, before, { ...request, times: timesAfter(before, request, tx.now) });
}

/**
 * Creates the maintenance with a ref, or replaces it in full (behavior 16.4, 16.5, 16.8).
 *
 * @throws AppError `invalid` as `createMaintenance`
 */
export async function createOrReplaceMaintenance(
  tx: TimedTx,
  organizationId: string,
  request: NewMaintenance & { ref: string },
): Promise<{ isNew: boolean; maintenance: Maintenance }> {
  const organization = await organizationPk(tx, organizationId);
  const { maintenances } = tx.tables;
  const id = await findIdByRef(tx, { table: maintenances, organizationPk: organization, ref: request.ref });
  if (id !== undefined)
    return { isNew: false, maintenance: await replaceMaintenance(tx, organizationId, id, request) };
  return { isNew: true, maintenance: await createMaintenance(tx, organizationId, request) };
}

/**
 * Gives a maintenance exactly the values of a request: what it does not give gets the default of a new one.
 *
 * @throws AppError `not_found`, then `invalid` as `createMaintenance`
 */
export async function replaceMaintenance(
  tx: TimedTx,
  organizationId: string,
  id: string,
  request: NewMaintenance,
): Promise<Maintenance> {
  const before = await findRow(tx, organizationId, id);
  const times = replacedTimes(before, requestedTimes(request), tx.now);
  return change(tx, before, {
    ...{ message: "", notifyChannelIds: [], notifySubscribers: false },
    ...request,
    times,
  });
}

/** Saves an update, and what follows from it. */
async function change(
  tx: TimedTx,
  before: MaintenanceRow,
  { times, ...request }: MaintenanceChanges & { times: MaintenanceTimes },
): Promise<Maintenance> {
  const { pk, organizationPk: organization } = before;
  const { ref } = request;
  assertMayNotify(times, request.notifySubscribers);
  await assertRefFree(tx, { table: tx.tables.maintenances, organizationPk: organization, ref, except: pk });
  const values = await valuesOf(tx, organization, request);
  const repeated = times.cron === null ? {} : { notifySubscribers: false };
  const after = await saveRow(tx, { ...before, ...times, ...values, ...repeated, updatedAt: tx.now });
  await noteChange(tx, { before, after });
  await announcePlan(tx, { before, after });
  const [shownBefore, shown] = [await one(tx, before), await one(tx, after)];
  await auditUpdate(tx, auditedAs(after), { before: shownBefore, after: shown });
  return shown;
}

/** Ends the open window. @throws AppError `not_found`, then `invalid` if none is open */
export async function endMaintenance(tx: TimedTx, organizationId: string, id: string): Promise<Maintenance> {
  const before = await findRow(tx, organizationId, id);
  if (!openWindowAt(before, tx.now)) throw fault("noOpenWindow", {});
  const after = await saveRow(tx, { ...withEndedWindow(before, tx.now), updatedAt: tx.now });
  await noteChange(tx, { before, after });
  const { organizationPk: organization, ...resource } = auditedAs(after);
  await audit(tx, {
    organizationPk: organization,
    action: "maintenance.updated",
    resource,
    changed: ["endsAt"],
    before: before.endsAt === null ? null : { endsAt: iso(before.endsAt) },
  });
  return one(tx, after);
}

/** @throws AppError `not_found` */
export async function deleteMaintenance(
  tx: TimedTx,
  organizationId: string,
  id: string,
): Promise<{ id: string }> {
  const before = await findRow(tx, organizationId, id);
  const { maintenances } = tx.tables;
  await tx.db.delete(maintenances).where(eq(maintenances.pk, before.pk));
  await noteChange(tx, { before, after: null });
  await announcePlan(tx, { before, after: null });
  await auditDeletion(tx, auditedAs(before), before);
  return { id };
}

/** The values of a request besides its times. @throws AppError `invalid` for an unknown monitor or channel */
async function valuesOf(
  tx: Tx,
  organization: number,
  { title, message, selector, notifyChannelIds: channelIds, notifySubscribers, ref }: MaintenanceChanges,
): Promise<
  Partial<
    Pick<MaintenanceRow, "title" | "message" | "selector" | "notifyChannelIds" | "notifySubscribers" | "ref">
  >
> {
  if (selector) await assertMonitors(tx, organization, selector);
  const fieldOf = (at: number) => `notifyChannelIds.${at}`;
  if (channelIds) await findChannelPks(tx, { organizationPk: organization, channelIds, fieldOf });
  return {
    ...(title !== undefined && { title: title.trim() }),
    ...(message !== undefined && { message: message === "" ? null : message }),
    ...(selector && { selector: withoutRepeatedParts(selector) }),
    ...(channelIds && { notifyChannelIds: [...new Set(channelIds)] }),
    ...(notifySubscribers !== undefined && { notifySubscribers }),
    ...(ref !== undefined && { ref }),
  };
}

/**
 * Applies a change to what depends on windows: deadlines of jobs move, monitors in trouble are checked after their window,
 * channels are notified that a window started or ended, and the notifications that are held for a window are decided again.
 *
 * @param change `before` is null if it is new, `after` if it is deleted
 */
async function noteChange(
  tx: TimedTx,
  { before, after }: { before: MaintenanceRow | null; after: MaintenanceRow | null },
): Promise<void> {
  const changed = after ?? before;
  if (!changed) return;
  const { organizationPk: organization, id } = changed;
  await reviseCalendar(tx, organization);
  const rows = await listRows(tx, organization);
  const others = rows.filter((row) => row.id !== id);
  const definitions = { before: [...others, ...(before ? [before] : [])], after: rows };
  const moved = await findMovedDeadlines(tx, { organizationPk: organization, ...definitions });
  const asked = await findAskedAtEnd(tx, organization);
  // The states before the channels, and these before the deliveries: recordings lock in this order.
  await tx.lockStates([...moved.map(({ where }) => where.monitorPk), ...asked.map(({ pk }) => pk)]);
  await tx.sets.update(tx.tables.monitorStates, moved);
  await ask(tx, asked);
  await noteWindow(tx, { before: before ?? changed, after });
  await scheduleReviewsOfOrganization(tx, organization);
}

/** The largest `integer` of PostgreSQL. */
const MAX_REVISION = 2 ** 31 - 1;

/** Random, so that a change that is rolled back, or another copy of the database, never has the same number. */
async function reviseCalendar({ db, tables: { organizations } }: Tx, organization: number): Promise<void> {
  const maintenanceRevision = 1 + Math.floor(Math.random() * MAX_REVISION);
  await db.update(organizations).set({ maintenanceRevision }).where(eq(organizations.pk, organization));
}

async function listRows({ db, tables: { maintenances } }: Tx, organization: number) {
  return db
    .select()
    .from(maintenances)
    .where(eq(maintenances.organizationPk, organization))
    .orderBy(maintenances.pk);
}

async function findRow(tx: Tx, organizationId: string, id: string): Promise<MaintenanceRow> {
  const { maintenances } = tx.tables;
  const ofOrganization = eq(maintenances.organizationPk, await organizationPk(tx, organizationId));
  const [row] = await tx.db
    .select()
    .from(maintenances)
    .where(and(eq(maintenances.id, id), ofOrganization));
  if (!row) throw notFound();
  return row;
}

async function saveRow(
  { db, tables: { maintenances } }: Tx,
  { pk, ...values }: MaintenanceRow,
): Promise<MaintenanceRow> {
  const [saved] = await db.update(maintenances).set(values).where(eq(maintenances.pk, pk)).returning();
  if (!saved) throw notFound();
  return saved;
}

async function one(tx: TimedTx, row: MaintenanceRow): Promise<Maintenance> {
  const [maintenance] = await asMaintenances(tx, [row]);
  if (!maintenance) throw new Error("a row is not shown");
  return maintenance;
}

function auditedAs({ organizationPk: organization, id, title }: MaintenanceRow) {
  return { organizationPk: organization, type: "maintenance", id, name: title } as const;
}
