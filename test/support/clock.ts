import {
  type Cancel,
  type Clock,
  createJumpListeners,
  createSystemClock,
  type Task,
} from "../../src/clock.ts";
import { createLogger } from "../../src/log.ts";

/** The clock of the server, for what is tested in real time. */
export function systemClock(): Clock {
  return createSystemClock(createLogger({ level: "error" }));
}

/** Shifts the wall clock of this process until the end of the `using` block. */
export function shiftClock(milliseconds: number): Disposable {
  const RealDate = globalThis.Date;
  globalThis.Date = class extends RealDate {
    constructor(...given: [] | [value: number | string | Date]) {
      super(...((given.length > 0 ? given : [RealDate.now() + milliseconds]) as [number]));
    }

    /** A date that was created before the shift is an instance too. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof RealDate;
    }

    static override now(): number {
      return RealDate.now() + milliseconds;
    }
  } as DateConstructor;
  return {
    [Symbol.dispose]() {
      globalThis.Date = RealDate;
    },
  };
}

/** A clock whose time passes only by `advance`. */
export interface TestClock extends Clock {
  /** Lets time pass and runs the timers in order. Of the I/O of their tasks it waits only for what is tracked. */
  advance(ms: number): Promise<void>;
  /** Stops time until this I/O has ended. */
  track<Result>(io: Promise<Result>): Promise<Result>;
  /** Waits until no tracked I/O is left and no task can continue without time or other I/O. */
  settle(): Promise<void>;
  /** Lets time pass until `look` returns a value that is neither undefined nor false. */
  until<T>(look: () => Promise<T | undefined | false> | T | undefined | false): Promise<T>;
  /** Changes the wall clock. @param ms negative to set it back */
  jump(ms: number): void;
  setBack(ms: number): void;
  /** The process stalls: time passes, and timers are late. */
  stall(ms: number): void;
}

interface Timer {
  at: number;
  run(): void;
}

/** The timers in the order in which they are due; of two that are due together, the older one first. */
function createTimers() {
  const timers: Timer[] = [];
  return {
    add(timer: Timer): void {
      const later = timers.findLastIndex(({ at }) => at <= timer.at) + 1;
      timers.splice(later, 0, timer);
    },
    delete(timer: Timer): void {
      const at = timers.indexOf(timer);
      if (at >= 0) timers.splice(at, 1);
    },
    /** Takes the first timer that is due by then. */
    take: (until: number) =>
      (timers[0]?.at ?? Number.POSITIVE_INFINITY) <= until ? timers.shift() : undefined,
  };
}

/** How long `until` polls in real milliseconds, and how far it advances between two polls. */
const PATIENCE = 120_000;
const STEP = 100;

/** Starts at the real time by default, because code that takes no clock reads that. */
export function createTestClock(start = Date.now()): TestClock {
  const timers = createTimers();
  const jumps = createJumpListeners();
  const tracked = new Set<Promise<unknown>>();
  let elapsed = 0;
  let offset = start;

  function after(ms: number, task: Task): Cancel {
    const timer = { at: elapsed + ms, run: task };
    timers.add(timer);
    return () => timers.delete(timer);
  }

  function track<Result>(io: Promise<Result>): Promise<Result> {
    tracked.add(io);
    const end = () => void tracked.delete(io);
    io.then(end, end);
    return io;
  }

  async function settle(): Promise<void> {
    await turn();
    while (tracked.size > 0) {
      await Promise.allSettled(tracked);
      await turn();
    }
  }

  async function advance(ms: number): Promise<void> {
    const end = elapsed + ms;
    for (let timer = timers.take(end); timer; timer = timers.take(end)) {
      elapsed = Math.max(elapsed, timer.at);
      timer.run();
      await settle();
    }
    elapsed = end;
    await settle();
  }

  function jump(ms: number): void {
    const from = elapsed + offset;
    offset += ms;
    // The system clock computes `from` by the monotonic clock, which has fractions of a millisecond.
    jumps.notify({ from: from + 0.18, to: from + ms });
  }

  return {
    now: () => elapsed + offset,
    monotonic: () => elapsed,
    sleep: (ms) => (ms <= 0 ? track(turn()) : new Promise((resolve) => after(ms, () => resolve()))),
    after,
    every(ms, task) {
      let isRunning = false;
      let cancel = after(ms, tick);
      async function tick(): Promise<void> {
        cancel = after(ms, tick);
        if (isRunning) return;
        isRunning = true;
        await task();
        isRunning = false;
      }
      return () => cancel();
    },
    onJump: jumps.add,
    advance,
    track,
    settle,
    async until(look) {
      const end = performance.now() + PATIENCE;
      for (;;) {
        const value = await look();
        if (value !== undefined && value !== false) return value;
        if (performance.now() > end) throw new Error(`no value within ${PATIENCE} ms: ${look}`);
        await advance(STEP);
      }
    },
    jump,
    setBack: (ms) => jump(-ms),
    stall(ms) {
      elapsed += ms;
    },
  };
}

/** Lets the event loop run what is ready. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
