import {
  type ExportedResult,
  itemsOf,
  RESULT_COLUMNS,
  type ResultExport,
  type ResultRow,
  type Selection,
  type Stretch,
} from "../../results/result-items.ts";
import { findSource, readDetails, wantedOf } from "../../results/results.ts";
import { rowAt } from "../../results/segment-rows.ts";
import { statusCodes } from "../../status-codes.ts";
import { type Database, prepared, sqlOf } from "../database.ts";
import { turn } from "../slices.ts";
import { nextSealed } from "./sealed-results.ts";

/* Which numbers the results of a time have. There is no index on time: results are written almost in the order of their times. */

/** Results may be recorded up to a day late (behavior 13.35), and a day has at most 25 hours. */
export const LATEST = 25 * 60 * 60 * 1000;

/** Numbers from `start` on, before `end`. */
export interface Numbers {
  start: number;
  end: number;
}

/**
 * Numbers among which all rows of a stretch of time are. Other rows are there, too: results of a day before and after the stretch.
 */
export function rowsWithin(db: Database, stretch: Stretch): Numbers {
  return numbersWithin(stretch, (time) => searchResults(db, ({ createdAt }) => createdAt < time));
}

/** Like `rowsWithin`, for the changes of the status in an organization. */
export function changesWithin(db: Database, organizationPk: number, stretch: Stretch): Numbers {
  const ends = prepared<Ends, [number]>(db, CHANGE_ENDS).get(organizationPk);
  const at = prepared<Place, [number, number]>(db, CHANGE_AT);
  const find = (pk: number) => at.get(organizationPk, pk);
  return numbersWithin(stretch, (time) => search(ends, find, ({ createdAt }) => createdAt < time));
}

/** A result that was recorded before one of a day before `from` is older than `from`; one after one of a day after `to` is not older. */
function numbersWithin({ from, to }: Stretch, firstSince: (time: number) => number): Numbers {
  return {
    start: from === undefined ? 0 : firstSince(from - LATEST),
    end: to === undefined ? Number.MAX_SAFE_INTEGER : firstSince(to + LATEST),
  };
}

/**
 * Like `rowsWithin`, for the results of some monitors that are in segments. All segments of few monitors are considered, and of many
 * monitors the segments of some, which show where the clock was wrong.
 */
export function sealedWithin(db: Database, { from, to }: Stretch, monitorPks: readonly number[]): Numbers {
  const find = (text: string, ...values: number[]) =>
    prepared<{ pk: number | null }, number[]>(db, text).get(...values)?.pk ?? null;
  const late = monitorPks.length > SAMPLE ? LATEST : 0;
  const sample = monitorPks.slice(0, SAMPLE);
  const ofSample = (text: string, time: number) =>
    sample.flatMap((monitorPk) => find(text, monitorPk, time) ?? []);
  const start = () => {
    const first = Math.min(...ofSample(FIRST_OF, (from ?? 0) - late));
    return late === 0 ? first : Math.min(first, find(SEALED_BEFORE, (from ?? 0) - late) ?? 0);
  };
  const end = () => {
    const last = Math.max(...ofSample(LAST_OF, (to ?? 0) + late));
    return late === 0
      ? last
      : Math.max(last, find(SEALED_SINCE, (to ?? 0) + late) ?? Number.MAX_SAFE_INTEGER);
  };
  return {
    start: from === undefined ? 0 : start(),
    end: to === undefined ? Number.MAX_SAFE_INTEGER : end(),
  };
}

/** It takes some milliseconds to look at all segments of so many monitors, each of which may have thousands. */
const SAMPLE = 5;

/** From the end of the segment before: other monitors have results between these two. */
const FIRST_OF = `SELECT coalesce((SELECT max(last_pk) + 1 FROM result_segments WHERE monitor_pk = ?1 AND first_pk < first), 0) AS pk
  FROM (SELECT min(first_pk) AS first FROM result_segments WHERE monitor_pk = ?1 AND last_at >= ?2) WHERE first IS NOT NULL`;

/** To the start of the segment after. */
const LAST_OF = `SELECT coalesce((SELECT min(first_pk) FROM result_segments WHERE monitor_pk = ?1 AND first_pk > last),
    ${Number.MAX_SAFE_INTEGER}) AS pk
  FROM (SELECT max(last_pk) AS last FROM result_segments WHERE monitor_pk = ?1 AND first_at < ?2) WHERE last IS NOT NULL`;

/** So many segments that some of them were not recorded while the clock was wrong. */
const SOME = 10;

const SEALED_BEFORE = `SELECT min(pk) AS pk FROM
  (SELECT last_pk AS pk FROM result_segments WHERE last_at < ? ORDER BY last_at DESC LIMIT ${SOME}) HAVING count(*) = ${SOME}`;

const SEALED_SINCE = `SELECT max(pk) + 1 AS pk FROM
  (SELECT last_pk AS pk FROM result_segments WHERE last_at >= ? ORDER BY last_at LIMIT ${SOME}) HAVING count(*) = ${SOME}`;

/** Late results come in batches. Among this many in a row, one is not late. */
const MAX_BATCH = 1000;

/**
 * Finds the first result since a moment, approximately. Late results (behavior 13.28) are not in the order of their times.
 *
 * @param since milliseconds since 1970
 * @returns the number of a result; results before it are older, except for a few that were written late
 */
export function firstResultSince(db: Database, since: number): number {
  const hasLocations = prepared(db, "SELECT 1 FROM locations LIMIT 1").get() !== null;
  return searchResults(db, ({ pk, createdAt }) => {
    return createdAt < since && !(hasLocations && prepared(db, IS_LATER).get(pk, since));
  });
}

const IS_LATER = `SELECT 1 FROM (SELECT created_at FROM check_results WHERE pk > ? ORDER BY pk LIMIT ${MAX_BATCH})
  WHERE created_at >= ? LIMIT 1`;

type Place = Pick<ResultRow, "pk" | "createdAt">;

const AT = "SELECT pk, created_at AS createdAt FROM check_results WHERE pk >= ? ORDER BY pk LIMIT 1";
const ENDS = "SELECT (SELECT min(pk) FROM check_results) AS low, (SELECT max(pk) FROM check_results) AS high";

/**
 * A binary search: results are written almost in the order of their times, so it needs no index on time.
 *
 * @returns the number of the first result that is not before; or of another one, if `isBefore` says something else of their order
 */
export function searchResults(db: Database, isBefore: (place: Place) => boolean): number {
  const at = prepared<Place, [number]>(db, AT);
  return search(prepared<Ends, []>(db, ENDS).get(), (pk) => at.get(pk), isBefore);
}

interface Ends {
  low: number | null;
  high: number | null;
}

const CHANGE_ENDS = `SELECT min(result_pk) AS low, max(result_pk) AS high FROM status_changes WHERE organization_pk = ?`;

const CHANGE_AT = `SELECT result_pk AS pk, created_at AS createdAt FROM status_changes
  WHERE organization_pk = ? AND result_pk >= ? ORDER BY result_pk LIMIT 1`;

/** @param find the first place from a number on */
function search(
  ends: Ends | null,
  find: (pk: number) => Place | null,
  isBefore: (place: Place) => boolean,
): number {
  let low = ends?.low ?? 0;
  let high = (ends?.high ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = find(middle);
    if (found && isBefore(found)) low = found.pk + 1;
    else high = middle;
  }
  return low;
}

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
