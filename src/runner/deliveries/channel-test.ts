import type { DeliverySettings } from "../../alerts/delivery-settings.ts";
import { deliver } from "../../alerts/registry.ts";
import { sampleTransition } from "../../alerts/sample.ts";
import type { Clock } from "../../clock.ts";
import type { AlertChannel } from "../../domain/alerts/channel.ts";
import type { ChannelOutcome, Transition } from "../../domain/alerts/delivery.ts";
import { createId } from "../../store/ids.ts";

/** Sends one sample notification to a channel, enabled or disabled, without a retry. */
export async function testChannel(
  { id, type, config }: Pick<AlertChannel, "id" | "type" | "config">,
  {
    organization,
    settings,
    clock,
  }: { organization: Transition["organization"]; settings: DeliverySettings; clock: Pick<Clock, "now"> },
): Promise<ChannelOutcome> {
  const now = clock.now();
  const notification = { id: createId(), event: sampleTransition(organization, now), now };
  const attempt = await deliver({ type, config }, notification, settings);
  const outcome = { channelId: id, type, attempts: 1 };
  if (attempt.outcome === "delivered") {
    return { ...outcome, status: "delivered", error: null, deliveredAt: clock.now() };
  }
  return { ...outcome, status: "failed", error: attempt.error, deliveredAt: null };
}
