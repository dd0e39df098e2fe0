import { dayOf } from "../../../domain/results/rollup.ts";
import { MAX_RESULTS, type ResultColumns } from "../../../domain/results/segments/segment.ts";
import type { EngineReads } from "../../engine-queries.ts";
import type { PastReads } from "../../replays/past-checks.ts";
import {
  type ChangedResult,
  type ChangeSelection,
  type Position,
  RESULT_COLUMNS,
  type ResultRow,
  type Stretch,
} from "../../results/result-items.ts";
import { columnsOf, DamagedSegments } from "../../results/segment-rows.ts";
import { statusCodes } from "../../status-codes.ts";
import type { Sql } from "../../tx.ts";
import { type Days, firstNumber, listDays, locate } from "./day-partitions.ts";
import { type DaysPage, readNewestOfDay, readRows, type Selection } from "./details.ts";
import {
  findPacked,
  listSegments,
  loadSegments,
  newestPacked,
  packedBetween,
  packedColumns,
} from "./packed-results.ts";
import { planSteps, type Step } from "./steps.ts";

/** Each day of results is a partition. */
export function readsOf(sql: Sql): EngineReads {
  return {
    newestResults(selections, page) {
      const monitorPks = selections.flatMap((selection) => selection.monitorPks);
      const statuses = new Set(selections.flatMap((selection) => selection.statuses));
      const codes = [...statuses].map((status) => statusCodes[status]);
      return newestResults(sql, { monitorPks, statuses: codes }, page);
    },
    changedResults: (selection, page) => listChangedResults(sql, selection, page),
    async resultsBetween({ monitorPk, statuses }, stretch) {
      const codes = statuses.map((status) => statusCodes[status]);
      const rows = await sql.query<ResultRow>(BETWEEN, [monitorPk, codes, stretch.since, stretch.until]);
      const packed = await packedBetween(sql, { monitorPks: [monitorPk], statuses: codes }, stretch);
      // Results that are packed may still be rows.
      return [...new Map([...packed, ...rows].map((row) => [row.pk, row])).values()];
    },
    columnsBetween: (monitorPk, stretch) => columnsBetween(sql, monitorPk, stretch),
    past: pastReads(sql),
  };
}

/** The times are parameters of the statement, which is planned with their values: other days are not opened. */
const BETWEEN = `SELECT ${RESULT_COLUMNS}
  FROM check_results WHERE monitor_pk = $1 AND status = ANY($2) AND created_at >= $3 AND created_at < $4`;

const ALL_CODES = Object.values(statusCodes);

async function* columnsBetween(
  sql: Sql,
  monitorPk: number,
  stretch: { since: number; until: number },
): AsyncGenerator<ResultColumns> {
  const found = await sql.query<ResultRow>(BETWEEN, [monitorPk, ALL_CODES, stretch.since, stretch.until]);
  const rows = new Map(found.map((row) => [row.pk, row]));
  const first = Math.min(...rows.keys());
  for await (const columns of packedColumns(sql, { monitorPks: [monitorPk], statuses: ALL_CODES }, stretch)) {
    yield columns;
    // Results that are packed may still be rows.
    if ((columns.pks.at(-1) ?? 0) >= first) for (const pk of columns.pks) rows.delete(pk);
  }
  yield columnsOf([...rows.values()]);
}

const OF_MONITORS = "FROM check_results WHERE monitor_pk = ANY($1) AND created_at >= $2 AND created_at < $3";

const UNPACKED = `SELECT ${RESULT_COLUMNS} ${OF_MONITORS}`;

const UNPACKED_KINDS = `SELECT monitor_pk AS "monitorPk", status, detail_pk AS "detailPk", count(*) AS count,
    min(created_at) AS "firstAt", max(created_at) AS "lastAt"
  ${OF_MONITORS} GROUP BY monitor_pk, status, detail_pk`;

function pastReads(sql: Sql): PastReads {
  return {
    resultsInSegment: MAX_RESULTS,
    listSegments: (monitorPks, stretch) => listSegments(sql, monitorPks, stretch),
    loadSegments: (keys) => loadSegments(sql, keys),
    unpackedKinds: (monitorPks, { since, until }) => sql.query(UNPACKED_KINDS, [monitorPks, since, until]),
    unpackedResults: (monitorPks, { since, until }) => sql.query(UNPACKED, [monitorPks, since, until]),
    damaged: sql.damaged ?? new DamagedSegments(),
  };
}

interface Change {
  pk: number;
  monitorPk: number;
  previousStatus: number;
  createdAt: number;
}

const LIST = `SELECT result_pk AS pk, monitor_pk AS "monitorPk", previous_status AS "previousStatus", created_at AS "createdAt" FROM status_changes
  WHERE organization_pk = $1 AND result_pk < $2 AND created_at >= $6 AND created_at < $7 AND EXISTS (
    SELECT 1 FROM monitors WHERE pk = monitor_pk AND ($3::text IS NULL OR type = $3) AND ($4::text IS NULL OR tags::jsonb ? $4))
  ORDER BY result_pk DESC LIMIT $5`;

/** The times are parameters of the statement, which is planned with their values: other days are not opened. */
const READ = `SELECT ${RESULT_COLUMNS}
  FROM check_results
  WHERE pk = ANY($1) AND created_at = ANY($2) AND monitor_pk = ANY($3)`;

/** How many changes are read at once, as a multiple of the page, if only some statuses are wanted. */
const MORE = 4;

/** The newest results that changed the status of one of some monitors, newest first. */
async function listChangedResults(
  sql: Sql,
  { organizationPk, type, tag, statuses }: ChangeSelection,
  { before = Number.MAX_SAFE_INTEGER, limit, from = 0, to = Number.MAX_SAFE_INTEGER }: Position,
): Promise<ChangedResult[]> {
  const codes = statuses?.map((status) => statusCodes[status]);
  const size = statuses === undefined ? limit : MORE * limit;
  const found: ChangedResult[] = [];
  for (let end = before; found.length < limit; ) {
    const wanted = [organizationPk, end, type ?? null, tag ?? null, size, from, to];
    const changes = await sql.query<Change>(LIST, wanted);
    const last = changes.at(-1);
    if (!last) break;
    const results = await findResults(sql, changes);
    for (const { pk, previousStatus } of changes) {
      const row = results.get(pk);
      if (row && (!codes || codes.includes(row.status))) found.push({ ...row, previousStatus });
    }
    if (changes.length < size) break;
    end = last.pk;
  }
  return found.slice(0, limit);
}

/** The results by their numbers. Rows are read first, because they become segments and not the other way around. */
async function findResults(sql: Sql, changes: readonly Change[]): Promise<Map<number, ResultRow>> {
  const pks = changes.map(({ pk }) => pk);
  const monitorPks = [...new Set(changes.map(({ monitorPk }) => monitorPk))];
  const times = [...new Set(changes.map(({ createdAt }) => createdAt))];
  const rows = await sql.query<ResultRow>(READ, [pks, times, monitorPks]);
  const found = new Map(rows.map((row) => [row.pk, row]));
  const others = changes.filter(({ pk }) => !found.has(pk));
  for (const row of await findPacked(sql, others)) found.set(row.pk, row);
  return found;
}

const DAY = 24 * 60 * 60 * 1000;

/** The number of monitors from which the latest results of the whole database are read first. */
const MANY = 50;

/**
 * The newest results of a selection, in the order of `Position`. The days are read from the latest one until there are
 * enough results.
 *
 * @property before the number of the result before the page
 */
async function newestResults(
  sql: Sql,
  selection: Selection,
  { before, limit, ...stretch }: Position,
): Promise<ResultRow[]> {
  if (selection.monitorPks.length === 0 || selection.statuses.length === 0) return [];
  const all = await listDays(sql);
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = stretch;
  const days = all.days.filter((day) => day + DAY > from && day < to);
  const isLarge = selection.monitorPks.length >= MANY;
  const found: ResultRow[] = [];
  let older = days;
  if (before !== undefined) {
    const start = await locate(sql, all, selection, before);
    if (!start) return [];
    const page = { all, day: start.day, before, limit, ...stretch };
    if (days.includes(start.day))
      found.push(...(await readDay(sql, selection, page, isLarge ? before : null)));
    older = days.filter((day) => day < start.day);
  } else if (isLarge) {
    const latest = await readLatest(sql, selection, { all, days, limit, ...stretch });
    if (latest.length >= limit) return latest;
  }
  const plan = { all: all.days, days: older, wanted: limit - found.length, from, to };
  for await (const step of planSteps(sql, selection, plan)) {
    if (found.length >= limit) break;
    found.push(...(await readStep(sql, step, { all, limit: limit - found.length, ...stretch })));
  }
  return found;
}

/** The newest results of the latest day. It finds fewer if most results of that time are not of the selection. */
async function readLatest(
  sql: Sql,
  selection: Selection,
  { all, days, ...page }: Stretch & { all: Days; days: number[]; limit: number },
): Promise<ResultRow[]> {
  for (const day of days) {
    if ((await firstNumber(sql, day)) === undefined) continue;
    return readNewestOfDay(sql, selection, { ...page, day, end: await endOf(sql, all.days, day) });
  }
  return [];
}

async function readStep(
  sql: Sql,
  { selection, since, until, isDense }: Step,
  page: Stretch & { all: Days; limit: number },
): Promise<ResultRow[]> {
  if (!isDense) return readDays(sql, selection, { ...page, since, until });
  return readDay(sql, selection, { ...page, day: since }, await endOf(sql, page.all.days, since));
}

/** @param end a number near the last one of the day; null if the selection has few results on that day */
async function readDay(
  sql: Sql,
  selection: Selection,
  { day, ...page }: Omit<DaysPage, "since" | "until"> & { all: Days; day: number },
  end: number | null,
): Promise<ResultRow[]> {
  if (end !== null) {
    const newest = await readNewestOfDay(sql, selection, { ...page, day, end });
    if (newest.length >= page.limit) return newest;
  }
  return readDays(sql, selection, { ...page, since: day, until: day });
}

/**
 * The newest results of some days, packed ones too. For a while, the results of a day are in both tables: the rows are read first,
 * because they become segments and not the other way around.
 */
async function readDays(
  sql: Sql,
  selection: Selection,
  { all: { newestPacked: packed }, ...page }: DaysPage & { all: Days },
): Promise<ResultRow[]> {
  const rows = await readRows(sql, selection, page);
  if (page.since > packed) return rows;
  const both = [...rows, ...(await newestPacked(sql, selection, page))];
  return [...new Map(both.map((row) => [row.pk, row])).values()].sort(byPosition).slice(0, page.limit);
}

function byPosition(a: ResultRow, b: ResultRow): number {
  return dayOf(b.createdAt) - dayOf(a.createdAt) || b.pk - a.pk;
}

/** A number near the last one of a day: with which the next day begins, or the last one of all. */
async function endOf(sql: Sql, days: number[], day: number): Promise<number> {
  for (const next of days.filter((other) => other > day).reverse()) {
    const first = await firstNumber(sql, next);
    if (first !== undefined) return first;
  }
  const [row] = await sql.query<{ last: number }>("SELECT last_value AS last FROM check_results_pk");
  return row?.last ?? 0;
}
