import { and, eq } from "drizzle-orm";
import { CHANNEL_DELETED, isPending } from "../../alerts/delivery-cancellation.ts";
import type { Queries } from "../../tx.ts";
import { commitWithoutSync } from "../durability.ts";
import { type Database, prepared } from "../open.ts";
import {
  checkResults,
  dailyRollups,
  deletedChannels,
  deletedMonitors,
  deliveries,
  details,
  hourlyRollups,
  outages,
  statusChanges,
} from "../schema.ts";
import { inList } from "../sets.ts";

/** How many rows are deleted at once. A power failure may undo a deletion: the same rows are then deleted again. */
const BATCH = 100;

/** Most sweeps find nothing: this costs less than a transaction. */
const isAny = (db: Database, table: "deleted_monitors" | "deleted_channels") =>
  prepared(db, `SELECT 1 FROM ${table} LIMIT 1`).get() !== null;

const DELETE_SEGMENTS = `DELETE FROM result_segments
  WHERE (monitor_pk, first_pk) IN (SELECT monitor_pk, first_pk FROM result_segments WHERE monitor_pk = ? LIMIT ?)`;

const DELETE_RUNS = ["run_outputs", "job_runs"].map(
  (table) => `DELETE FROM ${table}
    WHERE (monitor_pk, number) IN (SELECT monitor_pk, number FROM ${table} WHERE monitor_pk = ? LIMIT ?)`,
);

export async function sweepDeletedMonitors(db: Database): Promise<boolean> {
  if (!isAny(db, "deleted_monitors")) return false;
  return commitWithoutSync(db, (tx) => {
    const monitor = tx.select().from(deletedMonitors).limit(1).get();
    if (!monitor) return false;
    // Deliveries first, because they could still be sent.
    for (const table of [deliveries, checkResults, details, outages])
      if (deleteSomeOf(tx, table, monitor.pk) === BATCH) return true;
    for (const text of DELETE_RUNS) if (prepared(db, text).run(monitor.pk, BATCH).changes > 0) return true;
    if (prepared(db, DELETE_SEGMENTS).run(monitor.pk, BATCH).changes > 0) return true;
    for (const rest of [statusChanges, hourlyRollups, dailyRollups])
      tx.delete(rest).where(eq(rest.monitorPk, monitor.pk)).run();
    tx.delete(deletedMonitors).where(eq(deletedMonitors.pk, monitor.pk)).run();
    return true;
  });
}

const HAS_RETIRED = "SELECT 1 FROM alert_channels WHERE retired_at IS NOT NULL LIMIT 1";
/** Previous addresses of channels to which nothing is to be sent any more. */
const SWEEP_RETIRED = `DELETE FROM alert_channels WHERE retired_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM deliveries WHERE deliveries.channel_pk = alert_channels.pk AND deliveries.status = 0)`;

export async function sweepDeletedChannels(db: Database): Promise<boolean> {
  if (prepared(db, HAS_RETIRED).get() !== null) prepared(db, SWEEP_RETIRED).run();
  if (!isAny(db, "deleted_channels")) return false;
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
