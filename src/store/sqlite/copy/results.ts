import type { Database as Sqlite } from "bun:sqlite";
import { copiedResult } from "../../copied-result.ts";
import { BATCH, type CopiedRow } from "../../copy.ts";
import type { ResultRow } from "../../results/result-items.ts";
import { SegmentMerge } from "../../results/segment-merge.ts";
import type { SegmentRow } from "../../results/segment-rows.ts";
import { SEGMENT_COLUMNS } from "../results/segments.ts";

/*
 * A copy has all results as rows, in the order of their numbers, as if none were packed: PostgreSQL stores them in this order,
 * and the embedded database packs them again.
 */

const COUNT = `SELECT (SELECT count(*) FROM check_results) + (SELECT coalesce(sum(count), 0) FROM result_segments) AS count`;

export function countResults(sqlite: Sqlite): number {
  return sqlite.query<{ count: number }, []>(COUNT).get()?.count ?? 0;
}

export async function* readResults(sqlite: Sqlite, columns: string[]): AsyncGenerator<CopiedRow[]> {
  const copied = copiedResult(columns);
  for (const rows of inBatches(merged(listRows(sqlite), listSealed(sqlite)))) yield rows.map(copied);
}

const ROWS = `SELECT pk, monitor_pk AS monitorPk, status, timings, detail_pk AS detailPk, created_at AS createdAt
  FROM check_results ORDER BY pk`;

function* listRows(sqlite: Sqlite): Generator<ResultRow> {
  using statement = sqlite.prepare<ResultRow, []>(ROWS);
  yield* statement.iterate();
}

const KEYS = "SELECT monitor_pk AS monitorPk, first_pk AS firstPk FROM result_segments ORDER BY first_pk";

const SEGMENT = `SELECT ${SEGMENT_COLUMNS} FROM result_segments WHERE monitor_pk = ? AND first_pk = ?`;

function* listSealed(sqlite: Sqlite): Generator<ResultRow> {
  using keys = sqlite.prepare<Pick<SegmentRow, "monitorPk" | "firstPk">, []>(KEYS);
  using find = sqlite.prepare<SegmentRow, [number, number]>(SEGMENT);
  const merge = new SegmentMerge();
  for (const { monitorPk, firstPk } of keys.iterate()) {
    const segment = find.get(monitorPk, firstPk);
    if (segment) yield* merge.add(segment);
  }
  yield* merge.end();
}

/** Two lists in the order of their numbers as one. */
function* merged(one: Iterator<ResultRow>, other: Iterator<ResultRow>): Generator<ResultRow> {
  let [first, second] = [one.next(), other.next()];
  while (!first.done || !second.done) {
    if (second.done || (!first.done && first.value.pk < second.value.pk)) {
      yield first.value;
      first = one.next();
    } else {
      yield second.value;
      second = other.next();
    }
  }
}

function* inBatches(rows: Iterable<ResultRow>): Generator<ResultRow[]> {
  let batch: ResultRow[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
