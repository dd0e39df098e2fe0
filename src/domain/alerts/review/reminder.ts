import { groupOf } from "../../monitors/status.ts";
import { REPEAT_END_EVERY, REPEAT_ENDS_FOR, type Transition } from "../delivery.ts";
import { endsIncident } from "../incident-key.ts";
import { isPresent, lacksResult, PRESENT, unanswered } from "./fresh-check.ts";
import { isToldOf, isTrouble, type Pair, type ReviewedMonitor } from "./pair.ts";

/** How often a reminder polls for its check, in milliseconds. */
const POLL_INTERVAL = 1000;

/** A reminder whose time has come. Times are milliseconds since 1970. */
export interface DueReminder extends Pick<Pair, "timing" | "notifyOn"> {
  /** The status in the newest notification, also if it failed finally. */
  last: Pair["told"];
  /** Whether the channel is disabled, or another notification of the pair is undecided or pending. */
  isUnready: boolean;
  /** Until when it waits for a check; null, or past, if it did not wait yet. */
  waitsUntil: number | null;
}

/**
 * @property isDue whether to remind now @property remindAt when to decide next; null if never during this outage
 * @property waitsUntil until when the reminder waits for a check; null if it does not
 * @property asksItself whether to check the monitor now
 */
export interface PlannedReminder {
  isDue: boolean;
  remindAt: number | null;
  waitsUntil: number | null;
  asksItself: boolean;
}

/** Plans what follows after the time of a reminder has come (behavior 14.24, 14.25). */
export function planReminder(due: DueReminder, monitor: ReviewedMonitor, now: number): PlannedReminder {
  const { timing, notifyOn, last, isUnready } = due;
  const { enabled, status, outage } = monitor;
  const isLasting = enabled && !outage?.acknowledged && isTrouble(status);
  if (!isLasting || timing.every === 0) return plan(null);
  const isCalm =
    monitor.windowEndsAt !== null || monitor.ancestors.some(({ cause }) => cause) || status === "unknown";
  // Behavior 14.27: no check has seen the trouble after a pause.
  const isSeen = outage !== null;
  const isWanted = isSeen && !isCalm && !isUnready && notifyOn.includes(groupOf(status));
  const next = now + timing.every * 1000;
  if (!isWanted || !isToldOf(last, monitor.troubleSince)) return plan(next);
  return waitForCheck(due, monitor, now) ?? plan(next, { isDue: true });
}

/**
 * Plans what follows after the time has come to send a recovery again that a webhook did not get, so that its last word about the
 * monitor is not the trouble (behavior 5.41).
 *
 * @param told the newest notification that the channel got @param recoveredAt milliseconds since 1970
 */
export function planUnheardRecovery(
  { told, isUnready, recoveredAt }: Pick<Pair, "told"> & { isUnready: boolean; recoveredAt: number },
  now: number,
): PlannedReminder {
  const isOwed = told !== null && isTrouble(told.status);
  if (!isOwed || now - recoveredAt > REPEAT_ENDS_FOR + REPEAT_END_EVERY) return plan(null);
  return plan(now + REPEAT_END_EVERY, { isDue: !isUnready });
}

/** @returns null if it does not wait, or no longer */
function waitForCheck(
  { waitsUntil }: DueReminder,
  { check }: ReviewedMonitor,
  now: number,
): PlannedReminder | null {
  if (!check || isPresent(check, now)) return null;
  // Also if the clock was set back, or the answer was not read, because no server ran.
  const isFirst = waitsUntil === null || now - waitsUntil > PRESENT || waitsUntil - now > check.patience;
  if (isFirst) return plan(now + POLL_INTERVAL, { waitsUntil: now + check.patience, asksItself: true });
  // Locations may answer some seconds apart, so that the first answer is no longer of now.
  const isAnswered = unanswered([{ check }], waitsUntil - check.patience).length === 0;
  if (isAnswered) return null;
  if (now < waitsUntil) return plan(now + POLL_INTERVAL, { waitsUntil });
  // A fault of stillup keeps checks from their results, or did (behavior 14.9).
  const again = now + check.patience;
  const isLacking = lacksResult(check, now);
  return isLacking || check.isSuspected ? plan(again, { waitsUntil: again, asksItself: isLacking }) : null;
}

function plan(remindAt: number | null, values: Partial<PlannedReminder> = {}): PlannedReminder {
  return { isDue: false, remindAt, waitsUntil: null, asksItself: false, ...values };
}

/** The event of a repetition. @param event of the newest notification, also if it failed finally */
export function reminderOf(newest: Transition): Transition {
  if (endsIncident(newest)) return newest;
  const { acknowledged: _, ...event } = newest;
  return { ...event, reminder: true };
}
