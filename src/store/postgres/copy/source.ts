import { AppError } from "../../../errors.ts";
import {
  BATCH,
  COPIED_TABLES,
  type CopiedRow,
  type CopiedTable,
  type CopySource,
  type LastNumbers,
  SEGMENTS_AT_ONCE,
} from "../../copy.ts";
import { RESULT_COLUMNS, type ResultRow } from "../../results/result-items.ts";
import { merged, type SegmentRow, segmentsOf, separated } from "../../results/segment-rows.ts";
import type { Sql } from "../../tx.ts";
import { findVersion, schemaVersion } from "../migrate.ts";
import { FOUND, findPacked } from "../results/packed-results.ts";
import {
  assertNoNode,
  type CopyConnection,
  connectForCopy,
  countRows,
  listColumns,
  listSequences,
  lockForCopy,
  type ReachedDatabase,
} from "./connection.ts";

/** Rows that have become segments, and are dropped a little later. */
const IS_PACKED = `EXISTS (SELECT 1 FROM packed_days
    WHERE day = created_at - created_at % 86400000 AND packed_at IS NOT NULL AND pk <= last_pk)`;

const COUNT = "SELECT coalesce(sum(count), 0) AS count FROM result_segments";

export async function countPacked({ query }: Sql): Promise<number> {
  return (await query<{ count: number }>(COUNT))[0]?.count ?? 0;
}

const LAST = "SELECT monitor_pk, max(last_pk) AS last FROM result_segments GROUP BY monitor_pk";

const SEGMENTS = `SELECT ${FOUND}, count, data FROM result_segments ORDER BY monitor_pk, first_pk`;

/** Rows of days that are not packed, of which a segment of the same monitor has a later result: it arrived late. */
const ROWS_BETWEEN = `SELECT ${RESULT_COLUMNS}
  FROM check_results JOIN (${LAST}) AS packed USING (monitor_pk)
  WHERE pk < packed.last AND NOT ${IS_PACKED} ORDER BY monitor_pk, pk`;

/** See `CopySource.readSegments`. */
async function* readSegments(sql: Sql): AsyncGenerator<SegmentRow[]> {
  const segments = fetchAll<SegmentRow>(sql, { name: "segments", select: SEGMENTS, size: SEGMENTS_AT_ONCE });
  const rows = fetchAll<ResultRow>(sql, { name: "rows_between", select: ROWS_BETWEEN, size: BATCH });
  let batch: SegmentRow[] = [];
  for await (const segment of separated(merged(segments, packed(rows)))) {
    batch.push(segment);
    if (batch.length < SEGMENTS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function* fetchAll<Row>(
  { query }: Sql,
  { name, select, size }: { name: string; select: string; size: number },
): AsyncGenerator<Row> {
  await query(`DECLARE ${name} NO SCROLL CURSOR FOR ${select}`);
  for (;;) {
    const rows = await query<Row>(`FETCH ${size} FROM ${name}`);
    if (rows.length === 0) break;
    yield* rows;
  }
  await query(`CLOSE ${name}`);
}

/** @param rows by monitor and number */
async function* packed(rows: AsyncIterable<ResultRow>): AsyncGenerator<SegmentRow> {
  let some: ResultRow[] = [];
  for await (const row of rows) {
    const isSame = some.length < BATCH && (some.length === 0 || some[0]?.monitorPk === row.monitorPk);
    if (!isSame) {
      yield* segmentsOf(some);
      some = [];
    }
    some.push(row);
  }
  yield* segmentsOf(some);
}

/** Finds the number of the last packed result of each monitor. Rows up to it are among the segments. */
async function findLastPacked({ query }: Sql): Promise<(monitorPk: number) => number> {
  const [{ size } = { size: 0 }] = await query<{ size: number }>(
    "SELECT coalesce(max(monitor_pk) + 1, 0) AS size FROM result_segments",
  );
  const last = new Float64Array(size);
  for await (const { pk, at } of fetchAll<{ pk: number; at: number }>(
    { query },
    {
      name: "last_packed",
      select: `SELECT monitor_pk AS pk, last AS at FROM (${LAST}) AS packed`,
      size: BATCH,
    },
  ))
    last[pk] = at;
  return (monitorPk) => last[monitorPk] ?? 0;
}

/**
 * Completes changes of the status whose results are packed.
 *
 * @param columns of the rows
 * @returns the rows without those whose results are damaged
 */
async function completeChanges(sql: Sql, columns: string[], rows: CopiedRow[]): Promise<CopiedRow[]> {
  const [status = -1, timings = -1, detail = -1, pk = -1, monitor = -1, time = -1] = [
    ...["status", "timings", "detail_pk"],
    ...["result_pk", "monitor_pk", "created_at"],
  ].map((name) => columns.indexOf(name));
  // PostgreSQL has no such columns.
  if (status < 0) return rows;
  const wanted = rows
    .filter((row) => row[status] === null)
    .map((row) => ({ pk: Number(row[pk]), monitorPk: Number(row[monitor]), createdAt: Number(row[time]) }));
  const found = new Map((await findPacked(sql, wanted)).map((result) => [result.pk, result]));
  return rows.filter((row) => {
    if (row[status] !== null) return true;
    const result = found.get(Number(row[pk]));
    if (!result) return false;
    row[status] = result.status;
    row[timings] = result.timings;
    row[detail] = result.detailPk;
    return true;
  });
}

const IS_OF_KEPT_DAY = `created_at / 86400000 IN (
    SELECT to_date(right(relname, 8), 'YYYYMMDD') - date '1970-01-01'
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent IN ('check_results'::regclass, 'result_segments'::regclass))`;

/**
 * When the results of a day expire, housekeeping drops the day first and then the deliveries and status changes of its
 * results, which are of the time of their result. A notice has no result.
 */
const FILTERS: Partial<Record<CopiedTable, string>> = {
  deliveries: `WHERE result_pk IS NULL OR ${IS_OF_KEPT_DAY}`,
  check_results: `WHERE NOT ${IS_PACKED}`,
};

/** SQLite stores the rest of the result with a change of the status. */
const CHANGE_COLUMNS = ["status", "timings", "detail_pk"];

/** The rest is missing for a change whose result is packed: see `readChanges`. */
const CHANGES = `(SELECT status_changes.*, ${CHANGE_COLUMNS.join(", ")} FROM status_changes
  LEFT JOIN check_results ON check_results.pk = result_pk AND check_results.created_at = status_changes.created_at
    AND check_results.monitor_pk = status_changes.monitor_pk
  WHERE ${IS_OF_KEPT_DAY.replace("created_at", "status_changes.created_at")}) AS status_changes`;

/** The rows of a table that are copied. */
function rowsOf(table: CopiedTable): string {
  return table === "status_changes" ? CHANGES : `${table} ${FILTERS[table] ?? ""}`;
}

/**
 * Opens a database as the source of a copy, read-only. No server can start on it until it is closed.
 *
 * @throws AppError `refused` if there is no database of stillup, it is not of this version, or a server runs
 * @throws StorageFault if the database can't be reached or refuses the role
 */
export async function openCopySource({ config, name }: ReachedDatabase): Promise<CopySource> {
  const connection = await connectForCopy(config, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    await assertThisVersion(connection, name);
    await lockForCopy(connection, name, "shared");
    await assertNoNode(connection, name);
    // The rows in the order in which they are stored, which is almost the order of their numbers.
    await connection.query("SET LOCAL synchronize_seqscans = off");
    await connection.query("SET LOCAL cursor_tuple_fraction = 1");
    const leftOut = new Map<CopiedTable, number>();
    return {
      name,
      async listColumns(table) {
        return [
          ...(await listColumns(connection, table)),
          ...(table === "status_changes" ? CHANGE_COLUMNS : []),
        ];
      },
      async count(table) {
        const rows = await countRows(connection, rowsOf(table));
        return table === "check_results" ? rows + (await countPacked(connection)) : rows;
      },
      countLeftOut: (table) => leftOut.get(table) ?? 0,
      readSegments: () => readSegments(connection),
      read: (table, columns) => read(connection, leftOut, { table, columns }),
      findLastNumbers: () => findLastNumbers(connection),
      assertUnused: () => assertUnused({ config, name }),
      close: connection.close,
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function assertThisVersion(sql: Sql, name: string): Promise<void> {
  const { version } = await findVersion(sql);
  if (version === schemaVersion()) return;
  if (version === 0) throw new AppError("refused", `${name} has no data of stillup`);
  const [age, way] =
    version < schemaVersion()
      ? ["an older", "start this version on it once"]
      : ["a newer", "use that version"];
  throw new AppError("refused", `${name} was created by ${age} version of stillup: ${way}`);
}

/** @param leftOut gets how many rows are left out */
async function* read(
  { query, queryRows }: CopyConnection,
  leftOut: Map<CopiedTable, number>,
  { table, columns }: { table: CopiedTable; columns: string[] },
): AsyncGenerator<CopiedRow[]> {
  const complete = await completionOf({ query }, table, columns);
  const order = await orderOf({ query }, table);
  await query(
    `DECLARE copied NO SCROLL CURSOR FOR SELECT ${columns.join(", ")} FROM ${rowsOf(table)} ${order}`,
  );
  for (;;) {
    const rows = await queryRows(`FETCH ${BATCH} FROM copied`);
    if (rows.length === 0) break;
    const copied = await complete(rows);
    if (table === "status_changes")
      leftOut.set(table, (leftOut.get(table) ?? 0) + rows.length - copied.length);
    yield copied;
  }
  await query("CLOSE copied");
}

/** @returns a function that completes rows, or leaves out some */
async function completionOf(
  sql: Sql,
  table: CopiedTable,
  columns: string[],
): Promise<(rows: CopiedRow[]) => CopiedRow[] | Promise<CopiedRow[]>> {
  if (table === "status_changes") return (rows) => completeChanges(sql, columns, rows);
  if (table !== "check_results") return (rows) => rows;
  const [pk = -1, monitor = -1] = ["pk", "monitor_pk"].map((name) => columns.indexOf(name));
  const lastPacked = await findLastPacked(sql);
  return (rows) => rows.filter((row) => Number(row[pk]) > lastPacked(Number(row[monitor])));
}

/** SQLite adds rows fastest in the order of the primary key. Results have none, and are in that order almost. */
async function orderOf(sql: Sql, table: CopiedTable): Promise<string> {
  const key = await sql.query<{ name: string }>(
    `SELECT attname AS name FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY(indkey)
     WHERE indrelid = $1::regclass AND indisprimary ORDER BY array_position(indkey::int2[], attnum)`,
    [table],
  );
  return key.length > 0 ? `ORDER BY ${key.map(({ name }) => name).join(", ")}` : "";
}

async function findLastNumbers(sql: Sql): Promise<LastNumbers> {
  const numbers: LastNumbers = new Map();
  for (const [table, sequence] of await listSequences(sql, COPIED_TABLES)) {
    const [row] = await sql.query<{ last: number }>(
      `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${sequence}`,
    );
    numbers.set(table, row?.last ?? 0);
  }
  return numbers;
}

/** The snapshot of the copy does not show a node that was started a moment before. */
async function assertUnused({ config, name }: ReachedDatabase): Promise<void> {
  const connection = await connectForCopy(config, "BEGIN READ ONLY");
  try {
    await assertNoNode(connection, name);
  } finally {
    await connection.close();
  }
}
