import { Type } from "@sinclair/typebox";
import { type AlertChannel, ChannelConfigSchema, ChannelType } from "../../domain/alerts/channel.ts";
import { maskChannelSecrets } from "../../domain/alerts/channel-secrets.ts";
import { NotifyOn } from "../../domain/alerts/notify.ts";
import { StoredRef } from "../../domain/schemas/ref.ts";
import { described, named } from "../../domain/schemas/schema.ts";
import type { ChannelWithBindings } from "../../store/alerts/channels.ts";
import { iso, Timestamp } from "../http/time.ts";
import { BindingBody, bindingBody } from "./binding-body.ts";

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
};
