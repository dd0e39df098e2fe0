import { formatDuration } from "../duration.ts";
import type { MonitorType } from "./monitor.ts";

type Config = Record<string, unknown>;

/** The target of a monitor, in one line. */
export function describeTarget(type: MonitorType, config: Config): string {
  if (type === "HTTP") return String(config.url);
  if (type === "DNS") return `${config.hostname} ${config.recordType ?? "A, AAAA"}`;
  if (type === "SCHEDULED") return describeSchedule(config);
  const host = String(config.host);
  if (config.port === undefined) return host;
  return `${host.includes(":") ? `[${host}]` : host}:${config.port}`;
}

/** The schedule that the user set or, without one, the learned period. @param learned seconds */
export function describeSchedule({ cron, timezone, period }: Config, learned: number | null = null): string {
  if (cron !== undefined) return `${cron} (${timezone ?? "UTC"})`;
  if (period !== undefined) return `Every ${formatDuration(Number(period) * 1000)}`;
  return learned === null ? "Learns its schedule" : `Learned: every ${formatDuration(learned * 1000)}`;
}
