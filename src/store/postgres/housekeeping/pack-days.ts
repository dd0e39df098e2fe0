import { MAX_RESULTS } from "../../../domain/results/segments/segment.ts";
import type { Sealing } from "../../engine-queries.ts";
import { RESULT_COLUMNS, type ResultRow } from "../../results/result-items.ts";
import {
  columnsOf,
  SEGMENT_COLUMNS,
  SEGMENT_FIELDS,
  type SegmentRow,
  segmentOf,
} from "../../results/segment-rows.ts";
import { createTurns } from "../../turns.ts";
import type { Sql } from "../../tx.ts";
import type { Connections } from "../connections.ts";
import { attachPartition, createSegmentTable, partitionName } from "../partitions.ts";
import { isLockTimeout } from "../reach.ts";
import { listDays } from "../results/day-partitions.ts";
import { arraysOf } from "../values.ts";
import { IN_USE_PAUSE } from "./expired-days.ts";

/*
 * Packs the results of a UTC day after it is over and its late results have arrived. A server may stop at any point:
 * 1. The number of the newest result is noted, and segments are written to a table that nobody reads.
 * 2. The table becomes a partition of `result_segments`. Readers find the results in both tables and take each result once.
 * 3. When all reads that began before have ended, the rows are dropped. Nothing is deleted row by row.
 * Results that are recorded later, such as an imported history, stay rows.
 */

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** Results may be recorded up to a day late (behavior 13.35). */
const LATE = 25 * HOUR;

/** A read ends long before; milliseconds. */
const READ_WITHIN = 10 * 60_000;

/** Results in a transaction, and the rest of the last monitor: its rows are in no order, so all of them are read at once. */
const AT_ONCE = 4 * MAX_RESULTS;

/** A day is packed by one node, also if the lease of another one has lapsed. */
const LOCK_DAY =
  'SELECT last_pk AS "lastPk" FROM packed_days WHERE day = $1 AND first_pk IS NULL FOR UPDATE NOWAIT';

/** While this waits for a lock, all that read or write results wait behind it: hence not for long. */
const LIMIT_WAIT = "SET LOCAL lock_timeout = 300";

/** Packs results as `HousekeepingQueries.sealResults`, and pauses as `createPruning` while a day is in use. */
export function createPacking(connections: Pick<Connections, "transaction" | "poll">) {
  let inUseAt = Number.NEGATIVE_INFINITY;
  return async (before: number, sealing: Sealing | null): Promise<Sealing | null> => {
    if (Math.abs(before - inUseAt) < IN_USE_PAUSE) return null;
    try {
      return await packSome(connections, { before, sealing });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      inUseAt = before;
      return null;
    }
  };
}

async function packSome(
  { transaction, poll: query }: Pick<Connections, "transaction" | "poll">,
  { before, sealing }: { before: number; sealing: Sealing | null },
): Promise<Sealing | null> {
  const isUnderWay = sealing !== null && sealing.after !== null;
  const day = isUnderWay ? sealing.end : await findDay({ query }, before);
  if (day !== undefined) {
    if (!isUnderWay) await transaction((sql) => startDay(sql, day));
    if (await transaction((sql) => packMonitors(sql, day))) return { end: day, after: 0 };
    await transaction((sql) => publish(sql, day, before));
    return { end: day, after: null };
  }
  const replaced = await findReplaced({ query }, before);
  if (replaced === undefined) return null;
  await transaction((sql) => dropRows(sql, replaced));
  return { end: replaced, after: null };
}

const LIST_PACKED = 'SELECT day, first_pk IS NOT NULL AS "isPublished" FROM packed_days';

/** The day whose packing goes on, or else the earliest one that is to be packed. */
async function findDay(sql: Sql, before: number): Promise<number | undefined> {
  const packed = await sql.query<{ day: number; isPublished: boolean }>(LIST_PACKED);
  const started = packed.find(({ isPublished }) => !isPublished);
  if (started) return started.day;
  const known = new Set(packed.map(({ day }) => day));
  const { days } = await listDays(sql);
  return days.findLast((day) => isOver(day, before) && !known.has(day));
}

/** Whether a day is to be packed. */
export function isOver(day: number, now: number): boolean {
  return day + DAY + LATE <= now;
}

const SHARE = "LOCK TABLE ONLY check_results IN SHARE MODE";

/** While nothing is recorded, so that all later results have larger numbers. */
const NOTE_DAY = `INSERT INTO packed_days (day, last_pk) SELECT $1, last_value FROM check_results_pk
  ON CONFLICT DO NOTHING RETURNING day`;

/** Does nothing if the day was started before. */
async function startDay(sql: Sql, day: number): Promise<void> {
  await sql.query(LIMIT_WAIT);
  await sql.query(SHARE);
  const noted = await sql.query(NOTE_DAY, [day]);
  if (noted.length === 0) return;
  await createSegmentTable(sql, day);
}

/** Packs the results of the next monitors of a day. @returns whether there are more */
async function packMonitors(sql: Sql, day: number): Promise<boolean> {
  const [started] = await sql.query<{ lastPk: number }>(LOCK_DAY, [day]);
  if (!started) return false;
  const [rows, segments] = [partitionName(day), partitionName(day, "result_segments")];
  const [last = { monitorPk: 0, lastPk: 0 }] = await sql.query<{ monitorPk: number; lastPk: number }>(
    `SELECT monitor_pk AS "monitorPk", last_pk AS "lastPk" FROM ${segments} ORDER BY monitor_pk DESC, first_pk DESC LIMIT 1`,
  );
  const found = await sql.query<ResultRow>(
    `SELECT ${RESULT_COLUMNS} FROM ${rows}
     WHERE monitor_pk >= $1 AND (monitor_pk > $1 OR pk > $2) AND pk <= $3
     ORDER BY monitor_pk FETCH FIRST ${AT_ONCE} ROWS WITH TIES`,
    [last.monitorPk, last.lastPk, started.lastPk],
  );
  found.sort((a, b) => a.monitorPk - b.monitorPk || a.pk - b.pk);
  const packed: SegmentRow[] = [];
  const turn = createTurns();
  for (const some of piecesOf(found)) {
    packed.push(segmentOf(some[0]?.monitorPk ?? 0, columnsOf(some)));
    await turn();
  }
  if (packed.length > 0)
    await sql.query(
      `INSERT INTO ${segments} (${SEGMENT_COLUMNS})
       SELECT * FROM unnest($1::integer[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::integer[],
         $7::integer[], $8::bytea[])`,
      arraysOf(packed, SEGMENT_FIELDS),
    );
  return found.length >= AT_ONCE;
}

/** The results of each segment. */
function piecesOf(rows: readonly ResultRow[]): ResultRow[][] {
  const pieces: ResultRow[][] = [];
  for (const row of rows) {
    const last = pieces.at(-1);
    if (last && last[0]?.monitorPk === row.monitorPk && last.length < MAX_RESULTS) last.push(row);
    else pieces.push([row]);
  }
  return pieces;
}

/** The sweep of a deleted monitor does not find a table that is no partition yet. */
const deleteSwept = (table: string) =>
  `DELETE FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM monitors WHERE pk = monitor_pk)
     AND NOT EXISTS (SELECT 1 FROM deleted_monitors WHERE pk = monitor_pk)`;

/** Makes the segments of a day readable. */
async function publish(sql: Sql, day: number, before: number): Promise<void> {
  await sql.query(LIMIT_WAIT);
  const [started] = await sql.query(LOCK_DAY, [day]);
  if (!started) return;
  const segments = partitionName(day, "result_segments");
  await sql.query(deleteSwept(segments));
  await attachPartition(sql, day, "result_segments");
  await sql.query(
    `UPDATE packed_days SET packed_at = $2,
       first_pk = coalesce((SELECT min(first_pk) FROM ${segments}), last_pk) WHERE day = $1`,
    [day, before],
  );
  await sql.query(`ANALYZE ${segments}`);
}

const FIND_REPLACED = "SELECT day FROM packed_days WHERE packed_at <= $1 ORDER BY day LIMIT 1";

/** The earliest packed day that still has rows which nobody reads. */
async function findReplaced({ query }: Sql, before: number): Promise<number | undefined> {
  return (await query<{ day: number }>(FIND_REPLACED, [before - READ_WITHIN]))[0]?.day;
}

const NOTE_DROPPED = "UPDATE packed_days SET packed_at = $2 WHERE day = $1";

/** Keeps the rows of results that were recorded later. */
async function dropRows(sql: Sql, day: number): Promise<void> {
  const rows = partitionName(day);
  await sql.query(LIMIT_WAIT);
  await sql.query("LOCK TABLE ONLY check_results IN ACCESS EXCLUSIVE MODE");
  const [packed] = await sql.query<{ lastPk: number }>(
    'SELECT last_pk AS "lastPk" FROM packed_days WHERE day = $1 AND packed_at IS NOT NULL FOR UPDATE',
    [day],
  );
  if (!packed) return;
  const later = `FROM ${rows} WHERE pk > ${packed.lastPk}`;
  const [found] = await sql.query(`SELECT 1 ${later} LIMIT 1`);
  if (found) {
    await sql.query(`CREATE TABLE ${rows}_later (LIKE check_results INCLUDING DEFAULTS)`);
    await sql.query(`INSERT INTO ${rows}_later SELECT * ${later}`);
  }
  await sql.query(`DROP TABLE ${rows}`);
  if (found) {
    await sql.query(`ALTER TABLE ${rows}_later RENAME TO ${rows}`);
    await attachPartition(sql, day, "check_results");
  }
  await sql.query(NOTE_DROPPED, [day, null]);
}
