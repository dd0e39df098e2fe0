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
  now: Date.now,
  monotonic: performance.now.bind(performance),
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

type Clock = Pick<ProbeClock, "monotonic" | "after">;

/**
 * Deadlines of many checks, with one timer for each duration, of which there are few: deadlines of the same duration
 * expire in the order in which they were added. None expires early.
 */
export class Deadlines<T> {
  private readonly queues = new Map<number, Queue<T>>();

  /** @param expire called when a deadline passes */
  constructor(
    private readonly clock: Clock,
    private readonly expire: (one: T) => void,
  ) {}

  /** @param ms from now */
  add(ms: number, one: T): void {
    let queue = this.queues.get(ms);
    if (!queue) {
      queue = new Queue(ms, this.clock, { expire: this.expire, onEmpty: () => this.queues.delete(ms) });
      this.queues.set(ms, queue);
    }
    queue.add(one);
  }

  /** @param ms as it was added */
  delete(ms: number, one: T): void {
    this.queues.get(ms)?.delete(one);
  }
}

class Queue<T> {
  /** When each is due, earliest first. */
  private readonly waiting = new Map<T, number>();

  /** @param on.onEmpty called if nothing waits when the timer ends: to start and end it with each check would cost more */
  constructor(
    private readonly ms: number,
    private readonly clock: Clock,
    private readonly on: { expire: (one: T) => void; onEmpty: () => void },
  ) {
    this.wait(ms);
  }

  add(one: T): void {
    this.waiting.set(one, this.clock.monotonic() + this.ms);
  }

  delete(one: T): void {
    this.waiting.delete(one);
  }

  private wait(ms: number): void {
    this.clock.after(Math.ceil(ms), () => this.expireDue());
  }

  private expireDue(): void {
    const now = this.clock.monotonic();
    for (const [one, due] of this.waiting) {
      if (due > now) {
        this.wait(due - now);
        return;
      }
      this.waiting.delete(one);
      this.on.expire(one);
    }
    this.on.onEmpty();
  }
}

/** Milliseconds since a time of `performance.now()`, rounded to microseconds. */
export function since(start: number): number {
  return Math.round((performance.now() - start) * 1000) / 1000;
}
