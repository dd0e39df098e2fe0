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
 *   what muted it until then;
 * - `delay`: the trouble has not lasted long enough for the channel;
 * - `resumed`: its monitor was paused and is enabled again, and the next check decides whether the trouble lasts;
 * - `withdrawn`: it will not be sent, because the trouble ended, was acknowledged, or got another status, or its monitor was
 *   paused.
 */
export type Hold =
  | { kind: "new" | "maintenance" | "delay" | "resumed" }
  | { kind: "answer"; until: number }
  | { kind: "muted"; by: MutedBy }
  | { kind: "recheck"; by?: MutedBy; since: number; until: number }
  | { kind: "withdrawn"; why: WithdrawnWhy };
