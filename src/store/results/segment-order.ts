import { dayOf } from "../../domain/results/rollup.ts";
import { MAX_RESULTS } from "../../domain/results/segments/segment.ts";
import type { ResultRow } from "./result-items.ts";
import { columnsOf, eachRow, readIntact, type SegmentRow, segmentOf } from "./segment-rows.ts";

/*
 * The segments of a monitor on PostgreSQL overlap by a late result: it is in the segment of its day, and has a larger number than
 * results of later days. In the embedded database they do not overlap.
 */

/** @param segments by monitor and first number @returns the same results in segments that do not overlap, in this order */
export async function* separated(segments: AsyncIterable<SegmentRow>): AsyncGenerator<SegmentRow> {
  let group: SegmentRow[] = [];
  let last = 0;
  for await (const segment of segments) {
    if (group[0]?.monitorPk !== segment.monitorPk || segment.firstPk > last) {
      yield* separate(group);
      group = [];
      last = 0;
    }
    group.push(segment);
    last = Math.max(last, segment.lastPk);
  }
  yield* separate(group);
}

/** A damaged segment stays as it is. */
function separate(overlapping: SegmentRow[]): SegmentRow[] {
  if (overlapping.length < 2) return overlapping;
  const damaged: SegmentRow[] = [];
  const rows: ResultRow[] = [];
  for (const segment of overlapping) {
    const columns = readIntact(segment);
    if (columns) rows.push(...eachRow(columns, segment.monitorPk));
    else damaged.push(segment);
  }
  return [...damaged, ...segmentsOf(rows.sort((a, b) => a.pk - b.pk))];
}

/** @param rows results of one monitor, in the order of their numbers */
export function segmentsOf(rows: readonly ResultRow[]): SegmentRow[] {
  const segments: SegmentRow[] = [];
  for (let from = 0; from < rows.length; ) {
    const { monitorPk, createdAt } = rows[from] as ResultRow;
    const some = rows.slice(from, from + MAX_RESULTS);
    const other = some.findIndex((row) => dayOf(row.createdAt) !== dayOf(createdAt));
    const moved = other < 0 ? some : some.slice(0, other);
    segments.push(segmentOf(monitorPk, columnsOf(moved)));
    from += moved.length;
  }
  return segments;
}

/** Two lists by monitor and first number as one. */
export async function* merged(
  one: AsyncIterator<SegmentRow>,
  other: AsyncIterator<SegmentRow>,
): AsyncGenerator<SegmentRow> {
  let [first, second] = [await one.next(), await other.next()];
  while (!first.done || !second.done) {
    if (second.done || (!first.done && isBefore(first.value, second.value))) {
      yield (first as IteratorYieldResult<SegmentRow>).value;
      first = await one.next();
    } else {
      yield second.value;
      second = await other.next();
    }
  }
}

function isBefore(a: SegmentRow, b: SegmentRow): boolean {
  return (a.monitorPk - b.monitorPk || a.firstPk - b.firstPk) < 0;
}
