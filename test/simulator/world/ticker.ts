import type { Machine } from "./machine.ts";
import type { EventLoop, EventSource } from "./virtual-time.ts";

/**
 * A task of each second, or of another period, on the seconds of the wall clock.
 *
 * Thirty days have 2.6 million seconds, in most of which nothing is due. So a tick that would find nothing is left out:
 * the next one is at the first second at which something is due (`dueAt`), and at the latest after `longestGap`. The
 * longest gap of the heartbeats is below the 30 s that they take for an outage of the service. Around faults no tick is left
 * out (`denseFrom` of the machine).
 */
export class Ticker implements EventSource {
  #last: number;
  #planned = 0;
  #isStale = true;
  #isRunning = false;

  constructor(
    private readonly machine: Machine,
    private readonly loop: EventLoop,
    private readonly options: {
      period: number;
      /** The second of the period; milliseconds. */
      phase?: number;
      longestGap: number;
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

  next(): number {
    if (this.#isStale) this.#plan();
    return Math.max(this.#planned, this.loop.frozenUntil);
  }

  run(): void {
    this.#last = this.machine.time.now;
    this.#isStale = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.options.task().then(() => {
      this.#isRunning = false;
    });
  }

  #plan(): void {
    this.#isStale = false;
    const { longestGap, dueAt } = this.options;
    const next = this.#tickFrom(this.#last + 1);
    const offset = this.machine.wallOffset();
    const due = Math.min(dueAt() - offset, this.#last + longestGap, this.machine.denseFrom());
    this.#planned = Math.max(next, this.#tickFrom(Math.max(due, this.machine.time.now)));
  }

  /** The first tick at or after a true time. */
  #tickFrom(at: number): number {
    const { period, phase = 0 } = this.options;
    const offset = this.machine.wallOffset() - phase;
    return Math.ceil((at + offset) / period) * period - offset;
  }
}
