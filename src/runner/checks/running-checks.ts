import type { Clock } from "../../clock.ts";
import type { Check } from "../../probes/probe-messages.ts";
import type { DueMonitor } from "../../store/store.ts";
import { createConcurrencyLimit, type Limits, type Place } from "./concurrency-limit.ts";

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
