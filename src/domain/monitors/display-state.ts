import { groupOf, type Status } from "./status.ts";

/** How the page shows a monitor: by its group, or as waiting or paused (behavior 1.6). */
export type DisplayState = "healthy" | "warning" | "down" | "waiting" | "paused";

export const DISPLAY_STATES: readonly DisplayState[] = ["down", "warning", "waiting", "healthy", "paused"];

export function displayStateOfStatus(status: Status): DisplayState {
  return status === "unknown" ? "waiting" : groupOf[status];
}

export function displayStateOf({ status, enabled }: { status: Status; enabled: boolean }): DisplayState {
  return enabled ? displayStateOfStatus(status) : "paused";
}

let collator: Intl.Collator | undefined;

export function byName(a: { name: string }, b: { name: string }): number {
  // Created at its first use, because that takes long on a phone.
  collator ??= new Intl.Collator(undefined, { numeric: true });
  return collator.compare(a.name, b.name);
}
