import { type ResultStatus, statusesOf } from "../../../domain/monitors/status.ts";
import {
  type ExportedResult,
  itemsOf,
  type ResultExport,
  type ResultRow,
} from "../../results/result-items.ts";
import { findSource, readDetails } from "../../results/results.ts";
import { statusCodes } from "../../status-codes.ts";
import { type Database, sqlOf } from "../open.ts";
import { turn } from "../slices.ts";
import { firstResultSince } from "./reads.ts";

/** Results in a slice: it takes about 1 ms to read them. */
const SIZE = 250;

/** Results may be recorded up to a day late (behavior 13.35), and a day has at most 25 hours. */
const LATEST = 25 * 60 * 60 * 1000;

/** In the order of recording. Each slice is read in its own turn of the event loop. */
export async function* exportResults(
  db: Database,
  organizationId: string,
  { monitorId, from, to }: ResultExport,
): AsyncGenerator<ExportedResult[]> {
  const sql = sqlOf(db);
  const monitor = await findSource(sql, organizationId, monitorId);
  yield [];
  const end = firstResultSince(db, to + LATEST);
  const selection = { monitorPk: monitor.pk, statuses: statusesOf[monitor.type] };
  let after = firstResultSince(db, from) - 1;
  let rows: ResultRow[];
  do {
    await turn(db);
    rows = readSlice(db, selection, { after, end });
    after = rows.at(-1)?.pk ?? after;
    const wanted = rows.filter(({ createdAt }) => createdAt >= from && createdAt < to);
    const parts = { sources: [monitor], details: await readDetails(sql, wanted), outcomes: new Map() };
    yield itemsOf(wanted, parts, ({ alertOutcome: _, ...result }) => result);
  } while (rows.length === SIZE);
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
