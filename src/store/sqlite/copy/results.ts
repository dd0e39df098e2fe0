import type { Database as Sqlite } from "bun:sqlite";
import { decodeSegment, type SegmentHead } from "../../../domain/results/segments/segment.ts";
import { BATCH, type CopiedRow, type Value } from "../../copy.ts";
import type { ResultRow } from "../../results/result-items.ts";
import { rowAt } from "../../results/segment-rows.ts";

/*
 * A copy has all results as rows, in the order of their numbers, as if none were packed: PostgreSQL stores them in this order,
 * and the embedded database packs them again.
 */

const COUNT = `SELECT (SELECT count(*) FROM check_results) + (SELECT coalesce(sum(count), 0) FROM result_segments) AS count`;

export function countResults(sqlite: Sqlite): number {
  return sqlite.query<{ count: number }, []>(COUNT).get()?.count ?? 0;
}

const FIELDS: Record<string, (row: ResultRow) => Value> = {
  pk: ({ pk }) => pk,
  monitor_pk: ({ monitorPk }) => monitorPk,
  status: ({ status }) => status,
  timings: ({ timings }) => timings,
  detail_pk: ({ detailPk }) => detailPk,
  created_at: ({ createdAt }) => createdAt,
};

export async function* readResults(sqlite: Sqlite, columns: string[]): AsyncGenerator<CopiedRow[]> {
  const fields = columns.map((column) => FIELDS[column] ?? (() => null));
  for (const rows of inBatches(merged(listRows(sqlite), listSealed(sqlite))))
    yield rows.map((row) => fields.map((field) => field(row)));
}

const ROWS = `SELECT pk, monitor_pk AS monitorPk, status, timings, detail_pk AS detailPk, created_at AS createdAt
  FROM check_results ORDER BY pk`;

function* listRows(sqlite: Sqlite): Generator<ResultRow> {
  using statement = sqlite.prepare<ResultRow, []>(ROWS);
  yield* statement.iterate();
}

type Segment = SegmentHead & { monitorPk: number; data: Uint8Array };

const KEYS = "SELECT monitor_pk AS monitorPk, first_pk AS firstPk FROM result_segments ORDER BY first_pk";

const SEGMENT = `SELECT monitor_pk AS monitorPk, count, first_pk AS firstPk, first_at AS firstAt, data FROM result_segments
  WHERE monitor_pk = ? AND first_pk = ?`;

/** The results of the segments whose numbers overlap are in memory at once. */
function* listSealed(sqlite: Sqlite): Generator<ResultRow> {
  using keys = sqlite.prepare<Pick<Segment, "monitorPk" | "firstPk">, []>(KEYS);
  using find = sqlite.prepare<Segment, [number, number]>(SEGMENT);
  let open: ResultRow[] = [];
  let added = 0;
  for (const { monitorPk, firstPk } of keys.iterate()) {
    // Seldom, because each time all of them are sorted.
    if (added > open.length / 2 + BATCH) {
      open.sort((a, b) => a.pk - b.pk);
      const rest = open.findIndex(({ pk }) => pk >= firstPk);
      yield* open.splice(0, rest < 0 ? open.length : rest);
      added = 0;
    }
    const segment = find.get(monitorPk, firstPk);
    if (!segment) continue;
    const columns = decodeSegment(segment);
    for (let at = 0; at < columns.count; at++) open.push(rowAt(columns, at, monitorPk));
    added += columns.count;
  }
  open = open.sort((a, b) => a.pk - b.pk);
  yield* open;
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
