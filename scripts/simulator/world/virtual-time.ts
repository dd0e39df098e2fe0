import { drainMicrotasks } from "bun:jsc";
import { TimedQueue } from "./timed-queue.ts";

/** More events at one time mean that the simulated program never waits. */
const MAX_AT_ONCE = 200_000;

/** A source of events besides the queues, such as the ticks of a server. */
export interface EventSource {
  /** The true time of its next event. */
  next(): number;
  run(): void;
}

/**
 * True time. It moves only from one event to the next, after all work of the previous event has ended: nothing that is
 * simulated waits for anything but these events, so its promises settle within `drainMicrotasks`.
 */
export class VirtualTime {
  now: number;
  /** How long the machine was suspended in all. */
  suspended = 0;
  /** Counts the events. */
  events = 0;
  readonly #queue = new TimedQueue();
  /** Event loops first, then tickers: ticks come last among the events of one time. */
  #sources: EventSource[] = [];
  #since = 0;

  constructor(from: number) {
    this.now = from;
  }

  /** @param at true time; a past one is now */
  at(at: number, run: () => void): void {
    this.#queue.add(Math.max(at, this.now), run);
  }

  add(...sources: EventSource[]): void {
    this.#sources.push(...sources);
  }

  remove(sources: readonly EventSource[]): void {
    this.#sources = this.#sources.filter((source) => !sources.includes(source));
  }

  /** Runs all events until a time, or until `isDone`. Must be called outside of a microtask. */
  run(until: number, isDone: () => boolean = () => false): void {
    drainMicrotasks();
    while (!isDone() && this.#step(until)) drainMicrotasks();
  }

  /** Like `run`, if what an event begins also waits for I/O. @param settle waits for the end of all of it */
  async runSettled(
    until: number,
    settle: () => Promise<void>,
    isDone: () => boolean = () => false,
  ): Promise<void> {
    await settle();
    while (!isDone() && this.#step(until)) await settle();
  }

  #step(until: number): boolean {
    let at = this.#queue.next();
    let source: EventSource | undefined;
    for (const one of this.#sources) {
      const next = one.next();
      if (next >= at) continue;
      at = next;
      source = one;
    }
    if (at > until) {
      this.now = Math.max(this.now, until);
      return false;
    }
    this.#count(at);
    if (source) source.run();
    else this.#queue.take()?.run();
    return true;
  }

  #count(at: number): void {
    this.events++;
    if (at > this.now) {
      this.now = at;
      this.#since = this.events;
    } else if (this.events - this.#since > MAX_AT_ONCE) {
      throw new Error(`the simulated program does not wait at ${new Date(this.now).toISOString()}`);
    }
  }
}

/** The event loop of one thread. Its times are of the monotonic clock, which stops while the machine is suspended. */
export class EventLoop implements EventSource {
  readonly #queue = new TimedQueue();
  /** True time before which nothing runs. */
  frozenUntil = Number.NEGATIVE_INFINITY;

  constructor(readonly time: VirtualTime) {}

  monotonic(): number {
    return this.time.now - this.time.suspended;
  }

  /** @returns cancels it */
  after(ms: number, run: () => void): () => void {
    const event = this.#queue.add(this.monotonic() + Math.max(0, ms), run);
    return () => {
      event.cancelled = true;
    };
  }

  freeze(until: number): void {
    this.frozenUntil = Math.max(this.frozenUntil, until);
  }

  /** When work that comes now can run. */
  freeAt(): number {
    return Math.max(this.time.now, this.frozenUntil);
  }

  next(): number {
    return Math.max(this.frozenUntil, this.#queue.next() + this.time.suspended);
  }

  run(): void {
    this.#queue.take()?.run();
  }
}
