import type { Transition } from "../domain/alerts/delivery.ts";

/** One notification to be sent to a channel. */
export interface Notification {
  /** The same on every attempt, so that a receiver can tell a repetition. */
  id: string;
  transition: Transition;
  /** Milliseconds since 1970. */
  now: number;
}
