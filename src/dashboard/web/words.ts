import type { ChannelType } from "../../domain/alerts/channel.ts";
import type { Reason } from "../../domain/checks/observation.ts";
import type { DisplayState } from "../../domain/monitors/display-state.ts";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { type Status, statusesOf } from "../../domain/monitors/status.ts";
import type { Config } from "./api.ts";

export const moodWords: Record<DisplayState, string> = {
  healthy: "Healthy",
  warning: "Warning",
  down: "Down",
  waiting: "Waiting",
  paused: "Paused",
};

export const MONITOR_TYPES = Object.keys(statusesOf) as MonitorType[];
export const CHANNEL_TYPES: ChannelType[] = ["SLACK", "DISCORD", "TEAMS", "EMAIL", "WEBHOOK"];

export const monitorTypeWords: Record<MonitorType, { name: string; does: string }> = {
  HTTP: { name: "Website", does: "Requests a URL" },
  TCP: { name: "Port", does: "Opens a connection" },
  TLS: { name: "Certificate", does: "Watches its expiry" },
  DNS: { name: "DNS", does: "Looks up a name" },
  SCHEDULED: { name: "Cron job", does: "Waits for its call" },
};

export const channelTypeWords: Record<ChannelType, string> = {
  SLACK: "Slack",
  DISCORD: "Discord",
  TEAMS: "Teams",
  EMAIL: "E-mail",
  WEBHOOK: "Webhook",
};

const statusWords: Record<Status, string> = {
  up: "Up",
  down: "Down",
  degraded: "Degraded",
  active: "Not expired",
  expiring_soon: "Expires soon",
  expired: "Expired",
  no_cert: "No certificate",
  present: "Present",
  missing: "Missing",
  changed: "Changed",
  ok: "OK",
  failed: "Failed",
  havent_heard: "Not heard from",
  unknown: "Waiting",
};

export const ALL_STATUSES = (Object.keys(statusWords) as Status[]).filter((status) => status !== "unknown");

export function wordsOf(status: Status): string {
  return statusWords[status];
}

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

const DAY = 86_400_000;

const UNITS: [length: number, name: string][] = [
  [DAY, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
];

/** As `2 d 5 h`: the largest unit that fits and the next smaller one. @param length milliseconds */
export function durationWords(length: number): string {
  const from = UNITS.findIndex(([unit]) => length >= unit);
  if (from < 0) return "0 s";
  let rest = length;
  const parts = UNITS.slice(from, from + 2).flatMap(([unit, name]) => {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  return parts.join(" ");
}

/** In one unit, for where room is scarce. @param length milliseconds */
export function roughWords(length: number): string {
  const [unit, name] = UNITS.find(([one]) => length >= one) ?? [1000, "s"];
  return `${Math.max(0, Math.floor(length / unit))} ${name}`;
}

/** How far off an end is. @param left milliseconds; negative once it has passed */
export function endWords(left: number): string {
  const days = Math.floor(Math.abs(left) / DAY);
  const span = days > 0 ? countWords(days, "day") : durationWords(Math.abs(left));
  return left > 0 ? `${span} left` : `Ended ${span} ago`;
}

export function latencyWords(latencyMs: number | null | undefined): string {
  if (latencyMs === null || latencyMs === undefined) return "–";
  if (latencyMs >= 10_000) return `${(latencyMs / 1000).toFixed(1)} s`;
  if (latencyMs === 0) return "0 ms";
  return latencyMs < 10 ? `${latencyMs.toFixed(1)} ms` : `${Math.round(latencyMs)} ms`;
}

/** With a comma between the thousands. Without `Intl`: on a phone, its first formatter takes 50 ms. */
export function numberWords(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${numberWords(count)} ${count === 1 ? one : many}`;
}

/** What a check left, in a sentence; nothing where there is nothing to say. */
export function reasonWords(detail: Config | null): string {
  if (!detail) return "";
  const { message, reason } = detail;
  if (typeof message === "string") return message;
  if (typeof reason === "string") return reason.replaceAll("_", " ");
  const parts = [listWords("new", detail, "added"), listWords("gone", detail, "gone")].filter(Boolean);
  return parts.join("; ");
}

const reasonNames: Record<Reason, string> = {
  refused: "Connection refused",
  timeout: "No answer in time",
  reset: "Connection reset",
  closed: "Connection closed",
  unreachable: "Network unreachable",
  dns_not_found: "Name not found",
  dns_failed: "Name could not be looked up",
  tls_invalid: "Certificate is not valid",
  tls_failed: "No TLS connection",
  not_http: "Answer is not HTTP",
  private_target: "Private address",
};

/** The same in a few words, where there are some for it. */
export function briefReason(detail: Config | null): string {
  const known = Object.entries(reasonNames).find(([reason]) => reason === detail?.reason);
  return known ? known[1] : reasonWords(detail);
}

function listWords(label: string, detail: Config, name: string): string {
  const list = listOf(detail, name);
  return list.length > 0 ? `${label}: ${list.join(", ")}` : "";
}

/** A list of a detail, as texts; if it was cut, the last one is how many entries are missing. */
export function listOf(detail: Config, name: string): string[] {
  const rest = restWords(detail, name);
  return rest === "" ? entriesOf(detail, name) : [...entriesOf(detail, name), rest];
}

/** The entries that are left of a list. */
export function entriesOf(detail: Config, name: string): string[] {
  const list = detail[name];
  return Array.isArray(list) ? list.map(String) : [];
}

/** How many entries of a list were left out, as `and 2,480 more`; nothing if it is whole. */
export function restWords(detail: Config, name: string): string {
  const count = Number((detail.omitted as Record<string, number> | undefined)?.[name] ?? 0);
  if (count === 0) return "";
  return `${entriesOf(detail, name).length > 0 ? "and " : ""}${numberWords(count)} more`;
}
