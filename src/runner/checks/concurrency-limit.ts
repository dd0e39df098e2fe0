import { descriptorLimit } from "../../probes/descriptor-limit.ts";

/** A check that runs longer than this is one of a slow target, in milliseconds. */
const SLOW_AFTER = 1000;

/**
 * What a check may hold at the same time: a socket for each address that it tries (`probes/network.ts`), and one over UDP
 * and one over TCP for the question for IPv6 addresses, whose answer may come late.
 */
const SOCKETS_PER_CHECK = 8;

/** The checks get this share of the descriptors; clients, given-up attempts to connect and files need the others. */
const SHARE_OF_DESCRIPTORS = 0.7;

/** However few sockets they hold. */
const MOST_CHECKS = 20_000;

/** How long it takes from no room to all of it after a shortage, in milliseconds. */
const RECOVERY = 60_000;

/** The rest of the room is left to monitors whose last check was quick. */
const SHARE_OF_UNPROVEN = 7 / 8;

/** More are not remembered to be quick. */
const MOST_QUICK = 1_000_000;

/**
 * Bounds how many checks are under way by the sockets that they may hold, so that those of slow targets take at most half
 * of the room, and those of targets that nothing is known of leave some to the others.
 */
export interface ConcurrencyLimit {
  /** Whether there is room for a check of a monitor; taken if there is. @param pk of the monitor */
  tryAcquire(pk: number, startAt: number): boolean;
  /** Gives back what a check under way will not need. @param sockets how many it holds at most from now on */
  settle(pk: number, sockets: number): void;
  release(pk: number, now: number): void;
  /** Finds out which checks are slow, and gives back room that a shortage took. */
  sort(now: number): void;
  /** Halves the room, once for all checks under way. @param startAt of a check that met a shortage of descriptors */
  shrink(startAt: number, now: number): void;
}

/** @param most for how many checks that hold all their sockets there is room */
export function createConcurrencyLimit(most: number): ConcurrencyLimit {
  /** The checks under way, by monitor: when they start, and how many sockets they may hold. */
  const started = new Map<number, { startAt: number; sockets: number }>();
  /** The monitors whose check is slow, or was the last time. */
  const slow = new Set<number>();
  /** The monitors whose last check was quick. */
  const quick = new Set<number>();
  /** Sockets of all checks under way, and of the slow ones among them. */
  let total = 0;
  let totalSlow = 0;
  /** What `most` is for now. */
  let room = most;
  let shrunkAt = Number.NEGATIVE_INFINITY;
  let sortedAt = Number.POSITIVE_INFINITY;

  function add(pk: number, sockets: number): void {
    total += sockets;
    if (slow.has(pk)) totalSlow += sockets;
  }

  return {
    tryAcquire(pk, startAt) {
      const sockets = Math.floor(room) * SOCKETS_PER_CHECK;
      if (started.size >= MOST_CHECKS || total + SOCKETS_PER_CHECK > sockets) return false;
      if (!quick.has(pk) && total >= sockets * SHARE_OF_UNPROVEN) return false;
      if (slow.has(pk) && totalSlow >= sockets / 2) return false;
      started.set(pk, { startAt, sockets: SOCKETS_PER_CHECK });
      add(pk, SOCKETS_PER_CHECK);
      return true;
    },
    settle(pk, sockets) {
      const check = started.get(pk);
      if (!check || sockets >= check.sockets) return;
      add(pk, sockets - check.sockets);
      check.sockets = sockets;
    },
    release(pk, now) {
      const check = started.get(pk);
      if (!check) return;
      started.delete(pk);
      add(pk, -check.sockets);
      if (quick.size >= MOST_QUICK) quick.clear();
      const [joined, left] = now - check.startAt < SLOW_AFTER ? [quick, slow] : [slow, quick];
      joined.add(pk);
      left.delete(pk);
    },
    sort(now) {
      room = Math.min(most, room + (most * Math.max(0, now - sortedAt)) / RECOVERY);
      sortedAt = now;
      for (const [pk, { startAt, sockets }] of started) {
        if (now - startAt < SLOW_AFTER || slow.has(pk)) continue;
        slow.add(pk);
        totalSlow += sockets;
      }
    },
    shrink(startAt, now) {
      // Those that ran beside it met the same shortage. A time to come was put back with the clock.
      if (startAt <= shrunkAt && shrunkAt <= now) return;
      shrunkAt = now;
      room = Math.max(1, Math.min(room, total / SOCKETS_PER_CHECK) / 2);
    },
  };
}

/** For how many checks, at least one, this process has file descriptors. */
export function mostChecks(descriptors = descriptorLimit()): number {
  const places = Math.floor((descriptors * SHARE_OF_DESCRIPTORS) / SOCKETS_PER_CHECK);
  return Math.min(MOST_CHECKS, Math.max(1, places));
}
