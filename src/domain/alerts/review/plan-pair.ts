import { groupOf } from "../../monitors/status.ts";
import { endsIncident } from "../alert-event.ts";
import { REPEAT_END_EVERY, REPEAT_ENDS_FOR, type Transition } from "../delivery.ts";
import { isPresent, lacksResult, PRESENT, unanswered, type WaitDecision } from "./fresh-check.ts";
import {
  type Decision,
  decideTrouble,
  dropped,
  isToldOf,
  isTrouble,
  isTwice,
  openingAfter,
  type Pair,
  type ReviewedMonitor,
  type Undecided,
  wasDue,
} from "./pair.ts";

/** A decision about a delivery, with the event and the outage that it has after the decision. */
export interface Decided {
  pk: number;
  event: Transition;
  outagePk: number | null;
  decision: Decision;
}

/** See also `WaitDecision`. */
export interface PairPlan extends Omit<WaitDecision, "decision"> {
  /** A decision for each undecided delivery. */
  decided: Decided[];
  /** When the next reminder is due; null if none is, undefined if nothing changes. */
  remindAt: number | null | undefined;
}

/**
 * Decides about the undecided deliveries of a pair (behavior 14.8 to 14.24), in their order: a later one supersedes those
 * before it.
 */
export function planPair(pair: Pair, monitor: ReviewedMonitor, now: number): PairPlan {
  const progress = createProgress(pair, monitor, now);
  for (const row of pair.undecided) {
    if (isTrouble(row.event.status)) progress.addTrouble(row);
    else progress.addRecovery(row);
  }
  return progress.end();
}

function createProgress(pair: Pair, monitor: ReviewedMonitor, now: number) {
  const decided: Decided[] = [];
  let { told } = pair;
  let remindAt: number | null | undefined;
  /** The latest trouble that is not decided yet. */
  let waiting: Undecided | null = null;
  /** Whether a notification was withdrawn, or deleted, that is newer than what the channel knows. */
  let isWithheld = false;

  function decide(row: Undecided, decision: Decision): void {
    const event = decision.kind === "send" ? released(row) : row.event;
    decided.push({ pk: row.pk, event, outagePk: row.outage?.pk ?? null, decision });
    const { status, troubleSince = null } = row.event;
    // Another binding notified the channel of it (behavior 23.38); the reminders of this one follow all the same.
    if (decision.kind === "delete" && isTrouble(status) && isTwice(row, told))
      remindAt = firstReminder(pair, monitor, now);
    if (decision.kind !== "send") return;
    told = { status, troubleSince };
    isWithheld = false;
    remindAt = isTrouble(status) ? firstReminder(pair, monitor, now) : null;
  }

  /** A later transition follows the one that waits. */
  function settle(why: "ended" | "superseded"): void {
    if (!waiting) return;
    const row = waiting;
    waiting = null;
    if (isTwice(row, told)) {
      decide(row, { kind: "delete" });
    } else if (wasDue(row, monitor, { pair: { ...pair, told }, now })) {
      decide(row, { kind: "send" });
    } else {
      decide(row, dropped(row, why));
      isWithheld = true;
    }
  }

  return {
    addTrouble(row: Undecided): void {
      const before = waiting;
      settle("superseded");
      // The channel knows the status before the window (behavior 14.21).
      const event = before && isOfWindow(before) ? continued(row.event, before.event) : row.event;
      waiting = { ...row, event, isAfterWithdrawn: row.isAfterWithdrawn || isWithheld };
    },
    addRecovery(row: Undecided): void {
      settle("ended");
      const isTold = told !== null && isTrouble(told.status);
      const { after, hours } = pair.timing;
      const isLate = after > 0 || hours !== null;
      const needsTold = isWithheld || row.isAfterWithdrawn || row.status === "hidden" || isLate;
      const isNeeded = (isTold || !needsTold) && !isTwice(row, told);
      decide(row, isNeeded ? { kind: "send" } : { kind: "delete" });
      isWithheld = false;
      remindAt = null;
    },
    end(): PairPlan {
      if (!waiting) return { decided, remindAt, asks: [], asksItself: false };
      // After a pause, the trouble is another outage (behavior 14.27).
      const present = { ...waiting, outage: monitor.outage ?? waiting.outage };
      const { decision, ...asked } = decideTrouble(present, monitor, { pair: { ...pair, told }, now });
      decide(present, decision);
      return { decided, remindAt, ...asked };
    },
  };
}

function isOfWindow({ status, hold }: Undecided): boolean {
  return status === "hidden" || hold.kind === "maintenance";
}

function firstReminder({ timing }: Pair, { outage }: ReviewedMonitor, now: number): number | null {
  return timing.every === 0 || outage?.acknowledged ? null : now + timing.every * 1000;
}

/** With the outage as of now: since the transition it may have been acknowledged, or not be any more. */
function released({ event, outage }: Undecided): Transition {
  if (!outage) return event;
  const { acknowledged: _, ...others } = event;
  const { id, startedAt, acknowledged } = outage;
  return { ...others, outage: { id, startedAt }, ...(acknowledged && { acknowledged }) };
}

function continued(event: Transition, { previousStatus, since }: Transition): Transition {
  const { since: _, ...others } = event;
  return { ...others, previousStatus, ...(since !== undefined && { since }) };
}

/** How often a reminder polls for its check, in milliseconds. */
const POLL_INTERVAL = 1000;

/** A reminder whose time has come. Times are milliseconds since 1970. */
export interface DueReminder extends Pick<Pair, "timing" | "notifyOn"> {
  /** The status in the newest notification, also if it failed finally. */
  last: Pair["told"];
  /** When it was created, by any binding that reaches the channel; null without one. */
  newestAt: number | null;
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
interface PlannedReminder {
  isDue: boolean;
  remindAt: number | null;
  waitsUntil: number | null;
  asksItself: boolean;
}

/** Plans what follows after the time of a reminder has come (behavior 14.24, 14.25, 23.7, 23.38). */
export function planReminder(due: DueReminder, monitor: ReviewedMonitor, now: number): PlannedReminder {
  const { timing, notifyOn, last, newestAt, isUnready } = due;
  const { enabled, status, outage } = monitor;
  const isLasting = enabled && !outage?.acknowledged && isTrouble(status);
  if (!isLasting || timing.every === 0) return plan(null);
  const isCalm =
    monitor.windowEndsAt !== null || monitor.ancestors.some(({ cause }) => cause) || status === "unknown";
  // Behavior 14.27: no check has seen the trouble after a pause.
  const isSeen = outage !== null;
  const isWanted = isSeen && !isCalm && !isUnready && notifyOn.includes(groupOf[status]);
  const opensAt = openingAfter(timing.hours, now);
  if (opensAt !== null) return plan(opensAt);
  const every = timing.every * 1000;
  // Another binding notified the channel not long ago. After the clock was set back, that is not known.
  if (newestAt !== null && newestAt <= now && now < newestAt + every) return plan(newestAt + every);
  const next = now + every;
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
