import type { AlertTiming } from "./alert-timing.ts";
import type { Hold } from "./hold.ts";

/**
 * What decides whether a new delivery is held.
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
