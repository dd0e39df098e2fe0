import { formatDuration } from "../../../domain/duration.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { statusesOf } from "../../../domain/monitors/status.ts";
import type { Config } from "../data/api.ts";

// The keys of `statusesOf`, because the file that has the types would bring TypeBox into the first script.
export const MONITOR_TYPES = Object.keys(statusesOf) as MonitorType[];

export const monitorTypeLabels: Record<MonitorType, { name: string; description: string }> = {
  HTTP: { name: "Website", description: "Requests a URL" },
  TCP: { name: "Port", description: "Opens a connection" },
  TLS: { name: "Certificate", description: "Checks its expiry" },
  DNS: { name: "DNS", description: "Looks up a name" },
  SCHEDULED: { name: "Cron job", description: "Waits for check-ins" },
};

/** The target of a monitor, in one line. */
export function describeTarget(type: MonitorType, config: Config): string {
  if (type === "HTTP") return String(config.url);
  if (type === "DNS") return `${config.hostname} ${config.recordType ?? "A, AAAA"}`;
  if (type === "SCHEDULED") return describeSchedule(config);
  const host = String(config.host);
  return `${host.includes(":") ? `[${host}]` : host}:${config.port}`;
}

/** The schedule that the user set or, without one, the learned period. @param learned seconds */
export function describeSchedule({ cron, timezone, period }: Config, learned: number | null = null): string {
  if (cron !== undefined) return `${cron} (${timezone ?? "UTC"})`;
  if (period !== undefined) return `Every ${formatDuration(Number(period) * 1000)}`;
  return learned === null ? "Learns its schedule" : `Learned: every ${formatDuration(learned * 1000)}`;
}
