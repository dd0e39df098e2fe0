import type { TObject } from "@sinclair/typebox";
import type { ChannelType } from "../../domain/alerts/channel.ts";
import { importNames } from "../../domain/alerts/services/registry.ts";
import type { KumaNames } from "../../domain/alerts/services/service.ts";
import { declarationOf, optionsOf, type WebhookFormat } from "../../domain/alerts/webhook-format.ts";
import { clamp } from "../imported.ts";
import { numberOf, type OmittedPart, type Refused, type Row, textIn } from "./fields.ts";
import { webhookFrom } from "./webhook.ts";

/** A channel for a notification. It has the texts of Uptime Kuma: nothing is a placeholder yet. */
export interface MappedChannel {
  type: ChannelType;
  config: Record<string, unknown>;
  omitted: OmittedPart[];
  notes: string[];
  /** Added to the name if a notification is several channels. */
  label?: string;
}

type Service = (settings: Row) => MappedChannel[] | Refused;

/** The channels for a notification of a type of Uptime Kuma; undefined for a type that stillup has no channels of. */
export function channelsOf(type: string, settings: Row): MappedChannel[] | Refused | undefined {
  const channels = Object.hasOwn(services, type) ? services[type]?.(settings) : undefined;
  if (channels === undefined || "why" in channels) return channels;
  const lost = (WITHOUT_COUNTERPART[type] ?? [])
    .filter((field) => isSet(settings[field]))
    .map((part) => ({ part, why: "there is no such setting here" }));
  return channels.map((channel, at) =>
    at === 0 ? { ...channel, omitted: [...channel.omitted, ...lost] } : channel,
  );
}

/** By the type of the notification: settings that change what is sent, and have no counterpart. */
const WITHOUT_COUNTERPART: Record<string, readonly string[] | undefined> = {
  ...Object.fromEntries(Object.values(importNames).map(({ kuma }) => [kuma?.type, kuma?.ignored])),
  slack: ["slackchannelnotify"],
  discord: ["discordUsername", "discordPrefixMessage", "discordSuppressNotifications"],
  ntfy: ["ntfyIcon", "ntfyCall"],
};

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && value !== false;
}

/** By the type of the notification in Uptime Kuma. */
const services: Record<string, Service> = {
  ...declaredServices(),
  slack: (settings) => chat("SLACK", settings.slackwebhookURL, omittedChat(settings, SLACK_FIELDS)),
  discord: discordFrom,
  teams: (settings) => chat("TEAMS", settings.webhookUrl, []),
  "rocket.chat": (settings) => slackLike(settings.rocketwebhookURL, omittedChat(settings, ROCKET_FIELDS)),
  smtp: emailsFrom,
  webhook: webhookFrom,
  ntfy: ntfyFrom,
  signal: signalFrom,
  // The browser has subscribed with the key of Uptime Kuma.
  Webpush: () => ({
    why: "the device must be added again: open stillup on it, and use “Notify this device”",
  }),
};

/** The services of which the declaration has the names of the settings. */
function declaredServices(): Record<string, Service> {
  const all = Object.entries(importNames).flatMap(([format, { kuma }]) =>
    kuma
      ? [[kuma.type, (settings: Row) => serviceFrom(format as WebhookFormat, kuma, settings)] as const]
      : [],
  );
  return Object.fromEntries(all);
}

function serviceFrom(format: WebhookFormat, names: KumaNames, settings: Row): MappedChannel[] {
  const { url } = declarationOf[format];
  const address = (names.url && textIn(settings, names.url)) || (url.usual ?? "");
  const { properties, required = [] }: TObject = optionsOf(format);
  const omitted = omittedTemplate(names.template && settings[names.template]);
  const options: Row = {};
  for (const [option, setting] of Object.entries(names.options ?? {})) {
    const schema = properties[option];
    if (typeof setting === "object") {
      const range: Range = [schema?.minimum, schema?.maximum];
      Object.assign(options, priorityOf(settings, setting.nearest, range));
      omitted.push(...omittedPriority(settings, setting.nearest, range));
      continue;
    }
    const value = schema?.type === "integer" ? numberOf(settings, setting) : textIn(settings, setting);
    if (value !== undefined && (value !== "" || required.includes(option))) options[option] = value;
  }
  const config = {
    url: names.path === undefined ? address : baseOf(address, names.path),
    ...(names.options && { options }),
  };
  return service(format, config, omitted);
}

function service(
  format: string,
  config: Record<string, unknown>,
  omitted: OmittedPart[] = [],
): MappedChannel[] {
  return [{ type: "WEBHOOK", config: { format, ...config }, omitted, notes: [] }];
}

function chat(type: "SLACK" | "DISCORD" | "TEAMS", url: unknown, omitted: OmittedPart[]): MappedChannel[] {
  const webhookUrl = String(url ?? "").trim();
  // Other servers take what Slack takes.
  if (type === "SLACK" && URL.parse(webhookUrl)?.origin !== "https://hooks.slack.com")
    return slackLike(webhookUrl, omitted);
  return [{ type, config: { webhookUrl }, omitted, notes: [] }];
}

/** A text for a server that takes the messages of Slack. */
function slackLike(url: unknown, omitted: OmittedPart[]): MappedChannel[] {
  const options = { body: '{"text":"{{text}}"}' };
  return service("custom", { url: String(url ?? "").trim(), options }, omitted);
}

const SLACK_FIELDS = ["slackchannel", "slackusername", "slackiconemo"];
const ROCKET_FIELDS = ["rocketchannel", "rocketusername", "rocketiconemo"];

function omittedChat(settings: Row, fields: string[]): OmittedPart[] {
  const used = fields.filter((field) => textIn(settings, field) !== "");
  const why = "the webhook decides them";
  return used.length > 0 ? [{ part: "channel, user name and icon", why }] : [];
}

function omittedTemplate(isUsed: unknown): OmittedPart[] {
  return isUsed === true ? [{ part: "template", why: "stillup writes the message" }] : [];
}

function discordFrom(settings: Row): MappedChannel[] | Refused {
  const url = textIn(settings, "discordWebhookUrl");
  const target = textIn(settings, "discordChannelType");
  if (target === "createNewForumPost") return { why: "posts in a forum are not supported" };
  const thread = target === "postToThread" ? textIn(settings, "threadId") : "";
  const parsed = URL.parse(url);
  if (thread === "" || !parsed) return chat("DISCORD", url, []);
  parsed.searchParams.set("thread_id", thread);
  return chat("DISCORD", parsed.href, []);
}

function ntfyFrom(settings: Row): MappedChannel[] {
  const method = textIn(settings, "ntfyAuthenticationMethod");
  const token = method === "accessToken" ? textIn(settings, "ntfyaccesstoken") : "";
  const user = `${textIn(settings, "ntfyusername")}:${String(settings.ntfypassword ?? "")}`;
  return service(
    "ntfy",
    {
      url: textIn(settings, "ntfyserverurl"),
      options: {
        topic: textIn(settings, "ntfytopic"),
        ...(token !== "" && { token }),
        ...priorityOf(settings, "ntfyPriority", [1, 5]),
      },
      ...(method === "usernamePassword" && { headers: { Authorization: `Basic ${base64(user)}` } }),
    },
    [...omittedTemplate(settings.ntfyUseTemplate), ...omittedPriority(settings, "ntfyPriority", [1, 5])],
  );
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text.slice(0, 10_000))));
}

/** A channel has the users, or one group. */
function signalFrom(settings: Row): MappedChannel[] {
  const recipients = textIn(settings, "signalRecipients").replaceAll(/\s/g, "").split(",").filter(Boolean);
  const users = recipients.filter((one) => !one.startsWith("group."));
  const groups = recipients.filter((one) => one.startsWith("group.")).map((group) => [group]);
  const lists = users.length > 0 || groups.length === 0 ? [users, ...groups] : groups;
  return lists.flatMap((list, at) =>
    service(
      "signal",
      {
        url: baseOf(textIn(settings, "signalURL"), "/v2/send"),
        options: { number: textIn(settings, "signalNumber"), recipients: list },
      },
      at === 0 ? omittedTemplate(settings.signalUseTemplate) : [],
    ).map((channel) => ({ ...channel, label: list[0] ?? "" })),
  );
}

type Range = [number, number];

/** The nearest priority that the service has. */
function priorityOf(settings: Row, field: string, [least, most]: Range): { priority?: number } {
  const priority = numberOf(settings, field);
  return priority === undefined ? {} : { priority: clamp(least, Math.round(priority), most) };
}

function omittedPriority(settings: Row, field: string, range: Range): OmittedPart[] {
  const [wanted, { priority }] = [numberOf(settings, field), priorityOf(settings, field, range)];
  if (wanted === priority) return [];
  return [
    { part: "priority", why: `it is ${wanted}; ${range.join(" to ")} are possible: it is ${priority} here` },
  ];
}

/** The address of the service without the path that its format adds. */
function baseOf(url: string, path: string): string {
  return url.replace(/\/+$/, "").endsWith(path) ? url.replace(/\/+$/, "").slice(0, -path.length) : url;
}

/** Type `smtp`: a channel for each recipient. The server that sends belongs to stillup (`--smtp-url`). */
function emailsFrom(settings: Row): MappedChannel[] | Refused {
  const all = ["smtpTo", "smtpCC", "smtpBCC"].flatMap((field) => addressesIn(textIn(settings, field)));
  const addresses = [...new Set(all)];
  if (addresses.length === 0) return { why: "it has no recipient" };
  const [host, port, from] = ["smtpHost", "smtpPort", "smtpFrom"].map((field) => textIn(settings, field));
  const note = `stillup sends e-mail with --smtp-url and --smtp-from; this one is sent by ${host}:${port} from ${from}`;
  return addresses.map((to, at) => ({
    type: "EMAIL",
    config: { to },
    label: to,
    omitted: at === 0 ? omittedMail(settings) : [],
    notes: at === 0 ? [note] : [],
  }));
}

/** The addresses in a list such as `Ops <ops@example.com>, dev@example.com`. */
function addressesIn(list: string): string[] {
  return list
    .split(/[,;]/)
    .map((one) => (/<([^<>]*)>\s*$/.exec(one)?.[1] ?? one).trim())
    .filter(Boolean);
}

function omittedMail(settings: Row): OmittedPart[] {
  const isCustom = textIn(settings, "customSubject") !== "" || textIn(settings, "customBody") !== "";
  return isCustom ? [{ part: "subject and body", why: "stillup writes the message" }] : [];
}
