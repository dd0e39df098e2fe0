import { Type } from "@sinclair/typebox";
import { ConfigurationDocument } from "../../domain/configuration/document.ts";
import { CHANGE_ACTIONS, OBJECT_KINDS } from "../../domain/configuration/plan.ts";
import { closed, named, oneOf } from "../../domain/schemas/schema.ts";

const example = {
  defaults: { config: { interval: 60 } },
  channels: { ops: { type: "WEBHOOK", config: { url: "https://hooks.example.com/stillup" } } },
  monitors: {
    shop: { type: "HTTP", config: { url: "https://shop.example.com/" }, alertChannelIds: ["ops"] },
  },
};

/** The schema only documents it: `parseDocument` validates it, so that the answer has all faults. */
export const DocumentBody = Type.Unsafe<object>(
  Type.Unknown({ ...JSON.parse(JSON.stringify(ConfigurationDocument)), examples: [example] }),
);

const ChangeBody = Type.Object(
  {
    action: oneOf(CHANGE_ACTIONS),
    kind: oneOf(OBJECT_KINDS),
    ref: Type.String(),
    fields: Type.Array(Type.String(), {
      description:
        "Of a create, the given fields; of an update, those with another value. Those of a config one by one: `config.url`.",
    }),
  },
  named("ConfigurationChange"),
);

export const ChangesBody = Type.Object({ changes: Type.Array(ChangeBody) }, closed);

export const changesExample = {
  changes: [
    { action: "create", kind: "channel", ref: "ops", fields: ["type", "config.url"] },
    { action: "update", kind: "monitor", ref: "shop", fields: ["config.url", "tags"] },
  ],
};
