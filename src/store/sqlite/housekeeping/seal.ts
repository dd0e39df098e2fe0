import { dayOf } from "../../../domain/results/rollup.ts";
import { MAX_RESULTS } from "../../../domain/results/segments/segment.ts";
import type { Sealing } from "../../engine-queries.ts";
import { RESULT_COLUMNS, type ResultRow } from "../../results/result-items.ts";
import { columnsOf } from "../../results/segment-rows.ts";
import { type Connections, USUAL_CACHE } from "../connections.ts";
import { type Database, prepared, rowsOf } from "../database.ts";
import { searchResults } from "../results/result-times.ts";
import { findColumns, writeSegment } from "../results/segments.ts";
import { turn } from "../slices.ts";

/*
 * Moves older results from rows to segments, in stretches of an hour. The results of a monitor move in the order of their
 * numbers, and each in one transaction with its segment. So it may stop at any point, and an older database becomes packed in
 * the same way.
 */

const HOUR = 60 * 60 * 1000;

/** A segment with fewer results is joined with the next ones of its monitor. */
const MIN_RESULTS = 60;

/** Results in a transaction. The results of some monitors share pages, which each transaction writes once. */
const IN_TRANSACTION = 6000;

/** Results in one turn of the event loop: about 2 ms. */
const IN_TURN = 300;

/** As many results take as long as the search for the results of one monitor. */
const SEARCH = 10;

/** Pages of 4 KiB that a transaction changes stay in memory until its end. The usual size is 16 MB. */
const CACHE = "PRAGMA cache_size = -32000";

/** @param reader whose turns the slices take @returns as `HousekeepingQueries.sealResults` */
export async function sealResults(
  { writer, reader, writeWithoutSync }: Pick<Connections, "writer" | "reader" | "writeWithoutSync">,
  before: number,
  sealing: Sealing | null,
): Promise<Sealing | null> {
  const isOver = sealing === null || sealing.after === null;
  const end = isOver ? endOfStretch(reader, before) : sealing.end;
  if (end === null) return null;
  return writeWithoutSync(async () => {
    writer.$client.run(CACHE);
    try {
      rowsOf(writer, NOTE_END, [end]);
      const after = await sealSome(writer, { end, after: sealing?.after ?? 0 }, () => turn(reader));
      return { end, after };
    } finally {
      writer.$client.run(USUAL_CACHE);
    }
  });
}

const NOTE_END = "UPDATE service SET sealed_until = max(coalesce(sealed_until, 0), ?)";

const OLDEST = "SELECT pk, created_at AS createdAt FROM check_results ORDER BY pk LIMIT 1";

/** Results that are packed at once if their times are in the future, because the clock was ahead. */
const AHEAD = 1000;

/**
 * The number at which the stretch of the oldest results ends; null if some of them are still too new. A stretch may also have
 * newer results, because late ones are not in the order of their times.
 */
function endOfStretch(db: Database, before: number): number | null {
  const oldest = prepared<Pick<ResultRow, "pk" | "createdAt">, []>(db, OLDEST).get();
  if (!oldest) return null;
  if (oldest.createdAt > before + 2 * HOUR) return oldest.pk + AHEAD;
  const end = oldest.createdAt + HOUR;
  return end > before ? null : searchResults(db, ({ createdAt }) => createdAt < end);
}

const NEXT_MONITOR = "SELECT min(monitor_pk) AS pk FROM check_results WHERE monitor_pk > ?";

/** @returns the last monitor whose results are all sealed; null if it is the last one of all */
async function sealSome(
  db: Database,
  { end, after }: { end: number; after: number },
  nextTurn: () => Promise<void>,
): Promise<number | null> {
  let monitorPk = after;
  for (let sealed = 0, inTurn = 0; sealed < IN_TRANSACTION; sealed += SEARCH, inTurn += SEARCH) {
    const next = prepared<{ pk: number | null }, [number]>(db, NEXT_MONITOR).get(monitorPk)?.pk ?? null;
    if (next === null) return null;
    for (let count = sealNext(db, next, end); count > 0; count = sealNext(db, next, end)) {
      sealed += count;
      inTurn += count;
      if (inTurn < IN_TURN) continue;
      inTurn = 0;
      await nextTurn();
    }
    monitorPk = next;
  }
  return monitorPk;
}

const NEWEST = `SELECT first_pk AS firstPk, first_at AS firstAt, count FROM result_segments
  WHERE monitor_pk = ? ORDER BY first_pk DESC LIMIT 1`;

/** By the index: much faster than by the numbers of the rows, which are on as many pages. */
const DELETE = "DELETE FROM check_results WHERE monitor_pk = ? AND status = ? AND pk <= ?";

/** Moves the oldest results of a monitor that fit into one segment. @returns how many */
function sealNext(db: Database, monitorPk: number, end: number): number {
  const rows = oldestOf(db, monitorPk, end);
  const [first] = rows;
  if (!first) return 0;
  const day = dayOf(first.createdAt);
  const newest = prepared<{ firstPk: number; firstAt: number; count: number }, [number]>(db, NEWEST).get(
    monitorPk,
  );
  const isJoined = newest !== null && newest.count < MIN_RESULTS && dayOf(newest.firstAt) === day;
  // A damaged segment stays as it is, for `stillup check` to find.
  const previous = isJoined ? findColumns(db, { monitorPk, firstPk: newest.firstPk }) : undefined;
  const otherDay = rows.findIndex(({ createdAt }) => dayOf(createdAt) !== day);
  const most = MAX_RESULTS - (previous?.count ?? 0);
  const moved = rows.slice(0, otherDay < 0 ? most : Math.min(most, otherDay));
  writeSegment(db, monitorPk, columnsOf(moved, previous));
  const last = moved.at(-1) ?? first;
  for (const status of new Set(moved.map((row) => row.status)))
    prepared(db, DELETE).run(monitorPk, status, last.pk);
  return moved.length;
}

const NEXT_STATUS = "SELECT min(status) AS status FROM check_results WHERE monitor_pk = ? AND status > ?";

const OLDEST_OF = `SELECT ${RESULT_COLUMNS}
  FROM check_results WHERE monitor_pk = ? AND status = ? AND pk < ? ORDER BY pk LIMIT ${MAX_RESULTS}`;

/** The index has the numbers of each status in order. */
function oldestOf(db: Database, monitorPk: number, end: number): ResultRow[] {
  const rows: ResultRow[] = [];
  const nextStatus = prepared<{ status: number | null }, [number, number]>(db, NEXT_STATUS);
  const oldest = prepared<ResultRow, [number, number, number]>(db, OLDEST_OF);
  let status = nextStatus.get(monitorPk, -1)?.status ?? null;
  for (; status !== null; status = nextStatus.get(monitorPk, status)?.status ?? null)
    rows.push(...oldest.all(monitorPk, status, end));
  return rows.sort((a, b) => a.pk - b.pk).slice(0, MAX_RESULTS);
}
