import { and, eq, gt, isNull, lte, or } from "drizzle-orm";
import type { ChannelConfig } from "../../domain/alerts/channel.ts";
import { MAX_RETRY_DELAY } from "../../domain/alerts/delivery.ts";
import { withoutRepeatedParts } from "../../domain/monitors/selector.ts";
import { pick } from "../../domain/pick.ts";
import {
  definitionOf,
  lastDue,
  type NewReportMail,
  nextMoment,
  periodUntil,
  type ReportDefinition,
  type ReportMail,
  type ReportMailChanges,
  type ReportPeriod,
  recipientsOf,
} from "../../domain/reports/report-mail.ts";
import { invalid, notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { auditCreation, auditDeletion, auditUpdate } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import { assertMonitors, findIds, withoutDeleted } from "../maintenance/stored-maintenance.ts";
import { assertRefFree, findIdByRef } from "../refs.ts";
import { inserted, type Sql, type TimedTx, type Tx } from "../tx.ts";

/* Reports that go by mail, and their outbox. All times are milliseconds since 1970. */

type Row = Tx["tables"]["reportMails"]["$inferSelect"];

/** @throws AppError `invalid` for its recipients, for its ref, for an unknown monitor, then for a channel */
export async function createReportMail(
  tx: TimedTx,
  organizationId: string,
  request: NewReportMail,
): Promise<ReportMail> {
  const definition = definitionOf(request);
  const organization = await organizationPk(tx, organizationId);
  const { reportMails } = tx.tables;
  await assertRefFree(tx, { table: reportMails, organizationPk: organization, ref: request.ref });
  const values = await valid(tx, organization, definition);
  const created = inserted(
    await tx.db
      .insert(reportMails)
      .values({
        ...{ id: createId(), organizationPk: organization, ref: request.ref ?? null },
        ...values,
        ...timesFrom(values, lastDue(values, tx.now)),
        ...{ createdAt: tx.now, updatedAt: tx.now },
      })
      .returning(),
  );
  await auditCreation(tx, auditedAs(created), request);
  return shown(created);
}

/** Oldest first. @throws AppError `not_found` if the organization does not exist */
export async function listReportMails(tx: Tx, organizationId: string): Promise<ReportMail[]> {
  const { reportMails } = tx.tables;
  const rows = await tx.db
    .select()
    .from(reportMails)
    .where(eq(reportMails.organizationPk, await organizationPk(tx, organizationId)))
    .orderBy(reportMails.pk);
  return (await withoutDeletedParts(tx, rows)).map(shown);
}

/** @throws AppError `not_found` */
export async function findReportMail(tx: Tx, organizationId: string, id: string): Promise<ReportMail> {
  return shown(await findPresent(tx, organizationId, id));
}

/** @throws AppError `not_found`, then `invalid` as `createReportMail` */
export async function updateReportMail(
  tx: TimedTx,
  organizationId: string,
  id: string,
  { ref, channelIds, to, ...changes }: ReportMailChanges,
): Promise<ReportMail> {
  const recipients = recipientsOf({ ...(channelIds && { channelIds }), ...(to && { to }) });
  const before = await findPresent(tx, organizationId, id);
  return save(tx, before, { ...definedBy(before), ...changes, ...recipients }, ref);
}

/**
 * Creates the report with a ref, or replaces it in full (behavior 16.4, 16.5).
 *
 * @throws AppError `invalid` as `createReportMail`
 */
export async function createOrReplaceReportMail(
  tx: TimedTx,
  organizationId: string,
  request: NewReportMail & { ref: string },
): Promise<{ isNew: boolean; report: ReportMail }> {
  const organization = await organizationPk(tx, organizationId);
  const table = tx.tables.reportMails;
  const id = await findIdByRef(tx, { table, organizationPk: organization, ref: request.ref });
  if (id === undefined) return { isNew: true, report: await createReportMail(tx, organizationId, request) };
  return { isNew: false, report: await replaceReportMail(tx, organizationId, id, request) };
}

/** Gives a report exactly the values of a request. @throws AppError `not_found`, then `invalid` as `createReportMail` */
export async function replaceReportMail(
  tx: TimedTx,
  organizationId: string,
  id: string,
  request: NewReportMail,
): Promise<ReportMail> {
  const definition = definitionOf(request);
  return save(tx, await findRow(tx, organizationId, id), definition, request.ref);
}

/** A report that gets another kind begins as a new report does, and its mails that wait are not sent; another time of day leaves no period out, and repeats none (behavior 23.72). */
async function save(
  tx: TimedTx,
  before: Row,
  definition: ReportDefinition,
  ref: string | undefined,
): Promise<ReportMail> {
  const { reportMails, reportLetters } = tx.tables;
  const { pk, organizationPk: organization } = before;
  await assertRefFree(tx, { table: reportMails, organizationPk: organization, ref, except: pk });
  const values = await valid(tx, organization, { ...definition, title: definition.title.trim() });
  const isOther = values.kind !== before.kind;
  if (isOther) await tx.db.delete(reportLetters).where(eq(reportLetters.reportPk, pk));
  const doneUntil = isOther ? lastDue(values, tx.now) : before.doneUntil;
  const [after] = await tx.db
    .update(reportMails)
    .set({ ...values, ...timesFrom(values, doneUntil), ...(ref !== undefined && { ref }), updatedAt: tx.now })
    .where(eq(reportMails.pk, pk))
    .returning();
  if (!after) throw notFound();
  await auditUpdate(tx, auditedAs(after), { before: audited(before), after: audited(after) });
  return shown(after);
}

/** Mails of it that wait are not sent. @throws AppError `not_found` */
export async function deleteReportMail(tx: Tx, organizationId: string, id: string): Promise<{ id: string }> {
  const row = await findRow(tx, organizationId, id);
  const { reportMails } = tx.tables;
  await tx.db.delete(reportMails).where(eq(reportMails.pk, row.pk));
  await auditDeletion(tx, auditedAs(row), row);
  return { id };
}

function timesFrom(values: Pick<ReportDefinition, "kind" | "timezone" | "at">, doneUntil: string) {
  return { doneUntil, nextAt: nextMoment(values, doneUntil) };
}

/** @throws AppError `invalid` for an unknown monitor, and for what is no EMAIL channel */
async function valid(tx: Tx, organization: number, definition: ReportDefinition): Promise<ReportDefinition> {
  await assertMonitors(tx, organization, definition.selector);
  await assertMailChannels(tx, organization, definition.channelIds ?? []);
  return { ...definition, selector: withoutRepeatedParts(definition.selector) };
}

async function assertMailChannels(
  { db, sets, tables: { alertChannels } }: Tx,
  organization: number,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const { id, type, schedulePk } = alertChannels;
  const rows = await db
    .select({ id, type })
    .from(alertChannels)
    .where(and(sets.among(id, ids), eq(alertChannels.organizationPk, organization), isNull(schedulePk)));
  const types = new Map(rows.map((row) => [row.id, row.type]));
  for (const [at, channelId] of ids.entries()) {
    const found = types.get(channelId);
    if (found === undefined) throw invalid(`channelIds.${at} is not an alert channel of this organization`);
    if (found !== "EMAIL") throw invalid(`channelIds.${at} must be an EMAIL channel, got ${found}`);
  }
}

async function findRow(tx: Tx, organizationId: string, id: string): Promise<Row> {
  const { reportMails } = tx.tables;
  const ofOrganization = eq(reportMails.organizationPk, await organizationPk(tx, organizationId));
  const [row] = await tx.db
    .select()
    .from(reportMails)
    .where(and(eq(reportMails.id, id), ofOrganization));
  if (!row) throw notFound();
  return row;
}

async function findPresent(tx: Tx, organizationId: string, id: string): Promise<Row> {
  const row = await findRow(tx, organizationId, id);
  const [present] = await withoutDeletedParts(tx, [row]);
  return present ?? row;
}

/** Reports of an organization, without monitors and channels that were deleted. */
async function withoutDeletedParts(tx: Tx, rows: readonly Row[]): Promise<Row[]> {
  const { monitors, alertChannels } = tx.tables;
  const [organization = 0] = rows.map((row) => row.organizationPk);
  const existing = (table: typeof monitors | typeof alertChannels, ids: string[]) =>
    findIds(tx, { table, organizationPk: organization, ids });
  const monitorIds = await existing(
    monitors,
    rows.flatMap(({ selector }) => selector.monitorIds ?? []),
  );
  const channels = await existing(
    alertChannels,
    rows.flatMap(({ channelIds }) => channelIds ?? []),
  );
  return rows.map((row) => ({
    ...row,
    selector: withoutDeleted(row.selector, monitorIds),
    channelIds: row.channelIds?.filter((id) => channels.has(id)) ?? null,
  }));
}

const DEFINED = ["title", "kind", "selector", "channelIds", "to", "timezone", "at", "language"] as const;

function definedBy(row: Row): ReportDefinition {
  return pick(row, DEFINED);
}

function audited(row: Row) {
  return pick(row, [...DEFINED, "ref"]);
}

function shown({ pk, organizationPk: _, doneUntil, ...report }: Row): ReportMail {
  return report;
}

function auditedAs({ organizationPk: organization, id, title }: Row) {
  return { organizationPk: organization, type: "report", id, name: title } as const;
}

/** The addresses to which a report goes now: disabled and deleted channels have none. @throws AppError `not_found` */
export async function findRecipients(tx: Tx, organizationId: string, id: string): Promise<string[]> {
  const row = await findRow(tx, organizationId, id);
  return (await recipientsNow(tx, [row])).get(row.pk) ?? [];
}

/** The addresses of some reports, by the number of the report. */
async function recipientsNow(
  { db, sets, tables: { alertChannels } }: Tx,
  reports: readonly Row[],
): Promise<Map<number, string[]>> {
  const { id, config, enabled, organizationPk: organization } = alertChannels;
  const ids = reports.flatMap(({ channelIds }) => channelIds ?? []);
  const channels =
    ids.length === 0
      ? []
      : await db.select({ id, config, enabled, organization }).from(alertChannels).where(sets.among(id, ids));
  const known = new Map(channels.map((channel) => [channel.id, channel]));
  return new Map(
    reports.map(({ pk, channelIds, to, organizationPk: own }) => {
      const addresses = (channelIds ?? []).flatMap((channelId) => {
        const channel = known.get(channelId);
        if (!channel?.enabled || channel.organization !== own) return [];
        return (channel.config as ChannelConfig<"EMAIL">).to;
      });
      return [pk, to ?? [...new Set(addresses)]];
    }),
  );
}

const ANY_DUE = `SELECT EXISTS (SELECT 1 FROM report_mails WHERE next_at <= $1)
  OR EXISTS (SELECT 1 FROM report_letters WHERE next_attempt_at <= $1 OR next_attempt_at > $2) AS "isDue"`;

/** Whether a report is to be queued, or a mail of one to be sent. */
export async function isReportDue({ query }: Sql, now: number): Promise<boolean> {
  const [row] = await query<{ isDue: boolean | number }>(ANY_DUE, [now, now + MAX_RETRY_DELAY]);
  return Boolean(row?.isDue);
}

/** Reports that one transaction queues. */
const QUEUED_AT_ONCE = 100;

/** Locked, so that another node does not queue them as well. */
const LOCK_DUE = `SELECT pk FROM report_mails WHERE next_at <= $1 ORDER BY next_at, pk LIMIT ${QUEUED_AT_ONCE}
  FOR UPDATE SKIP LOCKED`;

/**
 * Queues the mails of the reports that are due, about the last period that is over, and notes that this period is done, so that each goes
 * once (behavior 23.71). Periods before it that were missed are left out.
 *
 * @returns whether others may be due
 */
export async function queueReports(tx: TimedTx): Promise<boolean> {
  const { db, sets, query, now } = tx;
  const { reportMails, reportLetters } = tx.tables;
  const locked = (await query<{ pk: number }>(LOCK_DUE, [now])).map(({ pk }) => pk);
  if (locked.length === 0) return false;
  const rows = await db.select().from(reportMails).where(sets.among(reportMails.pk, locked));
  const due = rows.map((row) => ({ row, end: lastDue(row, now) }));
  const updates = due.map(({ row, end }) => {
    const isDone = end <= row.doneUntil;
    return { where: { pk: row.pk }, set: timesFrom(row, isDone ? row.doneUntil : end) };
  });
  await sets.update(reportMails, updates);
  const recipients = await recipientsNow(tx, rows);
  const letters = due.flatMap(({ row: { pk, kind, doneUntil }, end }) => {
    if (end <= doneUntil) return [];
    const fixed = { reportPk: pk, period: periodUntil(kind, end), nextAttemptAt: now, createdAt: now };
    return (recipients.get(pk) ?? []).map((recipient) => ({ id: createId(), recipient, ...fixed }));
  });
  await sets.insert(reportLetters, letters);
  return locked.length === QUEUED_AT_ONCE;
}

/** A mail of a report that is to be sent now. @property id the same for every attempt */
export interface DueLetter {
  pk: number;
  id: string;
  recipient: string;
  period: ReportPeriod;
  attempts: number;
  createdAt: number;
  organizationId: string;
  report: ReportMail;
}

/** Mails that wait for their next attempt come after those that were never tried. */
export async function listDueLetters(
  { db, tables }: Tx,
  { now, limit }: { now: number; limit: number },
): Promise<DueLetter[]> {
  const { reportMails, reportLetters, organizations } = tables;
  const { pk, id, recipient, period, attempts, createdAt, nextAttemptAt } = reportLetters;
  const rows = await db
    .select({
      letter: { pk, id, recipient, period, attempts, createdAt },
      organizationId: organizations.id,
      row: reportMails,
    })
    .from(reportLetters)
    .innerJoin(reportMails, eq(reportMails.pk, reportLetters.reportPk))
    .innerJoin(organizations, eq(organizations.pk, reportMails.organizationPk))
    .where(or(lte(nextAttemptAt, now), gt(nextAttemptAt, now + MAX_RETRY_DELAY)))
    .orderBy(reportLetters.attempts, reportLetters.pk)
    .limit(limit);
  return rows.map(({ letter, organizationId, row }) => ({ ...letter, organizationId, report: shown(row) }));
}

/** Stores the outcome of an attempt. It is ignored if another node stored one meanwhile. @property nextAttemptAt null if it was the last */
export async function recordLetter(
  { db, tables: { reportLetters } }: Tx,
  { pk, attempts, nextAttemptAt }: Pick<DueLetter, "pk" | "attempts"> & { nextAttemptAt: number | null },
): Promise<void> {
  const isSame = and(eq(reportLetters.pk, pk), eq(reportLetters.attempts, attempts));
  if (nextAttemptAt === null) await db.delete(reportLetters).where(isSame);
  else
    await db
      .update(reportLetters)
      .set({ attempts: attempts + 1, nextAttemptAt })
      .where(isSame);
}
