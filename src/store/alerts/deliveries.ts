import { and, count, desc, eq, exists, gt, isNotNull, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { forNotice, isTransition, type Notice, typeOf } from "../../domain/alerts/alert-event.ts";
import { type DeliveryRecord, shownStatus, type Transition } from "../../domain/alerts/delivery.ts";
import { AppError, notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { parseDeliveryId } from "../ids.ts";
import { deliveryStatusCodes } from "../status-codes.ts";
import type { Page, PageRequest, TimedTx, Tx } from "../tx.ts";

/**
 * One page of the deliveries to a channel, most recent first.
 *
 * @throws AppError `invalid` for a cursor that is not the ID of a delivery, `not_found` for the channel
 */
export async function listDeliveries(
  tx: Tx,
  organizationId: string,
  channelId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<DeliveryRecord>> {
  const { deliveries, monitors } = tx.tables;
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  const channel = await channelPk(tx, organizationId, channelId);
  const before = after && lt(deliveries.pk, await position(tx, channel, after));
  // Deliveries of a deleted monitor are left out: they are deleted in the background.
  const monitor = tx.db.select().from(monitors).where(eq(monitors.pk, deliveries.monitorPk));
  const isListed = and(or(isNull(deliveries.monitorPk), exists(monitor)), ne(deliveries.status, "hidden"));
  const rows = await tx.db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.channelPk, channel), before, isListed))
    .orderBy(desc(deliveries.pk))
    .limit(limit + 1);
  const items = rows.slice(0, limit).map(toRecord);
  return { items, cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

/** How many deliveries to the channels of an organization are pending. */
export async function countPending(tx: Tx, organizationId: string): Promise<number> {
  const { alertChannels, deliveries } = tx.tables;
  const [row] = await tx.db
    .select({ pending: count() })
    .from(alertChannels)
    .innerJoin(deliveries, and(eq(deliveries.channelPk, alertChannels.pk), isPending(tx.tables)))
    .where(eq(alertChannels.organizationPk, await organizationPk(tx, organizationId)));
  return row?.pending ?? 0;
}

async function channelPk(tx: Tx, organizationId: string, id: string): Promise<number> {
  const { alertChannels } = tx.tables;
  const ofOrganization = eq(alertChannels.organizationPk, await organizationPk(tx, organizationId));
  const [channel] = await tx.db
    .select({ pk: alertChannels.pk })
    .from(alertChannels)
    .where(and(eq(alertChannels.id, id), ofOrganization, isNull(alertChannels.schedulePk)));
  if (!channel) throw notFound();
  return channel.pk;
}

/** The ID of a delivery. @property resultPk the number of its result, 0 without one */
interface Cursor {
  id: string;
  resultPk: number;
}

function parseCursor(id: string): Cursor {
  const number = parseDeliveryId(id);
  if (number === null) throw new AppError("invalid", "cursor must be one that an earlier page gave");
  return { id, resultPk: number };
}

/** The number of the delivery that a cursor names. */
async function position({ db, tables }: Tx, channel: number, cursor: Cursor): Promise<number> {
  const { pk, id, channelPk, resultPk } = tables.deliveries;
  const ofChannel = eq(channelPk, channel);
  const [named] = await db
    .select({ pk })
    .from(tables.deliveries)
    .where(and(eq(id, cursor.id), ofChannel));
  if (named) return named.pk;
  // It was deleted: the page begins before the next later result, so that it may repeat notices but omits none.
  const [earlier] = await db
    .select({ pk })
    .from(tables.deliveries)
    .where(and(ofChannel, lt(resultPk, cursor.resultPk)))
    .orderBy(desc(pk))
    .limit(1);
  const [later] = await db
    .select({ pk })
    .from(tables.deliveries)
    .where(and(ofChannel, gt(pk, earlier?.pk ?? 0), gt(resultPk, cursor.resultPk)))
    .orderBy(pk)
    .limit(1);
  return later?.pk ?? Number.MAX_SAFE_INTEGER;
}

type DeliveryRow = Tx["tables"]["deliveries"]["$inferSelect"];

function toRecord(row: DeliveryRow): DeliveryRecord {
  const { pk, resultPk, monitorPk, channelPk, channelId, channelType, event, ...others } = row;
  const { outagePk, hold, reviewAt, digestPk, status, ...record } = others;
  const content = isTransition(event) ? ofTransition(event) : ofNotice(event);
  return { ...record, status: shownStatus(status), type: typeOf(event), ...content };
}

type Content = Pick<
  DeliveryRecord,
  "monitor" | "resultId" | "previousStatus" | "newStatus" | "location" | "maintenance"
>;

const EMPTY: Content = {
  monitor: null,
  resultId: null,
  previousStatus: null,
  newStatus: null,
  location: null,
  maintenance: null,
};

function ofTransition({ monitor: { id, name, type }, result, previousStatus, status }: Transition): Content {
  return { ...EMPTY, monitor: { id, name, type }, resultId: result.id, previousStatus, newStatus: status };
}

function ofNotice(notice: Notice): Content {
  return forNotice(notice, {
    location: ({ location: { id, name } }) => ({ ...EMPTY, location: { id, name } }),
    maintenance: ({ maintenance: { id, title } }) => ({ ...EMPTY, maintenance: { id, title } }),
    checks: () => EMPTY,
  });
}

/*
 * The end of pending and of undecided deliveries, if their channel or monitor changes:
 *
 * - the channel is deleted, disabled or unbound from the monitor: they fail, with an error that says why, and stay on
 *   the results;
 * - the monitor is deleted: they are deleted with its results, and only the ends of incidents are sent (`open-incidents.ts`);
 * - the monitor is paused: pending deliveries are still sent, because what they report happened before the pause, and
 *   undecided deliveries are withdrawn (`review/withdrawal.ts`).
 *
 * An attempt in progress is not interrupted: if it succeeds, the delivery is recorded as delivered.
 */

/** A literal, because SQLite can't use the partial index of pending deliveries for a parameter. */
export function isPending({ deliveries }: Pick<Tx["tables"], "deliveries">): SQL {
  return sql`${deliveries.status} = ${sql.raw(String(deliveryStatusCodes.pending))}`;
}

/** The error of pending deliveries of a deleted channel; see `sweepDeletedChannels`. */
export const CHANNEL_DELETED = "the channel was deleted";

/** Marks the pending and undecided deliveries to some channels as failed, or only the deliveries of some monitors. */
export async function cancelPending(
  { db, sets, tables }: Tx,
  { channelPks, monitorPks }: { channelPks: readonly number[]; monitorPks?: readonly number[] },
  error: string,
): Promise<void> {
  const { deliveries } = tables;
  const ofMonitors = monitorPks && sets.among(deliveries.monitorPk, monitorPks);
  const failed = { status: "failed", nextAttemptAt: null, error } as const;
  await db
    .update(deliveries)
    .set(failed)
    .where(and(sets.among(deliveries.channelPk, channelPks), isPending(tables), ofMonitors));
  // The plus keeps the engine from reading all deliveries of the channel: the undecided ones have an index of their own.
  const undecided = and(
    sets.among(sql`+${deliveries.channelPk}`, channelPks),
    isNotNull(deliveries.reviewAt),
    ofMonitors,
  );
  await db.delete(deliveries).where(and(undecided, eq(deliveries.status, "hidden")));
  await db
    .update(deliveries)
    .set({ ...failed, hold: null, reviewAt: null })
    .where(undecided);
}

/** Makes the pending deliveries to some channels due now. */
export async function retryNow(
  { db, sets, tables, now }: TimedTx,
  channelPks: readonly number[],
): Promise<void> {
  const { deliveries } = tables;
  await db
    .update(deliveries)
    .set({ nextAttemptAt: now })
    .where(and(sets.among(deliveries.channelPk, channelPks), isPending(tables)));
}
