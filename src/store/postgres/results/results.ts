import type { Detail } from "../../../domain/checks/observation.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { type Status, statusesOf } from "../../../domain/monitors/status.ts";
import type { CheckResult, ResultEvent } from "../../../domain/results/result.ts";
import { notFound } from "../../../errors.ts";
import type { Page, PageRequest } from "../../page.ts";
import { changeOf, type EventFilter } from "../../results/event-filter.ts";
import {
  cursorAfter,
  type ItemOf,
  itemsOf,
  parseCursor,
  type ResultRow,
  type Source,
} from "../../results/result-items.ts";
import { statusCodes } from "../../status-codes.ts";
import type { Sql } from "../connections.ts";
import { organizationPk } from "../organization-pk.ts";
import { listOutcomes } from "./alert-outcomes.ts";
import { listChangedResults } from "./changed-results.ts";
import { newestResults } from "./newest-results.ts";

export async function listResults(
  sql: Sql,
  organizationId: string,
  { monitorId, ...page }: PageRequest & { monitorId: string },
): Promise<Page<CheckResult>> {
  const before = parseCursor(page.cursor);
  const [monitor] = await listSources(sql, organizationId, { id: monitorId });
  if (!monitor) throw notFound();
  const selection = { monitorPks: [monitor.pk], statuses: codesOf(statusesOf[monitor.type]) };
  const rows = await newestResults(sql, selection, { before, limit: page.limit + 1 });
  return readPage(sql, { sources: [monitor], rows, limit: page.limit }, (result) => result);
}

export async function listEvents(
  sql: Sql,
  organizationId: string,
  { type, status, tag, changes, ...page }: PageRequest & EventFilter,
): Promise<Page<ResultEvent>> {
  const before = parseCursor(page.cursor);
  const all = await listSources(sql, organizationId, { type, tag });
  const sources = all.filter(({ type }) => status === undefined || has(type, status));
  if (changes) {
    const selection = { organizationPk: await organizationPk(sql, organizationId), sources, status };
    const rows = await listChangedResults(sql, selection, { before, limit: page.limit + 1 });
    return readPage(sql, { sources, rows, limit: page.limit }, changeOf(rows));
  }
  const statuses = status ? [status] : [...new Set(sources.flatMap(({ type }) => statusesOf[type]))];
  const selection = { monitorPks: sources.map(({ pk }) => pk), statuses: codesOf(statuses) };
  const rows = await newestResults(sql, selection, { before, limit: page.limit + 1 });
  return readPage(sql, { sources, rows, limit: page.limit }, (result, monitor) => ({ ...result, monitor }));
}

const has = (type: MonitorType, status: Status) => (statusesOf[type] as readonly Status[]).includes(status);

const codesOf = (statuses: readonly Status[]) => statuses.map((status) => statusCodes[status]);

const LIST_SOURCES = `SELECT pk, id, name, type FROM monitors
  WHERE organization_pk = $1 AND ($2::text IS NULL OR id = $2) AND ($3::text IS NULL OR type = $3)
    AND ($4::text IS NULL OR tags::jsonb ? $4)`;

export async function listSources(
  sql: Sql,
  organizationId: string,
  { id, type, tag }: { id?: string; type?: MonitorType | undefined; tag?: string | undefined },
): Promise<Source[]> {
  const organization = await organizationPk(sql, organizationId);
  return sql.query(LIST_SOURCES, [organization, id ?? null, type ?? null, tag ?? null]);
}

/** @param rows the results of the page, and one more if another page follows */
async function readPage<Item>(
  sql: Sql,
  { sources, rows, limit }: { sources: Source[]; rows: ResultRow[]; limit: number },
  itemOf: ItemOf<Item>,
): Promise<Page<Item>> {
  const page = rows.slice(0, limit);
  const pks = rows.map(({ pk }) => pk);
  const outcomes = await listOutcomes(sql, pks.slice(0, limit));
  const details = await readDetails(sql, page);
  return { items: itemsOf(page, { sources, details, outcomes }, itemOf), cursor: cursorAfter(pks, limit) };
}

/** The details of some results, by number. */
export async function readDetails({ query }: Sql, rows: ResultRow[]): Promise<Map<number, Detail>> {
  const pks = [...new Set(rows.flatMap(({ detailPk }) => detailPk ?? []))];
  if (pks.length === 0) return new Map();
  const found = await query<{ pk: number; text: string }>("SELECT pk, text FROM details WHERE pk = ANY($1)", [
    pks,
  ]);
  return new Map(found.map(({ pk, text }) => [pk, JSON.parse(text)]));
}
