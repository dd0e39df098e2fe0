import { and, count, desc, eq, gt, lte, ne, or, sql } from "drizzle-orm";
import type { AlertChannel } from "../domain/channel.ts";
import { type Attempt, nextAttemptAt, type Transition } from "../domain/delivery.ts";
import { isTold } from "../domain/notify.ts";
import type { Status } from "../domain/status.ts";
import { deliveryId } from "./ids.ts";
import type { Database, Queries } from "./open.ts";
import { alertBindings, alertChannels, deliveries } from "./schema.ts";

/**
 * Writes one delivery for each enabled channel of the monitor that wants the transition, to be called within the
 * transaction of the result.
 */
export function insertDeliveries(
  tx: Queries,
  { monitorPk, resultPk, transition }: { monitorPk: number; resultPk: number; transition: Transition },
  now: number,
): void {
  const channels = tx
    .select({
      channelPk: alertChannels.pk,
      channelId: alertChannels.id,
      channelType: alertChannels.type,
      notifyOn: alertChannels.notifyOn,
    })
    .from(alertBindings)
    .innerJoin(alertChannels, eq(alertChannels.pk, alertBindings.channelPk))
    .where(and(eq(alertBindings.monitorPk, monitorPk), eq(alertChannels.enabled, true)))
    .all();
  for (const { notifyOn, ...channel } of channels) {
    if (!isTold(notifyOn, transition, () => lastTold(tx, monitorPk, channel.channelPk))) continue;
    const row = { ...channel, id: deliveryId(resultPk), monitorPk, resultPk, transition };
    tx.insert(deliveries)
      .values({ ...row, status: "pending", nextAttemptAt: now, createdAt: now })
      .run();
  }
}

/** What failed to arrive was not told. */
function lastTold(tx: Queries, monitorPk: number, channelPk: number): Status | undefined {
  const its = and(eq(deliveries.monitorPk, monitorPk), eq(deliveries.channelPk, channelPk));
  return tx
    .select({ transition: deliveries.transition })
    .from(deliveries)
    .where(and(its, ne(deliveries.status, "failed")))
    .orderBy(desc(deliveries.pk))
    .limit(1)
    .get()?.transition.status;
}

export interface DueDelivery {
  id: string;
  attempts: number;
  transition: Transition;
  createdAt: number;
  organizationPk: number;
  channel: Pick<AlertChannel, "id" | "type" | "config">;
}

/**
 * The deliveries to be tried now: of each channel only the oldest that is pending, so that they arrive in order. Those
 * that were never tried come first: a receiver that is dead must not hold up one that is not. What waits since a time
 * that is yet to come, as after the clock was put back, waits no longer.
 */
export async function listDueDeliveries(db: Database, now: number, limit: number): Promise<DueDelivery[]> {
  const waitsSince = sql`coalesce(${deliveries.lastAttemptAt}, ${deliveries.createdAt})`;
  const oldest = sql`(select min(pk) from ${deliveries} as pending
    where pending.channel_pk = ${alertChannels.pk} and pending.status = 0)`;
  return db
    .select({
      id: deliveries.id,
      attempts: deliveries.attempts,
      transition: deliveries.transition,
      createdAt: deliveries.createdAt,
      organizationPk: alertChannels.organizationPk,
      channel: { id: alertChannels.id, type: alertChannels.type, config: alertChannels.config },
    })
    .from(alertChannels)
    .innerJoin(deliveries, eq(deliveries.pk, oldest))
    .where(or(lte(deliveries.nextAttemptAt, now), gt(waitsSince, now)))
    .orderBy(deliveries.attempts, deliveries.nextAttemptAt, deliveries.pk)
    .limit(limit)
    .all();
}

/** How many deliveries to the channels of an organization wait for an attempt, the first or another. */
export async function countWaiting(db: Database, organizationPk: number): Promise<number> {
  const [row] = db
    .select({ waiting: count() })
    .from(alertChannels)
    .innerJoin(deliveries, and(eq(deliveries.channelPk, alertChannels.pk), eq(deliveries.status, "pending")))
    .where(eq(alertChannels.organizationPk, organizationPk))
    .all();
  return row?.waiting ?? 0;
}

/**
 * Writes what an attempt came to, and with it when the next one is due, if any. A delivery that was withdrawn
 * meanwhile stays so, unless it arrived all the same.
 *
 * @param startedAt when the attempt began, milliseconds since 1970
 * @returns whether another attempt is to follow
 */
export async function recordAttempt(
  db: Database,
  delivery: { id: string; attempts: number },
  { attempt, startedAt }: { attempt: Attempt; startedAt: number },
  now: number,
): Promise<boolean> {
  const attempts = delivery.attempts + 1;
  const made = {
    attempts,
    firstAttemptAt: sql`coalesce(${deliveries.firstAttemptAt}, ${startedAt})`,
    lastAttemptAt: startedAt,
    answer: attempt.answer ?? null,
  };
  const { outcome, ...end } = consequence(attempt, attempts, now);
  const unlessWithdrawn = outcome === "delivered" ? undefined : eq(deliveries.status, "pending");
  db.transaction(
    (tx) => {
      const its = eq(deliveries.id, delivery.id);
      tx.update(deliveries).set(made).where(its).run();
      tx.update(deliveries).set(end).where(and(its, unlessWithdrawn)).run();
    },
    { behavior: "immediate" },
  );
  return end.nextAttemptAt !== null;
}

function consequence(attempt: Attempt, attempts: number, now: number) {
  const { outcome } = attempt;
  if (outcome === "delivered") {
    return { outcome, status: "delivered" as const, nextAttemptAt: null, error: null, deliveredAt: now };
  }
  const next = nextAttemptAt(attempt, attempts, now);
  const status = next === null ? ("failed" as const) : ("pending" as const);
  return { outcome, status, nextAttemptAt: next, error: attempt.error };
}
