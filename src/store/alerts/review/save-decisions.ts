import { and, eq, inArray } from "drizzle-orm";
import type { Decision, Undecided } from "../../../domain/alerts/review/pair.ts";
import { type Decided, reminderOf } from "../../../domain/alerts/review/plan-pair.ts";
import { deliveryId } from "../../ids.ts";
import type { TimedTx, Tx } from "../../tx.ts";
import { CHANNEL_DELETED } from "../deliveries.ts";
import type { LoadedPair } from "./load-pairs.ts";

/** @property before the decided delivery as it was loaded @property decision a schedule sends to its channels: see `routes.ts` */
export type DecidedDelivery = Omit<Decided, "decision"> & {
  before: LoadedPair["undecided"][number];
  decision: Decision | { kind: "route" };
};

/** The most deliveries in one statement. */
const DELIVERIES_AT_ONCE = 500;

/** Saves decisions; equal ones in one statement, because a cause usually mutes many. */
export async function saveDecisions(tx: TimedTx, decided: readonly DecidedDelivery[]): Promise<void> {
  const { deliveries } = tx.tables;
  const postponed = Map.groupBy(decided, postponedTo);
  for (const [reviewAt, some] of postponed)
    if (reviewAt !== null) await tx.query(POSTPONE, [reviewAt, some.map(({ pk }) => pk)]);
  const groups = Map.groupBy(postponed.get(null) ?? [], ({ decision }) => JSON.stringify(decision));
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    const pks = group.map(({ pk }) => pk);
    const row = rowOf(first.decision, tx.now);
    for (let at = 0; at < pks.length; at += DELIVERIES_AT_ONCE) {
      const some = inArray(deliveries.pk, pks.slice(at, at + DELIVERIES_AT_ONCE));
      if (row) await tx.db.update(deliveries).set(row).where(some);
      else await tx.db.delete(deliveries).where(some);
    }
  }
  for (const { pk, event, outagePk, before, decision } of decided) {
    const isSame = Bun.deepEquals(event, before.event) && outagePk === (before.outage?.pk ?? null);
    if (decision.kind === "delete" || isSame) continue;
    await tx.db.update(deliveries).set({ event, outagePk }).where(eq(deliveries.pk, pk));
  }
}

/** Most decisions change nothing else: they are made again and again while trouble lasts. */
const POSTPONE = "UPDATE deliveries SET review_at = $1 WHERE pk = ANY($2::bigint[])";

/** When a delivery is decided again, if its decision changes nothing else; else null. */
function postponedTo({ decision, before }: DecidedDelivery): number | null {
  if (decision.kind !== "keep" || decision.status !== before.status) return null;
  return Bun.deepEquals(decision.hold, before.hold) ? decision.reviewAt : null;
}

type ReviewedColumns = Pick<
  Tx["tables"]["deliveries"]["$inferSelect"],
  "status" | "hold" | "reviewAt" | "nextAttemptAt"
> & { deliveredAt?: number };

/** @returns null if the delivery is deleted */
function rowOf(decision: DecidedDelivery["decision"], now: number): ReviewedColumns | null {
  switch (decision.kind) {
    case "route":
      return { status: "delivered", hold: null, reviewAt: null, nextAttemptAt: null, deliveredAt: now };
    case "send":
      return { status: "pending", hold: null, reviewAt: null, nextAttemptAt: now };
    case "keep": {
      const { status, hold, reviewAt } = decision;
      return { status, hold, reviewAt, nextAttemptAt: null };
    }
    case "withdraw": {
      const hold = { kind: "withdrawn", why: decision.why } as const;
      return { status: "withdrawn", hold, reviewAt: null, nextAttemptAt: null };
    }
    case "delete":
      return null;
  }
}

/**
 * Ends undecided deliveries to channels that were deleted: others were cancelled with the change of their channel. Hidden ones are
 * deleted (behavior 14.28).
 */
export async function failWithoutChannel(
  { db, tables: { deliveries } }: Tx,
  rows: readonly Pick<Undecided, "pk" | "status">[],
): Promise<void> {
  if (rows.length === 0) return;
  const pks = rows.map(({ pk }) => pk);
  const hidden = and(inArray(deliveries.pk, pks), eq(deliveries.status, "hidden"));
  await db.delete(deliveries).where(hidden);
  const failed = { status: "failed", error: CHANNEL_DELETED, nextAttemptAt: null } as const;
  await db
    .update(deliveries)
    .set({ ...failed, hold: null, reviewAt: null })
    .where(inArray(deliveries.pk, pks));
}

/** Creates a delivery that repeats the newest one of a pair, due now. */
export async function createReminder(
  { db, tables: { deliveries }, now }: TimedTx,
  { pair: { monitorPk, channel, newest }, outagePk }: { pair: LoadedPair; outagePk: number | null },
): Promise<void> {
  if (!newest) return;
  await db.insert(deliveries).values({
    ...{ id: deliveryId(null), resultPk: null, monitorPk, outagePk, event: reminderOf(newest.event) },
    ...{ channelPk: channel.pk, channelId: channel.id, channelType: channel.type },
    ...{ status: "pending", nextAttemptAt: now, createdAt: now },
  });
}
