import { and, asc, eq } from "drizzle-orm";
import { type StoredDeliveryStatus, type Transition, timingDuring } from "../../../domain/alerts/delivery.ts";
import {
  type ForecastBinding,
  type ForecastChannel,
  type ForecastRoster,
  type Foreseen,
  forecast,
  isUnderWay,
} from "../../../domain/alerts/review/forecast.ts";
import type { ReviewedMonitor } from "../../../domain/alerts/review/pair.ts";
import { reviewedMonitor } from "../../../domain/alerts/review/reviewed-monitor.ts";
import { groupOf, type Status, statusesOf } from "../../../domain/monitors/status.ts";
import { onCallAt } from "../../../domain/on-call/rotation.ts";
import { availability } from "../../../domain/on-call/schedule.ts";
import { notFound } from "../../../errors.ts";
import { findOpenWindows } from "../../maintenance/calendars.ts";
import { oneMonitor } from "../../monitors/monitors.ts";
import { asSchedules, listOnCallPeople } from "../../on-call/schedules.ts";
import { timingOf } from "../../recording/save-deliveries.ts";
import type { TimedTx, Tx } from "../../tx.ts";
import { findAncestors, type LoadedMonitor, loadMonitors } from "./load-monitors.ts";
import { loadOutages } from "./load-pairs.ts";
import { listReceivers } from "./routes.ts";

/** @property outageId of the trouble that is under way; null without any @property receivers see `forecast` */
export interface Forecast {
  outageId: string | null;
  receivers: (Foreseen & { mutedByName: string | null })[];
}

/**
 * Who would be notified if a monitor failed now and stayed so, and when; while it has trouble, who is notified if that lasts (behavior
 * 23.45). What a check would still find out is not foreseen.
 *
 * @throws AppError `not_found`
 */
export async function forecastAlerts(tx: TimedTx, organizationId: string, id: string): Promise<Forecast> {
  const { monitors } = tx.tables;
  const [found] = await tx.db
    .select({ pk: monitors.pk })
    .from(monitors)
    .where(await oneMonitor(tx, organizationId, id));
  if (!found) throw notFound();
  const { pk } = found;
  const ancestorPks = (await findAncestors(tx, [pk])).get(pk) ?? [];
  const loaded = await loadMonitors(tx, [pk, ...ancestorPks]);
  const own = loaded.get(pk);
  if (!own) throw notFound();
  const ancestors = ancestorPks.flatMap((one) => loaded.get(one) ?? []);
  const outage =
    own.outagePk === null ? null : ((await loadOutages(tx, [own.outagePk])).get(own.outagePk) ?? null);
  const present = withoutChecks(reviewedMonitor(own, ancestors, { outage, windowEndsAt: null }));
  const isTrouble = isUnderWay(present);
  const event = eventOf(own, isTrouble ? present : null, tx.now);
  const supposed = isTrouble ? present : failed(present, event);
  const calendar = await findOpenWindows(tx, own.organizationPk);
  const monitorAt = (at: number) => ({
    ...supposed,
    windowEndsAt: calendar.windowOf(own, at)?.endsAt ?? null,
  });
  const { bindings, defaults } = await loadBindings(tx, own, isTrouble ? own.outagePk : null);
  const receivers = forecast(bindings, { event, monitorAt, defaults, isUnderWay: isTrouble, now: tx.now });
  const names = await namesOf(
    tx,
    receivers.flatMap(({ mutedBy }) => mutedBy ?? []),
  );
  return {
    outageId: isTrouble ? own.outageId : null,
    receivers: receivers.map((one) => ({ ...one, mutedByName: names.get(one.mutedBy ?? "") ?? null })),
  };
}

/** The trouble lasts, and so does the trouble of the monitors that it depends on: no check decides anything else. */
function withoutChecks(monitor: ReviewedMonitor): ReviewedMonitor {
  const ancestors = monitor.ancestors.map((ancestor) => ({ ...ancestor, check: null }));
  return { ...monitor, check: null, ancestors };
}

/** The monitor with trouble that begins now. */
function failed(monitor: ReviewedMonitor, { status, result }: Transition): ReviewedMonitor {
  const startedAt = result.createdAt;
  const outage = { pk: 0, id: "", startedAt, endedAt: null, acknowledged: null };
  return { ...monitor, status, troubleSince: startedAt, outage };
}

/** The notification of trouble. @param present null if it begins now */
function eventOf(
  { id, type, config }: LoadedMonitor,
  present: ReviewedMonitor | null,
  now: number,
): Transition {
  const status: Status = present?.status ?? statusesOf[type].find((one) => groupOf[one] === "down") ?? "down";
  const since = present?.outage?.startedAt ?? now;
  return {
    organization: { id: "", name: "" },
    monitor: { id, name: "", type, config },
    ...{ previousStatus: "up", status, troubleSince: present?.troubleSince ?? since },
    result: { id: "", latencyMs: null, detail: null, createdAt: since },
  };
}

async function loadBindings(tx: TimedTx, { pk, organizationPk }: LoadedMonitor, outagePk: number | null) {
  const { alertBindings, alertChannels } = tx.tables;
  const rows = await tx.db
    .select({ channel: alertChannels, binding: alertBindings })
    .from(alertBindings)
    .innerJoin(alertChannels, eq(alertChannels.pk, alertBindings.channelPk))
    .where(and(eq(alertBindings.monitorPk, pk), eq(alertBindings.routed, false)))
    .orderBy(asc(alertChannels.pk));
  const earlier = outagePk === null ? new Map() : await loadEarlier(tx, outagePk);
  const { rosters, defaults } = await loadSchedules(
    tx,
    organizationPk,
    rows.flatMap(({ channel }) => channel.schedulePk ?? []),
  );
  const bindings = rows.map(({ channel, binding }): ForecastBinding => {
    const roster = rosters.get(channel.schedulePk ?? 0);
    const before = earlier.get(channel.pk);
    return {
      ...{ pk: channel.pk, id: channel.id, name: roster?.name ?? channel.name },
      ...{ enabled: channel.enabled, notifyOn: channel.notifyOn },
      timing: timingDuring(timingOf(binding), outagePk),
      ...(roster && { rosterAt: roster.at }),
      ...(before && { earlier: before }),
    };
  });
  return { bindings, defaults };
}

/** The outcome of the notification of an outage, by the number of the channel. */
async function loadEarlier(
  { db, tables: { deliveries } }: Tx,
  outagePk: number,
): Promise<Map<number, ForecastBinding["earlier"]>> {
  const { pk, channelPk, status, hold } = deliveries;
  const rows = await db
    .select({ channelPk, status, hold })
    .from(deliveries)
    .where(eq(deliveries.outagePk, outagePk))
    .orderBy(asc(pk));
  return new Map(
    rows.map((row) => [row.channelPk, { status: outcomes[row.status], hold: row.hold ?? { kind: "new" } }]),
  );
}

const outcomes: Record<StoredDeliveryStatus, NonNullable<ForecastBinding["earlier"]>["status"]> = {
  ...{ pending: "notified", delivered: "notified", failed: "failed" },
  ...{ held: "undecided", muted: "undecided", hidden: "undecided", withdrawn: "undecided" },
};

interface Rosters {
  /** By the number of the schedule. */
  rosters: ReadonlyMap<number, { name: string; at: (at: number) => ForecastRoster }>;
  defaults: ForecastChannel[];
}

/** Without a schedule, nothing is read. */
async function loadSchedules(tx: TimedTx, organizationPk: number, pks: readonly number[]): Promise<Rosters> {
  if (pks.length === 0) return { rosters: new Map(), defaults: [] };
  const { schedules, alertChannels } = tx.tables;
  const rows = await tx.db.select().from(schedules).where(tx.sets.among(schedules.pk, pks));
  const loaded = await asSchedules(tx, rows);
  const people = await listOnCallPeople(tx, organizationPk);
  const isAvailable = availability(people);
  const receivers = await listReceivers(tx, organizationPk);
  const wanted = [...receivers.defaults, ...[...receivers.byPerson.values()].flat()];
  const { pk, id, name, enabled, notifyOn } = alertChannels;
  const channels = await tx.db
    .select({ pk, id, name, enabled, notifyOn })
    .from(alertChannels)
    .where(tx.sets.among(pk, [...new Set(wanted)]))
    .orderBy(asc(pk));
  const among = (some: readonly number[]) => channels.filter((channel) => some.includes(channel.pk));
  const rosters = loaded.map((schedule, place) => {
    const at = (moment: number): ForecastRoster => {
      const personId = onCallAt(schedule, moment, isAvailable)?.personId ?? "";
      const person = people.find((one) => one.id === personId)?.name ?? null;
      return { person, own: among(receivers.byPerson.get(personId) ?? []) };
    };
    return [rows[place]?.pk ?? 0, { name: schedule.name, at }] as const;
  });
  return { rosters: new Map(rosters), defaults: among(receivers.defaults) };
}

async function namesOf({ db, sets, tables: { monitors } }: Tx, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { id, name } = monitors;
  const rows = await db.select({ id, name }).from(monitors).where(sets.among(id, ids));
  return new Map(rows.map((row) => [row.id, row.name]));
}
