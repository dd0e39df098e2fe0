import { and, eq, inArray } from "drizzle-orm";
import type { HistoryItem } from "../domain/history.ts";
import type { Monitor, MonitorType } from "../domain/monitor.ts";
import type { Detail } from "../domain/observation.ts";
import type { Range } from "../domain/range.ts";
import { TROUBLE } from "../domain/status.ts";
import { countsOf } from "../domain/tally.ts";
import { uptime } from "../domain/uptime.ts";
import { type LatestResult, latestOf, listMonitors } from "./monitor-list.ts";
import { shown } from "./monitors.ts";
import { countNinetyDaysOf } from "./ninety-days.ts";
import type { Database } from "./open.ts";
import { organizationPk } from "./organizations.ts";
import { checkResults, details, monitors } from "./schema.ts";
import { findHistory } from "./seen.ts";

/** How a monitor stands now. */
export interface Standing extends Monitor {
  pk: number;
  /** When it got its status; null before the first. */
  since: number | null;
  latest: LatestResult | null;
  /** What the latest check saw, where the monitor is in trouble. */
  detail: Detail | null;
}

export interface Past {
  /** Over the trailing 90 days. */
  uptime: string | null;
  history: HistoryItem[];
}

/** How all monitors of an organization stand, oldest first: one query, whatever their past. */
export async function listStandings(db: Database, organizationId: string): Promise<Standing[]> {
  const { series, timings, createdAt } = checkResults;
  const rows = db
    .select({
      pk: monitors.pk,
      ...shown,
      since: monitors.statusSince,
      latest: { series, timings, createdAt },
      text: details.text,
    })
    .from(monitors)
    .leftJoin(checkResults, eq(checkResults.pk, monitors.lastResultPk))
    .leftJoin(details, and(eq(details.pk, checkResults.detailPk), inArray(monitors.status, TROUBLE)))
    .where(eq(monitors.organizationPk, organizationPk(db, organizationId)))
    .orderBy(monitors.pk)
    .all();
  return rows.map(({ latest, text, ...row }) => ({
    ...row,
    latest: latest && latestOf(latest, row.type),
    detail: text === null ? null : JSON.parse(text),
  }));
}

/** The past of all monitors of an organization, by their IDs. */
export async function listPasts(
  db: Database,
  organizationId: string,
  range: Range,
  now: number,
): Promise<Map<string, Past>> {
  const list = await listMonitors(db, organizationId, { type: undefined, range }, now);
  return new Map(list.map(({ id, uptime, history }) => [id, { uptime, history }]));
}

/** The past of one monitor: for a few of many it is the quicker way. */
export function findPast(
  db: Database,
  monitor: { pk: number; type: MonitorType },
  range: Range,
  now: number,
): Past {
  return {
    uptime: uptime(countsOf(monitor.type, countNinetyDaysOf(db, monitor.pk, now))),
    history: findHistory(db, monitor, range, now),
  };
}
