import { descriptorLimit } from "../../probes/connections/descriptor-limit.ts";

/** A check that runs longer is slow; milliseconds (behavior 1.13). */
const SLOW_AFTER = 1000;

/**
 * The most sockets that a check holds at the same time: one for each address that it tries (`probes/connections/network.ts`), and one
 * over UDP and one over TCP for the query for IPv6 addresses, whose answer can be late.
 */
const SOCKETS_PER_CHECK = 8;

/** The share of the file descriptors for checks. Clients, abandoned connection attempts and files need the others. */
const SHARE_OF_DESCRIPTORS = 0.7;

/** Concurrent checks, however few sockets they hold. */
const MAX_CHECKS = 20_000;

/** The limit recovers from 0 to its full value in this time after a shortage; milliseconds. */
const RECOVERY = 60_000;

/** The other sockets are reserved for monitors whose last check was quick. */
const SHARE_OF_UNPROVEN = 7 / 8;

/** Above this number, the monitors that were quick are forgotten. */
const MAX_QUICK = 1_000_000;

/** What checks use. @property slowSockets the sockets of slow checks */
export interface Usage {
  checks: number;
  sockets: number;
  slowSockets: number;
}

/** The limits at one moment. */
export interface Limits {
  /** How many sockets all checks together may hold. */
  sockets: number;
  used: Usage;
  /** What the running check of a monitor uses. */
  usageOf(pk: number): Usage;
  /** What a new check of a monitor would use at most. */
  usageOfNew(pk: number): Usage;
  isQuick(pk: number): boolean;
  isSlow(pk: number): boolean;
}

/** Whether one more check of a monitor fits. @param used by the other checks */
export function fits(pk: number, { limits, used }: { limits: Limits; used: Usage }): boolean {
  const { sockets } = limits;
  if (used.checks >= MAX_CHECKS || used.sockets + SOCKETS_PER_CHECK > sockets) return false;
  if (!limits.isQuick(pk) && used.sockets >= sockets * SHARE_OF_UNPROVEN) return false;
  return !limits.isSlow(pk) || used.slowSockets < sockets / 2;
}

/**
 * Limits the concurrent checks by the sockets that they may hold. Slow checks get at most half of the sockets, and
 * monitors of unknown speed leave some to the others. All times are milliseconds of a monotonic clock.
 */
export interface ConcurrencyLimit {
  limits(): Limits;
  /** @param startAt when the check starts, now or later */
  start(pk: number, startAt: number): void;
  /** Lowers how many sockets a running check holds at most. */
  settle(pk: number, sockets: number): void;
  release(pk: number, now: number): void;
  /** Finds out which running checks are slow, and lets the limit recover. */
  update(now: number): void;
  /** Halves the limit, once for all running checks. @param startAt of a check that failed for lack of descriptors */
  shrink(startAt: number, now: number): void;
}

/** @param max concurrent checks that hold all their sockets */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  /** The running checks, by monitor. */
  const running = new Map<number, { startAt: number; sockets: number }>();
  /** Monitors whose check is slow, or whose last check was. */
  const slow = new Set<number>();
  /** Monitors whose last check was quick. */
  const quick = new Set<number>();
  let total = 0;
  let totalSlow = 0;
  /** The current value of `max`. */
  let current = max;
  let shrunkAt = Number.NEGATIVE_INFINITY;
  let updatedAt = Number.POSITIVE_INFINITY;

  function add(pk: number, sockets: number): void {
    total += sockets;
    if (slow.has(pk)) totalSlow += sockets;
  }

  function usage(pk: number, sockets: number): Usage {
    return { checks: 1, sockets, slowSockets: slow.has(pk) ? sockets : 0 };
  }

  return {
    limits: () => ({
      sockets: Math.floor(current) * SOCKETS_PER_CHECK,
      used: { checks: running.size, sockets: total, slowSockets: totalSlow },
      usageOf: (pk) => usage(pk, running.get(pk)?.sockets ?? 0),
      usageOfNew: (pk) => usage(pk, SOCKETS_PER_CHECK),
      isQuick: (pk) => quick.has(pk),
      isSlow: (pk) => slow.has(pk),
    }),
    start(pk, startAt) {
      running.set(pk, { startAt, sockets: SOCKETS_PER_CHECK });
      add(pk, SOCKETS_PER_CHECK);
    },
    settle(pk, sockets) {
      const check = running.get(pk);
      if (!check || sockets >= check.sockets) return;
      add(pk, sockets - check.sockets);
      check.sockets = sockets;
    },
    release(pk, now) {
      const check = running.get(pk);
      if (!check) return;
      running.delete(pk);
      add(pk, -check.sockets);
      if (quick.size >= MAX_QUICK) quick.clear();
      const [joined, left] = now - check.startAt < SLOW_AFTER ? [quick, slow] : [slow, quick];
      joined.add(pk);
      left.delete(pk);
    },
    update(now) {
      current = Math.min(max, current + (max * Math.max(0, now - updatedAt)) / RECOVERY);
      updatedAt = now;
      for (const [pk, { startAt, sockets }] of running) {
        if (now - startAt < SLOW_AFTER || slow.has(pk)) continue;
        slow.add(pk);
        totalSlow += sockets;
      }
    },
    shrink(startAt, now) {
      // The checks that ran at the same time failed because of the same shortage.
      if (startAt <= shrunkAt) return;
      shrunkAt = now;
      current = Math.max(1, Math.min(current, total / SOCKETS_PER_CHECK) / 2);
    },
  };
}

/** How many checks, at least one, may run at the same time with this number of file descriptors. */
export function maxChecks(descriptors = descriptorLimit()): number {
  const checks = Math.floor((descriptors * SHARE_OF_DESCRIPTORS) / SOCKETS_PER_CHECK);
  return Math.min(MAX_CHECKS, Math.max(1, checks));
}
