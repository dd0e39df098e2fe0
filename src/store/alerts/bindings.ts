import { and, eq, inArray, isNotNull, isNull, type SQL } from "drizzle-orm";
import {
  type AlertBinding,
  type AlertTiming,
  type Receiver,
  receiverId,
} from "../../domain/alerts/alert-binding.ts";
import { timingDuring } from "../../domain/alerts/delivery.ts";
import type { PushKeys } from "../../domain/alerts/webhook-format.ts";
import { isSameJson } from "../../domain/canonical-json.ts";
import { AppError } from "../../errors.ts";
import { timingOf } from "../recording/save-deliveries.ts";
import type { Tx } from "../tx.ts";
import { cancelPending } from "./deliveries.ts";
import { closeIncidents } from "./open-incidents.ts";

/**
 * The timings that a request wants, by the number of the channel. A repeated channel counts once.
 *
 * @property fieldOf the name of the ID of a binding in the request, by its position
 * @throws AppError `invalid` for an ID that is not a channel, or not a schedule, of the organization
 */
export async function findWanted(
  tx: Tx,
  {
    organizationPk,
    bindings,
    fieldOf,
  }: { organizationPk: number; bindings: readonly AlertBinding[]; fieldOf: (at: number) => string },
): Promise<Map<number, AlertTiming>> {
  const numbered = bindings.map((binding, at) => ({ ...binding, at }));
  const idsOf = (field: keyof Receiver) => {
    const named = numbered.flatMap(({ [field]: id, at }) => (id === undefined ? [] : [{ id, at }]));
    return {
      organizationPk,
      channelIds: named.map(({ id }) => id),
      fieldOf: (place: number) => fieldOf(named[place]?.at ?? 0),
    };
  };
  const channels = await findChannelPks(tx, idsOf("alertChannelId"));
  const schedules = await findSchedulePks(tx, idsOf("scheduleId"));
  const pkOf = (binding: AlertBinding) =>
    (binding.scheduleId === undefined ? channels : schedules).get(receiverId(binding));
  return new Map(bindings.map((binding) => [pkOf(binding) ?? 0, binding]));
}

/** The channels of a monitor. @property outagePk the open outage; null without one @property wanted by the number of the channel */
export interface WantedBindings {
  monitorPk: number;
  outagePk: number | null;
  wanted: ReadonlyMap<number, AlertTiming>;
}

/**
 * Binds each of some monitors to exactly its channels. Pending notifications of a monitor to a channel that is no longer bound are
 * cancelled. Changed timings hold from the next outage on (behavior 14.7).
 */
export async function replaceBindings(tx: Tx, all: readonly WantedBindings[]): Promise<void> {
  const { alertBindings } = tx.tables;
  const monitors = new Map(all.map((one) => [one.monitorPk, one]));
  const ofMonitors = tx.sets.among(alertBindings.monitorPk, [...monitors.keys()]);
  // In the order of the channels, as recordings lock them.
  const stored = await tx.db.select().from(alertBindings).where(ofMonitors).orderBy(alertBindings.channelPk);
  const wantedOf = ({ monitorPk, channelPk }: BindingRow) => monitors.get(monitorPk)?.wanted.get(channelPk);
  const unwanted = stored.filter((row) => !wantedOf(row));
  const kept = await keptRoutes(tx, unwanted, all);
  await unbind(
    tx,
    unwanted.filter((row) => !kept.has(row)),
  );
  const changed = stored.flatMap((row) => {
    const [timing, outagePk] = [wantedOf(row), monitors.get(row.monitorPk)?.outagePk ?? null];
    const set = timing && changedTiming(row, timing, outagePk);
    return set ? [{ where: { monitorPk: row.monitorPk, channelPk: row.channelPk }, set }] : [];
  });
  await tx.sets.update(alertBindings, changed);
  const bound = new Set(stored.map(({ monitorPk, channelPk }) => `${monitorPk} ${channelPk}`));
  const rows = all.flatMap(({ monitorPk, wanted }) =>
    [...wanted].flatMap(([channelPk, { after, every, hours }]) =>
      bound.has(`${monitorPk} ${channelPk}`) ? [] : [{ monitorPk, channelPk, after, every, hours }],
    ),
  );
  await tx.sets.insert(alertBindings, rows);
}

type BindingRow = Tx["tables"]["alertBindings"]["$inferSelect"];

/** The channels that a schedule notified stay bound to a monitor as long as a schedule is. */
async function keptRoutes(
  { db, tables: { alertChannels } }: Tx,
  unwanted: readonly BindingRow[],
  all: readonly WantedBindings[],
): Promise<Set<BindingRow>> {
  const routes = unwanted.filter(({ routed }) => routed);
  if (routes.length === 0) return new Set();
  const rows = await db
    .select({ pk: alertChannels.pk })
    .from(alertChannels)
    .where(isNotNull(alertChannels.schedulePk));
  const schedules = new Set(rows.map(({ pk }) => pk));
  const scheduled = new Set(
    all.flatMap(({ monitorPk, wanted }) =>
      [...wanted.keys()].some((pk) => schedules.has(pk)) ? [monitorPk] : [],
    ),
  );
  return new Set(routes.filter(({ monitorPk }) => scheduled.has(monitorPk)));
}

/** Ends bindings, one channel after the other: there are few. */
async function unbind(tx: Tx, rows: readonly BindingRow[]): Promise<void> {
  const { monitorPk, channelPk } = tx.tables.alertBindings;
  for (const [channel, some] of Map.groupBy(rows, (row) => row.channelPk)) {
    const monitorPks = some.map((row) => row.monitorPk);
    await closeIncidents(tx, { monitorPks, channelPk: channel }, "unbound");
    // Before the binding is deleted, because the outcomes of attempts are recorded in this order.
    await cancelPending(
      tx,
      { channelPks: [channel], monitorPks },
      "the channel was unbound from the monitor",
    );
    const ofChannel = and(eq(channelPk, channel), tx.sets.among(monitorPk, monitorPks));
    await tx.db.delete(tx.tables.alertBindings).where(ofChannel);
  }
}

/** The columns that change with a new timing; undefined if none does. */
function changedTiming(row: BindingRow, { after, every, hours }: AlertTiming, outagePk: number | null) {
  const isSame = row.after === after && row.every === every && isSameJson(row.hours, hours);
  if (isSame && !row.routed) return undefined;
  const kept = outagePk === null ? null : timingDuring(timingOf(row), outagePk);
  return {
    ...{ after, every, hours, routed: false },
    keptForOutage: outagePk,
    keptAfter: kept?.after ?? null,
    keptEvery: kept?.every ?? null,
    keptHours: kept?.hours ?? null,
  };
}

/** A binding as it is stored, in the form of the API. @property id of the channel, or of the schedule */
export function bindingOf({
  id,
  schedulePk,
  ...timing
}: AlertTiming & { id: string; schedulePk: number | null }): AlertBinding {
  return schedulePk === null ? { alertChannelId: id, ...timing } : { scheduleId: id, ...timing };
}

/** The channels and schedules of a monitor, oldest first. */
export async function listBindings(
  { db, tables: { alertBindings, alertChannels } }: Tx,
  monitorPk: number,
): Promise<AlertBinding[]> {
  const { after, every, hours } = alertBindings;
  const rows = await db
    .select({ id: alertChannels.id, schedulePk: alertChannels.schedulePk, after, every, hours })
    .from(alertBindings)
    .innerJoin(alertChannels, eq(alertChannels.pk, alertBindings.channelPk))
    .where(and(eq(alertBindings.monitorPk, monitorPk), eq(alertBindings.routed, false)))
    .orderBy(alertChannels.pk);
  return rows.map(bindingOf);
}

/** The most IDs in one statement: a request may contain tens of thousands. */
const IDS_AT_ONCE = 500;

/**
 * The internal numbers of some channels, by ID.
 *
 * @param fieldOf the name of an ID in the request, by its position
 * @throws AppError `invalid` for an ID that is not a channel of the organization
 */
export function findChannelPks(tx: Tx, wanted: WantedIds): Promise<Map<string, number>> {
  return findPks(tx, wanted, {
    isKind: isNull(tx.tables.alertChannels.schedulePk),
    kind: "an alert channel",
  });
}

/** The same for schedules: the numbers of the rows by which bindings name them. */
function findSchedulePks(tx: Tx, wanted: WantedIds): Promise<Map<string, number>> {
  return findPks(tx, wanted, { isKind: isNotNull(tx.tables.alertChannels.schedulePk), kind: "a schedule" });
}

interface WantedIds {
  organizationPk: number;
  channelIds: string[];
  fieldOf: (at: number) => string;
}

async function findPks(
  { db, tables: { alertChannels } }: Tx,
  { organizationPk, channelIds, fieldOf }: WantedIds,
  { isKind, kind }: { isKind: SQL; kind: string },
): Promise<Map<string, number>> {
  const ids = [...new Set(channelIds)];
  const pks = new Map<string, number>();
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const some = inArray(alertChannels.id, ids.slice(at, at + IDS_AT_ONCE));
    const rows = await db
      .select({ id: alertChannels.id, pk: alertChannels.pk })
      .from(alertChannels)
      .where(and(some, eq(alertChannels.organizationPk, organizationPk), isKind));
    for (const { id, pk } of rows) pks.set(id, pk);
    const unknown = ids.slice(at, at + IDS_AT_ONCE).find((id) => !pks.has(id));
    if (unknown === undefined) continue;
    const place = channelIds.indexOf(unknown);
    throw new AppError("invalid", `${fieldOf(place)} is not ${kind} of this organization`);
  }
  return pks;
}

/** SQL: whether a row of `monitors` notifies somebody, so that at least one of its channels is enabled. */
export const IS_NOTIFIED = `EXISTS (SELECT 1 FROM alert_bindings
  JOIN alert_channels ON alert_channels.pk = alert_bindings.channel_pk
  WHERE alert_bindings.monitor_pk = monitors.pk AND alert_channels.enabled)`;

/** @returns undefined before the first use */
export async function findPushKeys({ db, tables: { pushKeys } }: Tx): Promise<PushKeys | undefined> {
  const { publicKey, privateKey } = pushKeys;
  const [keys] = await db.select({ publicKey, privateKey }).from(pushKeys);
  return keys;
}

/** Stores the keys, unless another node was first. @returns the stored ones */
export async function storePushKeys(tx: Tx, drawn: PushKeys): Promise<PushKeys> {
  await tx.db
    .insert(tx.tables.pushKeys)
    .values({ pk: 1, ...drawn })
    .onConflictDoNothing();
  const stored = await findPushKeys(tx);
  if (!stored) throw new Error("the insert stored no keys");
  return stored;
}
