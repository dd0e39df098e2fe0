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

export const ExportBody = Type.Object(
  {
    document: Type.Unsafe<object>(
      Type.Unknown({
        type: "object",
        additionalProperties: true,
        description:
          "Only with fields that differ from their defaults. In its texts, `${NAME}` is a placeholder and `$${` a literal `${`.",
      }),
    ),
    secrets: Type.Array(Type.String(), {
      description: "The names of the placeholders, each of which is a secret.",
    }),
  },
  closed,
);

export const exportExample = {
  document: {
    channels: { ops: { type: "SLACK", config: { webhookUrl: "${SLACK_OPS_WEBHOOK_URL}" } } },
    monitors: { shop: example.monitors.shop },
  },
  secrets: ["SLACK_OPS_WEBHOOK_URL"],
};

export const RefsBody = Type.Object(
  {
    refs: Type.Array(
      Type.Object({ kind: oneOf(OBJECT_KINDS), id: Type.String(), ref: Type.String() }, named("NamedByRef")),
    ),
  },
  closed,
);

export const refsExample = { refs: [{ kind: "monitor", id: "gwMk6bQBonMDcGzUMCvgWu", ref: "shop-front" }] };
