import { and, asc, between, eq, gt, gte, lt, notExists } from "drizzle-orm";
import { CHANNEL_DELETED, isPending } from "../../alerting/delivery-cancellation.ts";
import { commitWithoutSync } from "../durability.ts";
import { inList } from "../in-list.ts";
import type { Database, Queries } from "../open.ts";
import { seriesRange } from "../results/series.ts";
import {
  checkResults,
  dailyRollups,
  deletedChannels,
  deletedMonitors,
  deliveries,
  details,
  hourlyRollups,
  monitors,
  service,
} from "../schema.ts";

/*
 * Each of these does one small piece of work, within a few milliseconds, so that nothing else waits for long. What a
 * power cut takes back is found and deleted again.
 */

/** How many rows go at once. */
const BATCH = 100;

const HOUR = 60 * 60 * 1000;

/** How many results are looked at at once: each few seconds, so that in time all are, also where many are recorded. */
const RESULTS_LOOKED_AT = 5000;

/** How many monitors are looked at at once for rollups that are too old. */
const MONITORS_AT_ONCE = 50;

/** Deletes some of what deleted monitors have left. @returns whether there may be more */
export async function sweepDeletedMonitors(db: Database): Promise<boolean> {
  return commitWithoutSync(db, (tx) => {
    const gone = tx.select().from(deletedMonitors).limit(1).get();
    if (!gone) return false;
    // First what could still be sent.
    if (deleteSomeOf(tx, deliveries, gone.pk) === BATCH) return true;
    if (deleteSomeResults(tx, gone.pk) === BATCH) return true;
    if (deleteSomeOf(tx, details, gone.pk) === BATCH) return true;
    for (const rollups of [hourlyRollups, dailyRollups]) {
      tx.delete(rollups).where(eq(rollups.monitorPk, gone.pk)).run();
    }
    tx.delete(deletedMonitors).where(eq(deletedMonitors.pk, gone.pk)).run();
    return true;
  });
}

/** Ends some of what waits for deleted channels as failed. @returns whether there may be more */
export async function sweepDeletedChannels(db: Database): Promise<boolean> {
  return commitWithoutSync(db, (tx) => {
    const gone = tx.select().from(deletedChannels).limit(1).get();
    if (!gone) return false;
    const waiting = tx
      .select({ pk: deliveries.pk })
      .from(deliveries)
      .where(and(eq(deliveries.channelPk, gone.pk), isPending))
      .limit(BATCH)
      .all()
      .map(({ pk }) => pk);
    const failed = { status: "failed", nextAttemptAt: null, error: CHANNEL_DELETED } as const;
    if (waiting.length > 0) tx.update(deliveries).set(failed).where(inList(deliveries.pk, waiting)).run();
    else tx.delete(deletedChannels).where(eq(deletedChannels.pk, gone.pk)).run();
    return true;
  });
}

/** @returns how many */
function deleteSomeOf(tx: Queries, table: typeof deliveries | typeof details, monitorPk: number): number {
  const some = tx
    .select({ pk: table.pk })
    .from(table)
    .where(eq(table.monitorPk, monitorPk))
    .limit(BATCH)
    .all()
    .map(({ pk }) => pk);
  if (some.length > 0) tx.delete(table).where(inList(table.pk, some)).run();
  return some.length;
}

/** @returns how many */
function deleteSomeResults(tx: Queries, monitorPk: number): number {
  const [from, to] = seriesRange(monitorPk);
  const some = tx
    .select({ pk: checkResults.pk })
    .from(checkResults)
    .where(and(gte(checkResults.series, from), lt(checkResults.series, to)))
    .limit(BATCH)
    .all()
    .map(({ pk }) => pk);
  if (some.length > 0) tx.delete(checkResults).where(inList(checkResults.pk, some)).run();
  return some.length;
}

/**
 * Deletes some of the results of before a moment, the first ones, looking at a stretch of them. One whose notifications
 * still wait is kept until they are delivered or given up. They mostly lie in the
 * order of their times, but behind younger ones where the clock was ahead for a while.
 *
 * @param after the inner number of the result where the last call ended, 0 to begin
 * @returns how many, and where this one ended: 0 at the end
 */
export async function pruneResults(
  db: Database,
  before: number,
  after: number,
): Promise<{ deleted: number; end: number }> {
  const { pk, createdAt } = checkResults;
  return commitWithoutSync(db, (tx) => {
    const first = tx.select({ pk }).from(checkResults).where(gt(pk, after)).orderBy(asc(pk)).limit(1).get();
    if (!first) return { deleted: 0, end: 0 };
    const last = first.pk + RESULTS_LOOKED_AT - 1;
    // A delivery goes with its result.
    const waiting = tx
      .select({ pk: deliveries.pk })
      .from(deliveries)
      .where(and(eq(deliveries.resultPk, pk), isPending));
    const old = tx
      .select({ pk })
      .from(checkResults)
      .where(and(between(pk, first.pk, last), lt(createdAt, before), notExists(waiting)))
      .orderBy(asc(pk))
      .limit(BATCH)
      .all()
      .map((result) => result.pk);
    if (old.length > 0) tx.delete(checkResults).where(inList(pk, old)).run();
    return { deleted: old.length, end: old[BATCH - 1] ?? last };
  });
}

/**
 * Deletes the rollups of before a moment, of some monitors.
 *
 * @param after the inner number of the monitor where the last call ended, 0 to begin
 * @returns where this one ended, or null at the end
 */
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
    }
    return some.at(-1)?.pk ?? null;
  });
}

/** When this service was last known to run with a steady clock, milliseconds since 1970; null before its first start. */
export function lastSteady(db: Database): number | null {
  const row = db.select().from(service).get();
  return row ? Math.min(row.aliveAt, row.steadyAt ?? row.aliveAt) : null;
}

/** Keeps that this service runs with a steady clock. */
export async function noteSteady(db: Database, now: number): Promise<void> {
  commitWithoutSync(db, (tx) => tx.update(service).set({ steadyAt: now }).run());
}

/** Gives some of the space that deleted rows took back to the file system. @returns whether there may be more */
export async function returnSpace(db: Database): Promise<boolean> {
  const free = () =>
    db.$client.query<{ freelist_count: number }, []>("PRAGMA freelist_count").get()?.freelist_count ?? 0;
  const before = free();
  // What is about to be used again stays.
  if (before <= KEPT_PAGES) return false;
  commitWithoutSync(db, () =>
    db.$client.run(`PRAGMA incremental_vacuum(${Math.min(PAGES_AT_ONCE, before - KEPT_PAGES)})`),
  );
  return free() < before;
}

/** Pages of 4 KiB. */
const KEPT_PAGES = 1000;
const PAGES_AT_ONCE = 100;
