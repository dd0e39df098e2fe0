import { type ResultStatus, statusesOf } from "../../../domain/monitors/status.ts";
import {
  type ExportedResult,
  itemsOf,
  type ResultExport,
  type ResultRow,
} from "../../results/result-items.ts";
import { findSource, readDetails } from "../../results/results.ts";
import { rowAt } from "../../results/segment-rows.ts";
import { statusCodes } from "../../status-codes.ts";
import { type Database, sqlOf } from "../open.ts";
import { turn } from "../slices.ts";
import { firstResultSince } from "./reads.ts";
import { nextSealed } from "./sealed-results.ts";

/** Results in a slice: it takes about 1 ms to read them. */
const SIZE = 250;

/** Results may be recorded up to a day late (behavior 13.35), and a day has at most 25 hours. */
const LATEST = 25 * 60 * 60 * 1000;

/** In the order of recording. Each slice is read in its own turn of the event loop. Meanwhile, rows may move into segments. */
export async function* exportResults(
  db: Database,
  organizationId: string,
  { monitorId, from, to }: ResultExport,
): AsyncGenerator<ExportedResult[]> {
  const sql = sqlOf(db);
  const monitor = await findSource(sql, organizationId, monitorId);
  yield [];
  const end = firstResultSince(db, to + LATEST);
  const start = firstResultSince(db, from) - 1;
  const selection = { monitorPk: monitor.pk, statuses: statusesOf[monitor.type] };
  let rows: ResultRow[] | null;
  for (let after = 0; ; after = rows.at(-1)?.pk ?? after) {
    await turn(db);
    const sealed = readSealed(db, monitor.pk, { after, from, to });
    rows = sealed ?? readSlice(db, selection, { after: Math.max(after, start), end });
    const wanted = rows.filter(({ createdAt }) => createdAt >= from && createdAt < to);
    const parts = { sources: [monitor], details: await readDetails(sql, wanted), outcomes: new Map() };
    yield itemsOf(wanted, parts, ({ alertOutcome: _, ...result }) => result);
    if (!sealed && rows.length < SIZE) return;
  }
}

/** @returns null after the last segment */
function readSealed(
  db: Database,
  monitorPk: number,
  stretch: { after: number; from: number; to: number },
): ResultRow[] | null {
  const columns = nextSealed(db, monitorPk, stretch);
  if (!columns) return null;
  const first = columns.pks.findIndex((pk) => pk > stretch.after);
  const length = Math.min(SIZE, columns.count - first);
  return Array.from({ length }, (_, at) => rowAt(columns, first + at, monitorPk));
}

const READ = `SELECT pk, monitor_pk AS monitorPk, status, timings, detail_pk AS detailPk, created_at AS createdAt
  FROM check_results WHERE monitor_pk = ? AND status = ? AND pk > ? AND pk < ? ORDER BY pk LIMIT ?`;

/** The index has the numbers of each status in order. */
function readSlice(
  db: Database,
  { monitorPk, statuses }: { monitorPk: number; statuses: readonly ResultStatus[] },
  { after, end }: { after: number; end: number },
): ResultRow[] {
  const statement = db.$client.query<ResultRow, [number, number, number, number, number]>(READ);
  return statuses
    .flatMap((status) => statement.all(monitorPk, statusCodes[status], after, end, SIZE))
    .sort((a, b) => a.pk - b.pk)
    .slice(0, SIZE);
}
