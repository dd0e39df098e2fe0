import { type Static, type TObject, Type } from "@sinclair/typebox";
import { HttpUrl } from "./format.ts";
import { parse } from "./validation.ts";

export const CHANNEL_TYPES = ["WEBHOOK"] as const;
export const ChannelType = Type.Union(CHANNEL_TYPES.map((type) => Type.Literal(type)));
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** The config of each type of channel (interface 2.4). */
export const channelConfigs = {
  WEBHOOK: Type.Object(
    {
      url: HttpUrl,
      secret: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 512,
          description: "Signs what is sent, as Standard Webhooks do.",
        }),
      ),
    },
    { additionalProperties: false },
  ),
} satisfies Record<ChannelType, TObject>;

export type ChannelConfig<T extends ChannelType = ChannelType> = Static<(typeof channelConfigs)[T]>;

export interface AlertChannel {
  id: string;
  name: string;
  type: ChannelType;
  config: ChannelConfig;
  enabled: boolean;
  createdAt: number;
  updatedAt: number;
}

/** @throws AppError `invalid` that names the field, as `config.url`. */
export function parseChannelConfig(type: ChannelType, config: unknown): ChannelConfig {
  return parse(channelConfigs[type], config, "config");
}
