import type { ChannelType } from "../../../domain/alerts/channel.ts";
import type { BoundChannel } from "../../../domain/alerts/delivery-plan.ts";
import { EVERY_GROUP } from "../../../domain/alerts/notify.ts";
import type { RecordingPlan } from "../../../domain/monitors/recording-plan.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import { newDeliveries, type StoredChannel } from "../../recording/new-deliveries.ts";
import type { StoredSubjects } from "../../recording/stored-subject.ts";
import { statusOfCode } from "../../status-codes.ts";
import type { Database } from "../open.ts";

const INSERT = `INSERT INTO deliveries
  (id, monitor_pk, result_pk, channel_pk, channel_id, channel_type, transition, status, next_attempt_at, created_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8, ?8)`;

/** Saves the deliveries that follow from the transitions of a plan. @param resultPks the saved results of the plan */
export function saveDeliveries(
  db: Database,
  { subjects, resultPks }: { subjects: StoredSubjects; resultPks: number[] },
  plan: RecordingPlan,
): void {
  const { transitions } = plan;
  if (transitions.length === 0) return;
  const channels = new Map<string, StoredChannel[]>();
  for (const { monitor } of transitions) {
    const subject = subjects.get(monitor.id);
    if (subject && !channels.has(monitor.id)) channels.set(monitor.id, loadChannels(db, subject.pk));
  }
  for (const one of newDeliveries(plan, { subjects, resultPks }, channels)) {
    const { id, monitorPk, resultPk, channelPk, channelId, channelType, transition, createdAt } = one;
    db.$client
      .query(INSERT)
      .run(id, monitorPk, resultPk, channelPk, channelId, channelType, transition, createdAt);
  }
}

const LIST_CHANNELS = `SELECT alert_channels.pk, alert_channels.id, alert_channels.type,
    alert_channels.notify_on AS notifyOn, alert_bindings.notified_status AS notifiedStatus
  FROM alert_bindings JOIN alert_channels ON alert_channels.pk = alert_bindings.channel_pk
  WHERE alert_bindings.monitor_pk = ? AND alert_channels.enabled = 1
  ORDER BY alert_channels.pk`;

interface ChannelRow {
  pk: number;
  id: string;
  type: ChannelType;
  notifyOn: string;
  notifiedStatus: number | null;
}

/** The enabled channels that are bound to a monitor. */
function loadChannels(db: Database, monitorPk: number): StoredChannel[] {
  return db.$client
    .query<ChannelRow, [number]>(LIST_CHANNELS)
    .all(monitorPk)
    .map(({ notifyOn: text, notifiedStatus: code, ...channel }) => {
      const notifyOn: BoundChannel["notifyOn"] = JSON.parse(text);
      // Channels that list every group are notified of every transition, whatever the last one was.
      const listsAll = notifyOn.length === EVERY_GROUP.length;
      const last = listsAll ? undefined : findLastDelivery(db, monitorPk, channel.pk);
      const received = code === null ? null : statusOfCode(code);
      return { ...channel, notifyOn, notifiedStatus: last ?? received };
    });
}

const LAST_DELIVERY = `SELECT transition ->> 'status' AS status FROM deliveries
  WHERE monitor_pk = ? AND channel_pk = ? AND status <> 2 ORDER BY pk DESC LIMIT 1`;

/** The status in the last delivery that arrived or may still arrive. Old deliveries are deleted with their results. */
function findLastDelivery(db: Database, monitorPk: number, channelPk: number): Status | undefined {
  return db.$client.query<{ status: Status }, [number, number]>(LAST_DELIVERY).get(monitorPk, channelPk)
    ?.status;
}
