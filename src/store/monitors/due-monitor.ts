import type { MonitorConfig, ProbedType } from "../../domain/monitors/monitor.ts";
import type { Status } from "../../domain/monitors/status.ts";

export interface DueMonitor {
  pk: number;
  id: string;
  type: ProbedType;
  config: MonitorConfig<ProbedType>;
  /** The status of the last recorded result. */
  status: Status;
  revision: number;
  /** Milliseconds since 1970; in the past if the check is overdue. */
  nextCheckAt: number;
  /** The fencing number of the claim: see `Claimant`. */
  claim: number;
}

/** A check that is due. */
export type Slot = Pick<DueMonitor, "pk" | "nextCheckAt">;
