import type { Clock } from "../../clock.ts";
import type { Check } from "../../probes/probe-messages.ts";
import type { DueMonitor } from "../../store/store.ts";
import { createConcurrencyLimit, type Limits } from "./concurrency-limit.ts";

/**
 * A check that is claimed, running, or being recorded.
 *
 * @property slot the time for which it was claimed: a change of the monitor gives the monitor another one
 * @property heldUntil when it was claimed, in milliseconds since 1970, if a result of its slot was held in memory then
 * @property startAt milliseconds of the monotonic clock
 * @property hasEnded whether only its result is still to be recorded
 * @property sockets how many it held at most, after it has ended; undefined if unknown
 */
export interface RunningCheck {
  monitor: DueMonitor;
  slot: number;
  heldUntil?: number | undefined;
  startAt: number;
  check: Check;
  hasEnded?: boolean;
  sockets?: number | undefined;
  ended: Promise<void>;
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
  /** Lowers how many sockets a check holds at most. */
  settle(check: RunningCheck, sockets: number): void;
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
  const has = (check: RunningCheck) => byMonitor.get(check.monitor.pk) === check;
  return {
    byMonitor,
    limits: limit.limits,
    start(check) {
      byMonitor.set(check.monitor.pk, check);
      limit.start(check.monitor.pk, check.startAt);
    },
    has,
    move(pk, slot) {
      const check = byMonitor.get(pk);
      if (check) check.slot = slot;
    },
    settle: (check, sockets) => limit.settle(check.monitor.pk, sockets),
    end(check, sockets) {
      if (!has(check)) return;
      byMonitor.delete(check.monitor.pk);
      limit.release(check.monitor.pk, clock.monotonic(), sockets);
    },
    update: () => limit.update(clock.monotonic()),
    shrink: ({ startAt }) => limit.shrink(startAt, clock.monotonic()),
  };
}
