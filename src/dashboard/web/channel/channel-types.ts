import type { ChannelType } from "../../../domain/alerts/channel.ts";

export const channelTypeLabels: Record<ChannelType, string> = {
  SLACK: "Slack",
  DISCORD: "Discord",
  TEAMS: "Teams",
  EMAIL: "E-mail",
  WEBHOOK: "Webhook",
};

interface ConfigField {
  name: string;
  label: string;
  hint?: string;
  kind?: "url" | "email";
}

const webhookUrl = { name: "webhookUrl", label: "Webhook URL", kind: "url" } as const;

export const channelFields: Record<ChannelType, ConfigField[]> = {
  SLACK: [{ ...webhookUrl, hint: "An incoming webhook: https://hooks.slack.com/…" }],
  DISCORD: [{ ...webhookUrl, hint: "From the settings of the channel: https://discord.com/api/webhooks/…" }],
  TEAMS: [{ ...webhookUrl, hint: "From a workflow “When a webhook request is received”." }],
  EMAIL: [
    { name: "to", label: "Address", kind: "email", hint: "The server needs --smtp-url and --smtp-from." },
  ],
  WEBHOOK: [
    { name: "url", label: "URL", kind: "url" },
    { name: "secret", label: "Secret", hint: "Signs the messages (Standard Webhooks). Optional." },
  ],
};
