import { type Static, Type } from "@sinclair/typebox";
import type { PlannedTransition } from "../monitors/recording-plan.ts";
import { groupOf, type Status, type StatusGroup } from "../monitors/status.ts";
import { oneOf } from "../schemas/schema.ts";
import type { ChannelType, StoredChannelType } from "./channel.ts";
import { declarationOf, formatOf } from "./webhook-format.ts";

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
  const group = groupOf[status];
  if (!notifyOn.includes(group)) return false;
  if (group !== "healthy" || notifyOn.includes(groupOf[previousStatus])) return true;
  const last = lastNotified();
  return last !== undefined && groupOf[last] !== "healthy";
}

/** An enabled channel that is bound to a monitor. @property notifiedStatus the status it was last notified of, if any */
export interface BoundChannel {
  id: string;
  type: StoredChannelType;
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

/** The types of channels that people read (behavior 14.63). A WEBHOOK channel depends on its format (behavior 16.148). */
const digestible: Record<Exclude<ChannelType, "WEBHOOK">, boolean> = {
  SLACK: true,
  DISCORD: true,
  TEAMS: true,
  EMAIL: true,
};

/** Whether a channel gets many notifications as one message, at the pace of `MESSAGE_PACE` (behavior 14.63, 14.67). */
export function takesDigests({ type, config }: { type: ChannelType; config?: unknown }): boolean {
  return type === "WEBHOOK" ? declarationOf[formatOf(config)].readBy === "people" : digestible[type];
}

/** @property burst messages at once after a pause @property every milliseconds between the messages after these */
export const MESSAGE_PACE = { burst: 2, every: 1000 };

/** The most notifications that are sent as one message each. */
const MAX_SINGLE = 3;

/** The most notifications in one message: on SQLite, reading 5,000 of them blocks other work for about 50 ms. */
export const MAX_IN_DIGEST = 5000;

/**
 * A pending delivery.
 *
 * @property digestPk the first delivery of its message, if it was sent in one with others
 * @property hasCause whether its outage has a cause in common with others
 */
export interface PendingDelivery {
  pk: number;
  attempts: number;
  digestPk: number | null;
  hasCause: boolean;
}

/** The deliveries of one message. @property isNew whether they were not in one message before */
export interface Digest {
  pks: number[];
  isNew: boolean;
}

/**
 * The deliveries that are sent with the first pending one of a channel (behavior 14.63, 14.64): only deliveries that follow it
 * without a gap, because a channel gets its notifications in order. A retry has the same ones.
 *
 * @param waiting all that are pending, in their order
 */
export function planDigest(waiting: readonly PendingDelivery[]): Digest {
  const [first] = waiting;
  if (!first) return { pks: [], isNew: false };
  if (first.digestPk !== null)
    return { pks: pksOf(waiting, (one) => one.digestPk === first.digestPk), isNew: false };
  const gap = waiting.findIndex(({ attempts, digestPk }) => attempts > 0 || digestPk !== null);
  const untried = gap < 0 ? waiting : waiting.slice(0, gap);
  const together = untried.length > MAX_SINGLE ? untried : untried.slice(0, countWithCause(untried));
  const isDigest = together.length > 1;
  return { pks: pksOf(isDigest ? together.slice(0, MAX_IN_DIGEST) : [first]), isNew: isDigest };
}

/** How many notifications at the start are about outages with causes (behavior 22.26). */
function countWithCause(waiting: readonly PendingDelivery[]): number {
  const end = waiting.findIndex(({ hasCause }) => !hasCause);
  return end < 0 ? waiting.length : end;
}

/**
 * How long the further notifications of an open cause gather for a channel that people read, in milliseconds. The dispatcher needs some
 * time to find that it has passed: it is at most ten seconds (behavior 22.26).
 */
export const GATHER_FOR = 9000;

function pksOf(
  waiting: readonly PendingDelivery[],
  isPart: (one: PendingDelivery) => boolean = () => true,
): number[] {
  return waiting.filter(isPart).map(({ pk }) => pk);
}
