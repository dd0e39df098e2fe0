import { groupOf } from "../monitors/status.ts";
import type { Transition } from "./delivery.ts";
import { type NotifyOn, shouldNotify } from "./notify.ts";

/** A channel that a schedule may notify. */
export interface RoutedChannel {
  pk: number;
  enabled: boolean;
  notifyOn: NotifyOn;
  /** The newest notification about the monitor that it got or may get, by any binding; null without one. */
  newest: { event: Transition; isPending: boolean; createdAt: number } | null;
}

/**
 * The channels to which a schedule sends: some channels of the person who is on call, or default channels (behavior 23.35 to 23.38). A
 * channel gets each notification once, whatever bindings reach it.
 *
 * @property every of the binding, for a reminder, in seconds @property now milliseconds since 1970
 */
export function planRoute<Channel extends RoutedChannel>(
  { event, every, now }: { event: Transition; every: number; now: number },
  channels: readonly Channel[],
): Channel[] {
  return channels.filter(({ enabled, notifyOn, newest }) => {
    if (!enabled || !shouldNotify(notifyOn, event, () => newest?.event.status)) return false;
    if (event.reminder) return !newest || (!newest.isPending && !isWithin(newest.createdAt, every, now));
    if (newest?.event.result.id === event.result.id) return false;
    if (groupOf[event.status] !== "healthy") return true;
    return newest !== null && groupOf[newest.event.status] !== "healthy";
  });
}

/** Another binding reminded the channel not long ago. After the clock was set back, that is not known. */
function isWithin(createdAt: number, every: number, now: number): boolean {
  return createdAt <= now && now - createdAt < every * 1000;
}

/** The channels of the person who is on call if one of them is enabled; otherwise the default channels that are. */
export function reachable<Channel extends Pick<RoutedChannel, "enabled">>(
  own: readonly Channel[],
  defaults: readonly Channel[],
): Channel[] {
  const enabled = own.filter((channel) => channel.enabled);
  return enabled.length > 0 ? enabled : defaults.filter((channel) => channel.enabled);
}
