import type { Transition } from "../../../domain/alerts/delivery.ts";
import type { BoundChannel } from "../../../domain/alerts/delivery-plan.ts";
import { EVERY_GROUP } from "../../../domain/alerts/notify.ts";
import type { RecordingPlan } from "../../../domain/monitors/recording-plan.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import { newDeliveries, type StoredChannel } from "../../recording/new-deliveries.ts";
import type { StoredSubjects } from "../../recording/stored-subject.ts";
import { deliveryStatusCodes, statusOfCode } from "../../status-codes.ts";
import { arraysOf } from "../arrays.ts";
import type { Sql } from "../connections.ts";
import type { SavedResult } from "./save-results.ts";

const INSERT = `INSERT INTO deliveries
    (id, monitor_pk, result_pk, channel_pk, channel_id, channel_type, transition, status, next_attempt_at, created_at)
  SELECT id, monitor_pk, result_pk, channel_pk, channel_id, channel_type, transition, 0, created_at, created_at
  FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::integer[], $5::text[], $6::text[], $7::json[], $8::bigint[])
    WITH ORDINALITY
    AS new (id, monitor_pk, result_pk, channel_pk, channel_id, channel_type, transition, created_at, place)
  ORDER BY place`;

const COLUMNS = [
  "id",
  "monitorPk",
  "resultPk",
  "channelPk",
  "channelId",
  "channelType",
  "transition",
  "createdAt",
] as const;

interface Saved {
  subjects: StoredSubjects;
  results: readonly SavedResult[];
}

/**
 * Saves the deliveries that follow from the transitions of a plan. Their numbers are taken after their channels are locked,
 * so the deliveries of a channel are in the order of the commits.
 */
export async function saveDeliveries(
  sql: Sql,
  { subjects, results }: Saved,
  plan: RecordingPlan,
): Promise<void> {
  if (plan.transitions.length === 0) return;
  const monitors = new Map(
    plan.transitions.flatMap(({ monitor: { id } }) => {
      const subject = subjects.get(id);
      return subject ? [[id, subject.pk]] : [];
    }),
  );
  const byPk = await loadChannels(sql, [...monitors.values()]);
  const channels = new Map([...monitors].map(([id, pk]) => [id, byPk.get(pk) ?? []]));
  const resultPks = results.map(({ pk }) => pk);
  const deliveries = newDeliveries(plan, { subjects, resultPks }, channels);
  if (deliveries.length > 0) await sql.query(INSERT, arraysOf(deliveries, COLUMNS));
}

/**
 * The update changes nothing. But it ends a serializable transaction that disables or deletes a channel at the same time:
 * that one could not see the new deliveries, which it must cancel. A lock alone would not end it. The edit of a monitor
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

const LIST_BINDINGS = `SELECT monitor_pk AS "monitorPk", channel_pk AS "channelPk", notified_status AS "notifiedStatus"
  FROM alert_bindings WHERE monitor_pk = ANY($1::integer[]) AND channel_pk = ANY($2::integer[])
  ORDER BY channel_pk`;

type Channel = Pick<StoredChannel, "pk" | "id" | "type" | "notifyOn">;

interface Binding {
  monitorPk: number;
  channelPk: number;
  /** Its code; null if the channel was never notified. */
  notifiedStatus: number | null;
}

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
    const code = binding.notifiedStatus;
    const notifiedStatus = lastOf(binding) ?? (code === null ? null : statusOfCode(code));
    const ofMonitor = found.get(binding.monitorPk) ?? [];
    found.set(binding.monitorPk, [...ofMonitor, { ...channel, notifiedStatus }]);
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
    WHERE monitor_pk = wanted.monitor_pk AND channel_pk = wanted.channel_pk AND status <> $3
    ORDER BY pk DESC LIMIT 1
  ) AS last`;

/** The status in the last delivery that arrived or may still arrive. Old deliveries are deleted with their results. */
async function lastDeliveries(
  sql: Sql,
  bindings: readonly Binding[],
): Promise<(binding: Binding) => Status | undefined> {
  if (bindings.length === 0) return () => undefined;
  const values = [...arraysOf(bindings, ["monitorPk", "channelPk"]), deliveryStatusCodes.failed];
  const rows = await sql.query<Binding & { transition: Transition }>(LAST_DELIVERIES, values);
  const keyOf = ({ monitorPk, channelPk }: Binding) => `${monitorPk} ${channelPk}`;
  const statuses = new Map(rows.map((row) => [keyOf(row), row.transition.status]));
  return (binding) => statuses.get(keyOf(binding));
}
