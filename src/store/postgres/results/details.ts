import type { Detail } from "../../../domain/checks/observation.ts";
import { RESULT_COLUMNS, type ResultRow, type Stretch } from "../../results/result-items.ts";
import { detailText, USE_PRECISION } from "../../results/timings.ts";
import type { Sql } from "../../tx.ts";
import { arraysOf } from "../values.ts";

/** @property usedAt milliseconds since 1970 */
export interface StoredDetail {
  pk: number;
  hash: Uint8Array;
  usedAt: number;
}

/**
 * A detail to store; null if the result has none.
 *
 * @property last the detail of the previous result, which is usually equal
 * @property createdAt when it is used, milliseconds since 1970
 */
interface Use {
  monitorPk: number;
  detail: Detail | null;
  last: StoredDetail | null;
  createdAt: number;
}

interface NewDetail {
  monitorPk: number;
  hash: Uint8Array;
  text: string;
  usedAt: number;
}

type FoundDetail = Pick<NewDetail, "monitorPk" | "hash"> & { pk: number };

const FIND = `SELECT found.pk, wanted.monitor_pk AS "monitorPk", wanted.hash
  FROM unnest($1::integer[], $2::bytea[], $3::bigint[]) AS wanted (monitor_pk, hash, used_at)
  CROSS JOIN LATERAL (
    SELECT pk FROM details
    WHERE monitor_pk = wanted.monitor_pk AND hash = wanted.hash AND used_at >= wanted.used_at - $4::bigint LIMIT 1
  ) AS found`;

/** A detail that was not used lately may be deleted at the same time: then it is inserted again. */
const USE = `INSERT INTO details AS detail (monitor_pk, hash, text, used_at)
  SELECT * FROM unnest($1::integer[], $2::bytea[], $3::text[], $4::bigint[])
  ON CONFLICT (monitor_pk, hash) DO UPDATE SET used_at = greatest(detail.used_at, excluded.used_at)
  RETURNING pk, monitor_pk AS "monitorPk", hash`;

/**
 * Stores details, or finds the equal ones: most results of a monitor differ only in their timings. To be called within the
 * transaction of the results, after their monitors were locked.
 *
 * @returns the numbers of the details; null for a result without detail
 */
export async function internDetails(sql: Sql, uses: readonly Use[]): Promise<(number | null)[]> {
  const keys: (string | null)[] = [];
  const pks = new Map<string, number>();
  const wanted = new Map<string, NewDetail>();
  for (const { monitorPk, detail, last, createdAt: usedAt } of uses) {
    const stored = detail && { monitorPk, ...detailText(detail), usedAt };
    const key = stored && keyOf(stored);
    keys.push(key);
    if (!key || !stored || pks.has(key)) continue;
    if (last && isRecent(last, usedAt) && key === keyOf({ monitorPk, hash: last.hash }))
      pks.set(key, last.pk);
    else wanted.set(key, stored);
  }
  for (const [key, pk] of await findOrInsert(sql, wanted)) pks.set(key, pk);
  return keys.map((key) => (key === null ? null : (pks.get(key) ?? null)));
}

/** Whether its last use need not be updated. */
function isRecent({ usedAt }: StoredDetail, now: number): boolean {
  return now - usedAt <= USE_PRECISION;
}

async function findOrInsert(sql: Sql, wanted: ReadonlyMap<string, NewDetail>): Promise<Map<string, number>> {
  if (wanted.size === 0) return new Map();
  const values = arraysOf([...wanted.values()], ["monitorPk", "hash", "usedAt"]);
  const found = await sql.query<FoundDetail>(FIND, [...values, USE_PRECISION]);
  const pks = new Map(found.map((row) => [keyOf(row), row.pk]));
  const missing = [...wanted].flatMap(([key, detail]) => (pks.has(key) ? [] : [detail]));
  if (missing.length === 0) return pks;
  const columns = arraysOf(missing, ["monitorPk", "hash", "text", "usedAt"]);
  for (const row of await sql.query<FoundDetail>(USE, columns)) pks.set(keyOf(row), row.pk);
  return pks;
}

function keyOf({ monitorPk, hash }: Pick<NewDetail, "monitorPk" | "hash">): string {
  return `${monitorPk} ${hash.toHex()}`;
}

const DAY = 24 * 60 * 60 * 1000;

/** How many numbers from the end of a day are read: about a block of the index on numbers. */
const WINDOW = 4096;

/** The results of some monitors with some statuses, by their codes. */
export interface Selection {
  monitorPks: number[];
  statuses: number[];
}

/** The times are parameters of the statement, which is planned with their values: other days are not opened. */
const READ_DAYS = `SELECT ${RESULT_COLUMNS} FROM check_results
  WHERE monitor_pk = ANY($1) AND status = ANY($2) AND created_at >= $3 AND created_at < $4 AND pk < $5
  ORDER BY created_at / ${DAY} DESC, pk DESC LIMIT $6`;

/**
 * A page of the results of some days, of a stretch of time or of the whole days.
 *
 * @property since the start of the first day, in milliseconds since 1970 @property until the start of the last day
 * @property before only results with a smaller number
 */
export interface DaysPage extends Stretch {
  since: number;
  until: number;
  before?: number | undefined;
  limit: number;
}

/** The newest results of some days that are rows. */
export function readRows(
  { query }: Sql,
  { monitorPks, statuses }: Selection,
  { since, until, before = Number.MAX_SAFE_INTEGER, limit, ...stretch }: DaysPage,
): Promise<ResultRow[]> {
  const { from, to } = within({ from: since, to: until + DAY }, stretch);
  return query(READ_DAYS, [monitorPks, statuses, from, to, before, limit]);
}

/** The part of some days that is in a stretch of time. */
function within(days: { from: number; to: number }, { from = days.from, to = days.to }: Stretch) {
  return { from: Math.max(days.from, from), to: Math.min(days.to, to) };
}

const READ_NEWEST = `SELECT ${RESULT_COLUMNS} FROM check_results
  WHERE monitor_pk = ANY($1) AND status = ANY($2) AND created_at >= $3 AND created_at < $4 AND pk >= $5 AND pk < $6
  ORDER BY pk DESC LIMIT $7`;

/**
 * The newest results of a day among its last results of all organizations.
 *
 * @property end a number near the last one of the day
 * @property before only results with a smaller number
 */
export function readNewestOfDay(
  { query }: Sql,
  { monitorPks, statuses }: Selection,
  {
    day,
    end,
    before = Number.MAX_SAFE_INTEGER,
    limit,
    ...stretch
  }: Stretch & { day: number; end: number; before?: number | undefined; limit: number },
): Promise<ResultRow[]> {
  const { from, to } = within({ from: day, to: day + DAY }, stretch);
  return query(READ_NEWEST, [monitorPks, statuses, from, to, end - WINDOW, before, limit]);
}
