import type { ResultColumns } from "../../../domain/results/segments/columns.ts";
import { decodeSegment } from "../../../domain/results/segments/segment.ts";
import type { Stretch } from "../../results/result-items.ts";
import { type FoundSegment, numbersWithin, type SegmentRow, segmentOf } from "../../results/segment-rows.ts";
import { type Database, prepared } from "../open.ts";

/** The statuses of healthy monitors. The index `result_segments_unusual` has the segments with others. */
export const USUAL_STATUSES = 2322;

type StoredSegment = Pick<SegmentRow, "count" | "firstPk" | "firstAt" | "lastAt" | "data">;

const READ = `SELECT count, first_pk AS firstPk, first_at AS firstAt, last_at AS lastAt, data FROM result_segments
  WHERE monitor_pk = ? AND first_pk = ?`;

type Key = Pick<FoundSegment, "monitorPk" | "firstPk">;

/** @throws RangeError if it is damaged */
export function readSegment(db: Database, key: Key): ResultColumns {
  return decodeSegment(findSegment(db, key));
}

/** Reads only what chooses results: much faster than all columns. @throws RangeError if it is damaged */
export function readNumbers(db: Database, key: Key, stretch: Stretch): ReturnType<typeof numbersWithin> {
  return numbersWithin(findSegment(db, key), stretch);
}

function findSegment(db: Database, { monitorPk, firstPk }: Key): StoredSegment {
  const stored = prepared<StoredSegment, [number, number]>(db, READ).get(monitorPk, firstPk);
  if (!stored) throw new Error(`there is no segment ${firstPk} of monitor ${monitorPk}`);
  return stored;
}

const WRITE = `INSERT OR REPLACE INTO result_segments
    (monitor_pk, first_pk, last_pk, first_at, last_at, statuses, count, data)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** Writes a segment. It replaces one that begins with the same result. */
export function writeSegment(db: Database, monitorPk: number, columns: ResultColumns): void {
  const { firstPk, lastPk, firstAt, lastAt, statuses, count, data } = segmentOf(monitorPk, columns);
  prepared(db, WRITE).run(monitorPk, firstPk, lastPk, firstAt, lastAt, statuses, count, data);
}
