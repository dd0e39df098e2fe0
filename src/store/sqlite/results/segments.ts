import type { ResultColumns } from "../../../domain/results/segments/columns.ts";
import {
  decodeNumbers,
  decodeSegment,
  encodeSegment,
  type SegmentHead,
} from "../../../domain/results/segments/segment.ts";
import { type Database, prepared } from "../open.ts";

/** Where a segment is, and what is known of it without its data. @property statuses a bit for the code of each status */
export interface FoundSegment {
  monitorPk: number;
  firstPk: number;
  lastPk: number;
  statuses: number;
}

/** The statuses of healthy monitors. The index `result_segments_unusual` has the segments with others. */
export const USUAL_STATUSES = 2322;

type StoredSegment = SegmentHead & { data: Uint8Array };

const READ = `SELECT count, first_pk AS firstPk, first_at AS firstAt, data FROM result_segments
  WHERE monitor_pk = ? AND first_pk = ?`;

type Key = Pick<FoundSegment, "monitorPk" | "firstPk">;

/** @throws RangeError if it is damaged */
export function readSegment(db: Database, key: Key): ResultColumns {
  return decodeSegment(findSegment(db, key));
}

/** Reads only what chooses results: much faster than all columns. @throws RangeError if it is damaged */
export function readNumbers(db: Database, key: Key): ReturnType<typeof decodeNumbers> {
  return decodeNumbers(findSegment(db, key));
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
  const { count, firstPk, firstAt, data } = encodeSegment(columns);
  const lastPk = columns.pks.at(-1) ?? 0;
  const lastAt = columns.times.reduce((a, b) => Math.max(a, b));
  const statuses = columns.statuses.reduce((bits, status) => bits | (1 << status), 0);
  prepared(db, WRITE).run(monitorPk, firstPk, lastPk, firstAt, lastAt, statuses, count, data);
}
