import type { Transition } from "../domain/alerts/delivery.ts";

/** A notification of one channel. */
export interface Notification {
  /** The same on every attempt, so that a receiver recognizes a repetition. */
  id: string;
  transition: Transition;
  /** Time of the attempt, milliseconds since 1970. */
  now: number;
}
