import type { ChannelType } from "../../domain/alerts/channel.ts";

/** Writes a value that the API of Healthchecks does not give: a placeholder. */
export type Unknown = (field: string) => string;

/** The channel for an integration of Healthchecks, by its kind. Its API gives only the kind and the name. */
export const integrations: Record<
  string,
  (unknown: Unknown) => { type: ChannelType; config: Record<string, unknown> }
> = {
  email: (unknown) => ({ type: "EMAIL", config: { to: unknown("to") } }),
  slack: (unknown) => ({ type: "SLACK", config: { webhookUrl: unknown("webhookUrl") } }),
  discord: (unknown) => ({ type: "DISCORD", config: { webhookUrl: unknown("webhookUrl") } }),
  msteamsw: (unknown) => ({ type: "TEAMS", config: { webhookUrl: unknown("webhookUrl") } }),
  webhook: (unknown) => ({ type: "WEBHOOK", config: { url: unknown("url") } }),
  mattermost: incomingWebhook,
  rocketchat: incomingWebhook,
  googlechat: (unknown) => ({ type: "WEBHOOK", config: { url: unknown("url"), format: "googlechat" } }),
  ntfy: (unknown) => service("ntfy", "https://ntfy.sh", { topic: unknown("topic") }),
  gotify: (unknown) => service("gotify", unknown("url"), { token: unknown("token") }),
  telegram: (unknown) =>
    service("telegram", "https://api.telegram.org", { token: unknown("token"), chatId: unknown("chatId") }),
  po: (unknown) =>
    service("pushover", "https://api.pushover.net", { token: unknown("token"), user: unknown("user") }),
  pd: (unknown) =>
    service("pagerduty", "https://events.pagerduty.com", { routingKey: unknown("routingKey") }),
  matrix: (unknown) =>
    service("matrix", unknown("url"), { token: unknown("token"), roomId: unknown("roomId") }),
  signal: (unknown) =>
    service("signal", unknown("url"), { number: unknown("number"), recipients: [unknown("recipient")] }),
};

function incomingWebhook(unknown: Unknown) {
  return service("custom", unknown("url"), { body: '{"text":"{{text}}"}' });
}

function service(format: string, url: string, options: Record<string, unknown>) {
  return { type: "WEBHOOK" as const, config: { url, format, options } };
}
