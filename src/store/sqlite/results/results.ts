import { and, eq } from "drizzle-orm";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import type { CheckResult } from "../../../domain/results/result.ts";
import { AppError, notFound } from "../../../errors.ts";
import { organizationPk } from "../../accounts/organizations.ts";
import { listOutcomes } from "../../alerting/deliveries.ts";
import { parseResultId, resultId } from "../../ids.ts";
import type { Database } from "../open.ts";
import { type checkResults, monitors } from "../schema.ts";
import { readDetails } from "./details.ts";
import { readMeasured } from "./result-row.ts";
import { everySeriesOf, monitorOf, newestOf, statusOf } from "./series.ts";

export interface Page<Item> {
  items: Item[];
  /** The ID of the last item, or null when nothing comes after it. */
  cursor: string | null;
}

export interface PageRequest {
  limit: number;
  /** The ID of the result before the page; that result may have been deleted since. */
  cursor?: string | undefined;
}

/** A result with a summary of its monitor (interface 2.3). */
export interface ResultEvent extends CheckResult {
  monitor: MonitorSummary;
}

type MonitorSummary = { id: string; name: string; type: MonitorType };

/**
 * One page of a monitor's results, most recent first.
 *
 * @throws AppError `invalid` for a cursor that is no result ID, `not_found` for the monitor
 */
export async function listResults(
  db: Database,
  organizationId: string,
  { monitorId, ...page }: PageRequest & { monitorId: string },
): Promise<Page<CheckResult>> {
  const before = position(page.cursor);
  const [monitor] = listSources(db, organizationId, { id: monitorId });
  if (!monitor) throw notFound();
  return readPage(db, [monitor], everySeriesOf(monitor.pk, monitor.type), { ...page, before });
}

/**
 * One page of the results of all monitors of an organization, most recent first.
 *
 * @throws AppError `invalid` for a cursor that is no result ID
 */
export async function listEvents(
  db: Database,
  organizationId: string,
  { type, status, ...page }: PageRequest & { type?: MonitorType | undefined; status?: Status | undefined },
): Promise<Page<ResultEvent>> {
  const before = position(page.cursor);
  const sources = listSources(db, organizationId, { type });
  const series = sources.flatMap(({ pk, type }) => everySeriesOf(pk, type).filter(ofStatus(type, status)));
  return readPage(db, sources, series, { ...page, before });
}

interface Source extends MonitorSummary {
  pk: number;
}

function listSources(
  db: Database,
  organizationId: string,
  { id, type }: { id?: string; type?: MonitorType | undefined },
): Source[] {
  return db
    .select({ pk: monitors.pk, id: monitors.id, name: monitors.name, type: monitors.type })
    .from(monitors)
    .where(
      and(
        eq(monitors.organizationPk, organizationPk(db, organizationId)),
        id === undefined ? undefined : eq(monitors.id, id),
        type && eq(monitors.type, type),
      ),
    )
    .all();
}

function ofStatus(type: MonitorType, status: Status | undefined) {
  return (series: number) => status === undefined || statusOf(series, type) === status;
}

function readPage(
  db: Database,
  sources: Source[],
  series: number[],
  { before, limit }: { before: number; limit: number },
): Page<ResultEvent> {
  const pks = newestOf(db, series, { before, limit: limit + 1 });
  const page = pks.slice(0, limit);
  const last = pks.length > limit ? page.at(-1) : undefined;
  return { items: readResults(db, sources, page), cursor: last === undefined ? null : resultId(last) };
}

/** By hand, for a page has hundreds. */
const FIND = `SELECT pk, series, timings, detail_pk AS detailPk, created_at AS createdAt FROM check_results
  WHERE pk IN (SELECT value FROM json_each(?)) ORDER BY pk DESC`;

type ResultRow = typeof checkResults.$inferSelect;

function readResults(db: Database, sources: Source[], pks: number[]): ResultEvent[] {
  const outcomes = listOutcomes(db, pks);
  const byPk = new Map(sources.map(({ pk, ...monitor }) => [pk, monitor]));
  const rows = db.$client.query<ResultRow, [string]>(FIND).all(JSON.stringify(pks));
  const details = readDetails(
    db,
    rows.map(({ detailPk }) => detailPk),
  );
  return rows.flatMap(({ pk, series, timings, detailPk, createdAt }) => {
    const monitor = byPk.get(monitorOf(series));
    if (!monitor) return [];
    const { latencyMs, detail } = readMeasured(timings, details.get(detailPk ?? 0));
    return {
      id: resultId(pk),
      monitorId: monitor.id,
      status: statusOf(series, monitor.type),
      latencyMs,
      detail,
      alertOutcome: outcomes.get(pk) ?? null,
      createdAt,
      monitor,
    };
  });
}

/** The first page begins before a number that is never reached. */
function position(cursor: string | undefined): number {
  const pk = cursor === undefined ? Number.MAX_SAFE_INTEGER : parseResultId(cursor);
  if (pk === null) throw new AppError("invalid", "cursor must be one that an earlier page gave");
  return pk;
}
