import { type Static, type TObject, Type } from "@sinclair/typebox";
import { Email, HttpUrl } from "../schemas/format.ts";
import { closed, oneOf } from "../schemas/schema.ts";
import { parse } from "../schemas/validation.ts";
import type { NotifyOn } from "./notify.ts";
import { WebhookSecret } from "./webhook-secret.ts";
import { DiscordWebhookUrl, SlackWebhookUrl, TeamsWebhookUrl } from "./webhook-url.ts";

export const CHANNEL_TYPES = ["SLACK", "DISCORD", "TEAMS", "EMAIL", "WEBHOOK"] as const;
export const ChannelType = oneOf(CHANNEL_TYPES);
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** The `config` of each type (behavior 7.52). */
export const channelConfigs = {
  SLACK: Type.Object({ webhookUrl: SlackWebhookUrl }, closed),
  DISCORD: Type.Object({ webhookUrl: DiscordWebhookUrl }, closed),
  TEAMS: Type.Object({ webhookUrl: TeamsWebhookUrl }, closed),
  EMAIL: Type.Object({ to: Email }, closed),
  WEBHOOK: Type.Object({ url: HttpUrl, secret: Type.Optional(WebhookSecret) }, closed),
} satisfies Record<ChannelType, TObject>;

/**
 * The `config` of any type. The schema only documents it: `parseChannelConfig` validates it, because the type is in
 * another field.
 */
export const ChannelConfigSchema = Type.Object(
  {},
  { additionalProperties: true, anyOf: Object.values(channelConfigs) },
);

export type ChannelConfig<T extends ChannelType = ChannelType> = Static<(typeof channelConfigs)[T]>;

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

/** @throws AppError `invalid` that names the field, for example `config.url` */
export function parseChannelConfig(type: ChannelType, config: unknown): ChannelConfig {
  return parse(channelConfigs[type], config, "config");
}
