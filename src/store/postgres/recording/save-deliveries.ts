import type { Transition } from "../../../domain/alerts/delivery.ts";
import { type BoundChannel, EVERY_GROUP } from "../../../domain/alerts/notify.ts";
import type { RecordingPlan } from "../../../domain/monitors/recording-plan.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import { type ChannelRow, storedChannel } from "../../recording/bound-channels.ts";
import {
  mutingMonitors,
  newDeliveries,
  type SavedPlan,
  type StoredChannel,
} from "../../recording/new-deliveries.ts";
import { decidedMonitors } from "../../recording/plan-effects.ts";
import { findSubject } from "../../recording/stored-subject.ts";
import { deliveryStatusCodes } from "../../status-codes.ts";
import type { Sql } from "../../tx.ts";
import { arraysOf } from "../values.ts";
import { countDependents, scheduleReviewOfHeld } from "./dependents.ts";

const INSERT = `INSERT INTO deliveries
    (id, monitor_pk, result_pk, channel_pk, channel_id, channel_type, transition, status, next_attempt_at, created_at,
     outage_pk, hold, review_at)
  SELECT id, monitor_pk, result_pk, channel_pk, channel_id, channel_type, transition, status, next_attempt_at,
    created_at, outage_pk, hold, review_at
  FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::integer[], $5::text[], $6::text[], $7::json[],
      $8::smallint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::json[], $13::bigint[])
    WITH ORDINALITY
    AS new (id, monitor_pk, result_pk, channel_pk, channel_id, channel_type, transition, status, next_attempt_at,
      created_at, outage_pk, hold, review_at, place)
  ORDER BY place`;

const COLUMNS = [
  "id",
  "monitorPk",
  "resultPk",
  "channelPk",
  "channelId",
  "channelType",
  "transition",
  "status",
  "nextAttemptAt",
  "createdAt",
  "outagePk",
  "hold",
  "reviewAt",
] as const;

/**
 * Schedules reviews of the deliveries that are held, and saves the deliveries that follow from the transitions of a plan. The
 * numbers of new deliveries are taken after their channels are locked, so the deliveries of a channel are in the order of the
 * commits.
 */
export async function saveDeliveries(sql: Sql, saved: SavedPlan, plan: RecordingPlan): Promise<void> {
  const decided = decidedMonitors(saved.subjects, plan);
  if (plan.transitions.length === 0) return scheduleReviewOfHeld(sql, decided);
  const pkOf = (id: string) => findSubject(saved.subjects, id).pk;
  const monitors = new Map(plan.transitions.map(({ monitor: { id } }) => [id, pkOf(id)]));
  const byPk = await loadChannels(sql, [...monitors.values()]);
  const channels = new Map([...monitors].map(([id, pk]) => [id, byPk.get(pk) ?? []]));
  const muting = mutingMonitors(plan, channels);
  const counts = await countDependents(sql, muting.map(pkOf));
  const mutes = new Map(muting.map((id) => [id, counts.get(pkOf(id)) ?? 0]));
  await scheduleReviewOfHeld(sql, decided);
  const deliveries = newDeliveries(plan, saved, { channels, mutes });
  if (deliveries.length > 0) await sql.query(INSERT, arraysOf(deliveries, COLUMNS));
}

/**
 * Writes the same value. This aborts a concurrent serializable transaction that disables or deletes the channel and cannot see
 * the new deliveries; it is then repeated. A row lock would not abort it. The edit of a monitor
 * that unbinds a channel ends by the update of the monitor's state.
 */
const LOCK_CHANNELS = `UPDATE alert_channels SET claim = alert_channels.claim
  FROM (
    SELECT pk FROM alert_channels
    WHERE pk IN (SELECT channel_pk FROM alert_bindings WHERE monitor_pk = ANY($1::integer[])) AND enabled
    ORDER BY pk FOR NO KEY UPDATE
  ) AS locked
  WHERE alert_channels.pk = locked.pk
  RETURNING alert_channels.pk, alert_channels.id, alert_channels.type, alert_channels.notify_on AS "notifyOn"`;

const LIST_BINDINGS = `SELECT monitor_pk AS "monitorPk", channel_pk AS "channelPk", notified_status AS "notifiedStatus",
    after, every, kept_for_outage AS "keptForOutage", kept_after AS "keptAfter", kept_every AS "keptEvery",
    EXISTS (SELECT 1 FROM monitor_dependencies
      WHERE monitor_dependencies.monitor_pk = alert_bindings.monitor_pk) AS "isDependent",
    EXISTS (SELECT 1 FROM deliveries
      WHERE deliveries.monitor_pk = alert_bindings.monitor_pk AND deliveries.channel_pk = alert_bindings.channel_pk
        AND review_at IS NOT NULL)
      OR (SELECT status FROM deliveries
        WHERE deliveries.monitor_pk = alert_bindings.monitor_pk AND deliveries.channel_pk = alert_bindings.channel_pk
        ORDER BY pk DESC LIMIT 1) IS NOT DISTINCT FROM 4 AS "followsHeld"
  FROM alert_bindings WHERE monitor_pk = ANY($1::integer[]) AND channel_pk = ANY($2::integer[])
  ORDER BY channel_pk`;

type Channel = Pick<StoredChannel, "pk" | "id" | "type" | "notifyOn">;

type Binding = Omit<ChannelRow, keyof Channel> & { monitorPk: number; channelPk: number };

/** The enabled channels of some monitors, by the number of the monitor, in the order of their numbers. */
async function loadChannels(sql: Sql, monitorPks: number[]): Promise<Map<number, StoredChannel[]>> {
  const rows = await sql.query<Channel>(LOCK_CHANNELS, [monitorPks]);
  if (rows.length === 0) return new Map();
  const channels = new Map(rows.map((channel) => [channel.pk, channel]));
  const bindings = await sql.query<Binding>(LIST_BINDINGS, [monitorPks, [...channels.keys()]]);
  const lastOf = await lastDeliveries(
    sql,
    bindings.filter(({ channelPk }) => !listsAll(channels.get(channelPk))),
  );
  const found = new Map<number, StoredChannel[]>();
  for (const binding of bindings) {
    const channel = channels.get(binding.channelPk);
    if (!channel) continue;
    const ofMonitor = found.get(binding.monitorPk) ?? [];
    const stored = storedChannel({ ...binding, ...channel }, lastOf(binding));
    found.set(binding.monitorPk, [...ofMonitor, stored]);
  }
  return found;
}

/** Channels that list every group are notified of every transition, whatever the last one was. */
function listsAll(channel: Pick<BoundChannel, "notifyOn"> | undefined): boolean {
  return channel?.notifyOn.length === EVERY_GROUP.length;
}

/** The whole JSON, because `->>` fails for a document with an escaped NUL. */
const LAST_DELIVERIES = `SELECT wanted.monitor_pk AS "monitorPk", wanted.channel_pk AS "channelPk", last.transition
  FROM unnest($1::integer[], $2::integer[]) AS wanted (monitor_pk, channel_pk)
  CROSS JOIN LATERAL (
    SELECT transition FROM deliveries
    WHERE monitor_pk = wanted.monitor_pk AND channel_pk = wanted.channel_pk AND status <> ALL($3::smallint[])
    ORDER BY pk DESC LIMIT 1
  ) AS last`;

type BindingKey = Pick<Binding, "monitorPk" | "channelPk">;

/** The status in the last delivery that arrived or may still arrive. Old deliveries are deleted with their results. */
async function lastDeliveries(
  sql: Sql,
  bindings: readonly BindingKey[],
): Promise<(binding: BindingKey) => Status | undefined> {
  if (bindings.length === 0) return () => undefined;
  const { failed, withdrawn } = deliveryStatusCodes;
  const values = [...arraysOf(bindings, ["monitorPk", "channelPk"]), [failed, withdrawn]];
  const rows = await sql.query<BindingKey & { transition: Transition }>(LAST_DELIVERIES, values);
  const keyOf = ({ monitorPk, channelPk }: BindingKey) => `${monitorPk} ${channelPk}`;
  const statuses = new Map(rows.map((row) => [keyOf(row), row.transition.status]));
  return (binding) => statuses.get(keyOf(binding));
}
