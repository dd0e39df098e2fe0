import type { CheckResult } from "../../domain/results/result.ts";

/** Which results are exported: those of a monitor from `from` on, before `to`; milliseconds since 1970. */
export interface ResultExport {
  monitorId: string;
  from: number;
  to: number;
}

export type ExportedResult = Omit<CheckResult, "alertOutcome">;
