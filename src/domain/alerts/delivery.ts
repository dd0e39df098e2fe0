import type { NotifiedCause } from "../causes/causes.ts";
import type { DegradedBy, Detail } from "../checks/observation.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../duration.ts";
import type { Why } from "../evidence/evidence.ts";
import type { MonitorConfig, MonitorType } from "../monitors/monitor.ts";
import type { Acknowledgement } from "../monitors/planned-result.ts";
import type { Status } from "../monitors/status.ts";
import type { AlertTiming } from "./alert-binding.ts";
import type { AlertEvent, AlertType } from "./alert-event.ts";
import type { StoredChannelType } from "./channel.ts";

/** `pending` is also a delivery that is held, because it may still be sent. */
export const DELIVERY_STATUSES = ["pending", "delivered", "failed", "muted", "withdrawn"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Also deliveries that are held: see `Hold`. Nothing shows hidden deliveries. */
export type StoredDeliveryStatus = DeliveryStatus | "held" | "hidden";

export function shownStatus(stored: StoredDeliveryStatus): DeliveryStatus {
  return stored === "held" || stored === "hidden" ? "pending" : stored;
}

/** A change of the status of a monitor, with everything that a notification needs, as of the time of the change. */
export interface Transition {
  organization: { id: string; name: string };
  monitor: { id: string; name: string; type: MonitorType; config: MonitorConfig };
  previousStatus: Status;
  status: Status;
  result: { id: string; latencyMs: number | null; detail: Detail | null; createdAt: number };
  /** When a check first saw the new status, if that was an earlier one than the check of the result. */
  changedAt?: number;
  /** When the previous status began. */
  since?: number;
  /** When the trouble began that continues or ends with this transition. */
  troubleSince?: number;
  /** Why the monitor was Degraded, if not because of its latency. */
  wasDegradedBy?: DegradedBy;
  /** Latency of the last healthy check, if it had one. */
  lastGoodLatencyMs?: number;
  /**
   * If not only this server checks the monitor: the names of the locations that see the new status, or for trouble one as
   * bad at least, and how many have a vote (behavior 13.14).
   */
  locations?: { seeing: string[]; of: number };
  /** The outage that begins, continues or ends with this transition. @property startedAt when a check first saw it */
  outage?: { id: string; startedAt: number };
  /** Why the outage began, as far as it is known when the notification is sent: it is never stored (behavior 22.9). */
  why?: Why;
  /** The cause that the outage shares with others, as far as it is known then. It is never stored either (behavior 22.25). */
  cause?: NotifiedCause;
  /** Set for a repetition while the trouble lasts. */
  reminder?: true;
  /** Set if this ends an incident at the receiver without a recovery. */
  closed?: ClosedIncident;
  /** The acknowledgement of the outage, if there is one. */
  acknowledged?: Acknowledgement;
  /** How many monitors depend on this one, directly or not, so that they are muted while it is down; absent if none does. */
  mutes?: number;
  /** Set for a sample: the ID of the channel that it tests. Its monitor and its outage do not exist. */
  testOf?: string;
}

/** When a check first saw the new status (behavior 11.9, 14.61). */
export function stateBegan({ changedAt, result }: Transition): number {
  return changedAt ?? result.createdAt;
}

/**
 * Why an incident ends without a recovery: its monitor was deleted, or unbound from the channel; or its channel was disabled, was
 * deleted (`removed`), or got another address (`moved`).
 */
export interface ClosedIncident {
  why: "deleted" | "unbound" | "disabled" | "removed" | "moved";
  at: number;
}

/**
 * The result of one attempt at a delivery.
 *
 * @property final whether it is not retried
 * @property answer the status code of the receiver and at most one word, such as `404 no_service`. It is never other text of
 *   the receiver, which may contain a secret (behavior 5.19)
 * @property retryAfterMs the delay that the receiver asked for, if any
 * @property isGone set if the receiver will never exist again, so that its channel is disabled (behavior 21.56)
 */
export type DeliveryAttempt =
  | { outcome: "delivered"; answer?: string }
  | {
      outcome: "failed";
      error: string;
      final: boolean;
      answer?: string;
      retryAfterMs?: number;
      isGone?: true;
    };

/** The outcome of the notification of one channel (behavior 5.24). */
export interface ChannelOutcome {
  channelId: string;
  type: StoredChannelType;
  status: DeliveryStatus;
  attempts: number;
  error: string | null;
  deliveredAt: number | null;
  /** Only of a muted one. */
  mutedBy?: MutedBy;
}

export interface AlertOutcome {
  status: DeliveryStatus | "partial";
  channels: ChannelOutcome[];
}

/** A delivery to one channel. @property type of its content: what the other types have is null */
export interface DeliveryRecord {
  id: string;
  type: AlertType;
  monitor: { id: string; name: string; type: MonitorType } | null;
  resultId: string | null;
  previousStatus: Status | null;
  newStatus: Status | null;
  location: { id: string; name: string } | null;
  maintenance: { id: string; title: string } | null;
  status: DeliveryStatus;
  attempts: number;
  firstAttemptAt: number | null;
  lastAttemptAt: number | null;
  /** Null after it is delivered or has failed finally. */
  nextAttemptAt: number | null;
  deliveredAt: number | null;
  /** The latest answer of the receiver, see `DeliveryAttempt`; null without one. */
  answer: string | null;
  error: string | null;
  createdAt: number;
}

/**
 * Milliseconds for which a channel is claimed (behavior 12.31): an attempt takes up to 10 s, and as much again is for its
 * start and for writing its outcome.
 */
export const CHANNEL_LEASE = 20 * SECOND;

/** The delay before each retry, counted from the previous attempt (behavior 5.13). */
const RETRY_DELAYS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];
const MAX_RETRY_AFTER = 60 * MINUTE;

/** How often, and how long, an end is sent again after all attempts have failed (behavior 5.41, 5.42). */
export const REPEAT_END_EVERY = HOUR;
export const REPEAT_ENDS_FOR = DAY;

/** The longest time from one attempt to the next, in milliseconds. */
export const MAX_RETRY_DELAY = MAX_RETRY_AFTER;

/**
 * The time of the next attempt after a failed one.
 *
 * @param attempts how many there were, this one included
 * @param event an end for the previous address of a channel, after which nothing waits, is tried for a day
 * @returns milliseconds since 1970; null if the delivery has failed finally
 */
export function nextAttemptAt(
  attempt: DeliveryAttempt & { outcome: "failed" },
  attempts: number,
  now: number,
  event?: AlertEvent,
): number | null {
  const isLate = event !== undefined && isParting(event, attempts);
  const delay = RETRY_DELAYS[attempts - 1] ?? (isLate ? REPEAT_END_EVERY : undefined);
  if (attempt.final || delay === undefined) return null;
  return now + Math.max(delay, Math.min(attempt.retryAfterMs ?? 0, MAX_RETRY_AFTER));
}

function isParting(event: AlertEvent, attempts: number): boolean {
  const why = "closed" in event ? event.closed?.why : undefined;
  const isLeft = why === "disabled" || why === "removed" || why === "moved";
  return isLeft && attempts <= RETRY_DELAYS.length + REPEAT_ENDS_FOR / REPEAT_END_EVERY;
}

/** The outcome of a result over all its channels (behavior 5.25). */
export function summarizeOutcome(channels: ChannelOutcome[]): AlertOutcome {
  return { status: overall(new Set(channels.map((channel) => channel.status))), channels };
}

/** Channels that were not to be notified do not count, if there are others (behavior 14.29). */
function overall(all: Set<DeliveryStatus>): AlertOutcome["status"] {
  const statuses = all.difference(new Set<DeliveryStatus>(["muted", "withdrawn"]));
  if (statuses.size === 0) return all.has("muted") ? "muted" : "withdrawn";
  if (statuses.has("pending")) return "pending";
  if (statuses.size > 1) return "partial";
  return statuses.has("delivered") ? "delivered" : "failed";
}

/** The outage of another monitor that mutes a notification. */
export interface MutedBy {
  monitorId: string;
  outageId: string;
}

/** Why a delivery was withdrawn: see `Hold`. */
export const WITHDRAWN_WHY = ["ended", "acknowledged", "superseded", "paused", "hours"] as const;
export type WithdrawnWhy = (typeof WITHDRAWN_WHY)[number];

/**
 * Why a delivery is not sent yet, or was withdrawn. Times are milliseconds since 1970.
 *
 * - `new`: it is not decided yet;
 * - `maintenance`: its monitor is in a window; nothing shows the delivery;
 * - `answer`: a monitor that its monitor depends on is being checked, until `until` at the latest;
 * - `muted`: a monitor that its monitor depends on is down;
 * - `recheck`: what is known of its monitor is old, so it is checked again after `since`, until `until` at the latest; `by` is
 *   what muted it until then, and `longestUntil` is how long the monitors are awaited that its monitor depends on, if a fault of
 *   stillup keeps them from results;
 * - `delay`: the trouble has not lasted long enough for the channel;
 * - `hours`: the hours of the channel are not open;
 * - `resumed`: its monitor was paused and is enabled again, and the next check decides whether the trouble lasts;
 * - `withdrawn`: it will not be sent, because the trouble ended, was acknowledged, or got another status, its monitor was
 *   paused, or the hours of the channel, which drop it, were not open.
 */
export type Hold =
  | { kind: "new" | "maintenance" | "delay" | "hours" | "resumed" }
  | { kind: "answer"; until: number }
  | { kind: "muted"; by: MutedBy }
  | { kind: "recheck"; by?: MutedBy; since: number; until: number; longestUntil?: number }
  | { kind: "withdrawn"; why: WithdrawnWhy };

/**
 * The facts that decide whether a new delivery is held.
 *
 * @property isInWindow whether its result was made in a window of a maintenance
 * @property isDependent whether its monitor depends on others
 * @property isOfSchedule whether it is known only when it is sent whom it notifies (behavior 23.35)
 * @property followsHeld whether an earlier delivery about this monitor to this channel is held, or the latest was withdrawn
 */
export interface HoldContext {
  timing: AlertTiming;
  isInWindow: boolean;
  isDependent: boolean;
  isOfSchedule: boolean;
  followsHeld: boolean;
}

/** Why a new delivery is not sent until it is decided; null if it is sent at once (behavior 14.50). */
export function firstHold({ timing, isInWindow, ...context }: HoldContext): Hold | null {
  const { isDependent, isOfSchedule, followsHeld } = context;
  if (isInWindow) return { kind: "maintenance" };
  const isTimed = timing.after > 0 || timing.every > 0 || timing.hours !== null;
  return isTimed || isDependent || isOfSchedule || followsHeld ? { kind: "new" } : null;
}

/** A timing as a binding stores it. @property kept the timing before a change during an outage, for that outage */
export interface StoredTiming extends AlertTiming {
  kept: (AlertTiming & { outagePk: number }) | null;
}

/** The timing during an outage: a change takes effect with the next outage (behavior 14.7). @param outagePk null without one */
export function timingDuring({ kept, ...present }: StoredTiming, outagePk: number | null): AlertTiming {
  const { after, every, hours } = kept && kept.outagePk === outagePk ? kept : present;
  return { after, every, hours };
}
