import type { Log, LoggedMonitor, StoredResult } from "../log.ts";
import { touches } from "./spans.ts";
import { at, type Violation } from "./violation.ts";

/** From the end of a check until its time is read, and between clocks of two processes; milliseconds. */
const MARGIN = 1000;
const EDGE = 200;

const DOWN = new Set(["down", "no_cert", "missing"]);
export const HEALTHY = new Set(["up", "active", "present", "ok"]);

/** The log of the target explains every status of a check, and the log of the job every missed run. */
export function findFalseStatuses(log: Log): Violation[] {
  return log.monitors.flatMap((monitor) => {
    const isTrue = monitor.type === "SCHEDULED" ? isMissTrue : isCheckTrue;
    return (log.results[monitor.name] ?? [])
      .filter((result) => !isTrue(log, monitor, result))
      .map(({ status, reason, createdAt }) => ({
        rule: "false status",
        message: `${monitor.name}: ${status}${reason ? ` (${reason})` : ""} at ${at(log, createdAt)}`,
      }));
  });
}

function isCheckTrue(
  log: Log,
  { name, timeout }: LoggedMonitor,
  { status, createdAt }: StoredResult,
): boolean {
  const outages = log.outages[name] ?? [];
  const [from, to] = [createdAt - timeout - MARGIN, createdAt + EDGE];
  if (DOWN.has(status)) return touches(outages, { from: from - EDGE, to });
  if (status === "degraded") return touches(log.stalls, { from, to });
  if (!HEALTHY.has(status)) return false;
  return !outages.some((outage) => outage.from < from - EDGE && outage.to > to);
}

/** A job missed its run only if it sent nothing in the whole window. `check-ins.ts` judges its other statuses. */
function isMissTrue(log: Log, { name, window }: LoggedMonitor, { status, createdAt }: StoredResult): boolean {
  if (status !== "havent_heard") return status === "ok" || status === "failed";
  return !(log.checkins[name] ?? []).some(
    ({ sentAt }) => sentAt > createdAt - window + MARGIN && sentAt < createdAt - EDGE,
  );
}
