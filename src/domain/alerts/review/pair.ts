import { groupOf, levelOf, type Status } from "../../monitors/status.ts";
import type { AlertTiming } from "../alert-binding.ts";
import type { Hold, MutedBy, Transition, WithdrawnWhy } from "../delivery.ts";
import { type Hours, isOpen, nextOpening } from "../hours.ts";
import type { NotifyOn } from "../notify.ts";
import { awaitCheck, needsCheck, requestCheck, unanswered, type WaitDecision } from "./fresh-check.ts";
import { SAFETY_NET, waitForDependencies } from "./reviewed-monitor.ts";

/*
 * The review decides about one pair of a monitor and a channel at a time. Times are milliseconds since 1970.
 */

/** A monitor, as of the review. */
export interface ReviewedMonitor {
  enabled: boolean;
  status: Status;
  /** The open outage, if there is one. */
  outage: ReviewedOutage | null;
  /** When the present trouble began; null without any. */
  troubleSince: number | null;
  /** The end of the window of a maintenance that it is in; null if it is in none. */
  windowEndsAt: number | null;
  /** Null if nothing can check it: a SCHEDULED monitor, or one without a location that can. */
  check: Checked | null;
  /** The monitors that it depends on, directly or not, the nearest first. */
  ancestors: readonly Ancestor[];
}

/** The checks of a monitor. */
export interface Checked {
  /** When the latest result was made; of several locations the location that is the furthest behind. Null before the first. */
  latestAt: number | null;
  /**
   * When the results were made that decide alone: the latest result, or the results of as many locations as it takes, which for the
   * own monitor of a review see trouble. Null if there are too few.
   */
  decidedAt: number | null;
  /** Whether the latest checks saw something else, and too few of them to change the status. */
  isSuspected: boolean;
  /** How long a requested check may take, in milliseconds. */
  patience: number;
  /** Whether no check has had a result for long, so that everybody knows (behavior 1.58). */
  isBlind: boolean;
}

export interface Ancestor {
  pk: number;
  /** The outage that mutes; null if this monitor is not down. */
  cause: MutedBy | null;
  /** Null if nothing can check it, or it is paused. `isSuspected` is about a change to group down, or from it. */
  check: Checked | null;
}

/** @property endedAt null while it is open */
export interface ReviewedOutage {
  pk: number;
  id: string;
  startedAt: number;
  endedAt: number | null;
  acknowledged: NonNullable<Transition["acknowledged"]> | null;
}

/** A delivery that is not decided. */
export interface Undecided {
  pk: number;
  event: Transition;
  status: "held" | "muted" | "hidden";
  hold: Hold;
  createdAt: number;
  /** The outage that it is about; it may have ended. */
  outage: ReviewedOutage | null;
  /** Whether an earlier notification about this outage was withdrawn, and it is newer than what the channel knows. */
  isAfterWithdrawn: boolean;
}

/**
 * The status in the newest notification about the monitor that the channel received or will receive.
 *
 * @property troubleSince when the trouble that it reported began; null if that is not known
 * @property resultId the result of that notification; absent if that is not known
 */
export interface Told {
  status: Status;
  troubleSince: number | null;
  resultId?: string;
}

/** @property undecided oldest first */
export interface Pair {
  timing: AlertTiming;
  notifyOn: NotifyOn;
  told: Told | null;
  undecided: readonly Undecided[];
}

/** A decision about a delivery. A delivery that was hidden, or that is not needed, is deleted. */
export type Decision =
  | { kind: "send" }
  | { kind: "keep"; status: Undecided["status"]; hold: Hold; reviewAt: number }
  | { kind: "withdraw"; why: WithdrawnWhy }
  | { kind: "delete" };

export function isTrouble(status: Status): boolean {
  return groupOf[status] !== "healthy";
}

/** Whether a channel knows about the trouble that began at a moment. */
export function isToldOf(told: Told | null, troubleSince: number | null | undefined): told is Told {
  return (
    told !== null &&
    isTrouble(told.status) &&
    told.troubleSince !== null &&
    told.troubleSince === (troubleSince ?? null)
  );
}

/** Whether the channel got the notification by another binding of the monitor (behavior 23.38). */
export function isTwice({ event }: Pick<Undecided, "event">, told: Told | null): boolean {
  return told?.resultId === event.result.id;
}

/** Whether a notification reports something worse than what the channel knows about the same trouble (behavior 14.11). */
function isWorse({ status, troubleSince }: Transition, told: Told | null): boolean {
  return !isToldOf(told, troubleSince) || levelOf[status] > levelOf[told.status];
}

/** How often to poll for the first check of a resumed monitor, in milliseconds. */
const RESUMED = 1000;

/** See `WaitDecision`. */
interface TroubleDecision extends Omit<WaitDecision, "decision"> {
  decision: Decision;
}

/** Decides about the newest notification of a pair, which reports trouble (behavior 14.8 to 14.22, 23.4 to 23.6). */
export function decideTrouble(
  row: Undecided,
  monitor: ReviewedMonitor,
  { pair, now }: { pair: Pair; now: number },
): TroubleDecision {
  const present = decideByPresent(row, monitor, { pair, now });
  if (present) return decided(present);
  const timed = decideByTime(row, monitor, { pair, now });
  const check = awaitCheck(row, monitor, now);
  // A muted notification stays muted until it is known whether the trouble lasts.
  if (check) return timed?.kind === "withdraw" && row.status === "held" ? decided(timed) : check;
  const waiting = isWorse(row.event, pair.told) ? waitForDependencies(row, monitor, now) : null;
  if (waiting) return waiting;
  if (timed) return decided(timed);
  return needsCheck(row, monitor, now) ? requestCheck(row, monitor, now) : decided({ kind: "send" });
}

function decided(decision: Decision): TroubleDecision {
  return { decision, asks: [], asksItself: false };
}

/** The decision that follows from the present state of the monitor, whatever it depends on. */
function decideByPresent(
  row: Undecided,
  monitor: ReviewedMonitor,
  { pair, now }: { pair: Pair; now: number },
): Decision | null {
  const { status, hold } = row;
  if (isTwice(row, pair.told)) return { kind: "delete" };
  if (!monitor.enabled) return { kind: "withdraw", why: "paused" };
  if (monitor.status === "unknown") return { kind: "keep", status, hold, reviewAt: now + SAFETY_NET };
  if (isOver(row.event.status, monitor.status, pair))
    return wasDue(row, monitor, { pair, now }) && !isNoNews(row, pair) ? { kind: "send" } : dropped(row);
  // Behavior 14.27: no check has seen it after the pause.
  if (!monitor.outage)
    return { kind: "keep", status, hold, reviewAt: now + (monitor.check ? RESUMED : SAFETY_NET) };
  if (monitor.windowEndsAt !== null)
    return {
      kind: "keep",
      status: status === "hidden" ? "hidden" : "held",
      hold: { kind: "maintenance" },
      // A request that ends the window at the same time may not see this delivery.
      reviewAt: Math.min(monitor.windowEndsAt, now + SAFETY_NET),
    };
  return isNoNews(row, pair) ? dropped(row) : null;
}

/**
 * Whether the trouble that a notification reports has ended. A channel that does not list the group of the present status has no
 * newer notification.
 */
function isOver(reported: Status, present: Status, { notifyOn }: Pair): boolean {
  if (groupOf[present] === "healthy") return true;
  return levelOf[present] < levelOf[reported] && !notifyOn.includes(groupOf[present]);
}

/** Whether the channel knows the status already, because what came between was never sent (behavior 14.19). */
function isNoNews({ event, hold, isAfterWithdrawn }: Undecided, { told }: Pair): boolean {
  if (!isToldOf(told, event.troubleSince) || told.status !== event.status) return false;
  return isAfterWithdrawn || hold.kind === "maintenance" || hold.kind === "resumed";
}

/** The decision that follows from `after` and the hours of the channel (behavior 14.16, 14.17, 23.4, 23.5). */
function decideByTime(
  { event, hold, createdAt }: Undecided,
  { outage }: ReviewedMonitor,
  { pair, now }: { pair: Pair; now: number },
): Decision | null {
  const { after, hours } = pair.timing;
  const opensAt = openingAfter(hours, now);
  const isOutside = opensAt !== null || hold.kind === "hours" || openingAfter(hours, createdAt) !== null;
  const isLate = after > 0 || isOutside;
  if (isLate && outage?.acknowledged) return { kind: "withdraw", why: "acknowledged" };
  const dueAt = startOf(event, outage) + after * 1000;
  if (after > 0 && now < dueAt) return keepUntil(dueAt, { kind: "delay" });
  if (opensAt === null) return null;
  return hours?.outside === "drop"
    ? { kind: "withdraw", why: "hours" }
    : keepUntil(opensAt, { kind: "hours" });
}

/** When hours open that are not open at a moment; null if they are. */
export function openingAfter(hours: Hours | null, now: number): number | null {
  if (!hours) return null;
  const { windows, timezone } = hours;
  return isOpen(windows, timezone, now) ? null : nextOpening(windows, timezone, now);
}

function keepUntil(reviewAt: number, hold: Hold): Decision {
  return { kind: "keep", status: "held", hold, reviewAt };
}

function startOf({ troubleSince, result }: Undecided["event"], outage: Undecided["outage"]): number {
  return outage?.startedAt ?? troubleSince ?? result.createdAt;
}

/** A hidden notification leaves no trace. */
export function dropped({ status }: Undecided, why: "ended" | "superseded" = "ended"): Decision {
  return status === "hidden" ? { kind: "delete" } : { kind: "withdraw", why };
}

/**
 * Whether a notification of trouble was to be sent at once, before a later transition, and only was not decided in time (behavior
 * 14.23). A notification that waited was to be sent only after a check of the present. Outside the hours of the channel none is sent.
 */
export function wasDue(
  { hold, event, createdAt }: Undecided,
  monitor: ReviewedMonitor,
  { pair, now }: { pair: Pair; now: number },
): boolean {
  const { after, hours } = pair.timing;
  if (hold.kind !== "new" || after > 0) return false;
  if ([createdAt, now].some((at) => openingAfter(hours, at) !== null)) return false;
  const firstSeenAt = event.changedAt ?? event.result.createdAt;
  const { ancestors } = monitor;
  const isBlocked = ancestors.some(({ cause }) => cause) || unanswered(ancestors, firstSeenAt).length > 0;
  return !isBlocked || !isWorse(event, pair.told);
}
