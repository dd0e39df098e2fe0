/** The content of a notification that the service worker of the page shows: see `dashboard/web/worker/service-worker.ts`. */
export interface PushPayload {
  title: string;
  body: string;
  /** The page of the outage, or of what the message is about. */
  link: string;
  /** A notification replaces the previous one with the same tag on the device. */
  tag?: string;
  /** Time of the event, milliseconds since 1970. */
  at: number;
}
