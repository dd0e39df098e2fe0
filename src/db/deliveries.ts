import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { AlertChannel } from "../domain/channel.ts";
import {
  type AlertOutcome,
  type Attempt,
  type ChannelOutcome,
  nextAttemptAt,
  summarizeOutcome,
  type Transition,
} from "../domain/delivery.ts";
import { createId } from "./ids.ts";
import type { Database, Queries } from "./open.ts";
import { alertBindings, alertChannels, deliveries } from "./schema.ts";

/** Writes one delivery for each enabled channel of the monitor, to be called within the transaction of the result. */
export function insertDeliveries(
  tx: Queries,
  { monitorPk, resultPk, transition }: { monitorPk: number; resultPk: number; transition: Transition },
  now: number,
): void {
  const channels = tx
    .select({ channelPk: alertChannels.pk, channelId: alertChannels.id, channelType: alertChannels.type })
    .from(alertBindings)
    .innerJoin(alertChannels, eq(alertChannels.pk, alertBindings.channelPk))
    .where(and(eq(alertBindings.monitorPk, monitorPk), eq(alertChannels.enabled, true)))
    .all();
  for (const channel of channels) {
    const row = { ...channel, id: createId(), resultPk, transition, status: "pending" as const };
    tx.insert(deliveries)
      .values({ ...row, nextAttemptAt: now, createdAt: now })
      .run();
  }
}

export interface DueDelivery {
  id: string;
  attempts: number;
  transition: Transition;
  createdAt: number;
  channel: Pick<AlertChannel, "id" | "type" | "config">;
}

/** The deliveries to be tried now: of each channel only the oldest that is pending, so that they arrive in order. */
export async function listDueDeliveries(db: Database, now: number): Promise<DueDelivery[]> {
  const oldest = sql`(select min(pk) from ${deliveries} as pending
    where pending.channel_pk = ${alertChannels.pk} and pending.status = 0)`;
  return db
    .select({
      id: deliveries.id,
      attempts: deliveries.attempts,
      transition: deliveries.transition,
      createdAt: deliveries.createdAt,
      channel: { id: alertChannels.id, type: alertChannels.type, config: alertChannels.config },
    })
    .from(alertChannels)
    .innerJoin(deliveries, eq(deliveries.pk, oldest))
    .where(lte(deliveries.nextAttemptAt, now))
    .all();
}

/** Writes what an attempt came to, and with it when the next one is due, if any. */
export async function recordAttempt(
  db: Database,
  delivery: { id: string; attempts: number },
  attempt: Attempt,
  now: number,
): Promise<void> {
  const attempts = delivery.attempts + 1;
  db.update(deliveries)
    .set({ attempts, ...consequence(attempt, attempts, now) })
    .where(eq(deliveries.id, delivery.id))
    .run();
}

/** What became of the alerts of some results. */
export function listOutcomes(db: Database, resultPks: number[]): Map<number, AlertOutcome> {
  const rows = db
    .select({
      resultPk: deliveries.resultPk,
      channelId: deliveries.channelId,
      type: deliveries.channelType,
      status: deliveries.status,
      attempts: deliveries.attempts,
      error: deliveries.error,
      deliveredAt: deliveries.deliveredAt,
    })
    .from(deliveries)
    .where(inArray(deliveries.resultPk, resultPks))
    .orderBy(deliveries.pk)
    .all();
  const byResult = Map.groupBy(rows, ({ resultPk }) => resultPk);
  return new Map([...byResult].map(([pk, group]) => [pk, summarizeOutcome(group.map(withoutResult))]));
}

function consequence(attempt: Attempt, attempts: number, now: number) {
  if (attempt.outcome === "delivered") {
    return { status: "delivered" as const, nextAttemptAt: null, error: null, deliveredAt: now };
  }
  const next = nextAttemptAt(attempt, attempts, now);
  return {
    status: next === null ? ("failed" as const) : ("pending" as const),
    nextAttemptAt: next,
    error: attempt.error,
  };
}

function withoutResult({ resultPk: _, ...outcome }: ChannelOutcome & { resultPk: number }): ChannelOutcome {
  return outcome;
}
