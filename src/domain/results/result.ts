import type { AlertOutcome } from "../alerts/delivery.ts";
import type { Detail } from "../checks/observation.ts";
import type { MonitorType } from "../monitors/monitor.ts";
import type { Status } from "../monitors/status.ts";

/** A recorded check, check-in or missed run (behavior 7.44). */
export interface CheckResult {
  id: string;
  monitorId: string;
  status: Status;
  latencyMs: number | null;
  detail: Detail | null;
  alertOutcome: AlertOutcome | null;
  createdAt: number;
}

/** A result with a summary of its monitor (behavior 7.47). */
export interface ResultEvent extends CheckResult {
  monitor: { id: string; name: string; type: MonitorType };
  /** Only in a list of changes of the status. */
  previousStatus?: Status;
}
