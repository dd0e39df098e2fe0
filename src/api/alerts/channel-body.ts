import { Type } from "@sinclair/typebox";
import type { AlertBinding } from "../../domain/alerts/alert-binding.ts";
import { type AlertChannel, ChannelConfigSchema, ChannelType } from "../../domain/alerts/channel.ts";
import { maskChannelSecrets } from "../../domain/alerts/channel-secrets.ts";
import { NotifyOn } from "../../domain/alerts/notify.ts";
import { iso } from "../../domain/iso-time.ts";
import { Name, Timestamp } from "../../domain/schemas/format.ts";
import { Ref, StoredRef } from "../../domain/schemas/ref.ts";
import { closed, described, named } from "../../domain/schemas/schema.ts";
import type { ChannelWithBindings, CountedChannel } from "../../store/alerts/channels.ts";

const optional = {
  enabled: Type.Optional(Type.Boolean()),
  notifyOn: Type.Optional(NotifyOn),
  ref: Type.Optional(Ref),
};

export const NewChannel = Type.Object(
  { name: Name, type: ChannelType, config: ChannelConfigSchema, ...optional },
  {
    ...closed,
    examples: [{ name: "On call", type: "WEBHOOK", config: { url: "https://hooks.example.com/stillup" } }],
  },
);

export const ChannelChanges = Type.Partial(Type.Omit(NewChannel, ["type"]), {
  ...closed,
  examples: [{ enabled: false }],
});

/** The binding of a channel to a monitor (behavior 7.31, 7.51, 14.5). */
export const BindingBody = Type.Object(
  {
    monitorId: Type.String(),
    alertChannelId: Type.String(),
    after: Type.Optional(
      Type.Integer({
        description: "Seconds that the trouble must last before the channel is notified, if not 0.",
      }),
    ),
    every: Type.Optional(
      Type.Integer({ description: "Seconds after which the notification is repeated, if not 0." }),
    ),
  },
  named("AlertBinding"),
);

export function bindingBody({
  monitorId,
  alertChannelId,
  after,
  every,
}: AlertBinding & { monitorId: string }) {
  return { monitorId, alertChannelId, ...(after > 0 && { after }), ...(every > 0 && { every }) };
}

const shared = {
  id: Type.String(),
  name: Type.String(),
  type: ChannelType,
  config: described(ChannelConfigSchema, "Its fields depend on the type."),
  enabled: Type.Boolean(),
  notifyOn: NotifyOn,
  ref: StoredRef,
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

/** Behavior 7.51: the response of create and PATCH. */
export const ChannelBody = Type.Object(shared, named("AlertChannel"));
export const BoundChannelBody = Type.Object(
  { ...shared, bindings: Type.Array(BindingBody) },
  named("BoundAlertChannel"),
);
export const CountedChannelBody = Type.Object(
  { ...shared, boundMonitors: Type.Integer({ minimum: 0, description: "How many monitors notify it." }) },
  named("CountedAlertChannel"),
);

export function channelBody({ id, name, type, config, enabled, notifyOn, ref, ...times }: AlertChannel) {
  const { createdAt, updatedAt } = times;
  const shown = { id, name, type, config: maskChannelSecrets(config), enabled, notifyOn, ref };
  return { ...shown, createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
}

export function boundChannelBody(channel: ChannelWithBindings) {
  const { id: alertChannelId } = channel;
  const bindings = channel.bindings.map((binding) => bindingBody({ ...binding, alertChannelId }));
  return { ...channelBody(channel), bindings };
}

export function countedChannelBody({ boundMonitors, ...channel }: CountedChannel) {
  return { ...channelBody(channel), boundMonitors };
}

const example = {
  id: "rNj4BrzNPTECyp1AhuvTuk",
  name: "On call",
  type: "WEBHOOK",
  config: { url: "https://hooks.example.com/stillup" },
  enabled: true,
  notifyOn: ["down", "warning", "healthy"],
  ref: "ops",
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};

export const examples = {
  channel: example,
  bound: { ...example, bindings: [{ monitorId: "gwMk6bQBonMDcGzUMCvgWu", alertChannelId: example.id }] },
  counted: { ...example, boundMonitors: 1 },
};
