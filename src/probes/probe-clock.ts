import type { Cancel } from "../clock.ts";

/** The time of the probe thread as an argument. It works to the millisecond, and its tasks must not throw. */
export interface ProbeClock {
  /** The wall clock in milliseconds since 1970. */
  now(): number;
  /** Milliseconds since an arbitrary moment. It never jumps. */
  monotonic(): number;
  /** Runs a task later, but does not keep the process alive. @param ms delay */
  after(ms: number, task: () => void): void;
  /** Runs a task in the next turn of the event loop. */
  soon(task: () => void): void;
  /** Runs a task again and again, but does not keep the process alive. @returns ends it */
  repeat(ms: number, task: () => void): Cancel;
}

export const systemProbeClock: ProbeClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, task) => void setTimeout(task, ms).unref(),
  soon: (task) => void setImmediate(task),
  repeat(ms, task) {
    const timer = setInterval(task, ms).unref();
    return () => clearInterval(timer);
  },
};

/** A reading of the clocks of another thread, in milliseconds. Its monotonic clock has another beginning. */
export interface ClockReading {
  now: number;
  monotonic: number;
}

/**
 * A probe clock that shows the time of another thread.
 *
 * @returns also a function that takes a reading which the other thread has just sent
 */
export function createFollowingClock() {
  /** Offset from the monotonic clock of this thread to the clock of the other thread. Readings arrive late, so the largest is closest. */
  let ahead = Number.NEGATIVE_INFINITY;
  let shift: number | undefined;
  const { monotonic } = systemProbeClock;
  const clock: ProbeClock = {
    ...systemProbeClock,
    now: () => (shift === undefined ? Date.now() : Math.floor(monotonic() + ahead + shift)),
  };
  return {
    clock,
    follow(reading: ClockReading): void {
      ahead = Math.max(ahead, reading.monotonic - monotonic());
      shift = reading.now - reading.monotonic;
    },
  };
}
