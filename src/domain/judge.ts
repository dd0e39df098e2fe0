import type { Evidence } from "./observation.ts";
import type { Status } from "./status.ts";

/** The status that an HTTP or TCP monitor gets from what its probe saw (interface 3.2). */
export function judgeCheck(evidence: Evidence): Status {
  return evidence.outcome === "reached" ? "up" : "down";
}

/** The status of a SCHEDULED monitor after a checkin: any word but `fail` is a success (decisions 3). */
export function judgeCheckin(status: string | undefined): Status {
  return status === "fail" ? "failed" : "ok";
}
