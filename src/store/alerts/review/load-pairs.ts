import { and, asc, eq, isNotNull, lte, sql } from "drizzle-orm";
import { isTransition } from "../../../domain/alerts/alert-event.ts";
import type { StoredChannelType } from "../../../domain/alerts/channel.ts";
import type { StoredTiming, Transition } from "../../../domain/alerts/delivery.ts";
import type { NotifyOn } from "../../../domain/alerts/notify.ts";
import type { ReviewedOutage, Told, Undecided } from "../../../domain/alerts/review/pair.ts";
import { timingOf } from "../../recording/save-deliveries.ts";
import { deliveryStatusCodes } from "../../status-codes.ts";
import { preparedOnce, type TimedTx, type Tx } from "../../tx.ts";

/** A monitor and a channel, as they are loaded. Times are milliseconds since 1970. */
export interface LoadedPair {
  monitorPk: number;
  channel: { pk: number; id: string; type: StoredChannelType };
  isEnabled: boolean;
  notifyOn: NotifyOn;
  timing: StoredTiming;
  remindAt: number | null;
  /** Until when a reminder waits for a check. */
  remindWaitsUntil: number | null;
  told: Told | null;
  /** The newest notification that was sent or is to be sent, also if it failed for good; null if it is not known. */
  newest: { pk: number; event: Transition; isPending: boolean; createdAt: number } | null;
  /** Oldest first. */
  undecided: Undecided[];
}

export interface UndecidedRow {
  monitorPk: number;
  channelPk: number;
  /** Whether it is known only when it is sent whom it notifies: see `routes.ts`. */
  isOfSchedule: boolean;
  resultPk: number | null;
  /** When it is due for a decision. */
  reviewAt: number;
  row: Undecided;
}

const codes = deliveryStatusCodes;

/** The undecided deliveries of some monitors, oldest first. */
export async function loadUndecided(tx: Tx, monitorPks: readonly number[]): Promise<UndecidedRow[]> {
  const rows = await selectUndecided(tx).execute({ monitorPks: tx.sets.list(monitorPks) });
  const outages = await loadOutages(
    tx,
    rows.flatMap((row) => row.outagePk ?? []),
  );
  return rows.flatMap((row) => {
    const { pk, monitorPk, channelPk, event, status, reviewAt, createdAt, outagePk, resultPk } = row;
    const isOfSchedule = row.channelType === "SCHEDULE";
    if (monitorPk === null || reviewAt === null || !isTransition(event)) return [];
    if (status !== "held" && status !== "muted" && status !== "hidden") return [];
    const outage = outagePk === null ? null : (outages.get(outagePk) ?? null);
    const hold = row.hold ?? ({ kind: "new" } as const);
    const undecided = { pk, event, status, hold, createdAt, outage, isAfterWithdrawn: false };
    return [{ monitorPk, channelPk, isOfSchedule, resultPk, reviewAt, row: undecided }];
  });
}

const selectUndecided = preparedOnce(({ db, sets, tables: { deliveries } }) => {
  const { pk, monitorPk, channelPk, channelType, resultPk, event, status, hold, reviewAt, ...others } =
    deliveries;
  const { createdAt, outagePk } = others;
  return db
    .select({
      ...{ pk, monitorPk, channelPk, channelType, resultPk },
      ...{ event, status, hold, reviewAt, createdAt, outagePk },
    })
    .from(deliveries)
    .where(and(sets.amongNamed(monitorPk, "monitorPks"), isNotNull(reviewAt)))
    .orderBy(asc(pk))
    .prepare();
});

export async function loadOutages(tx: Tx, pks: readonly number[]): Promise<Map<number, ReviewedOutage>> {
  if (pks.length === 0) return new Map();
  const rows = await selectOutages(tx).execute({ pks: tx.sets.list(pks) });
  return new Map(
    rows.map(({ acknowledgedAt: at, acknowledgedBy: by, note, ...outage }) => {
      const acknowledged = at === null ? null : { at, by: by ?? "", note };
      return [outage.pk, { ...outage, acknowledged }];
    }),
  );
}

const selectOutages = preparedOnce(({ db, sets, tables: { outages } }) => {
  const { pk, id, startedAt, endedAt, acknowledgedAt, acknowledgedBy, note } = outages;
  return db
    .select({ pk, id, startedAt, endedAt, acknowledgedAt, acknowledgedBy, note })
    .from(outages)
    .where(sets.amongNamed(pk, "pks"))
    .prepare();
});

/** The channels of some monitors that have a reminder that is due. */
export async function listReminded(
  tx: TimedTx,
  monitorPks: readonly number[],
): Promise<{ channelPk: number; isOfSchedule: boolean }[]> {
  const rows = await selectReminded(tx).execute({ monitorPks: tx.sets.list(monitorPks), now: tx.now });
  return rows.map(({ channelPk, schedulePk }) => ({ channelPk, isOfSchedule: schedulePk !== null }));
}

const selectReminded = preparedOnce(({ db, sets, tables: { alertBindings, alertChannels } }) => {
  const { monitorPk, channelPk, remindAt } = alertBindings;
  return db
    .select({ channelPk, schedulePk: alertChannels.schedulePk })
    .from(alertBindings)
    .innerJoin(alertChannels, eq(alertChannels.pk, channelPk))
    .where(and(sets.amongNamed(monitorPk, "monitorPks"), lte(remindAt, sql.placeholder("now"))))
    .prepare();
});

/** The bindings of some monitors that have undecided deliveries, or a reminder that is due. */
export async function loadPairs(
  tx: Tx,
  { monitorPks, undecided, now }: { monitorPks: readonly number[]; undecided: UndecidedRow[]; now: number },
): Promise<LoadedPair[]> {
  const byPair = Map.groupBy(undecided, keyOf);
  const bound = await selectBindings(tx).execute({ monitorPks: tx.sets.list(monitorPks) });
  const bindings = bound.filter((binding) => byPair.has(keyOf(binding)) || isPast(binding.remindAt, now));
  const newest = await loadEvents(
    tx,
    bindings.flatMap(({ toldPk, newestPk }) => [toldPk, newestPk].filter((pk) => pk !== null)),
  );
  const withdrawn = await listWithdrawn(
    tx,
    undecided.flatMap(({ row }) => row.outage?.pk ?? []),
  );
  return bindings.map((binding) => {
    const { monitorPk, channelPk, channelId, isEnabled, notifyOn } = binding;
    const channelType = binding.schedulePk === null ? binding.channelType : "SCHEDULE";
    const { remindAt, remindWaitsUntil, toldPk, newestPk } = binding;
    const isAfterWithdrawn = (outagePk: number | undefined) =>
      withdrawn.some(
        (row) => row.outagePk === outagePk && keyOf(row) === keyOf(binding) && row.pk > (toldPk ?? 0),
      );
    return {
      monitorPk,
      channel: { pk: channelPk, id: channelId, type: channelType },
      ...{ isEnabled, notifyOn },
      timing: timingOf(binding),
      ...{ remindAt, remindWaitsUntil },
      told: toldOf(newest.get(toldPk ?? 0)?.event ?? null, binding.notifiedStatus),
      newest: newest.get(newestPk ?? 0) ?? null,
      undecided: (byPair.get(keyOf(binding)) ?? []).map(({ row }) => ({
        ...row,
        isAfterWithdrawn: row.outage !== null && isAfterWithdrawn(row.outage.pk),
      })),
    };
  });
}

export function keyOf({ monitorPk, channelPk }: { monitorPk: number; channelPk: number }): string {
  return `${monitorPk} ${channelPk}`;
}

export function isPast(at: number | null, now: number): boolean {
  return at !== null && at <= now;
}

export function toldOf(event: Transition | null, notified: Told["status"] | null): Told | null {
  if (event) {
    const { status, troubleSince = null, result } = event;
    return { status, troubleSince, resultId: result.id };
  }
  return notified && { status: notified, troubleSince: null };
}

const selectBindings = preparedOnce(({ db, sets, tables }) => {
  const { alertBindings, alertChannels } = tables;
  const { monitorPk, channelPk, notifiedStatus, remindAt, remindWaitsUntil } = alertBindings;
  const newestOf = (...statuses: number[]) => sql<number | null>`(SELECT pk FROM deliveries
    WHERE deliveries.monitor_pk = ${monitorPk} AND deliveries.channel_pk = ${channelPk}
      AND deliveries.status IN (${sql.raw(statuses.join())})
    ORDER BY pk DESC LIMIT 1)`;
  const { after, every, hours, keptForOutage, keptAfter, keptEvery, keptHours } = alertBindings;
  return db
    .select({
      ...{
        monitorPk,
        channelPk,
        notifiedStatus,
        remindAt,
        remindWaitsUntil,
        after,
        every,
        hours,
        keptForOutage,
        keptAfter,
        keptEvery,
        keptHours,
      },
      channelId: alertChannels.id,
      channelType: alertChannels.type,
      schedulePk: alertChannels.schedulePk,
      isEnabled: alertChannels.enabled,
      notifyOn: alertChannels.notifyOn,
      toldPk: newestOf(codes.pending, codes.delivered),
      newestPk: newestOf(codes.pending, codes.delivered, codes.failed),
    })
    .from(alertBindings)
    .innerJoin(alertChannels, eq(alertChannels.pk, channelPk))
    .where(sets.amongNamed(monitorPk, "monitorPks"))
    .orderBy(asc(channelPk), asc(monitorPk))
    .prepare();
});

export async function loadEvents(tx: Tx, pks: readonly number[]) {
  if (pks.length === 0) return new Map<number, LoadedPair["newest"]>();
  const rows = await selectEvents(tx).execute({ pks: tx.sets.list(pks) });
  return new Map<number, LoadedPair["newest"]>(
    rows.flatMap(({ pk, event, status, createdAt }) =>
      isTransition(event) ? [[pk, { pk, event, isPending: status === "pending", createdAt }] as const] : [],
    ),
  );
}

const selectEvents = preparedOnce(({ db, sets, tables: { deliveries } }) => {
  const { pk, event, status, createdAt } = deliveries;
  return db
    .select({ pk, event, status, createdAt })
    .from(deliveries)
    .where(sets.amongNamed(pk, "pks"))
    .prepare();
});

async function listWithdrawn(tx: Tx, outagePks: readonly number[]) {
  if (outagePks.length === 0) return [];
  const rows = await selectWithdrawn(tx).execute({ outagePks: tx.sets.list(outagePks) });
  return rows.map((row) => ({ ...row, monitorPk: row.monitorPk ?? 0 }));
}

const selectWithdrawn = preparedOnce(({ db, sets, tables: { deliveries } }) => {
  const { pk, monitorPk, channelPk, outagePk, status } = deliveries;
  return db
    .select({ pk, monitorPk, channelPk, outagePk })
    .from(deliveries)
    .where(and(sets.amongNamed(outagePk, "outagePks"), eq(status, "withdrawn")))
    .prepare();
});
