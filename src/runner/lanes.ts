import { readFileSync } from "node:fs";

/** A check that runs longer than this is one of a slow target, in milliseconds. */
const SLOW_AFTER = 1000;

/**
 * What else needs descriptors, attempts to connect that were given up among it, and how many a check needs at the same
 * time.
 */
const OTHER_DESCRIPTORS = 500;
const DESCRIPTORS_PER_CHECK = 2;

const MOST_CHECKS = 20_000;
const FEWEST_CHECKS = 100;

/** Bounds how many checks are under way, so that those of slow targets take at most half of the room. */
export interface Lanes {
  /** Whether there is room for a check of a monitor; taken where there is. @param pk of the monitor */
  enter(pk: number, startAt: number): boolean;
  leave(pk: number, now: number): void;
  /** Finds out which checks are slow. */
  sort(now: number): void;
}

/** @param most how many checks at once */
export function createLanes(most: number): Lanes {
  /** When the checks under way start, by monitor. */
  const started = new Map<number, number>();
  /** The monitors whose check is slow, or was the last time. */
  const slow = new Set<number>();
  let slowUnderWay = 0;

  return {
    enter(pk, startAt) {
      if (started.size >= most) return false;
      if (slow.has(pk)) {
        if (slowUnderWay >= most / 2) return false;
        slowUnderWay++;
      }
      started.set(pk, startAt);
      return true;
    },
    leave(pk, now) {
      const startAt = started.get(pk);
      started.delete(pk);
      if (slow.has(pk)) slowUnderWay--;
      if (startAt === undefined || now - startAt < SLOW_AFTER) slow.delete(pk);
      else slow.add(pk);
    },
    sort(now) {
      for (const [pk, startAt] of started) {
        if (now - startAt < SLOW_AFTER || slow.has(pk)) continue;
        slow.add(pk);
        slowUnderWay++;
      }
    },
  };
}

/** As many as this process has file descriptors for. */
export function mostChecks(): number {
  const descriptors = Math.floor((descriptorLimit() - OTHER_DESCRIPTORS) / DESCRIPTORS_PER_CHECK);
  return Math.min(MOST_CHECKS, Math.max(FEWEST_CHECKS, descriptors));
}

/** How many file descriptors this process may have. */
export function descriptorLimit(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return Number(limit ?? Number.POSITIVE_INFINITY);
  } catch {
    // No Linux.
    return 10_000;
  }
}
