import type { ChannelConfig, ChannelType } from "../domain/channel.ts";
import type { Attempt } from "../domain/delivery.ts";
import type { DeliverySettings } from "./delivery-settings.ts";
import { deliverDiscord } from "./discord.ts";
import { deliverEmail } from "./email.ts";
import type { Notification } from "./notification.ts";
import { deliverSlack } from "./slack.ts";
import { deliverTeams } from "./teams.ts";
import { deliverWebhook } from "./webhook.ts";

type Deliver<T extends ChannelType> = (
  config: ChannelConfig<T>,
  notification: Notification,
  settings: DeliverySettings,
) => Promise<Attempt>;

const channels: { [T in ChannelType]: Deliver<T> } = {
  SLACK: deliverSlack,
  DISCORD: deliverDiscord,
  TEAMS: deliverTeams,
  EMAIL: deliverEmail,
  WEBHOOK: deliverWebhook,
};

/** Makes one attempt to tell a channel of a transition; a failure is an outcome, not an exception. */
export function deliver<T extends ChannelType>(
  { type, config }: { type: T; config: ChannelConfig<T> },
  notification: Notification,
  settings: DeliverySettings,
): Promise<Attempt> {
  return channels[type](config, notification, settings);
}
