import {
  type ExportedResult,
  itemsOf,
  RESULT_COLUMNS,
  type ResultExport,
  type ResultRow,
  type Selection,
} from "../../results/result-items.ts";
import { findSource, readDetails, wantedOf } from "../../results/results.ts";
import { rowAt } from "../../results/segment-rows.ts";
import { statusCodes } from "../../status-codes.ts";
import { type Database, sqlOf } from "../open.ts";
import { turn } from "../slices.ts";
import { rowsWithin } from "./result-times.ts";
import { nextSealed } from "./sealed-results.ts";

/** Results in a slice: it takes about 1 ms to read them. */
const SIZE = 250;

/** In the order of recording. Each slice is read in its own turn of the event loop. Meanwhile, rows may move into segments. */
export async function* exportResults(
  db: Database,
  organizationId: string,
  { monitorId, from = 0, to = Number.MAX_SAFE_INTEGER, problems }: ResultExport,
): AsyncGenerator<ExportedResult[]> {
  const sql = sqlOf(db);
  const monitor = await findSource(sql, organizationId, monitorId);
  yield [];
  const { start, end } = rowsWithin(db, { from, to });
  const selection = { monitorPks: [monitor.pk], statuses: wantedOf(monitor.type, { problems }) };
  const codes = new Set(selection.statuses.map((status) => statusCodes[status]));
  let rows: ResultRow[] | null;
  for (let after = 0; ; after = rows.at(-1)?.pk ?? after) {
    await turn(db);
    const sealed = readSealed(db, selection, { after, from, to });
    rows = sealed ?? readSlice(db, selection, { after: Math.max(after, start - 1), end });
    const wanted = rows.filter(
      ({ createdAt, status }) => createdAt >= from && createdAt < to && codes.has(status),
    );
    const parts = { sources: [monitor], details: await readDetails(sql, wanted), outcomes: new Map() };
    yield itemsOf(wanted, parts, ({ alertOutcome: _, ...result }) => result);
    if (!sealed && rows.length < SIZE) return;
  }
}

/** @returns null after the last segment */
function readSealed(
  db: Database,
  selection: Selection,
  stretch: { after: number; from: number; to: number },
): ResultRow[] | null {
  const columns = nextSealed(db, selection, stretch);
  if (!columns) return null;
  const first = columns.pks.findIndex((pk) => pk > stretch.after);
  const length = Math.min(SIZE, columns.count - first);
  return Array.from({ length }, (_, at) => rowAt(columns, first + at, selection.monitorPks[0] ?? 0));
}

const READ = `SELECT ${RESULT_COLUMNS}
  FROM check_results WHERE monitor_pk = ? AND status = ? AND pk > ? AND pk < ? ORDER BY pk LIMIT ?`;

/** The index has the numbers of each status in order. */
function readSlice(
  db: Database,
  { monitorPks, statuses }: Selection,
  { after, end }: { after: number; end: number },
): ResultRow[] {
  const statement = db.$client.query<ResultRow, [number, number, number, number, number]>(READ);
  return statuses
    .flatMap((status) => statement.all(monitorPks[0] ?? 0, statusCodes[status], after, end, SIZE))
    .sort((a, b) => a.pk - b.pk)
    .slice(0, SIZE);
}
