import { checkTimeout } from "./check-slot.ts";

/** The shortest time without a conclusive check after which a monitor is blind; milliseconds (behavior 1.58). */
export const SHORTEST_BLINDNESS = 60_000;

/** An enabled monitor that is probed. Times are milliseconds since 1970. */
export interface ProbedMonitor {
  /** Seconds. */
  interval: number;
  /** Seconds; null for the default. */
  timeout: number | null;
  /** The time of its latest conclusive check, from any location; null if it had none. */
  checkedAt: number | null;
  /** When it was created, enabled or changed. */
  updatedAt: number;
  /** The numbers of its locations; null if only this server checks it. */
  locations: readonly number[] | null;
}

/**
 * The knowledge of the watch for blind monitors. Times are milliseconds since 1970.
 *
 * @property since when this service began to run: its own absence proves nothing
 * @property liveSince when each location that is connected became so
 */
export interface Watching {
  since: number;
  liveSince: ReadonlyMap<number, number>;
}

/** Until when a monitor was checked, and when it turns blind unless a check is conclusive before. */
export interface Blindness {
  since: number;
  at: number;
}

/** @returns null if all of its locations are silent: then it does not turn blind (behavior 1.59) */
export function blindnessOf(monitor: ProbedMonitor, watching: Watching): Blindness | null {
  const { interval, timeout } = monitor;
  const limit = 2 * interval * 1000 + 2 * checkTimeout({ interval, ...(timeout !== null && { timeout }) });
  const watchedSince = findWatchedSince(monitor, watching);
  if (watchedSince === null) return null;
  const since = checkedUntil(monitor);
  return { since, at: Math.max(since, watchedSince) + Math.max(SHORTEST_BLINDNESS, limit) };
}

/** Whether a monitor that was blind since a moment no longer is. */
export function hasResumed(
  monitor: ProbedMonitor & { enabled: boolean; blindSince: number },
  watching: Watching,
): boolean {
  if (!monitor.enabled || checkedUntil(monitor) > monitor.blindSince) return true;
  return findWatchedSince(monitor, watching) === null;
}

/** Whether at least half of the probed monitors are blind. */
export function isMostlyBlind({ blind, probed }: { blind: number; probed: number }): boolean {
  return blind > 0 && 2 * blind >= probed;
}

/** The stored time of a monitor, unless the monitor was paused or changed since (behavior 1.58). */
export function presentBlindSince({
  enabled,
  blindSince,
  updatedAt,
}: {
  enabled: boolean;
  blindSince: number | null;
  updatedAt: number;
}): number | null {
  return enabled && blindSince !== null && blindSince >= updatedAt ? blindSince : null;
}

/** The last moment of which something is known. */
function checkedUntil({ checkedAt, updatedAt }: ProbedMonitor): number {
  return Math.max(checkedAt ?? 0, updatedAt);
}

/** Since when a location that is not silent could check it; null if there is none. */
function findWatchedSince({ locations }: ProbedMonitor, { since, liveSince }: Watching): number | null {
  if (locations === null) return since;
  const times = locations.flatMap((location) => liveSince.get(location) ?? []);
  return times.length > 0 ? Math.max(since, Math.min(...times)) : null;
}
