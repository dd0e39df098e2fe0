import { and, eq, lt } from "drizzle-orm";
import type { ChannelConfig, ChannelType } from "../../domain/alerts/channel.ts";
import { EVERY_GROUP } from "../../domain/alerts/notify.ts";
import { DAY } from "../../domain/duration.ts";
import { fault } from "../../domain/faults/fault.ts";
import type { Layer, Override } from "../../domain/on-call/rotation.ts";
import {
  layersOf,
  MAX_OVERRIDES,
  MAX_PEOPLE,
  type NewOverride,
  type NewSchedule,
  type OnCallPerson,
  overrideTimes,
  type Schedule,
  type ScheduleChanges,
  shownLayers,
} from "../../domain/on-call/schedule.ts";
import { invalid, notFound } from "../../errors.ts";
import { hashKey } from "../accounts/api-keys.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { type Audited, audit, auditCreation, auditDeletion, auditUpdate } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import { seenNames } from "../people/people.ts";
import { assertRefFree, findIdByRef } from "../refs.ts";
import { inserted, type TimedTx, type Tx } from "../tx.ts";

/* All times are milliseconds since 1970. */

/** @throws AppError `invalid` for its ref, then for an unknown person */
export async function createSchedule(
  tx: TimedTx,
  organizationId: string,
  request: NewSchedule,
): Promise<Schedule> {
  const { schedules, alertChannels } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  await assertRefFree(tx, { table: schedules, organizationPk: organization, ref: request.ref });
  const values = { timezone: "UTC", ref: null, ...(await valuesOf(tx, organization, request, [])) };
  const fixed = { id: createId(), organizationPk: organization, createdAt: tx.now, updatedAt: tx.now };
  const required = { name: request.name.trim(), layers: layersOf(request.layers) };
  const created = inserted(
    await tx.db
      .insert(schedules)
      .values({ ...values, ...required, ...fixed })
      .returning(),
  );
  // A type that no channel has: see the table.
  const standIn = { type: "SCHEDULE" as ChannelType, config: {} as ChannelConfig, enabled: true };
  await tx.db.insert(alertChannels).values({
    ...{ ...fixed, ...standIn, name: created.name, notifyOn: [...EVERY_GROUP], schedulePk: created.pk },
  });
  await auditCreation(tx, auditedAs(created), request);
  return one(tx, created);
}

/** Oldest first. @throws AppError `not_found` if the organization does not exist */
export async function listSchedules(tx: Tx, organizationId: string): Promise<Schedule[]> {
  return asSchedules(tx, await selectRows(tx, await organizationPk(tx, organizationId)));
}

/** @throws AppError `not_found` */
export async function findSchedule(tx: Tx, organizationId: string, id: string): Promise<Schedule> {
  return one(tx, await findRow(tx, organizationId, id));
}

/** A schedule with the people of its organization, of whom it says who is on call. */
export interface Rostered {
  schedule: Schedule;
  people: OnCallPerson[];
}

/** @throws AppError `not_found` */
export async function findRostered(tx: Tx, organizationId: string, id: string): Promise<Rostered> {
  const row = await findRow(tx, organizationId, id);
  return { schedule: await one(tx, row), people: await listOnCallPeople(tx, row.organizationPk) };
}

/** The schedule whose calendar a token opens. @throws AppError `not_found` */
export async function findByCalendar(tx: Tx, token: string): Promise<Rostered> {
  const { schedules } = tx.tables;
  const [row] = await tx.db
    .select()
    .from(schedules)
    .where(eq(schedules.calendarHash, hashKey(token)));
  if (!row) throw notFound();
  return { schedule: await one(tx, row), people: await listOnCallPeople(tx, row.organizationPk) };
}

/** @throws AppError `not_found`, then `invalid` as `createSchedule` */
export async function updateSchedule(
  tx: TimedTx,
  organizationId: string,
  id: string,
  request: ScheduleChanges,
): Promise<Schedule> {
  const { schedules } = tx.tables;
  const { pk, ...before } = await findRow(tx, organizationId, id);
  const organization = before.organizationPk;
  const { ref } = request;
  await assertRefFree(tx, { table: schedules, organizationPk: organization, ref, except: pk });
  const values = await valuesOf(tx, organization, request, before.layers);
  const [updated] = await tx.db
    .update(schedules)
    .set({ ...values, updatedAt: tx.now })
    .where(eq(schedules.pk, pk))
    .returning();
  if (!updated) throw notFound();
  if (updated.name !== before.name) await renameStandIn(tx, updated);
  const [shownBefore, shown] = await asSchedules(tx, [{ pk, ...before }, updated]);
  if (!shownBefore || !shown) throw new Error("a row is not shown");
  await auditUpdate(tx, auditedAs(updated), {
    before: shownInAudit(shownBefore),
    after: shownInAudit(shown),
  });
  return shown;
}

/** Deliveries show the name of the row that represents the schedule: see `createSchedule`. */
async function renameStandIn(
  { db, tables: { alertChannels } }: Tx,
  { pk, name }: ScheduleRow,
): Promise<void> {
  await db.update(alertChannels).set({ name }).where(eq(alertChannels.schedulePk, pk));
}

/**
 * Creates the schedule with a ref, or replaces it in full (behavior 16.4, 16.5). Its overrides stay.
 *
 * @throws AppError `invalid` as `createSchedule`
 */
export async function createOrReplaceSchedule(
  tx: TimedTx,
  organizationId: string,
  request: NewSchedule & { ref: string },
): Promise<{ isNew: boolean; schedule: Schedule }> {
  const { schedules } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  const id = await findIdByRef(tx, { table: schedules, organizationPk: organization, ref: request.ref });
  if (id === undefined) return { isNew: true, schedule: await createSchedule(tx, organizationId, request) };
  const values = { timezone: "UTC", ...request };
  return { isNew: false, schedule: await updateSchedule(tx, organizationId, id, values) };
}

/** @throws AppError `not_found`; `invalid` if bindings use it */
export async function deleteSchedule(tx: Tx, organizationId: string, id: string): Promise<{ id: string }> {
  const row = await findRow(tx, organizationId, id);
  await deleteUnused(tx, row);
  await auditDeletion(tx, auditedAs(row), shownInAudit(await one(tx, row)));
  return { id };
}

const COUNT_BOUND = `SELECT count(*) AS count FROM alert_channels
  JOIN alert_bindings ON channel_pk = alert_channels.pk WHERE schedule_pk = $1`;

/** @throws AppError `invalid` if bindings use it */
export async function deleteUnused(
  { db, query, tables: { alertChannels, schedules } }: Tx,
  { pk, name }: { pk: number; name: string },
): Promise<void> {
  const [bound] = await query<{ count: number | string }>(COUNT_BOUND, [pk]);
  const count = Number(bound?.count ?? 0);
  if (count > 0)
    throw count === 1 ? fault("scheduleBound", { name }) : fault("scheduleBoundOften", { name, count });
  await db.delete(alertChannels).where(eq(alertChannels.schedulePk, pk));
  await db.delete(schedules).where(eq(schedules.pk, pk));
}

/**
 * Puts a person on call for a time (behavior 23.24).
 *
 * @throws AppError `not_found`; `invalid` for its times, for an unknown person, or for too many overrides
 */
export async function createOverride(
  tx: TimedTx,
  { organizationId, scheduleId }: { organizationId: string; scheduleId: string },
  request: NewOverride,
): Promise<Override> {
  const { scheduleOverrides } = tx.tables;
  const schedule = await findRow(tx, organizationId, scheduleId);
  const times = overrideTimes(request);
  const people = await findPersonPks(tx, schedule.organizationPk, [request.personId]);
  const personPk = people.get(request.personId);
  if (personPk === undefined) throw invalid("personId is not a person of this organization");
  const ofSchedule = eq(scheduleOverrides.schedulePk, schedule.pk);
  await tx.db
    .delete(scheduleOverrides)
    .where(and(ofSchedule, lt(scheduleOverrides.endsAt, tx.now - 365 * DAY)));
  const existing = await tx.db.select({ pk: scheduleOverrides.pk }).from(scheduleOverrides).where(ofSchedule);
  if (existing.length >= MAX_OVERRIDES) throw fault("overrides", { count: MAX_OVERRIDES });
  const id = createId();
  await tx.db
    .insert(scheduleOverrides)
    .values({ ...times, id, personPk, schedulePk: schedule.pk, createdAt: tx.now });
  await noteChange(tx, schedule, "overrides");
  return { id, personId: request.personId, ...times };
}

/** Whose override it is. @throws AppError `not_found` */
export async function findOverride(
  tx: Tx,
  { organizationId, scheduleId, id }: { organizationId: string; scheduleId: string; id: string },
): Promise<Override> {
  const { overrides } = await findSchedule(tx, organizationId, scheduleId);
  const found = overrides.find((override) => override.id === id);
  if (!found) throw notFound();
  return found;
}

/** @throws AppError `not_found` */
export async function deleteOverride(
  tx: TimedTx,
  { organizationId, scheduleId, id }: { organizationId: string; scheduleId: string; id: string },
): Promise<{ id: string }> {
  const { scheduleOverrides } = tx.tables;
  const schedule = await findRow(tx, organizationId, scheduleId);
  const isNamed = and(eq(scheduleOverrides.id, id), eq(scheduleOverrides.schedulePk, schedule.pk));
  const [deleted] = await tx.db
    .delete(scheduleOverrides)
    .where(isNamed)
    .returning({ id: scheduleOverrides.id });
  if (!deleted) throw notFound();
  await noteChange(tx, schedule, "overrides");
  return { id };
}

/** Gives the calendar of a schedule a token, in place of the previous one. @throws AppError `not_found` */
export async function setCalendarToken(
  tx: TimedTx,
  { organizationId, id, token }: { organizationId: string; id: string; token: string },
): Promise<void> {
  const { schedules } = tx.tables;
  const row = await findRow(tx, organizationId, id);
  await tx.db
    .update(schedules)
    .set({ calendarHash: hashKey(token) })
    .where(eq(schedules.pk, row.pk));
  await noteChange(tx, row, "calendar");
}

async function noteChange(tx: TimedTx, row: ScheduleRow, field: string): Promise<void> {
  const { schedules } = tx.tables;
  await tx.db.update(schedules).set({ updatedAt: tx.now }).where(eq(schedules.pk, row.pk));
  const { organizationPk: organization, ...resource } = auditedAs(row);
  await audit(tx, {
    organizationPk: organization,
    action: "schedule.updated",
    resource,
    changed: [field],
  });
}

/** The values of a request besides what a new schedule requires. @throws AppError `invalid` for an unknown person */
async function valuesOf(
  tx: Tx,
  organization: number,
  { name, timezone, layers: requested, ref }: ScheduleChanges,
  before: readonly Layer[],
) {
  if (requested) await assertPeople(tx, organization, requested);
  const layers = requested && layersOf(requested);
  if (layers) assertNoneEmptied(layers, before);
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(timezone !== undefined && { timezone }),
    ...(layers && { layers }),
    ...(ref !== undefined && { ref }),
  };
}

/** A layer all of whose people were deleted may stay as it is: whoever sends back what they read loses nothing (behavior 23.27). */
function assertNoneEmptied(layers: readonly Layer[], before: readonly Layer[]): void {
  for (const [at, layer] of layers.entries())
    if (layer.personIds.length === 0 && !before.some((known) => Bun.deepEquals(known, layer)))
      throw invalid(`layers.${at}.personIds must be an array of 1 to ${MAX_PEOPLE} entries`);
}

async function assertPeople(
  tx: Tx,
  organization: number,
  layers: readonly { personIds: readonly string[] }[],
): Promise<void> {
  const ids = layers.flatMap(({ personIds }) => personIds);
  const known = await findPersonPks(tx, organization, [...new Set(ids)]);
  for (const [at, { personIds }] of layers.entries())
    for (const [place, id] of personIds.entries())
      if (!known.has(id))
        throw invalid(`layers.${at}.personIds.${place} is not a person of this organization`);
}

async function findPersonPks(
  { db, sets, tables: { people, memberships } }: Tx,
  organization: number,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: people.id, pk: people.pk })
    .from(memberships)
    .innerJoin(people, eq(people.pk, memberships.personPk))
    .where(and(eq(memberships.organizationPk, organization), sets.among(people.id, ids)));
  return new Map(rows.map(({ id, pk }) => [id, pk]));
}

/** The people of an organization. */
export async function listOnCallPeople(tx: Tx, organization: number): Promise<OnCallPerson[]> {
  return (await seenNames(tx, organization)).map(({ id, name, email, state }) => ({
    id,
    name: name ?? email,
    isDisabled: state === "disabled",
  }));
}

export type ScheduleRow = Tx["tables"]["schedules"]["$inferSelect"];

async function findRow(tx: Tx, organizationId: string, id: string): Promise<ScheduleRow> {
  const { schedules } = tx.tables;
  const ofOrganization = eq(schedules.organizationPk, await organizationPk(tx, organizationId));
  const [row] = await tx.db
    .select()
    .from(schedules)
    .where(and(eq(schedules.id, id), ofOrganization));
  if (!row) throw notFound();
  return row;
}

async function selectRows({ db, tables: { schedules } }: Tx, organization: number): Promise<ScheduleRow[]> {
  return db.select().from(schedules).where(eq(schedules.organizationPk, organization)).orderBy(schedules.pk);
}

async function one(tx: Tx, row: ScheduleRow): Promise<Schedule> {
  const [schedule] = await asSchedules(tx, [row]);
  if (!schedule) throw new Error("a row is not shown");
  return schedule;
}

/** Rows with their overrides. */
export async function asSchedules(
  { db, sets, tables: { scheduleOverrides, people } }: Tx,
  rows: readonly ScheduleRow[],
): Promise<Schedule[]> {
  if (rows.length === 0) return [];
  const { schedulePk, id, startsAt, endsAt, pk } = scheduleOverrides;
  const pks = rows.map((row) => row.pk);
  const stored = await db
    .select({ schedulePk, override: { id, personId: people.id, startsAt, endsAt } })
    .from(scheduleOverrides)
    .innerJoin(people, eq(people.pk, scheduleOverrides.personPk))
    .where(sets.among(schedulePk, pks))
    .orderBy(startsAt, pk);
  const overrides = Map.groupBy(stored, (row) => row.schedulePk);
  return rows.map(({ pk: number, organizationPk: _, calendarHash, ...row }) => ({
    ...row,
    overrides: (overrides.get(number) ?? []).map(({ override }) => override),
  }));
}

function auditedAs({ organizationPk: organization, id, name }: ScheduleRow): Audited {
  return { organizationPk: organization, type: "schedule", id, name };
}

/** In the form of the API, so that a change can be undone. */
function shownInAudit({ layers, overrides, ...schedule }: Schedule): object {
  return { ...schedule, layers: shownLayers(layers) };
}
