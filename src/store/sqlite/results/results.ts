import { and, eq, sql } from "drizzle-orm";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { statusesOf } from "../../../domain/monitors/status.ts";
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
import type { Database } from "../open.ts";
import { organizationPk } from "../organization-pk.ts";
import { monitors } from "../schema.ts";
import { listOutcomes } from "./alert-outcomes.ts";
import { listChangedResults } from "./changed-results.ts";
import { readDetails } from "./details.ts";
import { allResultsOf, newestOf, newestOfMany } from "./newest-results.ts";

export async function listResults(
  db: Database,
  organizationId: string,
  { monitorId, ...page }: PageRequest & { monitorId: string },
): Promise<Page<CheckResult>> {
  const before = position(page.cursor);
  const [monitor] = listSources(db, organizationId, { id: monitorId });
  if (!monitor) throw notFound();
  const pks = newestOf(db, allResultsOf(monitor), { before, limit: page.limit + 1 });
  return readPage(db, [monitor], { pks, limit: page.limit }, (result) => result);
}

export async function listEvents(
  db: Database,
  organizationId: string,
  { type, status, tag, changes, ...page }: PageRequest & EventFilter,
): Promise<Page<ResultEvent>> {
  const before = position(page.cursor);
  const sources = listSources(db, organizationId, { type, tag });
  if (changes) {
    const selection = { organizationPk: organizationPk(db, organizationId), sources, status };
    const changed = listChangedResults(db, selection, { before, limit: page.limit + 1 });
    const pks = changed.map(({ pk }) => pk);
    return readPage(db, sources, { pks, limit: page.limit }, changeOf(changed));
  }
  const selections = [...Map.groupBy(sources, (source) => source.type)].map(([type, monitors]) => ({
    monitorPks: monitors.map(({ pk }) => pk),
    statuses: statusesOf[type].filter((one) => status === undefined || one === status),
  }));
  const pks = newestOfMany(db, selections, { before, limit: page.limit + 1 });
  return readPage(db, sources, { pks, limit: page.limit }, (result, monitor) => ({ ...result, monitor }));
}

export function listSources(
  db: Database,
  organizationId: string,
  { id, type, tag }: { id?: string; type?: MonitorType | undefined; tag?: string | undefined },
): Source[] {
  return db
    .select({ pk: monitors.pk, id: monitors.id, name: monitors.name, type: monitors.type })
    .from(monitors)
    .where(
      and(
        eq(monitors.organizationPk, organizationPk(db, organizationId)),
        id === undefined ? undefined : eq(monitors.id, id),
        type && eq(monitors.type, type),
        tag === undefined
          ? undefined
          : sql`EXISTS (SELECT 1 FROM json_each(${monitors.tags}) WHERE value = ${tag})`,
      ),
    )
    .all();
}

/** @param pks the numbers of the results of the page, and of one more result if another page follows */
function readPage<Item>(
  db: Database,
  sources: Source[],
  { pks, limit }: { pks: number[]; limit: number },
  itemOf: ItemOf<Item>,
): Page<Item> {
  const page = pks.slice(0, limit);
  return { items: readResults(db, sources, page, itemOf), cursor: cursorAfter(pks, limit) };
}

/** Literal SQL, because a page has hundreds of rows. */
const FIND = `SELECT pk, monitor_pk AS monitorPk, status, timings, detail_pk AS detailPk, created_at AS createdAt
  FROM check_results WHERE pk IN (SELECT value FROM json_each(?)) ORDER BY pk DESC`;

function readResults<Item>(db: Database, sources: Source[], pks: number[], itemOf: ItemOf<Item>): Item[] {
  const outcomes = listOutcomes(db, pks);
  const rows = db.$client.query<ResultRow, [string]>(FIND).all(JSON.stringify(pks));
  const details = readDetails(
    db,
    rows.map(({ detailPk }) => detailPk),
  );
  return itemsOf(rows, { sources, details, outcomes }, itemOf);
}

/** The number before which a page begins. For the first page it is larger than every number. */
function position(cursor: string | undefined): number {
  return parseCursor(cursor) ?? Number.MAX_SAFE_INTEGER;
}
