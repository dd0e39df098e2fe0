import { groupOf, type Status } from "./status.ts";

/** How the page shows a monitor: by its group, or as waiting or paused (behavior 1.6). */
export type DisplayState = "healthy" | "warning" | "down" | "waiting" | "paused";

/** The order in which the page sorts monitors (behavior 1.6). */
export const DISPLAY_STATES: DisplayState[] = ["down", "warning", "waiting", "healthy", "paused"];

interface Displayed {
  name: string;
  status: Status;
  enabled: boolean;
}

export function displayStateOfStatus(status: Status): DisplayState {
  return status === "unknown" ? "waiting" : groupOf(status);
}

export function displayStateOf({ status, enabled }: Pick<Displayed, "status" | "enabled">): DisplayState {
  return enabled ? displayStateOfStatus(status) : "paused";
}

/** @param before counts to which these monitors are added */
export function countDisplayStates(
  monitors: Iterable<Pick<Displayed, "status" | "enabled">>,
  before: Record<DisplayState, number> = { down: 0, warning: 0, waiting: 0, healthy: 0, paused: 0 },
): Record<DisplayState, number> {
  const counts = { ...before };
  for (const monitor of monitors) counts[displayStateOf(monitor)]++;
  return counts;
}

/** Compares monitors by display state, then by name (behavior 1.6). */
export function worstFirst(a: Displayed, b: Displayed): number {
  return (
    DISPLAY_STATES.indexOf(displayStateOf(a)) - DISPLAY_STATES.indexOf(displayStateOf(b)) || byName(a, b)
  );
}

let collator: Intl.Collator | undefined;

export function byName(a: { name: string }, b: { name: string }): number {
  // Created at its first use, because that takes long on a phone.
  collator ??= new Intl.Collator(undefined, { numeric: true });
  return collator.compare(a.name, b.name);
}
