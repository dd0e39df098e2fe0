import { BATCH, type CopiedRow, SEGMENTS_AT_ONCE } from "../../copy.ts";
import { RESULT_COLUMNS, type ResultRow } from "../../results/result-items.ts";
import { merged, segmentsOf, separated } from "../../results/segment-order.ts";
import type { SegmentRow } from "../../results/segment-rows.ts";
import type { Sql } from "../../tx.ts";
import { FOUND, findPacked } from "../results/packed-results.ts";

/** Rows that have become segments, and are dropped a little later. */
export const IS_PACKED = `EXISTS (SELECT 1 FROM packed_days
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
export async function* readSegments(sql: Sql): AsyncGenerator<SegmentRow[]> {
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
export async function findLastPacked({ query }: Sql): Promise<(monitorPk: number) => number> {
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
export async function completeChanges(sql: Sql, columns: string[], rows: CopiedRow[]): Promise<CopiedRow[]> {
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
