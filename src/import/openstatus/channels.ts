import type { ChannelType } from "../../domain/alerts/channel.ts";
import { createRefNames, literal } from "../../domain/configuration/placeholder.ts";
import { listOf, named, parsedJson, type Report, recordOf, textOf } from "../imported.ts";
import { literals, type Secrets, writeChannelConfig } from "../output-config.ts";

/** A channel with the texts of openstatus, and what of it is different. */
interface MappedChannel {
  type: ChannelType;
  config: Record<string, unknown>;
  /** Added to the name if a notification is several channels. */
  label?: string;
  /** The options of the service that openstatus does not say. */
  unknown?: string[];
  note?: string;
}

/** The settings of a notification, whose names differ between the versions of the API. */
type Settings = Record<string, unknown>;

/** By the name of the provider in version 1. */
const PROVIDERS: Record<string, (settings: unknown) => MappedChannel[]> = {
  slack: (settings) => chat("SLACK", settings),
  discord: (settings) => chat("DISCORD", settings),
  "ms-teams": (settings) => chat("TEAMS", settings),
  "google-chat": (settings) => service("googlechat", { url: urlIn(settings) }),
  email: (settings) => [{ type: "EMAIL", config: { to: valueIn(settings, "email") } }],
  ntfy: (settings) => {
    const { topic, serverUrl, token } = recordOf(settings);
    const options = { topic: textOf(topic) ?? "", ...(textOf(token) && { token: textOf(token) }) };
    return service("ntfy", { url: textOf(serverUrl) ?? "https://ntfy.sh", options });
  },
  pagerduty: (settings) => keysIn(settings).map(({ key, label }) => pagerDuty(key, label)),
  telegram: (settings) =>
    service("telegram", {
      url: "https://api.telegram.org",
      options: { chatId: valueIn(settings, "chatId") },
    }).map((channel) => ({
      ...channel,
      unknown: ["token"],
      note: "openstatus sends by a bot of its own: create one, and add it to the chat",
    })),
  webhook: (settings) => {
    const { headers } = recordOf(settings);
    const pairs = listOf(headers).map(recordOf);
    const given = pairs.flatMap(({ key, value }) =>
      textOf(key) === undefined ? [] : [[textOf(key), textOf(value) ?? ""] as const],
    );
    const config = { url: urlIn(settings), ...(given.length > 0 && { headers: Object.fromEntries(given) }) };
    return [{ type: "WEBHOOK", config, note: "it receives the JSON of stillup, which has other fields" }];
  },
};

function chat(type: "SLACK" | "DISCORD" | "TEAMS", settings: unknown): MappedChannel[] {
  const webhookUrl = urlIn(settings);
  const isSlack = URL.parse(webhookUrl)?.origin === "https://hooks.slack.com";
  // Other servers take what Slack takes.
  if (type === "SLACK" && !isSlack)
    return service("custom", { url: webhookUrl, options: { body: '{"text":"{{text}}"}' } });
  return [{ type, config: { webhookUrl } }];
}

function service(format: string, config: Record<string, unknown>): MappedChannel[] {
  return [{ type: "WEBHOOK", config: { format, ...config } }];
}

function pagerDuty(routingKey: string, label: string): MappedChannel {
  const config = { format: "pagerduty", url: "https://events.pagerduty.com", options: { routingKey } };
  return { type: "WEBHOOK", config, label };
}

/** The answer of PagerDuty to its sign-in, which may have several keys, or one key. */
function keysIn(settings: unknown): { key: string; label: string }[] {
  const text = valueIn(settings, "integrationKey");
  const keys = listOf(recordOf(parsedJson(text)).integration_keys).map(recordOf);
  if (keys.length === 0) return [{ key: text, label: "" }];
  return keys.map(({ integration_key, name }) => ({
    key: textOf(integration_key) ?? "",
    label: textOf(name) ?? "",
  }));
}

function urlIn(settings: unknown): string {
  const { webhookUrl, endpoint } = recordOf(settings);
  return textOf(settings) ?? textOf(webhookUrl) ?? textOf(endpoint) ?? "";
}

/** Version 1 has a text where version 2 has a field. */
function valueIn(settings: unknown, field: string): string {
  return textOf(settings) ?? textOf(recordOf(settings)[field]) ?? "";
}

export interface Channels {
  entries: Record<string, Record<string, unknown>>;
  /** The refs of the channels of a monitor, and how many of its notifications have none. */
  of(monitorId: string): { refs: string[]; lost: number };
}

/** The channels of the notifications (behavior 16.126). */
export function channelsOf(
  notifications: readonly Settings[],
  { secrets, report }: { secrets: Secrets; report: Report },
): Channels {
  const refOf = createRefNames("channel");
  const entries: Channels["entries"] = {};
  const bound = notifications.map((notification) => {
    const name = textOf(notification.name)?.trim() || "unnamed";
    const label = named("notification", name);
    const refs = mapped(notification, report, label).map((channel, _, all) => {
      const shown = all.length > 1 && channel.label ? `${name} ${channel.label}` : name;
      const ref = refOf(shown);
      if (channel.note !== undefined) report.note(`${label}: ${channel.note}`);
      const title = shown === ref ? {} : { name: literal(shown) };
      entries[ref] = { ...(literals(title) as object), ...entryOf(channel, { ref, secrets }) };
      return ref;
    });
    const ids = [notification.monitors, notification.monitorIds].flatMap(listOf);
    return { refs, ids: new Set(ids.map((id) => textOf(id))) };
  });
  return {
    entries,
    of(monitorId) {
      const own = bound.filter(({ ids }) => ids.has(monitorId));
      return {
        refs: own.flatMap(({ refs }) => refs),
        lost: own.filter(({ refs }) => refs.length === 0).length,
      };
    },
  };
}

function mapped(notification: Settings, report: Report, label: string): MappedChannel[] {
  const provider = (textOf(notification.provider) ?? "")
    .replace(/^NOTIFICATION_PROVIDER_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
  const map = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined;
  const settings = settingsOf(notification, provider);
  if (map && settings !== undefined) return map(settings);
  report.omit(
    label,
    map
      ? "the file has no settings of it"
      : `stillup has no channels of the type ${JSON.stringify(provider)}`,
  );
  return [];
}

/** `payload` of version 1 and `data` of version 2 have one field, with the name of the provider. */
function settingsOf({ payload, data }: Settings, provider: string): unknown {
  const given = payload ?? (typeof data === "string" ? parsedJson(data) : data);
  const camel = provider.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const fields = recordOf(given);
  return fields[provider] ?? fields[camel];
}

function entryOf(
  { type, config, unknown = [] }: MappedChannel,
  { ref, secrets }: { ref: string; secrets: Secrets },
): Record<string, unknown> {
  const written = writeChannelConfig(config, { type, ref, secrets });
  if (unknown.length === 0) return { type, config: written };
  const format = textOf(config.format) ?? "";
  const options = Object.fromEntries(
    unknown.map((option) => [option, secrets.unknown(format === ref ? "" : format, ref, option)]),
  );
  return { type, config: { ...written, options: { ...options, ...recordOf(written.options) } } };
}
