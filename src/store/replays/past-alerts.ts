import { and, eq } from "drizzle-orm";
import { isTransition } from "../../domain/alerts/alert-event.ts";
import { firstHold, type StoredDeliveryStatus, type Transition } from "../../domain/alerts/delivery.ts";
import { onCallAt } from "../../domain/on-call/rotation.ts";
import { availability } from "../../domain/on-call/schedule.ts";
import type {
  MonitorSettings,
  PastChannel,
  PastNotification,
  PastOutage,
  ReplayedPast,
  ReplayedRange,
} from "../../domain/replay/history.ts";
import {
  deletedChannel,
  deletedMaintenance,
  type PresentChannel,
  type PresentMaintenance,
  pastCalendar,
  pastChannel,
} from "../../domain/replay/past-settings.ts";
import { isListed } from "../alerts/channels.ts";
import { listReceivers } from "../alerts/review/routes.ts";
import type { Engine } from "../engine.ts";
import { asSchedules, listOnCallPeople } from "../on-call/schedules.ts";
import { deliveryStatusCodes, statusOfCode, wordOf, wordsOf } from "../status-codes.ts";
import { createTurns } from "../turns.ts";
import { fromJson, type Tx } from "../tx.ts";
import type { LoadedMonitor } from "./load-past.ts";
import type { PastEdits } from "./past-edits.ts";

/* The outages, the notifications, and whom they reach. Times are milliseconds since 1970. */

/** How many monitors are read at once, as a multiple of those whose hours are. */
const MORE = 20;

const LIST_OUTAGES = `SELECT pk, id, monitor_pk AS "monitorPk", started_at AS "startedAt", ended_at AS "endedAt", status,
    acknowledged_at AS "acknowledgedAt"
  FROM outages WHERE monitor_pk = ANY($1::integer[]) AND started_at < $3 AND (ended_at IS NULL OR ended_at >= $2)
  ORDER BY started_at, pk`;

interface OutageRow extends Pick<PastOutage, "id" | "startedAt" | "endedAt"> {
  pk: number;
  monitorPk: number;
  status: number;
  acknowledgedAt: number | null;
}

/** The outages that touch a range, by the number of the monitor. */
export async function readOutages(
  engine: Engine,
  monitorPks: readonly number[],
  { range, edits }: { range: ReplayedRange; edits: PastEdits },
): Promise<Map<number, PastOutage[]>> {
  const found = new Map<number, PastOutage[]>();
  await inSlices(engine, monitorPks, async (tx, some) => {
    const rows = await tx.query<OutageRow>(LIST_OUTAGES, [some, range.from, range.to]);
    const downs = await readDowns(
      tx,
      rows.filter(({ id }) => edits.ofOutage(id).length > 0),
    );
    for (const [monitorPk, own] of Map.groupBy(rows, (row) => row.monitorPk))
      found.set(
        monitorPk,
        own.map(({ pk, id, startedAt, endedAt, status, acknowledgedAt }) => ({
          ...{ id, startedAt, endedAt, status: statusOfCode(status) },
          acknowledged: acknowledgements(edits.ofOutage(id), { acknowledgedAt, downs: downs.get(pk) ?? [] }),
        })),
      );
  });
  return found;
}

/** When the monitor became down, by the number of the outage. */
async function readDowns(
  { db, sets, tables: { outageDowns } }: Tx,
  outages: readonly OutageRow[],
): Promise<Map<number, number[]>> {
  if (outages.length === 0) return new Map();
  const { outagePk, startedAt } = outageDowns;
  const pks = outages.map(({ pk }) => pk);
  const rows = await db
    .select({ outagePk, startedAt })
    .from(outageDowns)
    .where(sets.among(outagePk, pks))
    .orderBy(startedAt);
  const byOutage = Map.groupBy(rows, (row) => row.outagePk);
  return new Map([...byOutage].map(([pk, some]) => [pk, some.map((row) => row.startedAt)]));
}

/**
 * When an outage was acknowledged. What the log does not say, its row does; and an outage whose monitor got down is no longer
 * acknowledged (behavior 14.54).
 */
function acknowledgements(
  entries: ReturnType<PastEdits["ofOutage"]>,
  { acknowledgedAt, downs }: { acknowledgedAt: number | null; downs: readonly number[] },
): PastOutage["acknowledged"] {
  const found: { at: number; until: number | null }[] = [];
  for (const { at, isAcknowledged } of entries) {
    const last = found.at(-1);
    if (last && last.until === null) last.until = downs.find((down) => down > last.at && down <= at) ?? null;
    const isOpen = last?.until === null;
    if (isAcknowledged && !isOpen) found.push({ at, until: null });
    else if (last && isOpen && !isAcknowledged) last.until = at;
  }
  const last = found.at(-1);
  if (acknowledgedAt === null && last?.until === null)
    last.until = downs.find((down) => down > last.at) ?? null;
  if (acknowledgedAt !== null && last?.until !== null) found.push({ at: acknowledgedAt, until: null });
  return found;
}

async function inSlices<Item>(
  engine: Engine,
  items: readonly Item[],
  work: (tx: Tx, some: readonly Item[]) => Promise<void>,
): Promise<void> {
  const size = engine.monitorsInSlice * MORE;
  for (let at = 0; at < items.length; at += size)
    await engine.readSlice((tx) => work(tx, items.slice(at, at + size)));
}

const { hidden, delivered } = deliveryStatusCodes;

/** A notification that a schedule sent is in the rows of its channels (behavior 23.35). */
const LIST_NOTIFICATIONS = `SELECT pk FROM deliveries
  WHERE monitor_pk = ANY($1::integer[]) AND created_at >= $2 AND created_at < $3 AND status <> ${hidden}
    AND NOT (channel_type = 'SCHEDULE' AND status = ${delivered})`;

const READ_NOTIFICATIONS = `SELECT pk, monitor_pk AS "monitorPk", channel_id AS "channelId", channel_type AS "channelType", status,
    attempts, first_attempt_at AS "firstAttemptAt", next_attempt_at AS "nextAttemptAt", created_at AS "createdAt", transition
  FROM deliveries WHERE pk = ANY($1::bigint[])`;

interface DeliveryRow {
  pk: number;
  monitorPk: number;
  channelId: string;
  channelType: string;
  status: number;
  attempts: number;
  firstAttemptAt: number | null;
  nextAttemptAt: number | null;
  createdAt: number;
  transition: Transition | string;
}

/** Deliveries that are read at once. */
const DELIVERIES_AT_ONCE = 300;

/** The notifications of a range, in their order, by the number of the monitor. */
export async function readNotifications(
  engine: Engine,
  monitors: readonly LoadedMonitor[],
  { from, to }: ReplayedRange,
): Promise<Map<number, PastNotification[]>> {
  const pks: number[] = [];
  await inSlices(engine, monitors, async ({ query }, some) => {
    const monitorPks = some.map(({ pk }) => pk);
    for (const { pk } of await query<{ pk: number }>(LIST_NOTIFICATIONS, [monitorPks, from, to]))
      pks.push(pk);
  });
  pks.sort((a, b) => a - b);
  const byPk = new Map(monitors.map((monitor) => [monitor.pk, monitor]));
  const found = new Map<number, PastNotification[]>();
  const turn = createTurns();
  for (let at = 0; at < pks.length; at += DELIVERIES_AT_ONCE) {
    const some = pks.slice(at, at + DELIVERIES_AT_ONCE);
    const rows = await engine.readSlice((tx) => tx.query<DeliveryRow>(READ_NOTIFICATIONS, [some]));
    for (const row of rows.sort((a, b) => a.pk - b.pk)) {
      const others = turn();
      if (others) await others;
      const monitor = byPk.get(row.monitorPk);
      const notification = monitor && notificationOf(row, monitor);
      if (!notification) continue;
      const own = found.get(row.monitorPk) ?? [];
      found.set(row.monitorPk, own);
      own.push(notification);
    }
  }
  return found;
}

const statuses = wordsOf<StoredDeliveryStatus>(deliveryStatusCodes);

/** @returns undefined for the end of an incident, which is no notification of a change of status */
function notificationOf(row: DeliveryRow, monitor: LoadedMonitor): PastNotification | undefined {
  const event = fromJson<Transition>(row.transition);
  if (!isTransition(event) || event.closed) return undefined;
  const isReminder = event.reminder === true;
  // A schedule notifies its channels later.
  const createdAt = isReminder ? row.createdAt : event.result.createdAt;
  return {
    ...{ channelId: row.channelId, outageId: event.outage?.id ?? null, status: event.status },
    ...{ createdAt, sentAt: sentAtOf(row, { event, monitor }), isReminder },
  };
}

/** When a notification was released; null if it was not. */
function sentAtOf(
  row: DeliveryRow,
  { event, monitor }: { event: Transition; monitor: LoadedMonitor },
): number | null {
  const status = wordOf(statuses, row.status);
  const isReleased =
    status === "pending" || status === "delivered" || (status === "failed" && row.attempts > 0);
  if (!isReleased) return null;
  const isLater = event.reminder !== true && row.createdAt !== event.result.createdAt;
  if (event.reminder || isLater || !wasHeld(row, { event, monitor })) return row.createdAt;
  return row.firstAttemptAt ?? row.nextAttemptAt ?? row.createdAt;
}

/** Whether the settings of the time held the notification until it was decided. */
function wasHeld(
  { channelId, createdAt }: DeliveryRow,
  { event, monitor }: { event: Transition; monitor: LoadedMonitor },
): boolean {
  const settings = monitor.settings.findLast(({ since }) => since <= createdAt) ?? monitor.settings[0];
  const binding = settings?.bindings.find((one) => one.channelId === channelId);
  if (!settings || !binding) return false;
  const isInWindow = event.result.detail?.maintenance !== undefined;
  const isDependent = settings.dependsOn.length > 0;
  const context = { isInWindow, isDependent, isOfSchedule: false, followsHeld: false };
  return firstHold({ timing: binding.timing, ...context }) !== null;
}

type Alerting = Pick<ReplayedPast, "calendar" | "channels" | "defaultChannelIds" | "onCall">;

/** Whom notifications reach, and the maintenances. */
export async function readAlerting(
  engine: Engine,
  organization: number,
  { edits, loaded }: { edits: PastEdits; loaded: readonly LoadedMonitor[] },
): Promise<Alerting> {
  const { readSlice } = engine;
  const stored = await readSlice((tx) => readChannels(tx, organization));
  const deleted = edits.deleted("channel").map((entry) => deletedChannel(entry.resource.id, entry));
  const present = stored.map(({ pk: _, ...channel }) => channel);
  const channels = [...deleted, ...present].map((one) => pastChannel(one, edits.of(one.id)));
  const idOf = new Map(stored.map(({ pk, id }) => [pk, id]));
  const needsSchedules = loaded.some(({ settings }) => settings.some(hasSchedule));
  const onCall = await readSlice((tx) => readOnCall(tx, organization, { idOf, needsSchedules }));
  const maintenances = await readSlice((tx) => readMaintenances(tx, organization, edits));
  return {
    channels: new Map(channels.map((one): [string, PastChannel] => [one.id, one])),
    calendar: pastCalendar(maintenances, edits.of),
    ...onCall,
  };
}

function hasSchedule({ bindings }: MonitorSettings): boolean {
  return bindings.some(({ scheduleId }) => scheduleId !== null);
}

async function readChannels({ db, tables }: Tx, organization: number) {
  const { alertChannels } = tables;
  const { pk, id, type, enabled, notifyOn, createdAt } = alertChannels;
  const rows = await db
    .select({ pk, id, type, enabled, notifyOn, createdAt })
    .from(alertChannels)
    .where(and(eq(alertChannels.organizationPk, organization), isListed(tables)))
    .orderBy(pk);
  return rows.map((row): PresentChannel & { pk: number } => ({ ...row, deletedAt: null }));
}

/** By the present layers and overrides. Without a schedule, nothing is read of them. */
async function readOnCall(
  tx: Tx,
  organization: number,
  { idOf, needsSchedules }: { idOf: ReadonlyMap<number, string>; needsSchedules: boolean },
): Promise<Pick<Alerting, "defaultChannelIds" | "onCall">> {
  const { schedules } = tx.tables;
  const receivers = await listReceivers(tx, organization);
  const idsOf = (pks: readonly number[]) =>
    pks.toSorted((a, b) => a - b).flatMap((channelPk) => idOf.get(channelPk) ?? []);
  const defaultChannelIds = idsOf(receivers.defaults);
  if (!needsSchedules) return { defaultChannelIds, onCall: new Map() };
  const rows = await tx.db.select().from(schedules).where(eq(schedules.organizationPk, organization));
  const isAvailable = availability(await listOnCallPeople(tx, organization));
  const onCall = (await asSchedules(tx, rows)).map((schedule) => {
    const at = (moment: number) =>
      idsOf(receivers.byPerson.get(onCallAt(schedule, moment, isAvailable)?.personId ?? "") ?? []);
    return [schedule.id, at] as const;
  });
  return { defaultChannelIds, onCall: new Map(onCall) };
}

async function readMaintenances(
  { db, tables: { maintenances } }: Tx,
  organization: number,
  edits: PastEdits,
): Promise<PresentMaintenance[]> {
  const rows = await db.select().from(maintenances).where(eq(maintenances.organizationPk, organization));
  const deleted = edits.deleted("maintenance").flatMap(({ resource, ...edit }): PresentMaintenance[] => {
    const one = deletedMaintenance(resource, edit);
    return one ? [{ ...one, createdAt: edits.createdAt(one.id) ?? 0 }] : [];
  });
  return [...rows.map((row) => ({ ...row, deletedAt: null })), ...deleted];
}
