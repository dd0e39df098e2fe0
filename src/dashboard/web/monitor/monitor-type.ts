import type { ChannelType } from "../../../domain/alerts/channel.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { statusesOf } from "../../../domain/monitors/status.ts";
import type { Config } from "../data/api.ts";
import { durationWords } from "../ui/duration.ts";

export const MONITOR_TYPES = Object.keys(statusesOf) as MonitorType[];
export const CHANNEL_TYPES: ChannelType[] = ["SLACK", "DISCORD", "TEAMS", "EMAIL", "WEBHOOK"];

export const monitorTypeWords: Record<MonitorType, { name: string; does: string }> = {
  HTTP: { name: "Website", does: "Requests a URL" },
  TCP: { name: "Port", does: "Opens a connection" },
  TLS: { name: "Certificate", does: "Watches its expiry" },
  DNS: { name: "DNS", does: "Looks up a name" },
  SCHEDULED: { name: "Cron job", does: "Waits for its call" },
};

/** What a monitor looks at, in a line. */
export function targetOf(type: MonitorType, config: Config): string {
  if (type === "HTTP") return String(config.url);
  if (type === "DNS") return `${config.hostname} ${config.recordType ?? "A, AAAA"}`;
  if (type === "SCHEDULED") return rhythmWords(config);
  const host = String(config.host);
  return `${host.includes(":") ? `[${host}]` : host}:${config.port}`;
}

/** As it was set or, else, learned. @param learned seconds */
export function rhythmWords({ cron, timezone, period }: Config, learned: number | null = null): string {
  if (cron !== undefined) return `${cron} (${timezone ?? "UTC"})`;
  if (period !== undefined) return `Every ${durationWords(Number(period) * 1000)}`;
  return learned === null ? "Learns its rhythm" : `Learned: every ${durationWords(learned * 1000)}`;
}
