import { type Static, Type } from "@sinclair/typebox";
import { groupOf, type Status, type StatusGroup } from "../monitors/status.ts";
import { oneOf } from "../schemas/schema.ts";

const GROUPS = ["down", "warning", "healthy"] as const satisfies readonly StatusGroup[];
const TROUBLE = Type.Union([Type.Literal("down"), Type.Literal("warning")]);

/** Which groups of the new status a channel is told of (decisions 3, Alerts). */
export const NotifyOn = Type.Array(oneOf(GROUPS), {
  contains: TROUBLE,
  description: "Which changes are told, by the group of the new status. Default: all.",
  examples: [["down", "healthy"]],
});
export type NotifyOn = Static<typeof NotifyOn>;

export const EVERY_GROUP: NotifyOn = [...GROUPS];

/** Each entry once, worst first. */
export function sortedNotifyOn(groups: NotifyOn): NotifyOn {
  return GROUPS.filter((group) => groups.includes(group));
}

/**
 * Whether a channel gets a transition. With a shorter list, a return to `healthy` is told only to those who know of
 * the trouble: by their list, or because it is the last thing that they were told (decisions 3, Alerts).
 *
 * @param lastTold finds the status that the channel was last told of this monitor; asked only where it matters
 */
export function shouldNotify(
  notifyOn: NotifyOn,
  { previousStatus, status }: { previousStatus: Status; status: Status },
  lastTold: () => Status | undefined,
): boolean {
  const group = groupOf(status);
  if (!notifyOn.includes(group)) return false;
  if (group !== "healthy" || notifyOn.includes(groupOf(previousStatus))) return true;
  const last = lastTold();
  return last !== undefined && groupOf(last) !== "healthy";
}
