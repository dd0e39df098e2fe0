import type { DeliverySettings } from "../../alerts/delivery-settings.ts";
import { deliver } from "../../alerts/registry.ts";
import { sampleTransition } from "../../alerts/sample.ts";
import type { AlertChannel } from "../../domain/alerts/channel.ts";
import type { ChannelOutcome, Transition } from "../../domain/alerts/delivery.ts";
import { createId } from "../../store/ids.ts";

/** Sends one sample notification to a channel, enabled or not, and tells what came of it. It is not tried again. */
export async function testChannel(
  { id, type, config }: Pick<AlertChannel, "id" | "type" | "config">,
  organization: Transition["organization"],
  settings: DeliverySettings,
): Promise<ChannelOutcome> {
  const now = Date.now();
  const notification = { id: createId(), transition: sampleTransition(organization, now), now };
  const attempt = await deliver({ type, config }, notification, settings);
  const about = { channelId: id, type, attempts: 1 };
  if (attempt.outcome === "delivered") {
    return { ...about, status: "delivered", error: null, deliveredAt: Date.now() };
  }
  return { ...about, status: "failed", error: attempt.error, deliveredAt: null };
}
