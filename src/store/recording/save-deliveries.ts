import type { Transition } from "../../domain/alerts/delivery.ts";
import { EVERY_GROUP } from "../../domain/alerts/notify.ts";
import type { RecordingPlan } from "../../domain/monitors/recording-plan.ts";
import type { Status } from "../../domain/monitors/status.ts";
import { fromJson, type Sql, type Tx } from "../tx.ts";
import { type ChannelRow, storedChannel } from "./bound-channels.ts";
import { mutingMonitors, newDeliveries, type SavedPlan, type StoredChannel } from "./new-deliveries.ts";
import { type ChangedMonitor, decidedMonitors } from "./plan-effects.ts";
import { findSubject } from "./stored-subject.ts";

/**
 * Schedules reviews of the deliveries that are held, and saves the deliveries that follow from the transitions of a plan. The
 * numbers of new deliveries are taken after their channels are locked, so the deliveries of a channel are in the order of the
 * commits.
 */
export async function saveDeliveries(tx: Tx, saved: SavedPlan, plan: RecordingPlan): Promise<void> {
  const decided = decidedMonitors(saved.subjects, plan);
  if (plan.transitions.length === 0) return scheduleReviewOfHeld(tx, decided);
  const pkOf = (id: string) => findSubject(saved.subjects, id).pk;
  const monitors = new Map(plan.transitions.map(({ monitor: { id } }) => [id, pkOf(id)]));
  const byPk = await loadChannels(tx, [...monitors.values()]);
  const channels = new Map([...monitors].map(([id, pk]) => [id, byPk.get(pk) ?? []]));
  const muting = mutingMonitors(plan, channels);
  const counts = await countDependents(tx, muting.map(pkOf));
  const mutes = new Map(muting.map((id) => [id, counts.get(pkOf(id)) ?? 0]));
  // Before the new deliveries, which are decided first.
  await scheduleReviewOfHeld(tx, decided);
  await tx.sets.insert(tx.tables.deliveries, newDeliveries(plan, saved, { channels, mutes }));
}

const LIST_BOUND =
  "SELECT DISTINCT channel_pk AS pk FROM alert_bindings WHERE monitor_pk = ANY($1::integer[])";

const LIST_CHANNELS = `SELECT monitor_pk AS "monitorPk", channel.pk, channel.id, channel.type,
    channel.notify_on AS "notifyOn", notified_status AS "notifiedStatus", "after", every,
    kept_for_outage AS "keptForOutage", kept_after AS "keptAfter", kept_every AS "keptEvery",
    EXISTS (SELECT 1 FROM monitor_dependencies
      WHERE monitor_dependencies.monitor_pk = alert_bindings.monitor_pk) AS "isDependent",
    EXISTS (SELECT 1 FROM deliveries
      WHERE deliveries.monitor_pk = alert_bindings.monitor_pk AND deliveries.channel_pk = channel.pk
        AND review_at IS NOT NULL)
      OR (SELECT status FROM deliveries
        WHERE deliveries.monitor_pk = alert_bindings.monitor_pk AND deliveries.channel_pk = channel.pk
        ORDER BY pk DESC LIMIT 1) IS NOT DISTINCT FROM 4 AS "followsHeld"
  FROM alert_bindings JOIN alert_channels AS channel ON channel.pk = channel_pk
  WHERE monitor_pk = ANY($1::integer[]) AND channel.enabled
  ORDER BY channel.pk`;

type Row = ChannelRow & { monitorPk: number };

/** The enabled channels of some monitors, by the number of the monitor, in the order of their numbers. */
async function loadChannels(tx: Tx, monitorPks: number[]): Promise<Map<number, StoredChannel[]>> {
  const bound = await tx.query<{ pk: number }>(LIST_BOUND, [monitorPks]);
  if (bound.length === 0) return new Map();
  await tx.lockChannels(bound.map(({ pk }) => pk));
  const rows = (await tx.query<Row>(LIST_CHANNELS, [monitorPks])).map((row) => ({
    ...row,
    notifyOn: fromJson(row.notifyOn),
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
    [...byMonitor].map(([pk, own]) => [pk, own.map((row) => storedChannel(row, lastOf(row)))] as const),
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

/** How many enabled monitors depend on some monitors, directly or not, by the number of the monitor. */
async function countDependents({ query }: Sql, monitorPks: readonly number[]): Promise<Map<number, number>> {
  if (monitorPks.length === 0) return new Map();
  const rows = await query<{ cause: number; count: number }>(COUNT_DEPENDENTS, [monitorPks]);
  return new Map(rows.map(({ cause, count }) => [cause, count]));
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
