import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { statusesOf } from "../../../domain/monitors/status.ts";

// The keys of `statusesOf`, because the file that has the types would bring TypeBox into the first script.
export const MONITOR_TYPES = Object.keys(statusesOf) as MonitorType[];

export const monitorTypeLabels: Record<MonitorType, { name: string; description: string }> = {
  HTTP: { name: "Website", description: "Requests a URL" },
  TCP: { name: "Port", description: "Opens a connection" },
  TLS: { name: "Certificate", description: "Checks its expiry" },
  DNS: { name: "DNS", description: "Looks up a name" },
  SCHEDULED: { name: "Cron job", description: "Waits for check-ins" },
};
