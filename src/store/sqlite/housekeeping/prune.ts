import { and, asc, between, eq, gt, isNotNull, isNull, lt, notExists, or } from "drizzle-orm";
import { isPending } from "../../alerts/delivery-cancellation.ts";
import { USE_PRECISION } from "../../results/measured.ts";
import { CLOSE_OPEN_HOURS } from "../../results/open-hours.ts";
import type { Queries } from "../../tx.ts";
import { commitWithoutSync } from "../durability.ts";
import { type Database, prepared, rowsOf } from "../open.ts";
import {
  checkResults,
  dailyRollups,
  deliveries,
  details,
  hourlyRollups,
  monitors,
  outages,
} from "../schema.ts";
import { inList } from "../sets.ts";

/*
 * A power failure may undo a deletion: the same rows are then found and deleted again.
 */

/** How many rows are deleted at once. */
const BATCH = 100;

const HOUR = 60 * 60 * 1000;

/** How many results are read at once. Housekeeping reads one stretch after the other, so all results in time. */
const RESULTS_LOOKED_AT = 5000;

/** How many details are read at once. */
const DETAILS_AT_ONCE = 1000;

/** How many monitors are read at once to delete their old rollups. */
const MONITORS_AT_ONCE = 50;

export async function pruneResults(
  db: Database,
  before: number,
  after: number,
): Promise<{ deleted: number; end: number }> {
  const { pk, createdAt } = checkResults;
  return commitWithoutSync(db, (tx) => {
    const notices = after === 0 ? pruneNotices(tx, before) : 0;
    const first = tx.select({ pk }).from(checkResults).where(gt(pk, after)).orderBy(asc(pk)).limit(1).get();
    if (!first) return { deleted: notices, end: 0 };
    const last = first.pk + RESULTS_LOOKED_AT - 1;
    // Deliveries are deleted with their result. One with a time of review may still be sent.
    const waiting = tx
      .select({ pk: deliveries.pk })
      .from(deliveries)
      .where(and(eq(deliveries.resultPk, pk), or(isPending({ deliveries }), isNotNull(deliveries.reviewAt))));
    const old = tx
      .select({ pk })
      .from(checkResults)
      .where(and(between(pk, first.pk, last), lt(createdAt, before), notExists(waiting)))
      .orderBy(asc(pk))
      .limit(BATCH)
      .all()
      .map((result) => result.pk);
    for (const text of DELETE_RESULTS) rowsOf(db, text, [old]);
    return { deleted: old.length + notices, end: old[BATCH - 1] ?? last };
  });
}

/** All that belongs to a result is deleted with it. */
const DELETE_RESULTS = [
  "DELETE FROM deliveries WHERE result_pk = ANY($1)",
  "DELETE FROM status_changes WHERE result_pk = ANY($1)",
  `UPDATE monitor_states SET last_status = NULL FROM check_results
    WHERE check_results.pk = ANY($1) AND monitor_states.monitor_pk = check_results.monitor_pk
      AND last_result_pk = check_results.pk`,
  "DELETE FROM check_results WHERE pk = ANY($1)",
];

/** Deletes the oldest notices, if they are older than a moment. @returns how many */
function pruneNotices(tx: Queries, before: number): number {
  const { pk, resultPk, status, createdAt } = deliveries;
  const oldest = tx
    .select({ pk, status, createdAt })
    .from(deliveries)
    .where(isNull(resultPk))
    .orderBy(asc(pk))
    .limit(BATCH)
    .all();
  const old = oldest.filter((notice) => notice.createdAt < before && notice.status !== "pending");
  const pks = old.map((notice) => notice.pk);
  if (pks.length > 0) tx.delete(deliveries).where(inList(pk, pks)).run();
  return pks.length;
}

/** A monitor that is paused since has such an hour, which is out of the baseline too. */
const PRUNE_OPEN_HOUR = `${CLOSE_OPEN_HOURS} WHERE monitor_pk = ? AND open_start < ?`;

export async function pruneRollups(db: Database, before: number, after: number): Promise<number | null> {
  return commitWithoutSync(db, (tx) => {
    const some = tx
      .select({ pk: monitors.pk })
      .from(monitors)
      .where(gt(monitors.pk, after))
      .orderBy(asc(monitors.pk))
      .limit(MONITORS_AT_ONCE)
      .all();
    for (const { pk } of some) {
      for (const rollups of [hourlyRollups, dailyRollups]) {
        tx.delete(rollups)
          .where(and(eq(rollups.monitorPk, pk), lt(rollups.start, Math.floor(before / HOUR))))
          .run();
      }
      prepared(db, PRUNE_OPEN_HOUR).run(pk, Math.floor(before / HOUR));
      tx.delete(outages)
        .where(and(eq(outages.monitorPk, pk), lt(outages.endedAt, before)))
        .run();
    }
    return some.at(-1)?.pk ?? null;
  });
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

const DELETE_DETAILS = `DELETE FROM details WHERE pk = ANY($1)
  AND NOT EXISTS (SELECT 1 FROM outages
    WHERE outages.monitor_pk = details.monitor_pk AND outages.detail_pk = details.pk)
  AND NOT EXISTS (SELECT 1 FROM monitor_states
    WHERE monitor_states.monitor_pk = details.monitor_pk AND monitor_states.last_detail_pk = details.pk)`;

/** At most 100 of the next 1,000 details. Outages, and the states of monitors, refer to the detail of a result that may be gone. */
export async function pruneDetails(db: Database, before: number, after: number): Promise<number | null> {
  const { pk, usedAt } = details;
  return commitWithoutSync(db, (tx) => {
    const some = tx
      .select({ pk, usedAt })
      .from(details)
      .where(gt(pk, after))
      .orderBy(asc(pk))
      .limit(DETAILS_AT_ONCE)
      .all();
    const old = some.filter((detail) => detail.usedAt < before - 2 * USE_PRECISION).slice(0, BATCH);
    const pks = old.map((detail) => detail.pk);
    rowsOf(db, DELETE_DETAILS, [pks]);
    return (pks.length === BATCH ? pks : some.map((detail) => detail.pk)).at(-1) ?? null;
  });
}
