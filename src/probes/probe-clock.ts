import type { Cancel } from "../clock.ts";

/** The time of the probe thread as an argument. It works to the millisecond, and its tasks must not throw. */
export interface ProbeClock {
  /** The wall clock in milliseconds since 1970. */
  now(): number;
  /** Milliseconds since an arbitrary moment. It never jumps. */
  monotonic(): number;
  /** @param ms delay @returns cancels it */
  after(ms: number, task: () => void): Cancel;
  /** Runs a task in the next turn of the event loop. */
  soon(task: () => void): void;
  /** Runs a task again and again, but does not keep the process alive. */
  repeat(ms: number, task: () => void): void;
}

export const systemProbeClock: ProbeClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
  soon: (task) => void setImmediate(task),
  repeat: (ms, task) => void setInterval(task, ms).unref(),
};
