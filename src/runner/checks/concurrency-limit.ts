import { descriptorLimit } from "../../probes/connections/descriptors.ts";

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

/** The maximum share of the sockets for monitors whose last check was not quick, or that had none. */
const SHARE_OF_UNPROVEN = 7 / 8;

/** Above this number, the monitors that were quick are forgotten. */
const MAX_QUICK = 1_000_000;

/** Sockets that checks use. @property unprovenSockets of monitors that were not quick @property slowSockets of slow checks */
export interface Usage {
  checks: number;
  sockets: number;
  unprovenSockets: number;
  slowSockets: number;
}

/** The limits at one moment. */
export interface Limits {
  /** How many sockets all checks together may hold. */
  sockets: number;
  used: Usage;
  /** Usage of the running check of a monitor. */
  usageOf(pk: number): Usage;
  /** Maximum usage of a new check of a monitor. */
  usageOfNew(pk: number): Usage;
}

/** Whether the sockets suffice for one more check. @param check what it uses @param used by the other checks */
export function fits(check: Usage, { limits, used }: { limits: Limits; used: Usage }): boolean {
  return used.checks < MAX_CHECKS && used.sockets + check.sockets <= limits.sockets;
}

/** Whether checks of its kind may hold more sockets. @param check what it uses @param used by the other checks */
export function fitsItsKind(check: Usage, { limits, used }: { limits: Limits; used: Usage }): boolean {
  const { sockets } = limits;
  if (check.unprovenSockets > 0 && used.unprovenSockets >= sockets * SHARE_OF_UNPROVEN) return false;
  return check.slowSockets === 0 || used.slowSockets < sockets / 2;
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
  /** @param sockets how many the check held at most; undefined if unknown */
  release(pk: number, now: number, sockets?: number): void;
  /** Finds out which running checks are slow, and lets the limit recover. */
  update(now: number): void;
  /** Halves the limit, once for all running checks. @param startAt of a check that failed for lack of descriptors */
  shrink(startAt: number, now: number): void;
}

/** @param max concurrent checks that hold all their sockets */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  /** The running checks, by monitor. */
  const running = new Map<number, { startAt: number; usage: Usage }>();
  /** Monitors whose check is slow, or whose last check was. */
  const slow = new Set<number>();
  /** Monitors whose last check was quick, with the sockets that it held at most. */
  const quick = new Map<number, number>();
  let used = NOTHING;
  /** The current value of `max`. */
  let current = max;
  let shrunkAt = Number.NEGATIVE_INFINITY;
  let updatedAt = Number.POSITIVE_INFINITY;

  function usage(pk: number, sockets: number): Usage {
    return {
      checks: 1,
      sockets,
      unprovenSockets: quick.has(pk) ? 0 : sockets,
      slowSockets: slow.has(pk) ? sockets : 0,
    };
  }

  /** Counts a running check by its present kind and sockets. */
  function recount(pk: number, check: { usage: Usage }, sockets = check.usage.sockets): void {
    used = subtract(used, check.usage);
    check.usage = usage(pk, sockets);
    used = add(used, check.usage);
  }

  return {
    limits: () => ({
      sockets: Math.floor(current) * SOCKETS_PER_CHECK,
      used,
      usageOf: (pk) => running.get(pk)?.usage ?? NOTHING,
      usageOfNew: (pk) => usage(pk, quick.get(pk) ?? SOCKETS_PER_CHECK),
    }),
    start(pk, startAt) {
      const check = { startAt, usage: usage(pk, quick.get(pk) ?? SOCKETS_PER_CHECK) };
      running.set(pk, check);
      used = add(used, check.usage);
    },
    settle(pk, sockets) {
      const check = running.get(pk);
      if (check && sockets < check.usage.sockets) recount(pk, check, sockets);
    },
    release(pk, now, sockets = SOCKETS_PER_CHECK) {
      const check = running.get(pk);
      if (!check) return;
      running.delete(pk);
      used = subtract(used, check.usage);
      if (quick.size >= MAX_QUICK) quick.clear();
      if (now - check.startAt < SLOW_AFTER) {
        quick.set(pk, Math.min(sockets, SOCKETS_PER_CHECK));
        slow.delete(pk);
      } else {
        quick.delete(pk);
        slow.add(pk);
      }
    },
    update(now) {
      current = Math.min(max, current + (max * Math.max(0, now - updatedAt)) / RECOVERY);
      updatedAt = now;
      for (const [pk, check] of running) {
        if (now - check.startAt < SLOW_AFTER || slow.has(pk)) continue;
        slow.add(pk);
        quick.delete(pk);
        recount(pk, check);
      }
    },
    shrink(startAt, now) {
      // The checks that ran at the same time failed because of the same shortage.
      if (startAt <= shrunkAt) return;
      shrunkAt = now;
      current = Math.max(1, Math.min(current, used.sockets / SOCKETS_PER_CHECK) / 2);
    },
  };
}

const NOTHING: Usage = { checks: 0, sockets: 0, unprovenSockets: 0, slowSockets: 0 };

export function add(a: Usage, b: Usage): Usage {
  return {
    checks: a.checks + b.checks,
    sockets: a.sockets + b.sockets,
    unprovenSockets: a.unprovenSockets + b.unprovenSockets,
    slowSockets: a.slowSockets + b.slowSockets,
  };
}

export function subtract(a: Usage, b: Usage): Usage {
  return {
    checks: a.checks - b.checks,
    sockets: a.sockets - b.sockets,
    unprovenSockets: a.unprovenSockets - b.unprovenSockets,
    slowSockets: a.slowSockets - b.slowSockets,
  };
}

/** How many checks, at least one, may run at the same time with this number of file descriptors. */
export function maxChecks(descriptors = descriptorLimit()): number {
  const checks = Math.floor((descriptors * SHARE_OF_DESCRIPTORS) / SOCKETS_PER_CHECK);
  return Math.min(MAX_CHECKS, Math.max(1, checks));
}
