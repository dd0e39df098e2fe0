import type { AlertTiming } from "./alert-binding.ts";

/** The outage of another monitor that mutes a notification. */
export interface MutedBy {
  monitorId: string;
  outageId: string;
}

/** Why a delivery was withdrawn: see `Hold`. */
export const WITHDRAWN_WHY = ["ended", "acknowledged", "superseded", "paused"] as const;
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
 * - `resumed`: its monitor was paused and is enabled again, and the next check decides whether the trouble lasts;
 * - `withdrawn`: it will not be sent, because the trouble ended, was acknowledged, or got another status, or its monitor was
 *   paused.
 */
export type Hold =
  | { kind: "new" | "maintenance" | "delay" | "resumed" }
  | { kind: "answer"; until: number }
  | { kind: "muted"; by: MutedBy }
  | { kind: "recheck"; by?: MutedBy; since: number; until: number; longestUntil?: number }
  | { kind: "withdrawn"; why: WithdrawnWhy };

/**
 * The facts that decide whether a new delivery is held.
 *
 * @property isInWindow whether its result was made in a window of a maintenance
 * @property isDependent whether its monitor depends on others
 * @property followsHeld whether an earlier delivery about this monitor to this channel is held, or the latest was withdrawn
 */
export interface HoldContext {
  timing: AlertTiming;
  isInWindow: boolean;
  isDependent: boolean;
  followsHeld: boolean;
}

/** Why a new delivery is not sent until it is decided; null if it is sent at once (behavior 14.50). */
export function firstHold({ timing, isInWindow, isDependent, followsHeld }: HoldContext): Hold | null {
  if (isInWindow) return { kind: "maintenance" };
  const isTimed = timing.after > 0 || timing.every > 0;
  return isTimed || isDependent || followsHeld ? { kind: "new" } : null;
}
