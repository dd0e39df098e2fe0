import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { Email } from "../schemas/format.ts";
import { hinted, named, oneOf } from "../schemas/schema.ts";
import { parse } from "../schemas/validation.ts";
import { restoreChannelSecrets } from "./channel-secrets.ts";
import type { NotifyOn } from "./notify.ts";
import {
  assertFieldsOfFormat,
  assertWebhookConfig,
  declarationOf,
  formatOf,
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
  return type === "WEBHOOK" && declarationOf(formatOf(config)).tracksIncidents === true;
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
