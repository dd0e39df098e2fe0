import type { Status } from "../../../domain/monitors/status.ts";
import type { Stretch } from "../../../domain/results/rollup.ts";
import type { ResultColumns } from "../../../domain/results/segments/segment.ts";
import type { EngineReads } from "../../engine-queries.ts";
import type { PastReads } from "../../replays/past-checks.ts";
import {
  type ChangedResult,
  type ChangeSelection,
  type Position,
  RESULT_COLUMNS,
  type ResultRow,
  type Selection,
} from "../../results/result-items.ts";
import { columnsOf, rowAt } from "../../results/segment-rows.ts";
import { statusCodes } from "../../status-codes.ts";
import { createTurns } from "../../turns.ts";
import { type Database, rowsOf } from "../database.ts";
import { turn } from "../slices.ts";
import { changesWithin, firstResultSince, rowsWithin, sealedWithin } from "./result-times.ts";
import { newestSealed, sealedBetween, sealedUntil } from "./sealed-results.ts";
import { damagedSegments, findSegment } from "./segments.ts";

/** Numbers are in the order of lists: the number of a result is also its row. */
export function readsOf(db: Database): EngineReads {
  return {
    newestResults: (selections, page) => newestResults(db, selections, page),
    changedResults: async (selection, page) => listChanges(db, selection, page),
    resultsBetween: async (source, stretch) => resultsBetween(db, source, stretch),
    columnsBetween: (monitorPk, stretch) => columnsBetween(db, monitorPk, stretch),
    past: pastReads(db),
  };
}

/** Newer results are rows, older results are in segments. Of each monitor, the results in segments have smaller numbers. */
async function newestResults(
  db: Database,
  selections: Selection[],
  { before = Number.MAX_SAFE_INTEGER, limit, ...stretch }: Position,
): Promise<ResultRow[]> {
  const isOne = selections.length === 1 && selections[0]?.monitorPks.length === 1;
  const rows = await newestRows(db, selections, { before, limit, ...stretch });
  const last = rows.length < limit ? 0 : (rows.at(-1)?.pk ?? 0);
  if (rows.length >= limit && (isOne || last >= sealedUntil(db))) return rows;
  const { start, end } = sealedWithin(
    db,
    stretch,
    selections.flatMap(({ monitorPks }) => monitorPks),
  );
  const page = { before: Math.min(before, end), floor: Math.max(last, start), limit, ...stretch };
  const sealed = await newestSealed(db, selections, page);
  return [...rows, ...sealed].sort((a, b) => b.pk - a.pk).slice(0, limit);
}

/** Rows of other times are skipped. There are only as many as late results need, because older ones are in segments. */
async function newestRows(
  db: Database,
  selections: Selection[],
  { before, limit, ...stretch }: Position & { before: number },
): Promise<ResultRow[]> {
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = stretch;
  const { start, end } = rowsWithin(db, stretch);
  const found: ResultRow[] = [];
  for (let next = Math.min(before, end); found.length < limit; ) {
    const pks = newestNumbers(db, selections, { before: next, from: start, limit });
    found.push(...findResults(db, pks).filter(({ createdAt }) => createdAt >= from && createdAt < to));
    if (pks.length < limit) break;
    next = pks.at(-1) ?? 0;
    if (found.length < limit) await turn(db);
  }
  return found.slice(0, limit);
}

function newestNumbers(db: Database, selections: Selection[], page: PageOfNumbers): number[] {
  const [selection] = selections;
  if (selections.length === 1 && selection?.monitorPks.length === 1) return newestOf(db, selection, page);
  return newestOfMany(db, selections, page);
}

const FIND = `SELECT ${RESULT_COLUMNS}
  FROM check_results WHERE pk IN (SELECT value FROM json_each(?)) ORDER BY pk DESC`;

function findResults(db: Database, pks: number[]): ResultRow[] {
  return rowsOf(db, FIND, [pks]);
}

const LIST_CHANGES = `SELECT result_pk AS pk, monitor_pk AS monitorPk, status, timings, detail_pk AS detailPk,
    created_at AS createdAt, previous_status AS previousStatus
  FROM status_changes
  WHERE organization_pk = ?1 AND result_pk >= ?2 AND result_pk < ?3
    AND created_at >= ?4 AND created_at < ?5
    AND (?6 IS NULL OR status IN (SELECT value FROM json_each(?6))) AND EXISTS (
      SELECT 1 FROM monitors WHERE pk = monitor_pk AND (?7 IS NULL OR type = ?7)
        AND (?8 IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?8)))
  ORDER BY result_pk DESC LIMIT ?9`;

function listChanges(
  db: Database,
  { organizationPk, type, tag, statuses }: ChangeSelection,
  { before = Number.MAX_SAFE_INTEGER, limit, ...stretch }: Position,
): ChangedResult[] {
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = stretch;
  const { start, end } = changesWithin(db, organizationPk, stretch);
  const codes = statuses === undefined ? null : statuses.map((status) => statusCodes[status]);
  return rowsOf(db, LIST_CHANGES, [
    ...[organizationPk, start, Math.min(before, end), from, to],
    ...[codes, type ?? null, tag ?? null, limit],
  ]);
}

const BETWEEN = `SELECT ${RESULT_COLUMNS}
  FROM check_results
  WHERE monitor_pk = ?1 AND status IN (SELECT value FROM json_each(?2)) AND pk >= ?3 AND created_at >= ?4 AND created_at < ?5`;

function resultsBetween(
  db: Database,
  { monitorPk, statuses }: { monitorPk: number; statuses: readonly Status[] },
  { since, until }: Required<Stretch>,
): ResultRow[] {
  const codes = statuses.map((status) => statusCodes[status]);
  const first = firstResultSince(db, since);
  const rows = rowsOf<ResultRow>(db, BETWEEN, [monitorPk, codes, first, since, until]);
  const sealed = [...sealedBetween(db, monitorPk, { since, until })].flatMap((columns) =>
    Array.from({ length: columns.count }, (_, at) => at)
      .filter(
        (at) => isBetween(columns.times[at], { since, until }) && codes.includes(columns.statuses[at] ?? 0),
      )
      .map((at) => rowAt(columns, at, monitorPk)),
  );
  return [...sealed, ...rows];
}

const ALL_CODES = Object.values(statusCodes);

async function* columnsBetween(
  db: Database,
  monitorPk: number,
  { since, until }: Required<Stretch>,
): AsyncGenerator<ResultColumns> {
  const first = firstResultSince(db, since);
  yield columnsOf(rowsOf(db, BETWEEN, [monitorPk, ALL_CODES, first, since, until]));
  const pause = createTurns();
  for (const columns of sealedBetween(db, monitorPk, { since, until })) {
    yield columns;
    await pause();
  }
}

const OF_MONITORS = `FROM check_results WHERE monitor_pk IN (SELECT value FROM json_each(?1))
    AND status IN (SELECT value FROM json_each(?2)) AND pk >= ?3 AND created_at >= ?4 AND created_at < ?5`;

const UNPACKED = `SELECT ${RESULT_COLUMNS} ${OF_MONITORS}`;

const UNPACKED_KINDS = `SELECT monitor_pk AS monitorPk, status, detail_pk AS detailPk, count(*) AS count,
    min(created_at) AS firstAt, max(created_at) AS lastAt
  ${OF_MONITORS} GROUP BY monitor_pk, status, detail_pk`;

/** The bytes of `kindOfHead`, for a number of at most five bytes; null for another one, or for several kinds. */
const HEAD = `CASE WHEN substr(data, 2, 1) <> x'01' THEN NULL
  WHEN substr(data, 5, 1) < x'80' THEN substr(data, 3, 3) WHEN substr(data, 6, 1) < x'80' THEN substr(data, 3, 4)
  WHEN substr(data, 7, 1) < x'80' THEN substr(data, 3, 5) WHEN substr(data, 8, 1) < x'80' THEN substr(data, 3, 6)
  WHEN substr(data, 9, 1) < x'80' THEN substr(data, 3, 7) END`;

/** As one text, which is much faster than rows. */
const LIST_SEGMENTS = `SELECT monitor_pk AS monitorPk,
    '[' || group_concat(first_pk || ',' || first_at || ',' || last_at || ',"' || coalesce(hex(${HEAD}), '') || '"') || ']' AS list
  FROM result_segments
  WHERE monitor_pk IN (SELECT value FROM json_each(?1)) AND last_at >= ?2 AND first_at < ?3 GROUP BY monitor_pk`;

/** Results that are recorded together may be in another order than their times, by much less; milliseconds. */
const OUT_OF_ORDER = 60_000;

function pastReads(db: Database): PastReads {
  const firstOf = (since: number) => firstResultSince(db, since - OUT_OF_ORDER);
  return {
    resultsInSegment: 60,
    listSegments: async (monitorPks, { since, until }) =>
      rowsOf(db, LIST_SEGMENTS, [monitorPks, since, until]),
    loadSegments: async (keys) => keys.flatMap((key) => findSegment(db, key) ?? []),
    unpackedKinds: async (monitorPks, { since, until }) =>
      rowsOf(db, UNPACKED_KINDS, [monitorPks, ALL_CODES, firstOf(since), since, until]),
    unpackedResults: async (monitorPks, { since, until }) =>
      rowsOf(db, UNPACKED, [monitorPks, ALL_CODES, firstOf(since), since, until]),
    damaged: damagedSegments(db),
  };
}

function isBetween(time = 0, { since, until }: Required<Stretch>): boolean {
  return time >= since && time < until;
}

/** @property before only results with a smaller number @property from only results with this number or a larger one */
interface PageOfNumbers {
  before: number;
  from: number;
  limit: number;
}

/** The numbers of the newest results of one monitor, newest first. */
export function newestOf(db: Database, { monitorPks, statuses }: Selection, page: PageOfNumbers): number[] {
  const statement = db.$client.query<{ pk: number }, [number, number, number, number, number]>(
    `SELECT pk FROM check_results WHERE monitor_pk = ? AND status = ? AND pk >= ? AND pk < ?
     ORDER BY pk DESC LIMIT ?`,
  );
  const numbersOf = (monitorPk: number, status: Status) =>
    statement.all(monitorPk, statusCodes[status], page.from, page.before, page.limit).map(({ pk }) => pk);
  return monitorPks
    .flatMap((monitorPk) => statuses.flatMap((status) => numbersOf(monitorPk, status)))
    .sort((a, b) => b - a)
    .slice(0, page.limit);
}

/**
 * The numbers of the newest results of several selections, newest first.
 *
 * This merges the entries of the index on monitor and status (k-way merge). The cost is one index lookup for each monitor
 * and status and one for each result of the page, and does not depend on the number of results. For many monitors, it is
 * cheaper to read the latest results of all organizations first, which often contain enough of the selected ones.
 */
export function newestOfMany(db: Database, selections: Selection[], page: PageOfNumbers): number[] {
  const sources = selections.reduce(
    (sum, { monitorPks, statuses }) => sum + monitorPks.length * statuses.length,
    0,
  );
  return (sources < MANY ? undefined : amongLatest(db, selections, page)) ?? merge(db, selections, page);
}

/** The number of pairs of monitor and status from which the latest results of all organizations are read first. */
const MANY = 50;

/** How many of the latest results are read, as a multiple of the page. */
const LATEST_PAGES = 4;

/** @returns undefined if the latest results of all organizations contain too few of the selections, and there are older ones */
function amongLatest(
  db: Database,
  selections: Selection[],
  { before, from, limit }: PageOfNumbers,
): number[] | undefined {
  const wanted = new Map<number, Set<number>>();
  for (const { monitorPks, statuses } of selections) {
    const codes = new Set(statuses.map((status) => statusCodes[status]));
    for (const monitorPk of monitorPks) wanted.set(monitorPk, codes);
  }
  const size = limit * LATEST_PAGES;
  const latest = db.$client
    .query<{ pk: number; monitorPk: number; status: number }, [number, number, number]>(
      `SELECT pk, monitor_pk AS monitorPk, status FROM check_results
       WHERE pk >= ? AND pk < ? ORDER BY pk DESC LIMIT ?`,
    )
    .all(from, before, size);
  const found = latest.filter(({ monitorPk, status }) => wanted.get(monitorPk)?.has(status));
  const isEnough = found.length >= limit || latest.length < size;
  return isEnough ? found.slice(0, limit).map(({ pk }) => pk) : undefined;
}

function merge(db: Database, selections: Selection[], page: PageOfNumbers): number[] {
  const next = db.$client.query<Head, [number, number, number, number]>(
    `SELECT monitor_pk AS monitorPk, status, pk FROM check_results
     WHERE monitor_pk = ? AND status = ? AND pk >= ? AND pk < ? ORDER BY pk DESC LIMIT 1`,
  );
  const heads = selections.flatMap((selection) => listHeads(db, selection, page)).sort((a, b) => b.pk - a.pk);
  const found: number[] = [];
  while (found.length < page.limit) {
    const head = heads.shift();
    if (!head) break;
    found.push(head.pk);
    const following = next.get(head.monitorPk, head.status, page.from, head.pk);
    if (following) insert(heads, following);
  }
  return found;
}

/** The newest result of a monitor with a status that is not in the page yet. */
interface Head {
  monitorPk: number;
  status: number;
  pk: number;
}

/** One statement, because a selection may contain thousands of monitors. */
function listHeads(
  db: Database,
  { monitorPks, statuses }: Selection,
  { before, from }: PageOfNumbers,
): Head[] {
  const codes = statuses.map((status) => statusCodes[status]);
  return db.$client
    .query<Head, [string, string, number, number]>(
      `SELECT monitor.value AS monitorPk, status.value AS status,
         (SELECT max(pk) FROM check_results
          WHERE monitor_pk = monitor.value AND check_results.status = status.value AND pk >= ?3 AND pk < ?4) AS pk
       FROM json_each(?1) AS monitor, json_each(?2) AS status
       WHERE pk IS NOT NULL`,
    )
    .all(JSON.stringify(monitorPks), JSON.stringify(codes), from, before);
}

/** Keeps the heads in order, newest first. */
function insert(heads: Head[], head: Head): void {
  const at = heads.findIndex(({ pk }) => pk < head.pk);
  heads.splice(at < 0 ? heads.length : at, 0, head);
}
