import { groupOf, levelOf, type Status } from "../../monitors/status.ts";
import type { AlertTiming } from "../alert-binding.ts";
import type { Transition } from "../delivery.ts";
import type { Hold, MutedBy, WithdrawnWhy } from "../hold.ts";
import type { NotifyOn } from "../notify.ts";

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
 */
export interface Told {
  status: Status;
  troubleSince: number | null;
}

/** @property undecided oldest first */
export interface Pair {
  timing: AlertTiming;
  notifyOn: NotifyOn;
  told: Told | null;
  undecided: readonly Undecided[];
}

/** A decision about a delivery. Only a hidden one is deleted. */
export type Decision =
  | { kind: "send" }
  | { kind: "keep"; status: Undecided["status"]; hold: Hold; reviewAt: number }
  | { kind: "withdraw"; why: WithdrawnWhy }
  | { kind: "delete" };

export function isTrouble(status: Status): boolean {
  return groupOf(status) !== "healthy";
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

/** Whether a notification reports something worse than what the channel knows about the same trouble (behavior 14.11). */
export function isWorse({ status, troubleSince }: Transition, told: Told | null): boolean {
  return !isToldOf(told, troubleSince) || levelOf(status) > levelOf(told.status);
}
