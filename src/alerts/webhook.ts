import type { ChannelConfig } from "../domain/alerts/channel.ts";
import type { DeliveryAttempt, Transition } from "../domain/alerts/delivery.ts";
import type { Transport } from "./delivery-settings.ts";
import type { Notification } from "./notification.ts";
import { post } from "./post.ts";
import { sign } from "./signature.ts";

/** Posts a transition in the form of Standard Webhooks, signed where the channel has a secret (decisions 3, Alerts). */
export function deliverWebhook(
  { url, secret }: ChannelConfig<"WEBHOOK">,
  { id, transition, now }: Notification,
  reach: Transport,
): Promise<DeliveryAttempt> {
  const body = JSON.stringify(payload(transition));
  const timestamp = Math.floor(now / 1000);
  const signature = secret && { "webhook-signature": sign(secret, { id, timestamp, body }) };
  const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), ...signature };
  return post(url, { body, headers }, reach);
}

function payload({ organization, monitor, previousStatus, status, result }: Transition) {
  const createdAt = new Date(result.createdAt).toISOString();
  return {
    type: "monitor.status_changed",
    timestamp: createdAt,
    data: { organization, monitor, previousStatus, status, result: { ...result, createdAt } },
  };
}
