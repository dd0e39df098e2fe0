import type { AlertOutcome } from "../alerts/delivery.ts";
import type { Detail } from "../checks/observation.ts";
import type { Status } from "../monitors/status.ts";

/** One check or checkin, recorded (interface 2.3). */
export interface CheckResult {
  id: string;
  monitorId: string;
  status: Status;
  latencyMs: number | null;
  detail: Detail | null;
  alertOutcome: AlertOutcome | null;
  createdAt: number;
}
