import { groupOf } from "../../monitors/status.ts";
import type { Transition } from "../delivery.ts";
import { isToldOf, isTrouble, type Pair, type ReviewedMonitor } from "./pair.ts";

/** @property isDue whether to remind now @property remindAt when to remind next; null if never during this outage */
export interface PlannedReminder {
  isDue: boolean;
  remindAt: number | null;
}

/**
 * Plans what follows after the time of a reminder has come (behavior 14.24, 14.25).
 *
 * @property isUnready whether the channel is disabled, or another notification of the pair is undecided or pending
 */
export function planReminder(
  { timing, notifyOn, told, isUnready }: Omit<Pair, "undecided"> & { isUnready: boolean },
  monitor: ReviewedMonitor,
  now: number,
): PlannedReminder {
  const { enabled, status, outage } = monitor;
  const isLasting = enabled && !outage?.acknowledged && isTrouble(status);
  if (!isLasting || timing.every === 0) return { isDue: false, remindAt: null };
  const isCalm =
    monitor.windowEndsAt !== null || monitor.ancestors.some(({ cause }) => cause) || status === "unknown";
  // Behavior 14.27: no check has seen the trouble after a pause.
  const isSeen = outage !== null;
  const isListed = notifyOn.includes(groupOf(status));
  return {
    isDue: isSeen && !isCalm && !isUnready && isListed && isToldOf(told, monitor.troubleSince),
    remindAt: now + timing.every * 1000,
  };
}

/** The event of a repetition. @param event that of the newest notification that the channel received */
export function reminderOf({ acknowledged: _, ...event }: Transition): Transition {
  return { ...event, reminder: true };
}
