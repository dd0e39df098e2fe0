import type { ChannelConfig, ChannelType } from "../domain/alerts/channel.ts";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { type DeliverySettings, TIMEOUT } from "./delivery-settings.ts";
import { deliverDiscord } from "./discord.ts";
import { deliverEmail } from "./email.ts";
import { timedOut } from "./failure.ts";
import type { Notification } from "./notification.ts";
import { deliverSlack } from "./slack.ts";
import { deliverTeams } from "./teams.ts";
import { deliverWebhook } from "./webhook.ts";

type Deliver<T extends ChannelType> = (
  config: ChannelConfig<T>,
  notification: Notification,
  settings: DeliverySettings,
) => Promise<DeliveryAttempt>;

const channels: { [T in ChannelType]: Deliver<T> } = {
  SLACK: deliverSlack,
  DISCORD: deliverDiscord,
  TEAMS: deliverTeams,
  EMAIL: deliverEmail,
  WEBHOOK: deliverWebhook,
};

/**
 * Milliseconds after the timeout in which an attempt may still end by itself: at the timeout it closes its
 * connection, and an answer whose status line arrived in time counts.
 */
const GRACE = 1000;

/**
 * Attempts one delivery. A failure is an outcome, not an exception. The attempt ends in time even if the code of the
 * channel waits for a promise that never settles.
 */
export async function deliver<T extends ChannelType>(
  { type, config }: { type: T; config: ChannelConfig<T> },
  notification: Notification,
  settings: DeliverySettings,
): Promise<DeliveryAttempt> {
  const { clock, timeout = TIMEOUT } = settings;
  const late = Promise.withResolvers<DeliveryAttempt>();
  const cancel = clock.after(timeout + GRACE, () => late.resolve(timedOut(timeout)));
  try {
    return await Promise.race([channels[type](config, notification, settings), late.promise]);
  } finally {
    cancel();
  }
}
