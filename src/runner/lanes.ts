import { descriptorLimit } from "../probes/descriptor-limit.ts";

/** A check that runs longer than this is one of a slow target, in milliseconds. */
const SLOW_AFTER = 1000;

/**
 * What a check may hold at the same time: a socket for each address that it tries (`probes/network.ts`), and one over UDP
 * and one over TCP for the question for IPv6 addresses, whose answer may come late.
 */
const SOCKETS_PER_CHECK = 8;

/** The checks get this share of the descriptors; clients, given-up attempts to connect and files need the others. */
const SHARE_OF_DESCRIPTORS = 0.6;

const MOST_CHECKS = 20_000;

/** How long it takes from no place to all of them after a shortage, in milliseconds. */
const RECOVERY = 60_000;

/** Bounds how many checks are under way, so that those of slow targets take at most half of the room. */
export interface Lanes {
  /** Whether there is room for a check of a monitor; taken where there is. @param pk of the monitor */
  enter(pk: number, startAt: number): boolean;
  leave(pk: number, now: number): void;
  /** Finds out which checks are slow, and gives back places that a shortage took. */
  sort(now: number): void;
  /** Halves the places, once for all checks under way. @param startAt of a check that met a shortage of descriptors */
  shrink(startAt: number, now: number): void;
}

/** @param most how many checks at once */
export function createLanes(most: number): Lanes {
  /** When the checks under way start, by monitor. */
  const started = new Map<number, number>();
  /** The monitors whose check is slow, or was the last time. */
  const slow = new Set<number>();
  let slowUnderWay = 0;
  /** How many checks at once for now. */
  let room = most;
  let shrunkAt = Number.NEGATIVE_INFINITY;
  let sortedAt = Number.POSITIVE_INFINITY;

  return {
    enter(pk, startAt) {
      const places = Math.floor(room);
      if (started.size >= places) return false;
      if (slow.has(pk)) {
        if (slowUnderWay >= places / 2) return false;
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
      room = Math.min(most, room + (most * Math.max(0, now - sortedAt)) / RECOVERY);
      sortedAt = now;
      for (const [pk, startAt] of started) {
        if (now - startAt < SLOW_AFTER || slow.has(pk)) continue;
        slow.add(pk);
        slowUnderWay++;
      }
    },
    shrink(startAt, now) {
      // Those that ran beside it met the same shortage. A time to come was put back with the clock.
      if (startAt <= shrunkAt && shrunkAt <= now) return;
      shrunkAt = now;
      room = Math.max(1, Math.min(room, started.size) / 2);
    },
  };
}

/** As many as this process has file descriptors for; at least one. */
export function mostChecks(descriptors = descriptorLimit()): number {
  const places = Math.floor((descriptors * SHARE_OF_DESCRIPTORS) / SOCKETS_PER_CHECK);
  return Math.min(MOST_CHECKS, Math.max(1, places));
}
