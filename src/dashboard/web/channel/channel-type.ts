import type { ChannelType } from "../../../domain/alerts/channel.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { statusesOf } from "../../../domain/monitors/status.ts";

export const MONITOR_TYPES = Object.keys(statusesOf) as MonitorType[];
export const CHANNEL_TYPES: ChannelType[] = ["SLACK", "DISCORD", "TEAMS", "EMAIL", "WEBHOOK"];

export const channelTypeWords: Record<ChannelType, string> = {
  SLACK: "Slack",
  DISCORD: "Discord",
  TEAMS: "Teams",
  EMAIL: "E-mail",
  WEBHOOK: "Webhook",
};
