import type { Clock } from "../../clock.ts";
import { descriptorLimit } from "../../descriptors.ts";
import { MAX_ADDRESSES } from "../../domain/checks/observation.ts";
import type { Check } from "../../probes/probe-thread.ts";
import type { DueMonitor } from "../../store/store.ts";

/** How quick the last check of a monitor was: how many sockets it held at most if it was quick, else one of these. */
type Pace = number;
export const UNKNOWN = 254;
export const SLOW = 255;

/** The numbers of monitors above this one are not remembered: their checks count as of unknown speed. */
const MAX_PK = 2 ** 25;

/** The paces of all monitors: a byte for each, because there may be a million. */
interface Paces {
  of(pk: number): Pace;
  set(pk: number, pace: Pace): void;
}

export function createPaces(): Paces {
  let paces = new Uint8Array(1024).fill(UNKNOWN);

  function grow(pk: number): void {
    const more = new Uint8Array(2 * (pk + 1)).fill(UNKNOWN, paces.length);
    more.set(paces);
    paces = more;
  }

  return {
    of: (pk) => paces[pk] ?? UNKNOWN,
    set(pk, pace) {
      if (pk > MAX_PK) return;
      if (pk >= paces.length) grow(pk);
      paces[pk] = pace;
    },
  };
}

export function isQuick(pace: Pace): boolean {
  return pace < UNKNOWN;
}

/** A check that runs longer is slow; milliseconds (behavior 1.13). */
const SLOW_AFTER = 1000;

/**
 * The most sockets that a check holds at the same time: one for each address that it tries (`probes/connections/network.ts`), and one
 * over UDP and one over TCP for the query for IPv6 addresses, whose answer can be late.
 */
const SOCKETS_PER_CHECK = 8;

/** A check of each address of a host may follow a redirect from each of them (behavior 10.105). */
const MAX_SOCKETS = MAX_ADDRESSES * SOCKETS_PER_CHECK;

/** The share of the file descriptors for checks. Clients, abandoned connection attempts and files need the others. */
const SHARE_OF_DESCRIPTORS = 0.7;

/** Concurrent checks, however few sockets they hold. */
const MAX_CHECKS = 20_000;

/** The limit recovers from 0 to its full value in this time after a shortage; milliseconds. */
const RECOVERY = 60_000;

/** The maximum share of the sockets for monitors whose last check was not quick, or that had none. */
const SHARE_OF_UNPROVEN = 7 / 8;

/** Sockets that checks use. @property unprovenSockets of monitors that were not quick @property slowSockets of slow checks */
export interface Usage {
  checks: number;
  sockets: number;
  unprovenSockets: number;
  slowSockets: number;
}

/**
 * A check that is under way, as the limit counts it.
 *
 * @property startAt when it starts, now or later @property endedAt since when only its result is to be recorded
 */
export interface Place {
  pk: number;
  startAt: number;
  endedAt?: number;
  usage: Readonly<Usage>;
}

/** The limits at one moment. */
export interface Limits {
  /** How many sockets all checks together may hold. */
  sockets: number;
  used: Readonly<Usage>;
  /** Maximum usage of a new check of a monitor. */
  usageOfNew(pk: number): Readonly<Usage>;
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
  start(place: Place): void;
  /** Corrects how many sockets a running check holds at most. */
  settle(place: Place, sockets: number): void;
  /** The check has ended, and holds no sockets any more. Its result is still to be recorded. */
  finish(place: Place, now: number): void;
  /** @param sockets how many the check held at most; undefined if unknown */
  release(place: Place, now: number, sockets?: number): void;
  /** Finds out which running checks are slow, and lets the limit recover. */
  update(running: Iterable<Place>, now: number): void;
  /** Halves the limit, once for all running checks. @param startAt of a check that failed for lack of descriptors */
  shrink(startAt: number, now: number): void;
}

/** @param max concurrent checks that hold all their sockets */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const paces = createPaces();
  const used: Usage = { ...NOTHING };
  /** The current value of `max`. */
  let current = max;
  let shrunkAt = Number.NEGATIVE_INFINITY;
  let updatedAt = Number.POSITIVE_INFINITY;

  function usageOfNew(pk: number): Readonly<Usage> {
    const pace = paces.of(pk);
    return usage(pace, isQuick(pace) ? pace : SOCKETS_PER_CHECK);
  }

  /** Counts a running check by its present pace and sockets. */
  function recount(place: Place, sockets: number): void {
    subtract(used, place.usage);
    place.usage = usage(paces.of(place.pk), sockets);
    add(used, place.usage);
  }

  return {
    limits: () => ({ sockets: Math.floor(current) * SOCKETS_PER_CHECK, used, usageOfNew }),
    start(place) {
      place.usage = usageOfNew(place.pk);
      add(used, place.usage);
    },
    settle(place, sockets) {
      recount(place, Math.min(sockets, MAX_SOCKETS));
    },
    finish(place, now) {
      place.endedAt = now;
      recount(place, 0);
    },
    release(place, now, sockets = SOCKETS_PER_CHECK) {
      subtract(used, place.usage);
      const { pk, startAt, endedAt = now } = place;
      paces.set(pk, endedAt - startAt < SLOW_AFTER ? Math.min(sockets, SOCKETS_PER_CHECK) : SLOW);
    },
    update(running, now) {
      current = Math.min(max, current + (max * Math.max(0, now - updatedAt)) / RECOVERY);
      updatedAt = now;
      for (const place of running) {
        const { pk, startAt, endedAt, usage: present } = place;
        if (now - startAt < SLOW_AFTER || endedAt !== undefined || present.slowSockets > 0) continue;
        paces.set(pk, SLOW);
        recount(place, present.sockets);
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

export const NOTHING: Readonly<Usage> = { checks: 0, sockets: 0, unprovenSockets: 0, slowSockets: 0 };

/** The usage of one check, by its pace and its sockets: so many checks start that each would be garbage. */
const USAGES = [UNKNOWN, 1, SLOW].map((pace) =>
  Array.from({ length: MAX_SOCKETS + 1 }, (_, sockets) => ({
    checks: 1,
    sockets,
    unprovenSockets: isQuick(pace) ? 0 : sockets,
    slowSockets: pace === SLOW ? sockets : 0,
  })),
);

function usage(pace: Pace, sockets: number): Readonly<Usage> {
  const kind = isQuick(pace) ? 1 : pace === SLOW ? 2 : 0;
  return USAGES[kind]?.[sockets] ?? NOTHING;
}

export function add(sum: Usage, one: Readonly<Usage>): void {
  sum.checks += one.checks;
  sum.sockets += one.sockets;
  sum.unprovenSockets += one.unprovenSockets;
  sum.slowSockets += one.slowSockets;
}

export function subtract(sum: Usage, one: Readonly<Usage>): void {
  sum.checks -= one.checks;
  sum.sockets -= one.sockets;
  sum.unprovenSockets -= one.unprovenSockets;
  sum.slowSockets -= one.slowSockets;
}

/** How many checks, at least one, may run at the same time with this number of file descriptors. */
export function maxChecks(descriptors = descriptorLimit()): number {
  const checks = Math.floor((descriptors * SHARE_OF_DESCRIPTORS) / SOCKETS_PER_CHECK);
  return Math.min(MAX_CHECKS, Math.max(1, checks));
}

/**
 * A check that is claimed, running, or being recorded.
 *
 * @property slot the time for which it was claimed: a change of the monitor gives the monitor another one
 * @property heldUntil when it was claimed, in milliseconds since 1970, if a result of its slot was held in memory then
 * @property ended resolves when nothing is left to do for it
 * @property hasEnded whether the probe thread has reported its end
 * @property sockets how many it held at most, after it has ended; undefined if unknown
 */
export interface RunningCheck extends Place {
  monitor: DueMonitor;
  slot: number;
  heldUntil?: number | undefined;
  check: Check;
  ended?: Promise<void>;
  hasEnded?: boolean;
  sockets?: number | undefined;
}

/** The running checks, and the limit of how many run at once. The checks of one monitor never overlap (behavior 1.9). */
export interface RunningChecks {
  byMonitor: ReadonlyMap<number, RunningCheck>;
  limits(): Limits;
  start(check: RunningCheck): void;
  /** False after it was ended, for example because it was cancelled. */
  has(check: RunningCheck): boolean;
  /** The running check of a monitor is now for another slot. */
  move(pk: number, slot: number): void;
  /** Corrects how many sockets a check holds at most. */
  settle(check: RunningCheck, sockets: number): void;
  /** Its sockets are closed, and its result is to be recorded. */
  finish(check: RunningCheck): void;
  /** Does nothing if it has ended already. @param sockets how many it held at most; undefined if unknown */
  end(check: RunningCheck, sockets?: number): void;
  /** Finds out which checks are slow, and lets the limit recover. */
  update(): void;
  /** Lowers the limit, because a check failed for lack of descriptors. */
  shrink(check: RunningCheck): void;
}

/** @param max concurrent checks that hold all their sockets */
export function createRunningChecks(clock: Pick<Clock, "monotonic">, max: number): RunningChecks {
  const byMonitor = new Map<number, RunningCheck>();
  const limit = createConcurrencyLimit(max);
  const has = (check: RunningCheck) => byMonitor.get(check.pk) === check;
  return {
    byMonitor,
    limits: limit.limits,
    start(check) {
      byMonitor.set(check.pk, check);
      limit.start(check);
    },
    has,
    move(pk, slot) {
      const check = byMonitor.get(pk);
      if (check) check.slot = slot;
    },
    settle: limit.settle,
    finish: (check) => limit.finish(check, clock.monotonic()),
    end(check, sockets) {
      if (!has(check)) return;
      byMonitor.delete(check.pk);
      limit.release(check, clock.monotonic(), sockets);
    },
    update: () => limit.update(byMonitor.values(), clock.monotonic()),
    shrink: ({ startAt }) => limit.shrink(startAt, clock.monotonic()),
  };
}
