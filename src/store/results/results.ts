import {
  type AlertOutcome,
  type ChannelOutcome,
  type Hold,
  type StoredDeliveryStatus,
  shownStatus,
  summarizeOutcome,
} from "../../domain/alerts/delivery.ts";
import type { Detail } from "../../domain/checks/observation.ts";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import {
  RESULT_STATUSES,
  type ResultStatus,
  type Status,
  statusesOf,
  TROUBLE,
} from "../../domain/monitors/status.ts";
import type { CheckResult, ResultEvent } from "../../domain/results/history.ts";
import { notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { CHANNEL_DELETED } from "../alerts/deliveries.ts";
import { deliveryStatusCodes, wordOf, wordsOf } from "../status-codes.ts";
import { fromJson, type Page, type PageRequest, type Sql, type Tx } from "../tx.ts";
import {
  changeOf,
  cursorAfter,
  type EventFilter,
  type ItemOf,
  itemsOf,
  parseCursor,
  type ResultFilter,
  type ResultRow,
  type Source,
} from "./result-items.ts";

/**
 * One page of a monitor's results, most recent first.
 *
 * @throws AppError `invalid` for a cursor that is not the ID of a result, `not_found` for the monitor
 */
export async function listResults(
  tx: Tx,
  organizationId: string,
  { monitorId, cursor, limit, from, to, problems }: PageRequest & ResultFilter & { monitorId: string },
): Promise<Page<CheckResult>> {
  const before = parseCursor(cursor);
  const monitor = await findSource(tx, organizationId, monitorId);
  const selection = { monitorPks: [monitor.pk], statuses: wantedOf(monitor.type, { problems }) };
  const rows = await tx.reads.newestResults([selection], { before, limit: limit + 1, from, to });
  return readPage(tx, { sources: [monitor], rows, limit }, (result) => result);
}

/**
 * One page of the results of all monitors of an organization, most recent first.
 *
 * @throws AppError `invalid` for a cursor that is not the ID of a result
 */
export async function listEvents(
  tx: Tx,
  organizationId: string,
  { type, status, tag, changes, problems, cursor, limit, from, to }: PageRequest & EventFilter,
): Promise<Page<ResultEvent>> {
  const page = { before: parseCursor(cursor), limit: limit + 1, from, to };
  const organization = await organizationPk(tx, organizationId);
  const wanted = { status, problems };
  if (changes) {
    const isPossible = type === undefined || wantedOf(type, wanted).length > 0;
    const statuses = status || problems ? among(RESULT_STATUSES, wanted) : undefined;
    const selection = { organizationPk: organization, type, tag, statuses };
    const rows = isPossible ? await tx.reads.changedResults(selection, page) : [];
    const pks = [...new Set(rows.map(({ monitorPk }) => monitorPk))];
    const sources = await tx.query<Source>(READ_SOURCES, [pks]);
    return readPage(tx, { sources, rows, limit }, changeOf(rows));
  }
  const all = await tx.query<Source>(LIST_SOURCES, [organization, type ?? null, tag ?? null]);
  const sources = all.filter((source) => wantedOf(source.type, wanted).length > 0);
  const selections = [...Map.groupBy(sources, (source) => source.type)].map(([type, monitors]) => ({
    monitorPks: monitors.map(({ pk }) => pk),
    statuses: wantedOf(type, wanted),
  }));
  const rows = await tx.reads.newestResults(selections, page);
  return readPage(tx, { sources, rows, limit }, (result, monitor) => ({ ...result, monitor }));
}

interface WantedStatuses {
  status?: Status | undefined;
  problems?: boolean | undefined;
}

/** The statuses that a type of monitor has, or only one of them, or only the statuses of trouble. */
export function wantedOf(type: MonitorType, wanted: WantedStatuses): readonly ResultStatus[] {
  return among(statusesOf[type], wanted);
}

function among(statuses: readonly ResultStatus[], { status, problems }: WantedStatuses) {
  return statuses.filter(
    (one) => (status === undefined || one === status) && (!problems || TROUBLE.includes(one)),
  );
}

const FIND_SOURCE = "SELECT pk, id, name, type FROM monitors WHERE id = $1 AND organization_pk = $2";

const READ_SOURCES = "SELECT pk, id, name, type FROM monitors WHERE pk = ANY($1)";

const LIST_SOURCES = `SELECT pk, id, name, type FROM monitors
  WHERE organization_pk = $1 AND ($2::text IS NULL OR type = $2) AND ($3::text IS NULL OR tags::jsonb ? $3)`;

/** @throws AppError `not_found` */
export async function findSource(sql: Sql, organizationId: string, id: string): Promise<Source> {
  const [monitor] = await sql.query<Source>(FIND_SOURCE, [id, await organizationPk(sql, organizationId)]);
  if (!monitor) throw notFound();
  return monitor;
}

/** @param rows the results of the page, and one more if another page follows */
async function readPage<Item>(
  tx: Tx,
  { sources, rows, limit }: { sources: Source[]; rows: readonly ResultRow[]; limit: number },
  itemOf: ItemOf<Item>,
): Promise<Page<Item>> {
  const page = rows.slice(0, limit);
  const pks = rows.map(({ pk }) => pk);
  const outcomes = await listOutcomes(tx, pks.slice(0, limit));
  const details = await readDetails(tx, page);
  return { items: itemsOf(page, { sources, details, outcomes }, itemOf), cursor: cursorAfter(pks, limit) };
}

/** The details of some results, by number. */
export async function readDetails(
  { query }: Sql,
  rows: readonly Pick<ResultRow, "detailPk">[],
): Promise<Map<number, Detail>> {
  const pks = [...new Set(rows.flatMap(({ detailPk }) => detailPk ?? []))];
  if (pks.length === 0) return new Map();
  const found = await query<{ pk: number; text: string }>("SELECT pk, text FROM details WHERE pk = ANY($1)", [
    pks,
  ]);
  return new Map(found.map(({ pk, text }) => [pk, JSON.parse(text)]));
}

const LIST = `SELECT result_pk AS "resultPk", channel_id AS "channelId", channel_type AS type, deliveries.status, attempts,
    error, hold, delivered_at AS "deliveredAt", alert_channels.pk AS "existingChannel"
  FROM deliveries LEFT JOIN alert_channels ON alert_channels.pk = channel_pk
  WHERE result_pk = ANY($1) ORDER BY deliveries.pk`;

/** A delivery. @property status its code @property existingChannel null if its channel was deleted */
type DeliveryRow = Omit<ChannelOutcome, "status" | "mutedBy"> & {
  resultPk: number;
  existingChannel: number | null;
  status: number;
  hold: Hold | string | null;
};

const statuses = wordsOf<StoredDeliveryStatus>(deliveryStatusCodes);

/** The outcome of the alerts of some results, by the number of the result. */
async function listOutcomes({ query }: Sql, resultPks: number[]): Promise<Map<number, AlertOutcome>> {
  if (resultPks.length === 0) return new Map();
  const rows = await query<DeliveryRow>(LIST, [resultPks]);
  const byResult = Map.groupBy(
    rows.filter((row) => row.status !== deliveryStatusCodes.hidden && !isRouted(row)),
    ({ resultPk }) => resultPk,
  );
  return new Map(
    [...byResult].map(([pk, group]) => [pk, summarizeOutcome(oncePerChannel(group).map(toOutcome))]),
  );
}

/** A schedule may have notified a channel whose own binding still waits (behavior 23.38). */
function oncePerChannel(rows: readonly DeliveryRow[]): DeliveryRow[] {
  const { pending, delivered, failed } = deliveryStatusCodes;
  const byChannel = new Map<string, DeliveryRow>();
  for (const row of rows) {
    const other = byChannel.get(row.channelId);
    if (!other || ![pending, delivered, failed].includes(other.status)) byChannel.set(row.channelId, row);
  }
  return [...byChannel.values()];
}

/** The channels that the schedule notified have deliveries of their own (behavior 23.35). */
function isRouted({ type, status }: Pick<DeliveryRow, "type" | "status">): boolean {
  return type === "SCHEDULE" && status === deliveryStatusCodes.delivered;
}

/** A delivery that is pending, held or muted for a deleted channel counts as failed, also before it is marked (behavior 14.28). */
function toOutcome({
  resultPk: _,
  existingChannel,
  hold,
  status: code,
  ...row
}: DeliveryRow): ChannelOutcome {
  const status = shownStatus(wordOf(statuses, code));
  if (existingChannel === null && (status === "pending" || status === "muted"))
    return { ...row, status: "failed", error: CHANNEL_DELETED };
  const why = hold && fromJson<Hold>(hold);
  return { ...row, status, ...(why && "by" in why && why.by && { mutedBy: why.by }) };
}
