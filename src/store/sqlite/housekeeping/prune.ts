import { asc, isNull } from "drizzle-orm";
import { dayOf } from "../../../domain/results/rollup.ts";
import { type FoundSegment, readNumbers } from "../../results/segment-rows.ts";
import type { Sql } from "../../tx.ts";
import { type Database, prepared } from "../database.ts";
import { commitWithoutSync } from "../durability.ts";
import { findSegment } from "../results/segments.ts";
import { deliveries } from "../schema.ts";

/*
 * A power failure may undo a deletion: the same rows are then found and deleted again.
 */

/** How many rows are deleted at once. */
const BATCH = 100;

/** How many segments are deleted at once. */
const SEGMENTS_AT_ONCE = 20;

/** A segment has results of one day. Rows become segments before they are old enough. */
export async function pruneResults(db: Database, before: number): Promise<number> {
  // Most calls find nothing: this costs less than a transaction.
  const [old, notices] = [listOld(db, dayOf(before)), listOldNotices(db, before)];
  if (old.length + notices.length === 0) return 0;
  return commitWithoutSync(db, () => {
    for (const { pks, ...segment } of old) {
      prepared(db, DELETE_DELIVERIES).run(pks);
      for (const text of DELETE_RESULTS)
        prepared(db, text).run(segment.monitorPk, segment.firstPk, segment.lastPk);
    }
    if (notices.length > 0) prepared(db, DELETE_NOTICES).run(JSON.stringify(notices));
    return old.reduce((sum, { count }) => sum + count, 0) + notices.length;
  });
}

/** @property pks the numbers of its results in JSON */
type OldSegment = Omit<FoundSegment, "statuses"> & { count: number; pks: string };

const LIST_OLD = `SELECT monitor_pk AS monitorPk, first_pk AS firstPk, last_pk AS lastPk, count FROM result_segments
  WHERE last_at < ? ORDER BY last_at`;

/** A delivery that may still be sent keeps its results. */
const IS_AWAITED = `SELECT 1 FROM deliveries
  WHERE result_pk IN (SELECT value FROM json_each(?)) AND (status = 0 OR review_at IS NOT NULL) LIMIT 1`;

/** The first segments whose results are all older than a moment, and that no delivery awaits. */
function listOld(db: Database, before: number): OldSegment[] {
  const old: OldSegment[] = [];
  const isAwaited = prepared<unknown, [string]>(db, IS_AWAITED);
  for (const segment of prepared<Omit<OldSegment, "pks">, [number]>(db, LIST_OLD).iterate(before)) {
    const pks = JSON.stringify(numbersIn(db, segment));
    if (isAwaited.get(pks) === null) old.push({ ...segment, pks });
    if (old.length === SEGMENTS_AT_ONCE) break;
  }
  return old;
}

const FIND_REPORTED =
  "SELECT result_pk AS pk FROM deliveries WHERE monitor_pk = ? AND result_pk BETWEEN ? AND ?";

/** If the segment is damaged, only the numbers of results with deliveries: it must not stop the deletion of others. */
function numbersIn(db: Database, segment: Omit<OldSegment, "pks">): number[] {
  try {
    const found = findSegment(db, segment);
    return found ? [...readNumbers(found).pks] : [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { monitorPk, firstPk, lastPk } = segment;
    const find = prepared<{ pk: number }, [number, number, number]>(db, FIND_REPORTED);
    return find.all(monitorPk, firstPk, lastPk).map(({ pk }) => pk);
  }
}

const DELETE_NOTICES = "DELETE FROM deliveries WHERE pk IN (SELECT value FROM json_each(?))";
const DELETE_DELIVERIES = "DELETE FROM deliveries WHERE result_pk IN (SELECT value FROM json_each(?))";

/** All that belongs to the results of a segment is deleted with it. */
const DELETE_RESULTS = [
  "DELETE FROM result_segments WHERE monitor_pk = ?1 AND first_pk = ?2 AND last_pk = ?3",
  "DELETE FROM status_changes WHERE monitor_pk = ?1 AND result_pk BETWEEN ?2 AND ?3",
  `UPDATE monitor_states SET last_status = NULL
    WHERE monitor_pk = ?1 AND last_result_pk BETWEEN ?2 AND ?3`,
];

/** The numbers of the oldest notices, if they are older than a moment. */
function listOldNotices(db: Database, before: number): number[] {
  const { pk, resultPk, status, createdAt } = deliveries;
  return db
    .select({ pk, status, createdAt })
    .from(deliveries)
    .where(isNull(resultPk))
    .orderBy(asc(pk))
    .limit(BATCH)
    .all()
    .filter((notice) => notice.createdAt < before && notice.status !== "pending")
    .map((notice) => notice.pk);
}

export async function returnSpace(db: Database): Promise<boolean> {
  const free = () =>
    db.$client.query<{ freelist_count: number }, []>("PRAGMA freelist_count").get()?.freelist_count ?? 0;
  const before = free();
  // Some free pages are kept, because new rows will need them.
  if (before <= KEPT_PAGES) return false;
  commitWithoutSync(db, () =>
    db.$client.run(`PRAGMA incremental_vacuum(${Math.min(PAGES_AT_ONCE, before - KEPT_PAGES)})`),
  );
  return free() < before;
}

/** Pages of 4 KiB. */
const KEPT_PAGES = 1000;
const PAGES_AT_ONCE = 100;

const SWEEP_RESULTS = `DELETE FROM check_results WHERE pk IN (SELECT pk FROM check_results WHERE monitor_pk = $1 LIMIT $2)
  RETURNING pk`;

/** Deletes some of the results of a deleted monitor that are not packed. @returns whether there may be more */
export async function sweepResults({ query }: Sql, monitorPk: number, limit: number): Promise<boolean> {
  return (await query(SWEEP_RESULTS, [monitorPk, limit])).length === limit;
}
