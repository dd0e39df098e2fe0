import { EVERY_GROUP, type NotifyOn } from "../../../domain/alerts/notify.ts";
import type { RecordingPlan } from "../../../domain/monitors/recording-plan.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import { type ChannelRow, storedChannel } from "../../recording/bound-channels.ts";
import {
  mutingMonitors,
  type NewDelivery,
  newDeliveries,
  type SavedPlan,
  type StoredChannel,
} from "../../recording/new-deliveries.ts";
import { decidedMonitors } from "../../recording/plan-effects.ts";
import { findSubject } from "../../recording/stored-subject.ts";
import type { Database } from "../open.ts";
import { countDependents, scheduleReviewOfHeld } from "./dependents.ts";

/** Schedules reviews of the deliveries that are held, and saves those that follow from the transitions of a plan. */
export function saveDeliveries(db: Database, saved: SavedPlan, plan: RecordingPlan): void {
  const { transitions } = plan;
  // Before the new ones, which are decided first.
  for (const decided of decidedMonitors(saved.subjects, plan)) scheduleReviewOfHeld(db, decided);
  if (transitions.length === 0) return;
  const channels = new Map<string, StoredChannel[]>();
  for (const { monitor } of transitions)
    if (!channels.has(monitor.id))
      channels.set(monitor.id, loadChannels(db, findSubject(saved.subjects, monitor.id).pk));
  const mutes = new Map(
    mutingMonitors(plan, channels).map((id) => [id, countDependents(db, findSubject(saved.subjects, id).pk)]),
  );
  for (const one of newDeliveries(plan, saved, { channels, mutes })) insert(db, one);
}

const INSERT = `INSERT INTO deliveries
  (id, monitor_pk, result_pk, channel_pk, channel_id, channel_type, transition, status, next_attempt_at, created_at,
   outage_pk, hold, review_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)`;

function insert(db: Database, delivery: NewDelivery): void {
  const { id, monitorPk, resultPk, channelPk, channelId, channelType, transition } = delivery;
  const { status, nextAttemptAt, createdAt, outagePk, hold, reviewAt } = delivery;
  const keys = [id, monitorPk, resultPk, channelPk, channelId, channelType];
  db.$client
    .query(INSERT)
    .run(...keys, transition, status, nextAttemptAt, createdAt, outagePk, hold, reviewAt);
}

const LIST_CHANNELS = `SELECT alert_channels.pk, alert_channels.id, alert_channels.type,
    alert_channels.notify_on AS notifyOn, alert_bindings.notified_status AS notifiedStatus, "after", every,
    kept_for_outage AS keptForOutage, kept_after AS keptAfter, kept_every AS keptEvery,
    EXISTS (SELECT 1 FROM monitor_dependencies WHERE monitor_pk = alert_bindings.monitor_pk) AS isDependent,
    EXISTS (SELECT 1 FROM deliveries
      WHERE monitor_pk = alert_bindings.monitor_pk AND channel_pk = alert_bindings.channel_pk
        AND review_at IS NOT NULL)
    OR (SELECT status FROM deliveries
      WHERE monitor_pk = alert_bindings.monitor_pk AND channel_pk = alert_bindings.channel_pk
      ORDER BY pk DESC LIMIT 1) IS 4 AS followsHeld
  FROM alert_bindings JOIN alert_channels ON alert_channels.pk = alert_bindings.channel_pk
  WHERE alert_bindings.monitor_pk = ? AND alert_channels.enabled = 1
  ORDER BY alert_channels.pk`;

type StoredChannelRow = Omit<ChannelRow, "notifyOn" | "isDependent" | "followsHeld"> & {
  notifyOn: string;
  isDependent: number;
  followsHeld: number;
};

/** The enabled channels that are bound to a monitor. */
function loadChannels(db: Database, monitorPk: number): StoredChannel[] {
  return db.$client
    .query<StoredChannelRow, [number]>(LIST_CHANNELS)
    .all(monitorPk)
    .map((row) => {
      const notifyOn: NotifyOn = JSON.parse(row.notifyOn);
      // Channels that list every group are notified of every transition, whatever the last one was.
      const listsAll = notifyOn.length === EVERY_GROUP.length;
      const last = listsAll ? undefined : findLastDelivery(db, monitorPk, row.pk);
      const flags = { isDependent: row.isDependent !== 0, followsHeld: row.followsHeld !== 0 };
      return storedChannel({ ...row, ...flags, notifyOn }, last);
    });
}

const LAST_DELIVERY = `SELECT transition ->> 'status' AS status FROM deliveries
  WHERE monitor_pk = ? AND channel_pk = ? AND status NOT IN (2, 4) ORDER BY pk DESC LIMIT 1`;

/** The status in the last delivery that arrived or may still arrive. Old deliveries are deleted with their results. */
function findLastDelivery(db: Database, monitorPk: number, channelPk: number): Status | undefined {
  return db.$client.query<{ status: Status }, [number, number]>(LAST_DELIVERY).get(monitorPk, channelPk)
    ?.status;
}
