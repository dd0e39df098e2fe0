import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Detail } from "../../domain/checks/observation.ts";
import { fault } from "../../domain/faults/fault.ts";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { groupOf, type ResultStatus, statusesOf, TROUBLE } from "../../domain/monitors/status.ts";
import {
  type Outage,
  type OutageReport,
  type OutageWithDetail,
  type SeenByCheck,
  stretchesAround,
} from "../../domain/outages/outage.ts";
import { AppError, notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { reviveAcknowledged, scheduleReviews } from "../alerts/review/schedule-reviews.ts";
import { audit } from "../audit/audit.ts";
import { withCauses } from "../causes/causes.ts";
import { cursorAfter, parseCursor, type ResultRow, type Stretch } from "../results/result-items.ts";
import { readDetails } from "../results/results.ts";
import { readMeasured } from "../results/timings.ts";
import { statusOfCode } from "../status-codes.ts";
import { fromJson, type Page, type PageRequest, type TimedTx, type Tx } from "../tx.ts";
import { acceptSeen } from "./accept-content.ts";
import { withWhys } from "./evidence.ts";
import { type SearchedMonitor, textOfMonitor, withDowns } from "./exported-outages.ts";

/**
 * @property isOpen without it, both kinds
 * @property tag of their monitors now
 * @property search a text in the name, target or a tag of their monitors, as the overview searches
 * @property from milliseconds since 1970, like `to`: outages that lasted at some time of the stretch
 */
export interface OutageFilter {
  monitorId?: string | undefined;
  isOpen?: boolean | undefined;
  tag?: string | undefined;
  search?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

/**
 * One page of the outages of an organization, the latest first (behavior 14.53). An unknown monitor has none.
 *
 * @throws AppError `invalid` for a cursor that no page gave
 */
export async function listOutages(
  tx: Tx,
  organizationId: string,
  request: PageRequest & OutageFilter,
): Promise<Page<Outage>> {
  const { rows, cursor } = await listRows(tx, organizationId, request);
  return { items: rows.map(withoutKeys), cursor };
}

/** Like `listOutages`, with the numbers of the rows. @throws AppError like it */
async function listRows(
  tx: Tx,
  organizationId: string,
  { monitorId, isOpen, tag, search, from, to, limit, cursor }: PageRequest & OutageFilter,
): Promise<{ rows: OutageRow[]; cursor: string | null }> {
  const { monitors, outages } = tx.tables;
  // The number of an outage, not its ID: an outage may be deleted, and its cursor still works.
  const before = parseCursor(cursor);
  const organization = await organizationPk(tx, organizationId);
  const monitorPks = await matchingMonitors(tx, organization, { tag, search });
  const found = await selectOutages(
    tx,
    and(
      eq(outages.organizationPk, organization),
      monitorPks && inArray(outages.monitorPk, monitorPks),
      to === undefined ? undefined : lt(outages.startedAt, to),
      from === undefined ? undefined : or(isNull(outages.endedAt), gt(outages.endedAt, from)),
      before === undefined ? undefined : lt(outages.pk, before),
      monitorId === undefined ? undefined : eq(monitors.id, monitorId),
      isOpen === undefined ? undefined : isOpen ? isNull(outages.endedAt) : isNotNull(outages.endedAt),
    ),
  )
    .orderBy(desc(outages.pk))
    .limit(limit + 1);
  const pks = found.map(({ pk }) => pk);
  const rows = await withCauses(tx, await withWhys(tx, await withDowns(tx, found.slice(0, limit))));
  return { rows, cursor: cursorAfter(pks, limit) };
}

/** The most monitors of one statement: each one is a parameter. */
const MAX_MONITORS = 30_000;

const LIST_MONITORS = `SELECT pk, type, name, config, tags FROM monitors
  WHERE organization_pk = $1 AND ($2::text IS NULL OR tags::jsonb ? $2)`;

/** The numbers of the monitors that filters choose; undefined without filters. @throws AppError `invalid` for too many monitors */
async function matchingMonitors(
  { query }: Tx,
  organization: number,
  { tag, search }: Pick<OutageFilter, "tag" | "search">,
): Promise<number[] | undefined> {
  const needle = search?.trim().toLowerCase() ?? "";
  if (tag === undefined && needle === "") return undefined;
  const rows = await query<SearchedMonitor & { pk: number }>(LIST_MONITORS, [organization, tag ?? null]);
  const found = needle === "" ? rows : rows.filter((row) => textOfMonitor(row).includes(needle));
  if (found.length > MAX_MONITORS)
    throw new AppError("invalid", `tag and search must choose at most ${MAX_MONITORS} monitors`);
  return found.map(({ pk }) => pk);
}

/** @throws AppError `not_found` */
export async function findOutage(tx: Tx, organizationId: string, id: string): Promise<Outage> {
  return withoutKeys(await findRow(tx, organizationId, id));
}

/** An outage with the numbers of its rows. */
export type OutageRow = Awaited<ReturnType<typeof findRow>>;

/** @throws AppError `not_found` */
export async function findRow(tx: Tx, organizationId: string, id: string) {
  const { outages } = tx.tables;
  const ofOrganization = eq(outages.organizationPk, await organizationPk(tx, organizationId));
  const found = await selectOutages(tx, and(eq(outages.id, id), ofOrganization));
  const [row] = await withCauses(tx, await withWhys(tx, await withDowns(tx, found)));
  if (!row) throw notFound();
  return row;
}

export function withoutKeys(row: OutageRow): Outage {
  const { pk, monitorPk, organizationPk, resultPk, timings, detailPk, ...outage } = row;
  return outage;
}

/** Leaves out outages of deleted monitors, which are deleted in the background. */
function selectOutages({ db, tables: { monitors, outages } }: Tx, condition: SQL | undefined) {
  const { pk, monitorPk, organizationPk, resultPk, timings, detailPk } = outages;
  const { id, status, reason, startedAt, endedAt } = outages;
  const { acknowledgedAt, acknowledgedBy, note, maintenanceId } = outages;
  return db
    .select({
      ...{ pk, monitorPk, organizationPk, resultPk, timings, detailPk },
      id,
      monitor: { id: monitors.id, name: monitors.name, type: monitors.type },
      ...{ status, reason, startedAt, endedAt, acknowledgedAt, acknowledgedBy, note, maintenanceId },
    })
    .from(outages)
    .innerJoin(monitors, eq(monitors.pk, outages.monitorPk))
    .where(condition);
}

/** An outage as the link of a notification shows it, with the channel of the notification. */
export interface LinkedOutage {
  organizationId: string;
  channel: { id: string; name: string };
  outage: Omit<Outage, "downs" | "why" | "cause">;
}

/**
 * Finds an outage without knowing its organization, for the link of a notification of a channel.
 *
 * @returns null if the outage, its monitor or the channel was deleted
 */
export async function findLinkedOutage(
  tx: Tx,
  { outageId, channelId }: { outageId: string; channelId: string },
): Promise<LinkedOutage | null> {
  const { alertChannels, organizations } = tx.tables;
  const [channel] = await tx.db
    .select({ organization: organizations.pk, organizationId: organizations.id, name: alertChannels.name })
    .from(alertChannels)
    .innerJoin(organizations, eq(organizations.pk, alertChannels.organizationPk))
    .where(eq(alertChannels.id, channelId));
  if (!channel) return null;
  const { organization, organizationId, name } = channel;
  const { outages } = tx.tables;
  const [row] = await selectOutages(
    tx,
    and(eq(outages.id, outageId), eq(outages.organizationPk, organization)),
  );
  if (!row) return null;
  const { pk, monitorPk, organizationPk, resultPk, timings, detailPk, ...outage } = row;
  return { organizationId, channel: { id: channelId, name }, outage };
}

/** @property by the name of the key @property keepsOther whether an acknowledgement that is there already stays as it is */
export interface NewAcknowledgement {
  by: string;
  note: string | null;
  keepsOther?: boolean;
}

/**
 * Acknowledges an open outage, or replaces its acknowledgement (behavior 14.55). Notifications that wait for their `after`, and
 * reminders, end with the next review. A content that changed is usual from then on (behavior 26.115).
 *
 * @throws AppError `not_found`, then `invalid` if the outage has ended
 */
export async function acknowledgeOutage(
  tx: TimedTx,
  organizationId: string,
  id: string,
  { by, note, keepsOther = false }: NewAcknowledgement,
): Promise<Outage> {
  const row = await findOpen(tx, organizationId, id);
  if (keepsOther && row.acknowledgedAt !== null) return withoutKeys(row);
  const acknowledgement = { acknowledgedAt: tx.now, acknowledgedBy: by, note };
  await save(tx, row, acknowledgement);
  await acceptSeen(tx, row);
  await scheduleReviews(tx, [row.monitorPk]);
  await audit(tx, { ...changeOf(row, "outage.acknowledged"), changed: note === null ? [] : ["note"] });
  return { ...withoutKeys(row), ...acknowledgement };
}

/**
 * Takes an acknowledgement back, if there is one.
 *
 * @throws AppError `not_found`, then `invalid` if the outage has ended
 */
export async function unacknowledgeOutage(tx: TimedTx, organizationId: string, id: string): Promise<Outage> {
  const row = await findOpen(tx, organizationId, id);
  if (row.acknowledgedAt === null) return withoutKeys(row);
  const none = { acknowledgedAt: null, acknowledgedBy: null, note: null };
  await save(tx, row, none);
  await reviveAcknowledged(tx, { outagePk: row.pk, monitorPk: row.monitorPk });
  await audit(tx, changeOf(row, "outage.unacknowledged"));
  return { ...withoutKeys(row), ...none };
}

/** Locks the state of its monitor, so that no recording and no review decides at the same time. */
async function findOpen(tx: Tx, organizationId: string, id: string): Promise<OutageRow> {
  const { monitorStates } = tx.tables;
  const { monitorPk } = await findRow(tx, organizationId, id);
  await tx.db
    .update(monitorStates)
    .set({ outagePk: sql`${monitorStates.outagePk}` })
    .where(eq(monitorStates.monitorPk, monitorPk));
  const row = await findRow(tx, organizationId, id);
  if (row.endedAt !== null) throw fault("outageEnded", {});
  return row;
}

type Values = Pick<Outage, "acknowledgedAt" | "acknowledgedBy" | "note">;

async function save({ db, tables: { outages } }: Tx, { pk }: OutageRow, values: Values): Promise<void> {
  await db.update(outages).set(values).where(eq(outages.pk, pk));
}

function changeOf(
  { organizationPk, id, monitor: { name } }: OutageRow,
  action: "outage.acknowledged" | "outage.unacknowledged",
) {
  return { organizationPk, action, resource: { type: "outage", id, name } } as const;
}

/** One page of the outages of an organization, each with the detail of its first result. @throws AppError like `listOutages` */
export async function listOutagesWithDetails(
  tx: Tx,
  organizationId: string,
  request: PageRequest & OutageFilter,
): Promise<Page<OutageWithDetail>> {
  const { rows, cursor } = await listRows(tx, organizationId, request);
  const details = await firstDetails(tx, rows);
  const items = rows.map((row) => ({ ...withoutKeys(row), detail: details.get(row.pk) ?? null }));
  return { items, cursor };
}

/** The details of the first results of some outages, by the number of the outage. */
async function firstDetails(tx: Tx, outages: readonly OutageRow[]): Promise<Map<number, Detail | null>> {
  const stored = await readDetails(tx, outages);
  return new Map(outages.map((one) => [one.pk, detailOf(one, stored.get(one.detailPk ?? 0))]));
}

/** The detail of the first result. Only the reason is left after the result and its detail were deleted. */
export function detailOf(
  { reason, timings }: { reason: string | null; timings: Uint8Array | null },
  stored: Detail | undefined,
): Detail | null {
  return stored === undefined && reason !== null ? { reason } : readMeasured(timings, stored).detail;
}

/** Behavior 7.45. */
const WITH_LATENCY: readonly MonitorType[] = ["HTTP", "TCP", "TLS"];

/** The most results of each stretch around an outage: as many as a page of results has. */
const MOST = 200;

/** The findings of the checks before, in and after an outage. @throws AppError `not_found` */
export async function findOutageReport(tx: Tx, organizationId: string, id: string): Promise<OutageReport> {
  const row = await findRow(tx, organizationId, id);
  const { startedAt, endedAt, monitor } = row;
  const statuses: readonly ResultStatus[] = statusesOf[monitor.type];
  const healthy = statuses.filter((status) => groupOf[status] === "healthy");
  const trouble = statuses.filter((status) => TROUBLE.includes(status));
  const newest = (wanted: readonly ResultStatus[], stretch: Stretch, limit: number) =>
    tx.reads.newestResults([{ monitorPks: [row.monitorPk], statuses: wanted }], {
      ...{ before: undefined, limit },
      ...stretch,
    });
  const [lastGood] = await newest(healthy, { to: startedAt }, 1);
  const [lastFailing] = await newest(trouble, { from: startedAt, to: endedAt ?? undefined }, 1);
  const around: ResultRow[] = [];
  const interval = await findInterval(tx, row);
  for (const stretch of interval === null ? [] : stretchesAround(row, interval))
    around.push(...(await newest(statuses, stretch, MOST)));
  const details = await readDetails(
    tx,
    [lastGood, lastFailing].filter((one) => one !== undefined),
  );
  const seenBy = ({ createdAt: at, status, timings, detailPk }: ResultRow): SeenByCheck => ({
    ...{ at, status: statusOfCode(status) },
    ...readMeasured(timings, details.get(detailPk ?? 0)),
  });
  const first = await firstDetails(tx, [row]);
  return {
    detail: first.get(row.pk) ?? null,
    lastGood: lastGood ? seenBy(lastGood) : null,
    lastFailing: lastFailing ? seenBy(lastFailing) : null,
    checks: around
      .map(seenBy)
      .map(({ detail: _, ...check }) => check)
      .sort((a, b) => a.at - b.at),
  };
}

const FIND_CONFIG = "SELECT config FROM monitors WHERE pk = $1";

/** The time between two checks in milliseconds; null for a type without latencies. */
async function findInterval({ query }: Tx, { monitorPk, monitor }: OutageRow): Promise<number | null> {
  if (!WITH_LATENCY.includes(monitor.type)) return null;
  const [row] = await query<{ config: unknown }>(FIND_CONFIG, [monitorPk]);
  const { interval } = fromJson(row?.config) as { interval: number };
  return interval * 1000;
}
