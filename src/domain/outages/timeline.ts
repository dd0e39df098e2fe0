import type { StoredChannelType } from "../alerts/channel.ts";
import type { Hold, StoredDeliveryStatus, WithdrawnWhy } from "../alerts/delivery.ts";
import { groupOf, levelOf, type Status } from "../monitors/status.ts";
import type { Outage } from "./outage.ts";

/** The kinds of items in a timeline; items of the same time are in this order. */
export const TIMELINE_KINDS = [
  "seen",
  "confirmed",
  "worsened",
  "muted",
  "withdrawn",
  "failed",
  "notified",
  "reminded",
  "acknowledged",
  "recovered",
  "ended",
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** @property name null if the channel is deleted */
export interface TimelineChannel {
  id: string;
  name: string | null;
  type: StoredChannelType;
}

/** Something that happened in an outage (behavior 14.56). */
export interface TimelineItem {
  at: number;
  kind: TimelineKind;
  /** The status that a check saw, or that a notification reports. */
  status?: Status;
  channel?: TimelineChannel;
  /** Who acknowledged it: the name of the key. */
  by?: string;
  note?: string;
  /** The outage that muted a notification; null if its monitor is deleted. */
  cause?: { monitor: { id: string; name: string }; outageId: string } | null;
  why?: WithdrawnWhy;
  error?: string;
}

/** A change of the status of the monitor. @property at when its result was made */
export interface StatusChange {
  at: number;
  previousStatus: Status;
}

/** A notification about the outage. @property status of the monitor, as it reports it */
export interface OutageNotification {
  createdAt: number;
  lastAttemptAt: number | null;
  deliveredAt: number | null;
  delivery: StoredDeliveryStatus;
  hold: Hold | null;
  error: string | null;
  status: Status;
  isReminder: boolean;
  channel: TimelineChannel;
}

/**
 * The stored history of an outage.
 *
 * @property changes in their order, and some after the outage
 * @property beginsWithChange whether the first change began the outage. A check after a pause begins an outage without a change
 * @property endsBeforeChange whether several checks decide, so that an outage ends before the status changes
 * @property present the status after the last entry of `changes`
 * @property monitors the names of those that muted a notification, by ID
 */
export interface OutageHistory {
  outage: Outage;
  changes: readonly StatusChange[];
  beginsWithChange: boolean;
  endsBeforeChange: boolean;
  present: Status;
  notifications: readonly OutageNotification[];
  monitors: ReadonlyMap<string, string>;
}

/** The timeline of an outage, oldest first. */
export function timelineOf(history: OutageHistory): TimelineItem[] {
  const { outage, notifications, monitors } = history;
  const items = [
    ...progressOf(history),
    ...acknowledgementOf(outage),
    ...notifications.flatMap((one) => notificationItem(one, monitors) ?? []),
  ];
  return items.sort((a, b) => a.at - b.at || rankOf(a.kind) - rankOf(b.kind));
}

interface KnownChange extends StatusChange {
  status: Status;
}

/** The status after a change is the one before the next. */
function withStatuses(changes: readonly StatusChange[], present: Status): KnownChange[] {
  return changes.map((change, at) => ({ ...change, status: changes[at + 1]?.previousStatus ?? present }));
}

/** How the outage began, worsened and ended. */
function progressOf(history: OutageHistory): TimelineItem[] {
  const { changes, present, beginsWithChange } = history;
  const { startedAt, endedAt } = history.outage;
  const all = withStatuses(changes, present);
  const recovery = all.find(({ status }) => groupOf[status] === "healthy");
  const during = (recovery ? all.slice(0, all.indexOf(recovery)) : all).filter(
    ({ at }) => endedAt === null || at <= endedAt,
  );
  const [begin, later] = beginsWithChange ? [during[0], during.slice(1)] : [undefined, during];
  const status = begin?.status ?? all[0]?.previousStatus ?? present;
  const items: TimelineItem[] = [{ at: startedAt, kind: "seen", status }];
  if (begin && begin.at > startedAt) items.push({ at: begin.at, kind: "confirmed", status });
  for (const change of later)
    if (levelOf[change.status] > levelOf[change.previousStatus])
      items.push({ at: change.at, kind: "worsened", status: change.status });
  return [...items, ...endOf(history, recovery)];
}

/** A recovery at another time than the end is a later one: a pause ended the outage, or no location could check. */
function endOf(
  { outage: { endedAt }, endsBeforeChange }: OutageHistory,
  recovery: KnownChange | undefined,
): TimelineItem[] {
  if (endedAt === null) return [];
  const isRecovery = recovery && (endedAt === recovery.at || endsBeforeChange);
  return isRecovery
    ? [{ at: endedAt, kind: "recovered", status: recovery.status }]
    : [{ at: endedAt, kind: "ended" }];
}

function acknowledgementOf({ acknowledgedAt: at, acknowledgedBy: by, note }: Outage): TimelineItem[] {
  if (at === null || by === null) return [];
  return [{ at, kind: "acknowledged", by, ...(note !== null && { note }) }];
}

/** @returns undefined for one that is not decided or not sent yet */
function notificationItem(
  one: OutageNotification,
  monitors: OutageHistory["monitors"],
): TimelineItem | undefined {
  const { createdAt, lastAttemptAt, deliveredAt, delivery, hold, error, status, isReminder, channel } = one;
  switch (delivery) {
    case "delivered":
      // Its channels have items of their own (behavior 23.35).
      if (channel.type === "SCHEDULE") return undefined;
      return { at: deliveredAt ?? createdAt, kind: isReminder ? "reminded" : "notified", status, channel };
    case "failed":
      return {
        at: lastAttemptAt ?? createdAt,
        kind: "failed",
        status,
        channel,
        ...(error !== null && { error }),
      };
    case "muted":
      return { at: createdAt, kind: "muted", status, channel, cause: causeOf(hold, monitors) };
    case "withdrawn":
      return {
        ...{ at: createdAt, kind: "withdrawn", status, channel },
        ...(hold?.kind === "withdrawn" && { why: hold.why }),
      };
    default:
      return undefined;
  }
}

function causeOf(hold: Hold | null, monitors: OutageHistory["monitors"]) {
  if (!hold || !("by" in hold)) return null;
  const { monitorId: id, outageId } = hold.by;
  const name = monitors.get(id);
  return name === undefined ? null : { monitor: { id, name }, outageId };
}

function rankOf(kind: TimelineKind): number {
  return TIMELINE_KINDS.indexOf(kind);
}
