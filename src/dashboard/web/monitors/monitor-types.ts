import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { statusesOf } from "../../../domain/monitors/status.ts";

// The keys of `statusesOf`, because the file that has the types would bring TypeBox into the first script.
export const MONITOR_TYPES = Object.keys(statusesOf) as MonitorType[];
