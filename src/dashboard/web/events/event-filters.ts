import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { RESULT_STATUSES, type ResultStatus } from "../../../domain/monitors/status.ts";
import { MONITOR_TYPES } from "../monitor/monitor-types.ts";

/** The parameters of `GET /events`, without those that filter nothing. */
export interface EventFilters {
  changes?: "true";
  type?: MonitorType;
  status?: ResultStatus;
  tag?: string;
}

/** The filters in the address of the view. Only changes are shown, except with `show=all`. What is unknown filters nothing. */
export function eventFilters(params: URLSearchParams): EventFilters {
  const type = MONITOR_TYPES.find((one) => one === params.get("type"));
  const status = RESULT_STATUSES.find((one) => one === params.get("status"));
  const tag = params.get("tag");
  return {
    ...(params.get("show") !== "all" && { changes: "true" }),
    ...(type && { type }),
    ...(status && { status }),
    ...(tag && { tag }),
  };
}
