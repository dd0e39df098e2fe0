import type { Status } from "./status.ts";

/** The name of each status in English texts for users (behavior 1.5). */
export const statusLabel = {
  up: "Up",
  down: "Down",
  degraded: "Degraded",
  active: "Not expired",
  expiring_soon: "Expires soon",
  expired: "Expired",
  no_cert: "No certificate",
  present: "Present",
  missing: "Missing",
  changed: "Changed",
  ok: "OK",
  failed: "Failed",
  havent_heard: "No check-in",
  unknown: "Waiting",
} as const satisfies Record<Status, string>;
