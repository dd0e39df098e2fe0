import type { ResultColumns } from "../../../domain/results/segments/segment.ts";
import type { Stretch } from "../../results/result-items.ts";
import {
  DamagedSegments,
  type FoundSegment,
  readNumbers,
  readSegment,
  SEGMENT_COLUMNS,
  type SegmentRow,
  segmentOf,
} from "../../results/segment-rows.ts";
import { type Database, oncePerEngine, prepared } from "../database.ts";

/** The statuses of healthy monitors. The index `result_segments_unusual` has the segments with others. */
export const USUAL_STATUSES = 2322;

export const FOUND_SEGMENT = `monitor_pk AS monitorPk, first_pk AS firstPk, last_pk AS lastPk, first_at AS firstAt,
  last_at AS lastAt, statuses, count, data`;

const READ = `SELECT ${FOUND_SEGMENT} FROM result_segments WHERE monitor_pk = ? AND first_pk = ?`;

type Key = Pick<FoundSegment, "monitorPk" | "firstPk">;

/** The segments that reads left out. */
export const damagedSegments = oncePerEngine(() => new DamagedSegments());

/** @returns undefined if the segment is damaged, or was deleted meanwhile */
export function findColumns(db: Database, key: Key): ResultColumns | undefined {
  const segment = findSegment(db, key);
  return segment && damagedSegments(db).skip(segment, readSegment);
}

/** Like `findColumns`, but reads only what chooses results: much faster than all columns. */
export function findNumbers(
  db: Database,
  key: Key,
  stretch: Stretch,
): ReturnType<typeof readNumbers> | undefined {
  const segment = findSegment(db, key);
  return segment && damagedSegments(db).skip(segment, (found) => readNumbers(found, stretch));
}

export function findSegment(db: Database, { monitorPk, firstPk }: Key): SegmentRow | undefined {
  return prepared<SegmentRow, [number, number]>(db, READ).get(monitorPk, firstPk) ?? undefined;
}

const WRITE = `INSERT OR REPLACE INTO result_segments (${SEGMENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** Writes a segment. It replaces one that begins with the same result. */
export function writeSegment(db: Database, monitorPk: number, columns: ResultColumns): void {
  const { firstPk, lastPk, firstAt, lastAt, statuses, count, data } = segmentOf(monitorPk, columns);
  prepared(db, WRITE).run(monitorPk, firstPk, lastPk, firstAt, lastAt, statuses, count, data);
}
