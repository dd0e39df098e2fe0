import type { StatusGroup } from "../../domain/monitors/status.ts";

/** The priority of a message: that of the channel, or the default of the group of the event (behavior 16.147). */
export function priorityOf(
  { priority }: { priority?: number },
  group: StatusGroup,
  defaults: Record<StatusGroup, number>,
): number {
  return priority ?? defaults[group];
}
