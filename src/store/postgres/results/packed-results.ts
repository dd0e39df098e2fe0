import { dayOf } from "../../../domain/results/rollup.ts";
import type { ResultColumns } from "../../../domain/results/segments/segment.ts";
import type { ListedSegments, SegmentKey } from "../../replays/past-checks.ts";
import type { ResultRow } from "../../results/result-items.ts";
import {
  DamagedSegments,
  eachRow,
  type FoundSegment,
  readNumbers,
  readSegment,
  rowAt,
  type SegmentRow,
} from "../../results/segment-rows.ts";
import { createTurns, nextTurn } from "../../turns.ts";
import type { Sql } from "../../tx.ts";
import { arraysOf } from "../values.ts";
import type { Position } from "./day-partitions.ts";
import type { DaysPage, Selection } from "./details.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Segments whose data is read at once: the numbers of as many are decoded in some milliseconds. */
const AT_ONCE = 50;

export const FOUND = `monitor_pk AS "monitorPk", first_pk AS "firstPk", last_pk AS "lastPk", first_at AS "firstAt", last_at AS "lastAt", statuses`;

/** The times are parameters of the statement, which is planned with their values: other days are not opened. */
const LIST = `SELECT ${FOUND} FROM result_segments
  WHERE monitor_pk = ANY($1) AND first_at >= $2 AND first_at < $3 AND first_pk < $4 AND last_pk >= $5 AND statuses & $6 <> 0
    AND last_at >= $7`;

type Found = FoundSegment & Pick<SegmentRow, "firstAt" | "lastAt">;

/** @property since the start of the first day @property to the end of the last one, or a time before it */
interface Searched {
  since: number;
  to: number;
  before: number;
  /** Only segments with results from this number on. */
  first?: number;
  /** Only segments with results from this time on, milliseconds since 1970. */
  from?: number | undefined;
}

async function list(
  { query }: Sql,
  { monitorPks, statuses }: Selection,
  searched: Searched,
): Promise<Found[]> {
  const { since, to, before, first = 0, from = since } = searched;
  return query(LIST, [monitorPks, since, to, before, first, bitsOf(statuses), from]);
}

function bitsOf(statuses: readonly number[]): number {
  return statuses.reduce((bits, status) => bits | (1 << status), 0);
}

const LOAD = `SELECT ${FOUND}, count, data FROM result_segments
  JOIN unnest($1::integer[], $2::bigint[], $3::bigint[]) AS wanted (monitor, pk, at)
    ON monitor_pk = monitor AND first_pk = pk AND first_at = at
  WHERE first_at >= $4 AND first_at <= $5`;

async function load({ query }: Sql, some: readonly SegmentKey[]): Promise<SegmentRow[]> {
  const times = some.map(({ firstAt }) => firstAt);
  const [least, most] = [Math.min(...times), Math.max(...times)];
  return query(LOAD, [...arraysOf(some, ["monitorPk", "firstPk", "firstAt"]), least, most]);
}

/** @returns what `read` returns; undefined if the segment is damaged */
function skipDamaged<Result>(
  { damaged = new DamagedSegments() }: Sql,
  segment: SegmentRow,
  read: (segment: SegmentRow) => Result,
): Result | undefined {
  return damaged.skip(segment, read);
}

/** The newest packed results of some days, the latest day first, and the largest number of a day first. */
export async function newestPacked(sql: Sql, selection: Selection, page: DaysPage): Promise<ResultRow[]> {
  const { since, until, before = Number.MAX_SAFE_INTEGER, limit, from, to } = page;
  const near = since === until ? await nearPacked(sql, selection, page) : undefined;
  if (near) return near;
  const end = Math.min(until + DAY, to ?? until + DAY);
  const found = await list(sql, selection, { since, to: end, before, from });
  found.sort((a, b) => dayOf(b.firstAt) - dayOf(a.firstAt) || b.lastPk - a.lastPk);
  const bits = bitsOf(selection.statuses);
  let newest: Place[] = [];
  for (let at = 0; at < found.length; at += AT_ONCE) {
    const some = found.slice(at, at + AT_ONCE).filter((segment) => isWanted(segment, newest[limit - 1]));
    if (some.length === 0) break;
    if (at > 0) await nextTurn();
    for (const segment of await load(sql, some)) {
      const numbers = skipDamaged(sql, segment, (found) => readNumbers(found, { from, to }));
      if (numbers) newest.push(...placesIn(segment, numbers, { bits, before, limit }));
    }
    newest = newest.sort(byPosition).slice(0, limit);
  }
  return rowsAt(sql, newest);
}

/** How much the numbers of most monitors differ from regular ones, because checks do not take equally long each time. */
const IRREGULAR = 100;

/**
 * Orders segments by how near a number their largest number before it probably is, if the numbers of a segment are about as regular as the
 * checks of most monitors.
 */
const LIST_NEAR = `SELECT ${FOUND}, count, data FROM (
    SELECT *, ($4::bigint - 1 - first_pk)::float8 + ${IRREGULAR} AS distance, greatest((last_pk - first_pk)::float8 / greatest(count - 1, 1), 1) AS step
    FROM result_segments
    WHERE monitor_pk = ANY($1) AND first_at >= $2 AND first_at < $3 AND first_pk < $4 AND statuses & $5 <> 0
  ) AS segments
  ORDER BY CASE WHEN last_pk < $4 THEN $4 - 1 - last_pk + ${IRREGULAR} ELSE distance - floor(distance / step) * step END LIMIT $6`;

/**
 * The newest packed results of many monitors and a day before a number. The results of many monitors alternate, so that each of their
 * segments may have some: they are all found when the page has all numbers before that one.
 *
 * @returns undefined if that can't be seen in some segments
 */
async function nearPacked(
  sql: Sql,
  { monitorPks, statuses }: Selection,
  { since, before, limit, from, to }: DaysPage,
): Promise<ResultRow[] | undefined> {
  if (before === undefined || monitorPks.length <= AT_ONCE) return undefined;
  const end = Math.min(since + DAY, to ?? since + DAY);
  const bits = bitsOf(statuses);
  const wanted = [monitorPks, since, end, before, bits, limit + 2 * IRREGULAR];
  const found: Place[] = [];
  for (const [at, segment] of (await sql.query<SegmentRow>(LIST_NEAR, wanted)).entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await nextTurn();
    const numbers = skipDamaged(sql, segment, (one) => readNumbers(one, { from, to }));
    const page = { bits, before, limit, least: before - limit };
    if (numbers) found.push(...placesIn(segment, numbers, page));
    if (found.length === limit) return rowsAt(sql, found.sort(byPosition));
  }
  return undefined;
}

/** A result in its segment. */
interface Place {
  day: number;
  pk: number;
  segment: SegmentRow;
  at: number;
}

function byPosition(a: Pick<Place, "day" | "pk">, b: Pick<Place, "day" | "pk">): number {
  return b.day - a.day || b.pk - a.pk;
}

/** Whether a segment may have results that are newer than the last one of a full page. */
function isWanted({ firstAt, lastPk }: Found, last: Place | undefined): boolean {
  return last === undefined || byPosition({ day: dayOf(firstAt), pk: lastPk }, last) < 0;
}

function placesIn(
  segment: SegmentRow,
  { count, pks, statuses, isWithin }: ReturnType<typeof readNumbers>,
  { bits, before, limit, least = 0 }: { bits: number; before: number; limit: number; least?: number },
): Place[] {
  const day = dayOf(segment.firstAt);
  const places: Place[] = [];
  for (let at = count - 1; at >= 0 && places.length < limit; at--) {
    const pk = pks[at] ?? 0;
    if (pk < least) break;
    if (pk < before && ((1 << (statuses[at] ?? 0)) & bits) !== 0 && isWithin(at))
      places.push({ day, pk, segment, at });
  }
  return places;
}

function rowsAt(sql: Sql, places: readonly Place[]): ResultRow[] {
  const columns = new Map(
    [...new Set(places.map(({ segment }) => segment))].map((one) => [
      one,
      skipDamaged(sql, one, readSegment),
    ]),
  );
  return places.flatMap(({ segment, at }) => {
    const decoded = columns.get(segment);
    return decoded ? [rowAt(decoded, at, segment.monitorPk)] : [];
  });
}

/** The packed results of a stretch of time, in any order. Times are milliseconds since 1970. */
export async function packedBetween(
  sql: Sql,
  selection: Selection,
  stretch: { since: number; until: number },
): Promise<ResultRow[]> {
  const { since, until } = stretch;
  const [monitorPk = 0] = selection.monitorPks;
  const rows: ResultRow[] = [];
  for await (const columns of packedColumns(sql, selection, stretch))
    for (const [place, time] of columns.times.entries()) {
      const isWanted =
        time >= since && time < until && selection.statuses.includes(columns.statuses[place] ?? 0);
      if (isWanted) rows.push(rowAt(columns, place, monitorPk));
    }
  return rows;
}

/** The segments of one monitor that may have results of a stretch of time and of a selection. */
export async function* packedColumns(
  sql: Sql,
  selection: Selection,
  { since, until }: { since: number; until: number },
): AsyncGenerator<ResultColumns> {
  const days = { since: dayOf(since), to: until, before: Number.MAX_SAFE_INTEGER };
  const found = await list(sql, selection, days);
  const pause = createTurns();
  for (let at = 0; at < found.length; at += AT_ONCE)
    for (const segment of await load(sql, found.slice(at, at + AT_ONCE))) {
      const columns = skipDamaged(sql, segment, readSegment);
      if (columns) yield columns;
      await pause();
    }
}

/** The bytes of `kindOfHead`, for a number of at most five bytes; null for another one, or for several kinds. */
const HEAD = `CASE WHEN get_byte(data, 1) <> 1 THEN NULL
  WHEN get_byte(data, 4) < 128 THEN substr(data, 3, 3) WHEN get_byte(data, 5) < 128 THEN substr(data, 3, 4)
  WHEN get_byte(data, 6) < 128 THEN substr(data, 3, 5) WHEN get_byte(data, 7) < 128 THEN substr(data, 3, 6)
  WHEN get_byte(data, 8) < 128 THEN substr(data, 3, 7) END`;

/** As one text, which is much faster than rows. */
const LIST_HEADS = `SELECT monitor_pk AS "monitorPk",
    '[' || string_agg(concat(first_pk, ',', first_at, ',', last_at, ',"', encode(${HEAD}, 'hex'), '"'), ',') || ']' AS list
  FROM result_segments
  WHERE monitor_pk = ANY($1) AND first_at >= $2 AND first_at < $3 AND last_at >= $4 GROUP BY monitor_pk`;

/** The segments of some monitors that may have results of a stretch of time, in milliseconds since 1970. */
export function listSegments(
  { query }: Sql,
  monitorPks: readonly number[],
  { since, until }: { since: number; until: number },
): Promise<ListedSegments[]> {
  return query(LIST_HEADS, [monitorPks, dayOf(since), until, since]);
}

export async function loadSegments(sql: Sql, keys: readonly SegmentKey[]): Promise<SegmentRow[]> {
  return keys.length === 0 ? [] : load(sql, keys);
}

/** Whether a day has a packed result of a selection with this number. */
export async function hasPacked(
  sql: Sql,
  selection: Selection,
  { day, pk }: { day: number; pk: number },
): Promise<boolean> {
  const page = { since: day, until: day, before: pk + 1, limit: 1 };
  if (await nearPacked(sql, selection, page)) return true;
  const found = await list(sql, selection, { since: day, to: day + DAY, before: pk + 1, first: pk });
  for (let at = 0; at < found.length; at += AT_ONCE) {
    if (at > 0) await nextTurn();
    const loaded = await load(sql, found.slice(at, at + AT_ONCE));
    if (loaded.some((segment) => skipDamaged(sql, segment, readNumbers)?.pks.includes(pk))) return true;
  }
  return false;
}

/** How many segments of an export are read at once. */
export const MAX_SEGMENTS = 8;

const LIST_NEXT = `SELECT ${FOUND}, count, data FROM result_segments
  WHERE monitor_pk = $1 AND statuses & $2 <> 0 AND first_at >= $3 AND last_at >= $4 AND first_at < $5 AND (first_at >= $6 OR last_pk > $7)
  ORDER BY first_at / ${DAY}, first_pk LIMIT ${MAX_SEGMENTS}`;

/**
 * The next segments of a monitor after a place, by day and number. Their rows include some before the place, and of other statuses
 * and times.
 *
 * @property since a time of the day of the place @property until a time
 * @returns the place of the last result of the segments; how many there were, with those that are damaged
 */
export async function nextPacked(
  sql: Sql,
  { monitorPks: [monitorPk = 0], statuses }: Selection,
  { place: { day, pk }, since, until }: { place: Position; since: number; until: number },
): Promise<{ rows: ResultRow[]; last: Position; segments: number }> {
  const wanted = [monitorPk, bitsOf(statuses), day, since, until, day + DAY, pk];
  const found = await sql.query<SegmentRow>(LIST_NEXT, wanted);
  const rows = found.flatMap((segment) => {
    const columns = skipDamaged(sql, segment, readSegment);
    return columns ? eachRow(columns, monitorPk) : [];
  });
  const { firstAt = day, lastPk = pk } = found.at(-1) ?? {};
  return { rows, last: { day: dayOf(firstAt), pk: lastPk }, segments: found.length };
}

const FIND = `SELECT ${FOUND}, count, data, pk FROM result_segments
  JOIN unnest($1::integer[], $2::bigint[]) AS wanted (monitor, pk)
    ON monitor_pk = monitor AND first_pk <= pk AND last_pk >= pk
  WHERE first_at >= $3 AND first_at < $4`;

/** Packed results by their numbers, in any order. @property createdAt the time of the result, milliseconds since 1970 */
export async function findPacked(
  sql: Sql,
  wanted: readonly { monitorPk: number; pk: number; createdAt: number }[],
): Promise<ResultRow[]> {
  const found: ResultRow[] = [];
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    const some = wanted.slice(from, from + AT_ONCE);
    const days = some.map(({ createdAt }) => dayOf(createdAt));
    const [since, to] = [Math.min(...days), Math.max(...days) + DAY];
    const values = [...arraysOf(some, ["monitorPk", "pk"]), since, to];
    for (const segment of await sql.query<SegmentRow & { pk: number }>(FIND, values)) {
      const columns = skipDamaged(sql, segment, readSegment);
      const at = columns?.pks.indexOf(segment.pk) ?? -1;
      if (columns && at >= 0) found.push(rowAt(columns, at, segment.monitorPk));
    }
  }
  return found;
}
