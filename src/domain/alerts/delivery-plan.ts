import type { PlannedTransition } from "../monitors/recording-plan.ts";
import type { Status } from "../monitors/status.ts";
import type { ChannelType } from "./channel.ts";
import { type NotifyOn, shouldNotify } from "./notify.ts";

/** An enabled channel that is bound to a monitor. @property notifiedStatus the status it was last notified of, if any */
export interface BoundChannel {
  id: string;
  type: ChannelType;
  notifyOn: NotifyOn;
  notifiedStatus: Status | null;
}

export interface PlannedDelivery<Channel extends BoundChannel = BoundChannel> {
  transition: PlannedTransition;
  channel: Channel;
}

/**
 * Plans one delivery for each transition and each channel that is notified of it (behavior 5.7 to 5.9).
 *
 * @param transitions in the order in which they happened
 * @param channels by the ID of the monitor
 */
export function planDeliveries<Channel extends BoundChannel>(
  transitions: readonly PlannedTransition[],
  channels: ReadonlyMap<string, readonly Channel[]>,
): PlannedDelivery<Channel>[] {
  const deliveries: PlannedDelivery<Channel>[] = [];
  const notified = new Map<string, Status>();
  for (const transition of transitions) {
    const { id } = transition.monitor;
    for (const channel of channels.get(id) ?? []) {
      const key = `${id} ${channel.id}`;
      const last = () => notified.get(key) ?? channel.notifiedStatus ?? undefined;
      if (!shouldNotify(channel.notifyOn, transition, last)) continue;
      notified.set(key, transition.status);
      deliveries.push({ transition, channel });
    }
  }
  return deliveries;
}
