import { type Static, Type } from "@sinclair/typebox";
import { named, oneOf } from "../schemas/schema.ts";
import { groupOf, RESULT_STATUSES, type Status } from "./status.ts";

/* Apart from status.ts, because TypeBox must stay out of the first script of the page. */

/** Every status that a monitor of some type can have. */
export const StatusSchema = oneOf(["unknown", ...RESULT_STATUSES]);

const Count = Type.Integer({ minimum: 0 });

export const StatusSummary = Type.Object(
  {
    total: Count,
    healthy: Count,
    warning: Count,
    down: Count,
    overall: oneOf(["operational", "degraded", "incident"]),
  },
  named("StatusSummary"),
);
export type StatusSummary = Static<typeof StatusSummary>;

/** Counts monitors by group (behavior 7.48, 7.49). @param counts the number of monitors with each status */
export function summarize(counts: Iterable<{ status: Status; count: number }>): StatusSummary {
  const sums = { healthy: 0, warning: 0, down: 0 };
  for (const { status, count } of counts) sums[groupOf[status]] += count;
  const overall = sums.down > 0 ? "incident" : sums.warning > 0 ? "degraded" : "operational";
  return { total: sums.healthy + sums.warning + sums.down, ...sums, overall };
}
