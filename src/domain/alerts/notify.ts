import { type Static, Type } from "@sinclair/typebox";
import type { PlannedTransition } from "../monitors/recording-plan.ts";
import { groupOf, type Status, type StatusGroup } from "../monitors/status.ts";
import { oneOf } from "../schemas/schema.ts";
import type { ChannelType } from "./channel.ts";

const GROUPS = ["down", "warning", "healthy"] as const satisfies readonly StatusGroup[];
const Trouble = Type.Union([Type.Literal("down"), Type.Literal("warning")]);

/** The groups of the new status for which a channel is notified (behavior 5.7, 5.8). */
export const NotifyOn = Type.Array(oneOf(GROUPS), {
  contains: Trouble,
  description: "The changes that notify this channel, by the group of the new status. Default: all.",
  examples: [["down", "healthy"]],
});
export type NotifyOn = Static<typeof NotifyOn>;

export const EVERY_GROUP: NotifyOn = [...GROUPS];

/** Each entry once, worst first (behavior 5.8). */
export function sortedNotifyOn(groups: NotifyOn): NotifyOn {
  return GROUPS.filter((group) => groups.includes(group));
}

/**
 * Whether a channel is notified of a transition. A recovery notifies a channel that knows about the trouble: it lists
 * the previous group, or its last notification was trouble (behavior 5.9).
 *
 * @param lastNotified finds the status in the last notification of the channel about this monitor; called only if it matters
 */
export function shouldNotify(
  notifyOn: NotifyOn,
  { previousStatus, status }: { previousStatus: Status; status: Status },
  lastNotified: () => Status | undefined,
): boolean {
  const group = groupOf(status);
  if (!notifyOn.includes(group)) return false;
  if (group !== "healthy" || notifyOn.includes(groupOf(previousStatus))) return true;
  const last = lastNotified();
  return last !== undefined && groupOf(last) !== "healthy";
}

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
