import { and, asc, between, eq, gt, isNotNull, isNull, lt, notExists, or } from "drizzle-orm";
import { CHANNEL_DELETED, isPending } from "../../alerts/delivery-cancellation.ts";
import type { Queries } from "../../tx.ts";
import { commitWithoutSync } from "../durability.ts";
import type { Database } from "../open.ts";
import {
  checkResults,
  dailyRollups,
  deletedChannels,
  deletedMonitors,
  deliveries,
  details,
  hourlyRollups,
  monitors,
  outages,
  service,
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

/** How many monitors are read at once to delete their old rollups. */
const MONITORS_AT_ONCE = 50;

export async function sweepDeletedMonitors(db: Database): Promise<boolean> {
  return commitWithoutSync(db, (tx) => {
    const monitor = tx.select().from(deletedMonitors).limit(1).get();
    if (!monitor) return false;
    // Deliveries first, because they could still be sent.
    for (const table of [deliveries, checkResults, details, outages])
      if (deleteSomeOf(tx, table, monitor.pk) === BATCH) return true;
    for (const rollups of [hourlyRollups, dailyRollups]) {
      tx.delete(rollups).where(eq(rollups.monitorPk, monitor.pk)).run();
    }
    tx.delete(deletedMonitors).where(eq(deletedMonitors.pk, monitor.pk)).run();
    return true;
  });
}

export async function sweepDeletedChannels(db: Database): Promise<boolean> {
  return commitWithoutSync(db, (tx) => {
    const channel = tx.select().from(deletedChannels).limit(1).get();
    if (!channel) return false;
    const waiting = tx
      .select({ pk: deliveries.pk })
      .from(deliveries)
      .where(and(eq(deliveries.channelPk, channel.pk), isPending({ deliveries })))
      .limit(BATCH)
      .all()
      .map(({ pk }) => pk);
    const failed = { status: "failed", nextAttemptAt: null, error: CHANNEL_DELETED } as const;
    if (waiting.length > 0) tx.update(deliveries).set(failed).where(inList(deliveries.pk, waiting)).run();
    else tx.delete(deletedChannels).where(eq(deletedChannels.pk, channel.pk)).run();
    return true;
  });
}

/** @returns how many rows were deleted */
function deleteSomeOf(
  tx: Queries,
  table: typeof deliveries | typeof checkResults | typeof details | typeof outages,
  monitorPk: number,
): number {
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
    if (old.length > 0) tx.delete(checkResults).where(inList(pk, old)).run();
    return { deleted: old.length + notices, end: old[BATCH - 1] ?? last };
  });
}

/** Deletes those of the oldest notices that are older than a moment. @returns how many */
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
      tx.delete(outages)
        .where(and(eq(outages.monitorPk, pk), lt(outages.endedAt, before)))
        .run();
    }
    return some.at(-1)?.pk ?? null;
  });
}

export function lastSteady(db: Database): number | null {
  const row = db.select().from(service).get();
  return row ? Math.min(row.aliveAt, row.steadyAt ?? row.aliveAt) : null;
}

export async function noteSteady(db: Database, now: number): Promise<void> {
  commitWithoutSync(db, (tx) => tx.update(service).set({ steadyAt: now }).run());
}

export function hasDnsAnswer(db: Database): boolean {
  return db.select().from(service).where(isNotNull(service.dnsAnsweredAt)).get() !== undefined;
}

export async function noteDnsAnswer(db: Database, now: number): Promise<void> {
  const isFirst = isNull(service.dnsAnsweredAt);
  commitWithoutSync(db, (tx) => tx.update(service).set({ dnsAnsweredAt: now }).where(isFirst).run());
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
