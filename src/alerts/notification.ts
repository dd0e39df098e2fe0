import type { AlertEvent } from "../domain/alerts/alert-event.ts";

/** A notification of one channel. */
export interface Notification {
  /** The same on every attempt, so that a receiver recognizes a repetition. */
  id: string;
  event: AlertEvent;
  /** The later events of the same message, in their order, if there are any (behavior 14.63). */
  others?: readonly AlertEvent[];
  /** Key of the incident that the receiver has open for the monitor; absent if it has none. */
  incident?: string | null;
  /** Time of the attempt, milliseconds since 1970. */
  now: number;
}
