import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { isObject } from "../canonical-json.ts";
import { fault } from "../faults/fault.ts";
import type { Language } from "../pages/reader-locale.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { Email } from "../schemas/format.ts";
import { MASK } from "../schemas/mask.ts";
import { changesHost } from "../schemas/request-headers.ts";
import { hinted, named, oneOf } from "../schemas/schema.ts";
import { parse } from "../schemas/validation.ts";
import type { NotifyOn } from "./notify.ts";
import {
  assertFieldsOfFormat,
  assertWebhookConfig,
  declarationOf,
  formatOf,
  secretOptions,
  WEBHOOK_FORMATS,
  type WebhookConfig,
  webhookConfigs,
} from "./webhook-format.ts";
import { DiscordWebhookUrl, SlackWebhookUrl, TeamsWebhookUrl } from "./webhook-rules.ts";

export const CHANNEL_TYPES = ["SLACK", "DISCORD", "TEAMS", "EMAIL", "WEBHOOK"] as const;
export const ChannelType = hinted(oneOf(CHANNEL_TYPES), (type) => {
  const format = WEBHOOK_FORMATS.find((one) => one === String(type).toLowerCase());
  return format && `for ${format}, give the type WEBHOOK and ${format} as config.format`;
});
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** A notification is stored for a channel, or for a schedule until it is known whom the schedule notifies (behavior 23.35). */
export const STORED_CHANNEL_TYPES = [...CHANNEL_TYPES, "SCHEDULE"] as const;
export type StoredChannelType = (typeof STORED_CHANNEL_TYPES)[number];

/** The `config` of each type except WEBHOOK, which has one for each format: `webhookConfigs` (behavior 7.52). */
export const channelConfigs = {
  SLACK: Type.Object({ webhookUrl: SlackWebhookUrl }, named("SlackConfig")),
  DISCORD: Type.Object({ webhookUrl: DiscordWebhookUrl }, named("DiscordConfig")),
  TEAMS: Type.Object({ webhookUrl: TeamsWebhookUrl }, named("TeamsConfig")),
  EMAIL: Type.Object({ to: Email }, named("EmailConfig")),
} satisfies Record<Exclude<ChannelType, "WEBHOOK">, TObject>;

const { standard, ...services } = webhookConfigs;

/** The `config` of any format; `standard` is the last, because it alone may lack the field. */
const AnyWebhookConfig = Type.Union([...Object.values<TObject>(services), standard], {
  title: "AnyWebhookConfig",
});

/**
 * The `config` of any type. The schema only documents it: `parseChannelConfig` validates it, because the type is in
 * another field.
 */
export const ChannelConfigSchema = Type.Object(
  {},
  {
    additionalProperties: true,
    anyOf: [...Object.values(channelConfigs), AnyWebhookConfig],
  },
);

/** A config by the type of its channel, as it is sent and stored. */
export type ChannelConfig<T extends ChannelType = ChannelType> = {
  [One in T]: One extends keyof typeof channelConfigs ? Static<(typeof channelConfigs)[One]> : WebhookConfig;
}[T];

export interface AlertChannel {
  id: string;
  name: string;
  type: ChannelType;
  config: ChannelConfig;
  enabled: boolean;
  notifyOn: NotifyOn;
  /** The language of its notifications; null: its organization decides. */
  language: Language | null;
  /** The name under which a configuration file knows it; null if none does. */
  ref: string | null;
  createdAt: number;
  updatedAt: number;
}

/**
 * Validates the config of a type.
 *
 * @param stored the config that it replaces, whose secrets it may keep (behavior 16.142)
 * @throws AppError `invalid` that names the field, for example `config.url`
 */
export function parseChannelConfig(
  type: ChannelType,
  config: unknown,
  stored?: ChannelConfig,
): ChannelConfig {
  if (type !== "WEBHOOK") return parse(channelConfigs[type], config, "config");
  const restored = restoreChannelSecrets(config, stored);
  assertFieldsOfFormat(restored);
  const parsed = parse(channelConfigSchema(type, restored), restored, "config") as WebhookConfig;
  assertWebhookConfig(parsed);
  return parsed;
}

/** The schema that a config of a type must fit. For WEBHOOK, it depends on the `format`. */
export function channelConfigSchema(type: ChannelType, config: unknown): TSchema {
  if (type !== "WEBHOOK") return channelConfigs[type];
  const { format } = (config ?? {}) as { format?: unknown };
  const isKnown = format === undefined || WEBHOOK_FORMATS.some((known) => known === format);
  return isKnown ? webhookConfigs[formatOf(config)] : AnyFormat;
}

/** Reports an unknown format with all that exist. */
const AnyFormat = Type.Object({ format: oneOf(WEBHOOK_FORMATS) });

/** Whether the receiver of a channel keeps incidents open (behavior 16.150). */
export function tracksIncidents({ type, config }: Pick<AlertChannel, "type" | "config">): boolean {
  return type === "WEBHOOK" && declarationOf[formatOf(config)].tracksIncidents === true;
}

/** Whether another config of a channel leaves incidents behind at the address that it has now. */
export function leavesAddress(
  before: Pick<AlertChannel, "type" | "config">,
  after: Pick<AlertChannel, "type" | "config">,
): boolean {
  return tracksIncidents(before) && addressOf(before) !== addressOf(after);
}

/** Their formats have one option at most. */
function addressOf({ config }: Pick<AlertChannel, "config">): string {
  const webhook = config as WebhookConfig;
  const options = "options" in webhook ? webhook.options : null;
  return JSON.stringify([formatOf(webhook), webhook.url, options]);
}

type Values = Record<string, unknown>;

/**
 * A config for a response: the values of headers and the secret options of a WEBHOOK channel are `•••` (behavior 16.142). A
 * config without them is returned itself.
 */
export function maskChannelSecrets(config: ChannelConfig): ChannelConfig {
  if (!("url" in config)) return config;
  const { headers, options } = config as { headers?: Values; options?: Values };
  const secret = new Set(secretOptions(formatOf(config)));
  if (!headers && secret.size === 0) return config;
  return {
    ...config,
    ...(headers && { headers: mapFields(headers, () => MASK) }),
    ...(options && { options: mapFields(options, (value, name) => (secret.has(name) ? MASK : value)) }),
  } as ChannelConfig;
}

/**
 * Replaces each `•••` in a submitted config of a WEBHOOK channel by the stored secret (behavior 16.142). The config is not
 * validated yet.
 *
 * @param stored nothing if the channel does not exist yet
 * @throws AppError `invalid` if a secret is not stored, or if the origin of the URL or the header `Host` changes
 */
function restoreChannelSecrets(config: unknown, stored: ChannelConfig | undefined): unknown {
  if (!isObject(config)) return config;
  const known = stored && "url" in stored ? (stored as WebhookConfig) : undefined;
  const { headers, options } = config;
  const restored = (value: unknown, secret: unknown, field: string): unknown => {
    if (value !== MASK) return value;
    if (secret === undefined) throw fault("secretNotStored", { field });
    if (isOtherOrigin(config.url, known?.url)) throw fault("secretOfOrigin", { field, other: "config.url" });
    if (changesHost(headers, known?.headers)) throw fault("secretOfHost", { field });
    return secret;
  };
  const secret = new Set(secretOptions(formatOf(config)));
  const storedOptions = optionsFor(formatOf(config), known);
  return {
    ...config,
    ...(isObject(headers) && {
      headers: mapFields(headers, (value, name) =>
        restored(value, headerOf(known?.headers, name), fieldOf("config.headers", name)),
      ),
    }),
    ...(isObject(options) && {
      options: mapFields(options, (value, name) =>
        secret.has(name) ? restored(value, storedOptions[name], fieldOf("config.options", name)) : value,
      ),
    }),
  };
}

/** A secret of one service is not sent to another one. */
function optionsFor(format: string, known: WebhookConfig | undefined): Values {
  if (!known || formatOf(known) !== format || !("options" in known)) return {};
  return { ...known.options };
}

/** An invalid URL is no other origin: its own error is reported later. */
function isOtherOrigin(url: unknown, stored: string | undefined): boolean {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  return parsed !== null && stored !== undefined && parsed.origin !== new URL(stored).origin;
}

/** The value of a header, whose name ignores case. */
function headerOf(headers: Record<string, string> | undefined, name: string): string | undefined {
  return Object.entries(headers ?? {}).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
}

function mapFields(fields: Values, change: (value: unknown, name: string) => unknown): Values {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]));
}
