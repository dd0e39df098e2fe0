import type { DeliverySettings } from "../../alerts/delivery-settings.ts";
import { deliver } from "../../alerts/registry.ts";
import { sampleTransitions } from "../../alerts/sample.ts";
import type { Clock } from "../../clock.ts";
import type { AlertChannel } from "../../domain/alerts/channel.ts";
import type { ChannelOutcome, Transition } from "../../domain/alerts/delivery.ts";
import { createId } from "../../store/ids.ts";

/**
 * Sends a sample to a channel, enabled or disabled, without a retry. If it has two parts, the second one follows a first one
 * that was delivered.
 */
export async function testChannel(
  { id, type, config }: Pick<AlertChannel, "id" | "type" | "config">,
  {
    organization,
    settings,
    clock,
  }: { organization: Transition["organization"]; settings: DeliverySettings; clock: Pick<Clock, "now"> },
): Promise<ChannelOutcome> {
  const now = clock.now();
  const outcome = { channelId: id, type, attempts: 1 };
  for (const event of sampleTransitions({ type, config }, { organization, now, id: createId() })) {
    const attempt = await deliver({ type, config }, { id: createId(), event, now }, settings);
    if (attempt.outcome === "failed")
      return { ...outcome, status: "failed", error: attempt.error, deliveredAt: null };
  }
  return { ...outcome, status: "delivered", error: null, deliveredAt: clock.now() };
}
