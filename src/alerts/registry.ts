import type { AlertChannel, ChannelConfig, ChannelType } from "../domain/channel.ts";
import type { Attempt } from "../domain/delivery.ts";
import type { Network } from "../probes/network.ts";
import type { Notification } from "./notification.ts";
import { deliverWebhook } from "./webhook.ts";

type Deliver<T extends ChannelType> = (
  config: ChannelConfig<T>,
  notification: Notification,
  network: Network,
) => Promise<Attempt>;

const channels: { [T in ChannelType]: Deliver<T> } = { WEBHOOK: deliverWebhook };

/** Makes one attempt to tell a channel of a transition; a failure is an outcome, not an exception. */
export function deliver(
  { type, config }: Pick<AlertChannel, "type" | "config">,
  notification: Notification,
  network: Network,
): Promise<Attempt> {
  return channels[type](config, notification, network);
}
