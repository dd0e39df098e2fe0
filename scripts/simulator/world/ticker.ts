import type { Machine } from "./machine.ts";
import type { EventLoop, EventSource } from "./virtual-time.ts";

/**
 * A task of each second, or of another period, on the seconds of the wall clock.
 *
 * Thirty days have 2.6 million seconds, in most of which nothing is due. So a tick that would find nothing is left out:
 * the next one is at the first second at which something is due (`dueAt`), and at the latest after `longestGap`. Around
 * faults no tick is left out (`denseFrom`).
 *
 * A task that notices the time since its last run (`noticesGaps`) also runs one period before such a tick, while
 * `isMakingUp`: its surroundings then have to take the gap for the ticks that were left out.
 */
export class Ticker implements EventSource {
  #last: number;
  #planned = 0;
  #isStale = true;
  #isRunning = false;
  #isMakeUp = false;
  #makesUpNext = false;

  constructor(
    private readonly machine: Machine,
    private readonly loop: EventLoop,
    private readonly options: {
      period: number;
      /** The second of the period; milliseconds. */
      phase?: number;
      longestGap: number;
      noticesGaps: boolean;
      /** The true time from which on no tick may be left out; a past one if that is now. */
      denseFrom: () => number;
      /** The wall time from which on a tick finds work. */
      dueAt: () => number;
      task: () => Promise<void>;
    },
  ) {
    this.#last = machine.time.now;
  }

  /** Plans the next tick again, because something may be due at another time. */
  refresh(): void {
    // One that waits for a frozen event loop stays due.
    if (this.#planned > this.machine.time.now) this.#isStale = true;
  }

  isMakingUp(): boolean {
    return this.#isMakeUp;
  }

  next(): number {
    if (this.#isStale) this.#plan();
    return Math.max(this.#planned, this.loop.frozenUntil);
  }

  run(): void {
    this.#last = this.machine.time.now;
    this.#isStale = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#isMakeUp = this.#makesUpNext;
    void this.options.task().then(() => {
      this.#isRunning = this.#isMakeUp = false;
    });
  }

  #plan(): void {
    this.#isStale = false;
    const { longestGap, dueAt, denseFrom, noticesGaps, period } = this.options;
    const next = this.#tickFrom(this.#last + 1);
    const offset = this.machine.wallOffset();
    const due = Math.min(dueAt() - offset, this.#last + longestGap, denseFrom());
    const planned = Math.max(next, this.#tickFrom(Math.max(due, this.machine.time.now)));
    // A step of the clock moves the seconds, so that a tick may seem to be left out.
    this.#makesUpNext = noticesGaps && planned > next && denseFrom() > this.machine.time.now;
    this.#planned = this.#makesUpNext ? Math.max(this.machine.time.now, planned - period) : planned;
  }

  /** The first tick at or after a true time. */
  #tickFrom(at: number): number {
    const { period, phase = 0 } = this.options;
    const offset = this.machine.wallOffset() - phase;
    return Math.ceil((at + offset) / period) * period - offset;
  }
}
