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
import type { Selection } from "./details.ts";
import { hasPacked, MAX_SEGMENTS, nextPacked } from "./packed-results.ts";

const DAY = 24 * 60 * 60 * 1000;

/**
 * The place of a result in lists: they are in the order of days, and within a day in the order of numbers. Numbers alone
 * would not do: the result of an earlier day that is recorded late has a larger number than results of later days.
 */
export interface Position {
  /** The start of the UTC day of the result, in milliseconds since 1970. */
  day: number;
  pk: number;
}

/** @property days the latest first, as milliseconds since 1970 @property newestPacked the latest one of them with segments; -1: none */
export interface Days {
  days: number[];
  newestPacked: number;
}

const LIST = `SELECT relname AS name, NULL AS packed FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'check_results'::regclass
  UNION ALL SELECT NULL, day FROM packed_days WHERE first_pk IS NOT NULL`;

/** The days that have a partition of rows or of segments. */
export async function listDays({ query }: Sql): Promise<Days> {
  const rows = await query<{ name: string | null; packed: number | null }>(LIST);
  const days = new Set<number>();
  let newestPacked = -1;
  for (const { name, packed } of rows) {
    const [, year, month, day] = /^check_results_(\d{4,})(\d\d)(\d\d)$/.exec(name ?? "") ?? [];
    if (year) days.add(Date.UTC(Number(year), Number(month) - 1, Number(day)));
    if (packed === null) continue;
    days.add(packed);
    newestPacked = Math.max(newestPacked, packed);
  }
  return { days: [...days].sort((a, b) => b - a), newestPacked };
}

/** Rows are stored in the order in which they are recorded, so that the first row found is one of the first. */
const FIRST = `SELECT coalesce((SELECT first_pk FROM packed_days WHERE day = $1),
  (SELECT pk FROM check_results WHERE created_at >= $1 AND created_at < $2 LIMIT 1)) AS pk`;

/** The number of one of the first results of a day; undefined for a day without results. */
export async function firstNumber({ query }: Sql, day: number): Promise<number | undefined> {
  const [row] = await query<{ pk: number | null }>(FIRST, [day, day + DAY]);
  return row?.pk ?? undefined;
}

/**
 * Finds the day of a result of a selection by its number. If the result is deleted, it is the day of the results beside it.
 *
 * @param all from `listDays`
 */
export async function locate(
  sql: Sql,
  { days, newestPacked }: Days,
  selection: Selection,
  pk: number,
): Promise<Position | undefined> {
  const likely = await likelyPlace(sql, days, pk);
  const day = days[likely];
  // A result that was recorded at midnight may be on the next day, and a late one on any earlier day.
  const others = [...days.slice(Math.max(0, likely - 1)), ...days.slice(0, Math.max(0, likely - 1))];
  for (const candidate of new Set(day === undefined ? [] : [day, ...others]))
    if (
      (await has(sql, candidate, pk)) ||
      (candidate <= newestPacked && (await hasPacked(sql, selection, { day: candidate, pk })))
    )
      return { day: candidate, pk };
  return day === undefined ? undefined : { day, pk };
}

/** The place of the latest day that begins with a number that is not larger. */
async function likelyPlace(sql: Sql, days: number[], pk: number): Promise<number> {
  let [low, high] = [0, days.length - 1];
  // Most pages are near the latest day, so a search with growing steps precedes the binary search.
  for (let step = 0; low < high; step = 2 * step + 1) {
    const middle = Math.min(low + step, Math.floor((low + high) / 2));
    const first = await firstNumber(sql, days[middle] ?? 0);
    if (first === undefined || first > pk) {
      low = middle + 1;
    } else {
      high = middle;
      step = Number.POSITIVE_INFINITY;
    }
  }
  return low;
}

async function has({ query }: Sql, day: number, pk: number): Promise<boolean> {
  const rows = await query(
    "SELECT 1 FROM check_results WHERE created_at >= $1 AND created_at < $2 AND pk = $3",
    [day, day + DAY, pk],
  );
  return rows.length > 0;
}

/** The most rows that are read at once, and the most results in a slice. */
const SIZE = 1000;

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
