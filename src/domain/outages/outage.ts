import type { MonitorType } from "../monitors/monitor.ts";
import type { Status } from "../monitors/status.ts";
import type { DownStretch } from "./down-part.ts";

/** A stretch in which a monitor is in group warning or down (behavior 14.53). Times are milliseconds since 1970. */
export interface Outage {
  id: string;
  monitor: { id: string; name: string; type: MonitorType };
  /** The worst so far. */
  status: Status;
  /** Of the first result; null if it had none. */
  reason: string | null;
  startedAt: number;
  /** Null while it continues. */
  endedAt: number | null;
  /** This and `acknowledgedBy`, the name of the key, are null if it is not acknowledged. */
  acknowledgedAt: number | null;
  acknowledgedBy: string | null;
  note: string | null;
  /** Of the maintenance in whose window it began, which may be deleted; null if it began in none. */
  maintenanceId: string | null;
  /** The stretches in which the monitor was in group down, the first one first. */
  downs: DownStretch[];
}
