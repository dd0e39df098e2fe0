import type { ProbeClock } from "./probe-clock.ts";

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
