import { AppError } from "../../../errors.ts";
import { copiedResult } from "../../copied-result.ts";
import { BATCH, type CopiedRow } from "../../copy.ts";
import { SegmentMerge } from "../../results/segment-merge.ts";
import type { SegmentRow } from "../../results/segment-rows.ts";
import type { Sql } from "../../tx.ts";
import { findPacked } from "../results/packed-results.ts";

/*
 * A copy has all results as rows, as if none were packed. The packed ones come first, almost in the order of their numbers.
 */

const COUNT = "SELECT coalesce(sum(count), 0) AS count FROM result_segments";

export async function countPacked({ query }: Sql): Promise<number> {
  return (await query<{ count: number }>(COUNT))[0]?.count ?? 0;
}

const DAYS = "SELECT day FROM packed_days WHERE first_pk IS NOT NULL ORDER BY day";

const DAY = 24 * 60 * 60 * 1000;

/** Segments that are read at once. */
const AT_ONCE = 50;

export async function* readPacked(sql: Sql, columns: string[]): AsyncGenerator<CopiedRow[]> {
  const copied = copiedResult(columns);
  const merge = new SegmentMerge();
  for (const { day } of await sql.query<{ day: number }>(DAYS))
    for await (const segments of readSegments(sql, day))
      for (const segment of segments) yield* inBatches(merge.add(segment).map(copied));
  yield* inBatches(merge.end().map(copied));
}

async function* readSegments({ query }: Sql, day: number): AsyncGenerator<SegmentRow[]> {
  await query(`DECLARE segments NO SCROLL CURSOR FOR
    SELECT monitor_pk AS "monitorPk", count, first_pk AS "firstPk", last_pk AS "lastPk", first_at AS "firstAt",
      last_at AS "lastAt", statuses, data FROM result_segments
    WHERE first_at >= ${day} AND first_at < ${day + DAY} ORDER BY first_pk`);
  for (;;) {
    const segments = await query<SegmentRow>(`FETCH ${AT_ONCE} FROM segments`);
    if (segments.length === 0) break;
    yield segments;
  }
  await query("CLOSE segments");
}

function* inBatches(rows: CopiedRow[]): Generator<CopiedRow[]> {
  for (let at = 0; at < rows.length; at += BATCH) yield rows.slice(at, at + BATCH);
}

/** Completes changes of the status whose results are packed. @param columns of the rows */
export async function completeChanges(sql: Sql, columns: string[], rows: CopiedRow[]): Promise<void> {
  const [status, timings, detail] = ["status", "timings", "detail_pk"].map((name) => columns.indexOf(name));
  if (status === undefined || timings === undefined || detail === undefined || status < 0) return;
  const [pk, monitor, time] = ["result_pk", "monitor_pk", "created_at"].map((name) => columns.indexOf(name));
  const wanted = rows
    .filter((row) => row[status] === null)
    .map((row) => ({
      row,
      pk: Number(row[pk ?? 0]),
      monitorPk: Number(row[monitor ?? 0]),
      createdAt: Number(row[time ?? 0]),
    }));
  const found = new Map((await findPacked(sql, wanted)).map((result) => [result.pk, result]));
  for (const { row, pk } of wanted) {
    const result = found.get(pk);
    if (!result)
      throw new AppError("refused", `nothing was copied: the result ${pk} of a status change is missing`);
    row[status] = result.status;
    row[timings] = result.timings;
    row[detail] = result.detailPk;
  }
}
