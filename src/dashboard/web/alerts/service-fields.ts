import { PLACEHOLDERS } from "../../../domain/alerts/message-template.ts";
import { usualUrls } from "../../../domain/alerts/webhook-services.ts";
import type { Config } from "../data/api.ts";
import { type ConfigField, readConfig } from "../form/config-field.ts";
import { readPairs, withoutEmpty } from "../form/form-values.ts";
import { isFormat, type Service } from "./service.ts";

const BY_STATUS = "By the status of the monitor";
const placeholders = PLACEHOLDERS.map((name) => `{{${name}}}`).join(", ");

/** The fields of the config of each service except `headers`, in the order of the form. */
export const serviceFields: Record<Service, readonly ConfigField[]> = {
  SLACK: [webhookUrl("An incoming webhook: https://hooks.slack.com/…")],
  DISCORD: [webhookUrl("From the settings of the channel: https://discord.com/api/webhooks/…")],
  TEAMS: [webhookUrl("From a workflow “When a webhook request is received”.")],
  EMAIL: [{ name: "to", label: "Address", kind: "email" }],
  telegram: [
    secret("token", "Token of the bot", "Write /newbot to @BotFather, which then sends the token."),
    {
      name: "options.chatId",
      label: "Chat",
      example: "-1001234567890",
      hint: "The ID of the chat, or the @name of a public channel. The bot must be a member. For the ID, write to the bot and see message.chat.id in the answer of the method getUpdates.",
    },
    {
      name: "options.threadId",
      label: "Topic",
      kind: "number",
      hint: "The ID of a topic of the group. If empty, the general topic.",
      isRare: true,
    },
    server(usualUrls.telegram),
  ],
  googlechat: [
    {
      name: "url",
      label: "Webhook URL",
      kind: "url",
      isSecret: true,
      hint: "From “Apps & integrations” of the space: https://chat.googleapis.com/v1/spaces/…",
    },
  ],
  matrix: [
    { name: "url", label: "Homeserver", kind: "url", example: "https://matrix.example.com" },
    secret(
      "token",
      "Access token",
      "Of the account that writes. In Element: Settings, Help & About, Access token.",
    ),
    {
      name: "options.roomId",
      label: "Room ID",
      example: "!abcdefghijkl:example.com",
      hint: "In Element: settings of the room, Advanced. Invite the account to the room, and accept.",
    },
  ],
  signal: [
    {
      name: "url",
      label: "Server",
      kind: "url",
      example: "http://127.0.0.1:8080",
      hint: "Your server of signal-cli-rest-api.",
    },
    {
      name: "options.number",
      label: "Sender",
      example: "+4915112345678",
      hint: "The number that is registered there, with its country code.",
    },
    {
      name: "options.recipients",
      label: "Recipients",
      kind: "lines",
      hint: "One on each line: numbers with their country codes or user names, or the ID of one group (group.…).",
    },
  ],
  ntfy: [
    {
      name: "options.topic",
      label: "Topic",
      hint: "Everybody who knows the name of an open topic can read it: choose a long random one.",
    },
    secret("token", "Access token", "Only if the topic is protected. From the account in ntfy: tk_…"),
    priority([
      { value: 1, label: "1, lowest" },
      { value: 2, label: "2, low" },
      { value: 3, label: "3, default of ntfy" },
      { value: 4, label: "4, high" },
      { value: 5, label: "5, highest" },
    ]),
    server(usualUrls.ntfy),
  ],
  pushover: [
    secret("token", "API token", "Of an application that you create on pushover.net."),
    secret("user", "User or group key", "Of the person or the group that is notified."),
    {
      name: "options.device",
      label: "Device",
      hint: "Names of devices, which commas separate. If empty, all devices of the user.",
      isRare: true,
    },
    priority([
      { value: -2, label: "-2, no alert" },
      { value: -1, label: "-1, without sound" },
      { value: 0, label: "0, normal" },
      { value: 1, label: "1, also in quiet hours" },
    ]),
    server(usualUrls.pushover),
  ],
  gotify: [
    { name: "url", label: "Server", kind: "url", example: "https://gotify.example.com" },
    secret("token", "Token of the application", "From “Apps” in the web page of Gotify."),
    {
      name: "options.priority",
      label: "Priority",
      kind: "number",
      hint: `0 to 10. If empty: ${BY_STATUS.toLowerCase()}.`,
      isRare: true,
    },
  ],
  pagerduty: [
    secret("routingKey", "Integration key", "Of the integration “Events API V2” of a service in PagerDuty."),
    server(usualUrls.pagerduty, "In the EU: https://events.eu.pagerduty.com"),
  ],
  alertmanager: [
    {
      name: "url",
      label: "Server",
      kind: "url",
      example: "http://127.0.0.1:9093",
      hint: "Alertmanager resolves an alert by itself 8 days after the latest message about it. For longer outages, let the monitors send reminders.",
    },
  ],
  // The browser gives the keys, which the form keeps.
  webpush: [{ name: "url", label: "Push service", kind: "url", isSecret: true }],
  standard: [
    { name: "url", label: "URL", kind: "url", isSecret: true },
    {
      name: "secret",
      label: "Secret",
      hint: "Signs the messages (Standard Webhooks). Optional.",
      isSecret: true,
    },
  ],
  custom: [
    {
      name: "url",
      label: "URL",
      kind: "url",
      isSecret: true,
      hint: "May contain placeholders after the host, as the body does.",
    },
    {
      name: "options.method",
      label: "Method",
      kind: "choice",
      choices: [{ label: "POST" }, { value: "PUT", label: "PUT" }, { value: "GET", label: "GET" }],
    },
    {
      name: "options.contentType",
      label: "Content type",
      example: "application/json",
      isRare: true,
    },
    {
      name: "options.body",
      label: "Body",
      kind: "text-area",
      rows: 6,
      initial: '{\n  "text": "{{text}}",\n  "link": "{{link}}"\n}',
      hint: `Placeholders are replaced and escaped for their place: ${placeholders}.`,
    },
  ],
};

function webhookUrl(hint: string): ConfigField {
  return { name: "webhookUrl", label: "Webhook URL", kind: "url", isSecret: true, hint };
}

function secret(option: string, label: string, hint: string): ConfigField {
  return { name: `options.${option}`, label, kind: "secret", hint };
}

/** The address of a service that most readers use at its own address. */
function server(initial: string, hint?: string): ConfigField {
  return { name: "url", label: "Server", kind: "url", initial, ...(hint && { hint }), isRare: true };
}

function priority(choices: { value: number; label: string }[]): ConfigField {
  return {
    name: "options.priority",
    label: "Priority",
    kind: "choice",
    choices: [{ label: BY_STATUS }, ...choices],
    isRare: true,
  };
}

/**
 * The config in a form, as the API accepts it, without empty fields (behavior 16.172).
 *
 * @param stored the config that the form showed; what was not edited stays as it is
 */
export function configOf(service: Service, data: FormData, stored: Config = {}): Config {
  return withoutEmpty({
    options: stored.options,
    ...readConfig(serviceFields[service], data, stored),
    ...(isFormat(service) && {
      format: service === "standard" ? stored.format : service,
      headers: readPairs(data, "config.headers"),
    }),
  });
}
