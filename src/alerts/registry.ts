import type { AlertMessage, Notification } from "../domain/alerts/alert-event.ts";
import type { ChannelConfig, ChannelType } from "../domain/alerts/channel.ts";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { type DeliverySettings, TIMEOUT } from "./delivery-settings.ts";
import { discordMessage, discordRefusal } from "./discord.ts";
import { deliverEmail } from "./mail.ts";
import { describeNotification } from "./message.ts";
import { post, type Refine, timedOut } from "./post.ts";
import { slackMessage, slackRefusal } from "./slack.ts";
import { teamsMessage, teamsRefusal } from "./teams.ts";
import { deliverWebhook } from "./webhook.ts";

type ChatType = "SLACK" | "DISCORD" | "TEAMS";

type Deliver<T extends ChannelType> = (
  config: ChannelConfig<T>,
  notification: Notification,
  settings: DeliverySettings,
) => Promise<DeliveryAttempt>;

/** Posts the JSON of a message to the address of an incoming webhook. */
function chat(formOf: (message: AlertMessage) => object, refine: Refine): Deliver<ChatType> {
  return ({ webhookUrl }, notification, settings) => {
    const body = JSON.stringify(formOf(describeNotification(notification, settings.baseUrl())));
    return post(webhookUrl, { body, headers: {} }, settings, refine);
  };
}

const channels: { [T in ChannelType]: Deliver<T> } = {
  SLACK: chat(slackMessage, slackRefusal),
  DISCORD: chat(discordMessage, discordRefusal),
  TEAMS: chat(teamsMessage, teamsRefusal),
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
