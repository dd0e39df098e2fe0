import { type Static, Type } from "@sinclair/typebox";
import { groupOf, type Status, type StatusGroup } from "../monitors/status.ts";
import { oneOf } from "../schemas/schema.ts";

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
