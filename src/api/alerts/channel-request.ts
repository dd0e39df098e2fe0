import { Type } from "@sinclair/typebox";
import { ChannelConfigSchema, ChannelType } from "../../domain/alerts/channel.ts";
import { NotifyOn } from "../../domain/alerts/notify.ts";
import { Name } from "../../domain/schemas/format.ts";
import { Ref } from "../../domain/schemas/ref.ts";
import { closed } from "../../domain/schemas/schema.ts";

const examples = {
  create: [{ name: "On call", type: "WEBHOOK", config: { url: "https://hooks.example.com/stillup" } }],
  change: [{ enabled: false }],
};

const optional = {
  enabled: Type.Optional(Type.Boolean()),
  notifyOn: Type.Optional(NotifyOn),
  ref: Type.Optional(Ref),
};

export const NewChannel = Type.Object(
  { name: Name, type: ChannelType, config: ChannelConfigSchema, ...optional },
  { ...closed, examples: examples.create },
);

export const ChannelChanges = Type.Object(
  {
    name: Type.Optional(Name),
    config: Type.Optional(ChannelConfigSchema),
    ...optional,
  },
  { ...closed, examples: examples.change },
);
