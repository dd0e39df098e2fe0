import { dayOf } from "../../../domain/results/rollup.ts";
import {
  type ExportedResult,
  itemsOf,
  RESULT_COLUMNS,
  type ResultExport,
  type ResultRow,
} from "../../results/result-items.ts";
import { findSource, readDetails, wantedOf } from "../../results/results.ts";
import { statusCodes } from "../../status-codes.ts";
import { nextTurn } from "../../turns.ts";
import type { Sql } from "../../tx.ts";
import { listDays, type Position } from "./day-partitions.ts";
import { MAX_SEGMENTS, nextPacked } from "./packed-results.ts";
import type { Selection } from "./result-queries.ts";

/** The most rows that are read at once, and the most results in a slice. */
const SIZE = 1000;

const DAY = 24 * 60 * 60 * 1000;

/** The times are parameters of the statement, which is planned with their values: other days are not opened. */
const READ = `SELECT ${RESULT_COLUMNS}
  FROM check_results WHERE monitor_pk = $1 AND status = ANY($2) AND created_at >= $3 AND created_at < $4 AND (created_at >= $5 OR pk > $6)
  ORDER BY created_at / ${DAY}, pk LIMIT ${SIZE}`;

/**
 * By day, and in the order of recording within a day. It is no transaction, because its reader may take its time. Days are read
 * together, and more of them after days with few results.
 */
export async function* exportResults(
  sql: Sql,
  organizationId: string,
  { monitorId, from = 0, to = Number.MAX_SAFE_INTEGER, problems }: ResultExport,
): AsyncGenerator<ExportedResult[]> {
  const monitor = await findSource(sql, organizationId, monitorId);
  yield [];
  const codes = wantedOf(monitor.type, { problems }).map((status) => statusCodes[status]);
  const selection = { monitorPks: [monitor.pk], statuses: codes };
  const stored = (await listDays(sql)).days.filter((day) => day >= dayOf(from) && day < to);
  const end = Math.min(to, (stored[0] ?? 0) + DAY);
  let place: Position = { day: stored.at(-1) ?? end, pk: 0 };
  for (let days = 1; place.day < end; ) {
    const until = Math.min(place.day + days * DAY, end);
    const { rows, next } = await readDays(sql, selection, { place, from, until });
    const details = await readDetails(sql, rows);
    for (let at = 0; at < rows.length; at += SIZE) {
      const parts = { sources: [monitor], details, outcomes: new Map() };
      yield itemsOf(rows.slice(at, at + SIZE), parts, ({ alertOutcome: _, ...result }) => result);
      await nextTurn();
    }
    days = next.day === until ? 2 * days : Math.max(1, (next.day - place.day) / DAY);
    place = next;
  }
}

/**
 * The results after a place, to a time or an earlier place, where `next` then begins. For a while, the results of a day are in both
 * tables: the rows are read first, because they become segments and not the other way around.
 */
async function readDays(
  sql: Sql,
  selection: Selection,
  { place, from, until }: { place: Position; from: number; until: number },
): Promise<{ rows: ResultRow[]; next: Position }> {
  const { monitorPks, statuses } = selection;
  const since = Math.max(place.day, from);
  const times = [since, until, place.day + DAY, place.pk];
  const rows = await sql.query<ResultRow>(READ, [...monitorPks, statuses, ...times]);
  const packed = await nextPacked(sql, selection, { place, since, until });
  const lasts = [
    ...(rows.length < SIZE ? [] : rows.slice(-1).map(positionOf)),
    ...(packed.segments < MAX_SEGMENTS ? [] : [packed.last]),
  ];
  const next = lasts.sort(byPosition)[0] ?? { day: until, pk: 0 };
  const isWanted = (row: ResultRow) =>
    statuses.includes(row.status) &&
    row.createdAt >= since &&
    row.createdAt < until &&
    byPosition(positionOf(row), place) > 0 &&
    byPosition(positionOf(row), next) <= 0;
  const both = new Map([...packed.rows, ...rows].map((row) => [row.pk, row]));
  const wanted = [...both.values()].filter(isWanted);
  return { rows: wanted.sort((a, b) => byPosition(positionOf(a), positionOf(b))), next };
}

function positionOf({ createdAt, pk }: ResultRow): Position {
  return { day: dayOf(createdAt), pk };
}

function byPosition(a: Position, b: Position): number {
  return a.day - b.day || a.pk - b.pk;
}
