import type { AlertTiming } from "../../domain/alerts/alert-binding.ts";
import {
  firstHold,
  type Hold,
  type StoredDeliveryStatus,
  type StoredTiming,
  type Transition,
  timingDuring,
} from "../../domain/alerts/delivery.ts";
import type { Hours } from "../../domain/alerts/hours.ts";
import {
  type BoundChannel,
  EVERY_GROUP,
  type PlannedDelivery,
  planDeliveries,
} from "../../domain/alerts/notify.ts";
import { isInMaintenance } from "../../domain/maintenance/maintenance.ts";
import type { PlannedTransition, RecordingPlan } from "../../domain/monitors/recording-plan.ts";
import { groupOf, type Status } from "../../domain/monitors/status.ts";
import { deliveryId, resultId } from "../ids.ts";
import { asStored } from "../results/timings.ts";
import { statusOfCode } from "../status-codes.ts";
import { fromJson, type Sql, type Tx } from "../tx.ts";
import type { SavedResult } from "./recording-engine.ts";
import { type ChangedMonitor, type OpenedOutages, outageFinder } from "./save-outages.ts";
import type { StoredSubjects } from "./stored-subject.ts";

/**
 * Schedules reviews of the deliveries that are held, and saves the deliveries that follow from the transitions of a plan. The
 * numbers of new deliveries are taken after their channels are locked, so the deliveries of a channel are in the order of the
 * commits.
 */
export async function saveDeliveries(tx: Tx, saved: SavedPlan, plan: RecordingPlan): Promise<void> {
  const decided = decidedMonitors(saved.subjects, plan);
  if (plan.transitions.length === 0) return scheduleReviewOfHeld(tx, decided);
  const pks = new Map(
    plan.transitions.map(({ monitor: { id }, resultAt }) => [id, saved.results[resultAt]?.monitorPk ?? 0]),
  );
  const channels = await loadChannels(tx, pks);
  const mutes = await countDependents(tx, pks, mutingMonitors(plan, channels));
  // Before the new deliveries, which are decided first.
  await scheduleReviewOfHeld(tx, decided);
  await tx.sets.insert(tx.tables.deliveries, newDeliveries(plan, saved, { pks, channels, mutes }));
}

/** The monitors whose held notifications are decided again (behavior 14.52): by a transition, or a check that they wait for. */
function decidedMonitors(
  subjects: StoredSubjects,
  { results, transitions }: RecordingPlan,
): ChangedMonitor[] {
  const changed = new Set(transitions.map(({ resultAt }) => resultAt));
  return results.flatMap(({ monitorId, isLate, createdAt: at }, resultAt) => {
    const subject = subjects.get(monitorId);
    const isDecided = changed.has(resultAt) || (subject?.isAwaited && !isLate);
    return subject && isDecided ? [{ monitorPk: subject.pk, at }] : [];
  });
}

const LIST_BOUND =
  "SELECT DISTINCT channel_pk AS pk FROM alert_bindings WHERE monitor_pk = ANY($1::integer[]) AND NOT routed";

const LIST_CHANNELS = `SELECT monitor_pk AS "monitorPk", channel.pk, channel.id, channel.type,
    channel.notify_on AS "notifyOn", notified_status AS "notifiedStatus", "after", every,
    hours, kept_for_outage AS "keptForOutage", kept_after AS "keptAfter", kept_every AS "keptEvery",
    kept_hours AS "keptHours",
    EXISTS (SELECT 1 FROM monitor_dependencies
      WHERE monitor_dependencies.monitor_pk = alert_bindings.monitor_pk) AS "isDependent",
    EXISTS (SELECT 1 FROM deliveries
      WHERE deliveries.monitor_pk = alert_bindings.monitor_pk AND deliveries.channel_pk = channel.pk
        AND review_at IS NOT NULL)
      OR (SELECT status FROM deliveries
        WHERE deliveries.monitor_pk = alert_bindings.monitor_pk AND deliveries.channel_pk = channel.pk
        ORDER BY pk DESC LIMIT 1) IS NOT DISTINCT FROM 4 AS "followsHeld"
  FROM alert_bindings JOIN alert_channels AS channel ON channel.pk = channel_pk
  WHERE monitor_pk = ANY($1::integer[]) AND channel.enabled AND NOT routed
  ORDER BY channel.pk`;

type Row = ChannelRow & { monitorPk: number };

/** The enabled channels of some monitors, by the ID of the monitor, in the order of their numbers. */
async function loadChannels(tx: Tx, pks: MonitorPks): Promise<LoadedBindings["channels"]> {
  const monitorPks = [...pks.values()];
  const bound = await tx.query<{ pk: number }>(LIST_BOUND, [monitorPks]);
  if (bound.length === 0) return new Map();
  await tx.lockChannels(bound.map(({ pk }) => pk));
  const rows = (await tx.query<Row>(LIST_CHANNELS, [monitorPks])).map((row) => ({
    ...row,
    notifyOn: fromJson(row.notifyOn),
    hours: row.hours && fromJson(row.hours),
    keptHours: row.keptHours && fromJson(row.keptHours),
    isDependent: Boolean(row.isDependent),
    followsHeld: Boolean(row.followsHeld),
  }));
  // Channels that list every group are notified of every transition, whatever the last one was.
  const lastOf = await lastDeliveries(
    tx,
    rows.filter(({ notifyOn }) => notifyOn.length < EVERY_GROUP.length),
  );
  const byMonitor = Map.groupBy(rows, ({ monitorPk }) => monitorPk);
  return new Map(
    [...pks].map(([id, pk]) => [id, (byMonitor.get(pk) ?? []).map((row) => storedChannel(row, lastOf(row)))]),
  );
}

/** The whole JSON, because `->>` fails on PostgreSQL for a document with an escaped NUL. */
const LAST_DELIVERIES = `SELECT monitor_pk AS "monitorPk", channel_pk AS pk, (
    SELECT transition FROM deliveries
    WHERE deliveries.monitor_pk = wanted.monitor_pk AND deliveries.channel_pk = wanted.channel_pk
      AND status <> 2 AND status <> 4
    ORDER BY pk DESC LIMIT 1) AS transition
  FROM json_to_recordset($1) AS wanted (monitor_pk integer, channel_pk integer)`;

type BindingKey = Pick<Row, "monitorPk" | "pk">;

/** The status in the last delivery that arrived or may still arrive. Old deliveries are deleted with their results. */
async function lastDeliveries(
  { query }: Sql,
  bindings: readonly BindingKey[],
): Promise<(binding: BindingKey) => Status | undefined> {
  if (bindings.length === 0) return () => undefined;
  const wanted = bindings.map(({ monitorPk, pk }) => ({ monitor_pk: monitorPk, channel_pk: pk }));
  const rows = await query<BindingKey & { transition: Transition | null }>(LAST_DELIVERIES, [
    JSON.stringify(wanted),
  ]);
  const keyOf = ({ monitorPk, pk }: BindingKey) => `${monitorPk} ${pk}`;
  const statuses = new Map(rows.map((row) => [keyOf(row), fromJson(row.transition)?.status]));
  return (binding) => statuses.get(keyOf(binding));
}

const COUNT_DEPENDENTS = `WITH RECURSIVE dependents (cause, pk) AS (
    SELECT depends_on_pk, monitor_pk FROM monitor_dependencies WHERE depends_on_pk = ANY($1::integer[])
    UNION
    SELECT cause, monitor_pk FROM monitor_dependencies JOIN dependents ON depends_on_pk = dependents.pk
  )
  SELECT cause, count(*) AS count FROM dependents JOIN monitors ON monitors.pk = dependents.pk
  WHERE monitors.enabled GROUP BY cause`;

/** How many enabled monitors depend on some monitors, directly or not, by the ID of the monitor. */
async function countDependents(
  { query }: Sql,
  pks: MonitorPks,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const monitorPks = ids.map((id) => pks.get(id));
  const rows = await query<{ cause: number; count: number }>(COUNT_DEPENDENTS, [monitorPks]);
  const counts = new Map(rows.map(({ cause, count }) => [cause, count]));
  return new Map(ids.map((id, at) => [id, counts.get(monitorPks[at] ?? 0) ?? 0]));
}

const SCHEDULE_HELD = `UPDATE deliveries SET review_at = least(review_at, scheduled.at)
  FROM (SELECT pk, min(at) AS at FROM json_to_recordset($1) AS changed (pk integer, at bigint) GROUP BY pk) AS scheduled
  WHERE review_at IS NOT NULL AND monitor_pk = scheduled.pk AND monitor_pk = ANY($2)`;

/** Schedules a review of the notifications held for some monitors (behavior 14.52). */
async function scheduleReviewOfHeld({ query }: Sql, changed: readonly ChangedMonitor[]): Promise<void> {
  if (changed.length === 0) return;
  await query(SCHEDULE_HELD, [recordsOf(changed), changed.map(({ monitorPk }) => monitorPk)]);
}

const SCHEDULE_DEPENDENTS = `WITH RECURSIVE dependents (pk, at) AS (
    SELECT monitor_pk, at FROM json_to_recordset($1) AS recovered (pk integer, at bigint)
      JOIN monitor_dependencies ON depends_on_pk = recovered.pk
    UNION
    SELECT monitor_pk, at FROM monitor_dependencies JOIN dependents ON depends_on_pk = dependents.pk
  )
  UPDATE deliveries SET review_at = least(review_at, scheduled.at)
  FROM (SELECT pk, min(at) AS at FROM dependents GROUP BY pk) AS scheduled
  WHERE review_at IS NOT NULL AND monitor_pk = scheduled.pk`;

/** Schedules a review of the notifications held for the dependents of some monitors (behavior 14.52). */
export async function scheduleReviewOfDependents(
  { query }: Sql,
  recovered: readonly ChangedMonitor[],
): Promise<void> {
  await query(SCHEDULE_DEPENDENTS, [recordsOf(recovered)]);
}

function recordsOf(changed: readonly ChangedMonitor[]): string {
  return JSON.stringify(changed.map(({ monitorPk: pk, at }) => ({ pk, at })));
}

/** Held deliveries are reviewed at once, even if the clock was set back. */
const LONG_AGO = 0;

/** @property isDependent whether the monitor depends on others @property followsHeld see `HoldContext` */
interface StoredChannel extends BoundChannel {
  pk: number;
  timing: StoredTiming;
  isDependent: boolean;
  followsHeld: boolean;
}

/** A delivery to insert. */
type NewDelivery = Tx["tables"]["deliveries"]["$inferInsert"];

/** The rows of what a plan contains. @property opened the outages that it opened */
interface SavedPlan {
  subjects: StoredSubjects;
  results: readonly SavedResult[];
  opened: OpenedOutages;
}

/**
 * The rows that are loaded for the monitors of the transitions, by the IDs of the monitors.
 *
 * @property channels the enabled channels of each @property mutes how many monitors depend on it, if that is needed
 */
interface LoadedBindings {
  pks: MonitorPks;
  channels: ReadonlyMap<string, readonly StoredChannel[]>;
  mutes: ReadonlyMap<string, number>;
}

/** The numbers of monitors by their IDs. */
type MonitorPks = ReadonlyMap<string, number>;

/** The monitors that this batch reports as down: their dependents may be muted (behavior 14.51). */
function mutingMonitors(
  { transitions }: Pick<RecordingPlan, "transitions">,
  channels: LoadedBindings["channels"],
): string[] {
  const down = transitions.filter(({ status }) => groupOf[status] === "down");
  const ids = new Set(down.map(({ monitor: { id } }) => id));
  return [...ids].filter((id) => (channels.get(id)?.length ?? 0) > 0);
}

/** The deliveries that follow from the transitions of a plan, in their order. */
function newDeliveries(
  plan: RecordingPlan,
  saved: SavedPlan,
  { pks, channels, mutes }: LoadedBindings,
): NewDelivery[] {
  const outageOf = outageFinder(plan, saved);
  const holdOf = holdFinder(plan);
  const planned = Map.groupBy(planDeliveries(plan.transitions, channels), ({ transition }) => transition);
  return [...planned].flatMap(([transition, deliveries]) => {
    const { resultAt, monitor } = transition;
    const [resultPk, result] = [saved.results[resultAt]?.pk, plan.results[resultAt]];
    if (resultPk === undefined || !result) return [];
    const { latencyMs, detail, createdAt } = asStored(result);
    const outage = outageOf(transition);
    const event = {
      ...eventOf(transition, { id: resultId(resultPk), latencyMs, detail, createdAt }),
      ...(outage && { outage: { id: outage.id, startedAt: outage.startedAt } }),
      ...(groupOf[transition.status] === "down" && mutesOf(mutes.get(monitor.id))),
    } satisfies Transition;
    const [monitorPk = 0, outagePk] = [pks.get(monitor.id), outage?.pk ?? null];
    const shared = { monitorPk, resultPk, event, createdAt, outagePk };
    return deliveries.map((delivery) => {
      const { pk: channelPk, id: channelId, type: channelType } = delivery.channel;
      const channel = { id: deliveryId(resultPk), channelPk, channelId, channelType };
      return { ...shared, ...channel, ...progressOf(holdOf(delivery, outagePk), createdAt) };
    });
  });
}

/** After one delivery of a monitor to a channel is held, the later ones are held too. */
function holdFinder({ results }: RecordingPlan) {
  const held = new Set<StoredChannel>();
  return ({ transition, channel }: PlannedDelivery<StoredChannel>, outagePk: number | null): Hold | null => {
    const result = results[transition.resultAt];
    const hold = firstHold({
      isInWindow: result !== undefined && isInMaintenance(result),
      timing: timingDuring(channel.timing, outagePk),
      isDependent: channel.isDependent,
      isOfSchedule: channel.type === "SCHEDULE",
      followsHeld: channel.followsHeld || held.has(channel),
    });
    if (hold) held.add(channel);
    return hold;
  };
}

function progressOf(hold: Hold | null, createdAt: number) {
  if (!hold) return { status: "pending", nextAttemptAt: createdAt, hold: null, reviewAt: null } as const;
  const status: StoredDeliveryStatus = hold.kind === "maintenance" ? "hidden" : "held";
  return { status, nextAttemptAt: null, hold, reviewAt: LONG_AGO };
}

function eventOf(
  { resultAt: _, ...transition }: PlannedTransition,
  result: Transition["result"],
): Transition {
  return { ...transition, result };
}

function mutesOf(count = 0): Pick<Transition, "mutes"> {
  return count === 0 ? {} : { mutes: count };
}

/** The columns of the timing of a binding. */
interface TimingColumns extends AlertTiming {
  /** These three are null, or none. */
  keptForOutage: number | null;
  keptAfter: number | null;
  keptEvery: number | null;
  keptHours: Hours | null;
}

/** A channel that is bound to a monitor, as the statements of both engines return it. */
type ChannelRow = Omit<StoredChannel, "timing" | "notifiedStatus"> &
  TimingColumns & {
    /** Its code; null if the channel was never notified. */
    notifiedStatus: number | null;
  };

/** @param last the status in the last delivery, if it matters and is known */
function storedChannel(row: ChannelRow, last: Status | undefined): StoredChannel {
  const { pk, id, type, notifyOn, notifiedStatus: code, isDependent, followsHeld } = row;
  const received = code === null ? null : statusOfCode(code);
  const notifiedStatus = last ?? received;
  return { pk, id, type, notifyOn, notifiedStatus, isDependent, followsHeld, timing: timingOf(row) };
}

export function timingOf(row: TimingColumns): StoredTiming {
  const { after, every, hours, keptForOutage: outagePk, keptAfter, keptEvery, keptHours } = row;
  const isKept = outagePk !== null && keptAfter !== null && keptEvery !== null;
  const kept = isKept ? { outagePk, after: keptAfter, every: keptEvery, hours: keptHours } : null;
  return { after, every, hours, kept };
}
