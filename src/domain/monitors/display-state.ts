import { groupOf, type Status } from "./status.ts";

/** How a monitor is shown: its group, but for those that nothing is known of now. */
export type DisplayState = "healthy" | "warning" | "down" | "waiting" | "paused";

/** Worst first. */
export const DISPLAY_STATES: DisplayState[] = ["down", "warning", "waiting", "healthy", "paused"];

interface Shown {
  name: string;
  status: Status;
  enabled: boolean;
}

export function displayStateOfStatus(status: Status): DisplayState {
  return status === "unknown" ? "waiting" : groupOf(status);
}

export function displayStateOf({ status, enabled }: Pick<Shown, "status" | "enabled">): DisplayState {
  return enabled ? displayStateOfStatus(status) : "paused";
}

/** @param before the counts of others, to which these are added */
export function countDisplayStates(
  monitors: Iterable<Pick<Shown, "status" | "enabled">>,
  before: Record<DisplayState, number> = { down: 0, warning: 0, waiting: 0, healthy: 0, paused: 0 },
): Record<DisplayState, number> {
  const counts = { ...before };
  for (const monitor of monitors) counts[displayStateOf(monitor)]++;
  return counts;
}

/** An order: those in the worst mood, then by name. */
export function worstFirst(a: Shown, b: Shown): number {
  return (
    DISPLAY_STATES.indexOf(displayStateOf(a)) - DISPLAY_STATES.indexOf(displayStateOf(b)) || byName(a, b)
  );
}

let collator: Intl.Collator | undefined;

export function byName(a: { name: string }, b: { name: string }): number {
  // Made at its first use: on a phone it takes a while.
  collator ??= new Intl.Collator(undefined, { numeric: true });
  return collator.compare(a.name, b.name);
}
