import { groupOf, type Status } from "./status.ts";

/** How a monitor is shown: its group, but for those that nothing is known of now. */
export type Mood = "healthy" | "warning" | "down" | "waiting" | "paused";

/** Worst first. */
export const MOODS: Mood[] = ["down", "warning", "waiting", "healthy", "paused"];

interface Shown {
  name: string;
  status: Status;
  enabled: boolean;
}

export function moodOfStatus(status: Status): Mood {
  return status === "unknown" ? "waiting" : groupOf(status);
}

export function moodOf({ status, enabled }: Pick<Shown, "status" | "enabled">): Mood {
  return enabled ? moodOfStatus(status) : "paused";
}

/** @param before the counts of others, to which these are added */
export function countMoods(
  monitors: Iterable<Pick<Shown, "status" | "enabled">>,
  before: Record<Mood, number> = { down: 0, warning: 0, waiting: 0, healthy: 0, paused: 0 },
): Record<Mood, number> {
  const counts = { ...before };
  for (const monitor of monitors) counts[moodOf(monitor)]++;
  return counts;
}

/** An order: those in the worst mood, then by name. */
export function worstFirst(a: Shown, b: Shown): number {
  return MOODS.indexOf(moodOf(a)) - MOODS.indexOf(moodOf(b)) || byName(a, b);
}

let collator: Intl.Collator | undefined;

export function byName(a: { name: string }, b: { name: string }): number {
  // Made at its first use: on a phone it takes a while.
  collator ??= new Intl.Collator(undefined, { numeric: true });
  return collator.compare(a.name, b.name);
}
