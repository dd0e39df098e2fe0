import { and, eq } from "drizzle-orm";
import type { Transition } from "../../../domain/alerts/delivery.ts";
import { planRoute, type RoutedChannel, reachable } from "../../../domain/alerts/routing.ts";
import { groupOf } from "../../../domain/monitors/status.ts";
import { onCallAt } from "../../../domain/on-call/rotation.ts";
import { availability } from "../../../domain/on-call/schedule.ts";
import { deliveryId } from "../../ids.ts";
import { asSchedules, listOnCallPeople } from "../../on-call/schedules.ts";
import { deliveryStatusCodes } from "../../status-codes.ts";
import { fromJson, type TimedTx, type Tx } from "../../tx.ts";
import { loadEvents } from "./load-pairs.ts";

/*
 * Bindings to schedules (behavior 23.35 to 23.38). A row of `alert_channels` with `schedule_pk` represents a schedule, so that a binding, its
 * timing, its deliveries and their review work like for a channel:
 *
 * - a recording stores one delivery for the schedule, always held, because it is known only when it is sent whom it notifies;
 * - the review decides about it like about any other. "Send" means here: the delivery counts as delivered, and in the same
 *   transaction each channel of the person who is on call now gets a delivery of its own, which is sent, retried and shown like
 *   any other. Nobody on call, or nobody with a channel that is enabled: the default channels of the organization;
 * - the row of `alert_bindings` of such a channel has `routed`, if no user bound the channel: it has what the channel knows about the
 *   monitor, such as its incident. A recovery goes to the channels with such a row that know about trouble. No list shows it, and
 *   recordings leave it out. It stays until no schedule is bound to the monitor;
 * - a channel that several bindings reach gets each notification once: who is second finds the delivery of the first, by its result
 *   (`planRoute`, and `isTwice` for a channel that a user bound). Both know, because the state of the monitor is locked.
 *
 * Channels are locked in one call, before the deliveries: `loadRosters` finds all that may be notified before it is decided.
 */

/** A notification that a schedule sends. @property pk of its delivery; null for a reminder @property schedulePk of the row that represents it */
export interface Route {
  pk: number | null;
  monitorPk: number;
  schedulePk: number;
  event: Transition;
  outagePk: number | null;
  resultPk: number | null;
  /** In seconds. */
  every: number;
}

/** The numbers of channels. @property own of the person who is on call; none if nobody is */
interface Roster {
  own: number[];
  defaults: number[];
}

/** Who is on call in some schedules. @property channelPks all that may be notified */
interface Rosters {
  bySchedule: ReadonlyMap<number, Roster>;
  /** The channels that schedules notified before, by the number of the monitor. */
  routed: ReadonlyMap<number, number[]>;
  channelPks: number[];
}

const NONE: Rosters = { bySchedule: new Map(), routed: new Map(), channelPks: [] };

/** @property concerned the channels with something to decide: without a schedule among them, nothing is read */
export async function loadRosters(
  tx: TimedTx,
  {
    monitorPks,
    concerned,
  }: {
    monitorPks: readonly number[];
    concerned: readonly { channelPk: number; isOfSchedule: boolean }[];
  },
): Promise<Rosters> {
  const pks = [...new Set(concerned.flatMap((one) => (one.isOfSchedule ? [one.channelPk] : [])))];
  if (pks.length === 0) return NONE;
  const bySchedule = await loadRosterOf(tx, pks);
  const routed = await listRouted(tx, monitorPks);
  const channelPks = [...bySchedule.values()].flatMap(({ own, defaults }) => [...own, ...defaults]);
  return { bySchedule, routed, channelPks: [...channelPks, ...[...routed.values()].flat()] };
}

async function loadRosterOf(tx: TimedTx, pks: readonly number[]): Promise<Map<number, Roster>> {
  const { alertChannels, schedules } = tx.tables;
  const rows = await tx.db
    .select({ channelPk: alertChannels.pk, schedule: schedules })
    .from(alertChannels)
    .innerJoin(schedules, eq(schedules.pk, alertChannels.schedulePk))
    .where(tx.sets.among(alertChannels.pk, pks));
  const found = new Map<number, Roster>();
  for (const [organizationPk, some] of Map.groupBy(rows, ({ schedule }) => schedule.organizationPk)) {
    const loaded = await asSchedules(
      tx,
      some.map(({ schedule }) => schedule),
    );
    const isAvailable = availability(await listOnCallPeople(tx, organizationPk));
    const channels = await listReceivers(tx, organizationPk);
    for (const [at, { channelPk }] of some.entries()) {
      const schedule = loaded[at];
      const personId = schedule && onCallAt(schedule, tx.now, isAvailable)?.personId;
      const own = personId ? (channels.byPerson.get(personId) ?? []) : [];
      found.set(channelPk, { own, defaults: channels.defaults });
    }
  }
  return found;
}

const LIST_OWN = `SELECT people.id AS "personId", channel_pk AS "channelPk" FROM person_channels
  JOIN people ON people.pk = person_pk JOIN alert_channels ON alert_channels.pk = channel_pk
  WHERE alert_channels.organization_pk = $1 ORDER BY channel_pk`;

/** The channels of people by the ID of the person, and the default channels of an organization. */
export async function listReceivers({ db, query, tables: { defaultChannels } }: Tx, organizationPk: number) {
  const rows = await query<{ personId: string; channelPk: number }>(LIST_OWN, [organizationPk]);
  const own = Map.groupBy(rows, ({ personId }) => personId);
  const defaults = await db
    .select({ pk: defaultChannels.channelPk })
    .from(defaultChannels)
    .where(eq(defaultChannels.organizationPk, organizationPk));
  return {
    byPerson: new Map([...own].map(([id, some]) => [id, some.map(({ channelPk }) => channelPk)])),
    defaults: defaults.map(({ pk }) => pk),
  };
}

async function listRouted(
  { db, sets, tables: { alertBindings } }: Tx,
  monitorPks: readonly number[],
): Promise<Map<number, number[]>> {
  const { monitorPk, channelPk, routed } = alertBindings;
  const rows = await db
    .select({ monitorPk, channelPk })
    .from(alertBindings)
    .where(and(sets.among(monitorPk, monitorPks), eq(routed, true)));
  const byMonitor = Map.groupBy(rows, (row) => row.monitorPk);
  return new Map([...byMonitor].map(([pk, some]) => [pk, some.map((row) => row.channelPk)]));
}

/** The error of a notification of a schedule that reaches nobody. */
const NOBODY = "nobody who is on call has a channel, and no default channel is enabled";

/** Sends notifications of schedules, in their order. To be called after the channels are locked, and other decisions are saved. */
export async function sendRoutes(tx: TimedTx, rosters: Rosters, routes: readonly Route[]): Promise<void> {
  if (routes.length === 0) return;
  const known = await loadReceivers(tx, rosters, routes);
  for (const route of routes) {
    const isRecovery = groupOf[route.event.status] === "healthy";
    const roster = rosters.bySchedule.get(route.schedulePk) ?? { own: [], defaults: [] };
    const receivers = (pks: readonly number[]) =>
      pks.flatMap((pk) => known.get(keyOf(route.monitorPk, pk)) ?? []);
    const candidates = isRecovery
      ? receivers(rosters.routed.get(route.monitorPk) ?? [])
      : reachable(receivers(roster.own), receivers(roster.defaults));
    const { event, every } = route;
    const chosen = planRoute({ event, every, now: tx.now }, candidates);
    if (candidates.length === 0 && !isRecovery) await fail(tx, route);
    await notify(tx, route, chosen);
    for (const channel of chosen) channel.newest = { event, isPending: true, createdAt: tx.now };
  }
}

/** A channel, with what it knows about a monitor. */
interface Receiver extends RoutedChannel {
  id: string;
  type: Tx["tables"]["alertChannels"]["$inferSelect"]["type"];
}

function keyOf(monitorPk: number, channelPk: number): string {
  return `${monitorPk} ${channelPk}`;
}

const { pending, delivered, failed } = deliveryStatusCodes;
const LIST_RECEIVERS = `SELECT monitor_pk AS "monitorPk", channel.pk, channel.id, channel.type, channel.enabled,
    channel.notify_on AS "notifyOn", (SELECT pk FROM deliveries
      WHERE deliveries.monitor_pk = wanted.monitor_pk AND deliveries.channel_pk = channel.pk
        AND status IN (${pending}, ${delivered}, ${failed})
      ORDER BY pk DESC LIMIT 1) AS "newestPk"
  FROM json_to_recordset($1) AS wanted (monitor_pk integer, channel_pk integer)
  JOIN alert_channels AS channel ON channel.pk = wanted.channel_pk`;

type ReceiverRow = Omit<Receiver, "newest"> & { monitorPk: number; newestPk: number | null };

async function loadReceivers(
  tx: TimedTx,
  { bySchedule, routed }: Rosters,
  routes: readonly Route[],
): Promise<Map<string, Receiver>> {
  const pairs = new Map<string, { monitor_pk: number; channel_pk: number }>();
  for (const { monitorPk, schedulePk } of routes) {
    const { own = [], defaults = [] } = bySchedule.get(schedulePk) ?? {};
    for (const channelPk of [...own, ...defaults, ...(routed.get(monitorPk) ?? [])])
      pairs.set(keyOf(monitorPk, channelPk), { monitor_pk: monitorPk, channel_pk: channelPk });
  }
  if (pairs.size === 0) return new Map();
  const rows = await tx.query<ReceiverRow>(LIST_RECEIVERS, [JSON.stringify([...pairs.values()])]);
  const events = await loadEvents(
    tx,
    rows.flatMap(({ newestPk }) => newestPk ?? []),
  );
  return new Map(
    rows.map(({ monitorPk, newestPk, enabled, notifyOn, ...row }) => {
      const newest = events.get(newestPk ?? 0) ?? null;
      const receiver = { ...row, enabled: Boolean(enabled), notifyOn: fromJson(notifyOn), newest };
      return [keyOf(monitorPk, row.pk), receiver];
    }),
  );
}

/** Creates a delivery for each channel, due now, and what the channel knows about the monitor from now on. */
async function notify(
  { db, sets, tables: { alertBindings, deliveries }, now }: TimedTx,
  { monitorPk, event, outagePk, resultPk }: Route,
  channels: readonly Receiver[],
): Promise<void> {
  if (channels.length === 0) return;
  const rows = channels.map(({ pk, id, type }) => ({
    ...{ id: deliveryId(resultPk), resultPk, monitorPk, outagePk, event },
    ...{ channelPk: pk, channelId: id, channelType: type },
    ...{ status: "pending" as const, nextAttemptAt: now, createdAt: now },
  }));
  await sets.insert(deliveries, rows);
  await db
    .insert(alertBindings)
    .values(channels.map(({ pk }) => ({ monitorPk, channelPk: pk, routed: true })))
    .onConflictDoNothing();
}

async function fail({ db, tables: { deliveries } }: TimedTx, { pk }: Route): Promise<void> {
  if (pk === null) return;
  const outcome = { status: "failed", error: NOBODY, deliveredAt: null } as const;
  await db.update(deliveries).set(outcome).where(eq(deliveries.pk, pk));
}
