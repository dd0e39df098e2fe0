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
  return createSystemClock(createLogger({ level: "error", format: "json" }));
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
  /** Lets time pass and runs the timers in order. It does not wait for I/O of their tasks. */
  advance(ms: number): Promise<void>;
  /** Lets time pass until `look` returns a value that is neither undefined nor false. */
  until<T>(look: () => Promise<T | undefined | false> | T | undefined | false): Promise<T>;
  /** Changes the wall clock. @param ms negative to set it back */
  jump(ms: number): void;
  setBack(ms: number): void;
}

interface Timer {
  at: number;
  run(): void;
}

/** How long `until` polls in real milliseconds, and how far it advances between two polls. */
const PATIENCE = 8000;
const STEP = 100;

/** Starts at the real time by default, because code that takes no clock reads that. */
export function createTestClock(start = Date.now()): TestClock {
  const timers = new Set<Timer>();
  const jumps = createJumpListeners();
  let elapsed = 0;
  let offset = start;

  function after(ms: number, task: Task): Cancel {
    const timer = { at: elapsed + ms, run: task };
    timers.add(timer);
    return () => void timers.delete(timer);
  }

  function next(until: number): Timer | undefined {
    const due = [...timers].filter(({ at }) => at <= until);
    return due.reduce<Timer | undefined>(
      (first, one) => (first && first.at <= one.at ? first : one),
      undefined,
    );
  }

  async function advance(ms: number): Promise<void> {
    const end = elapsed + ms;
    for (let timer = next(end); timer; timer = next(end)) {
      timers.delete(timer);
      elapsed = Math.max(elapsed, timer.at);
      timer.run();
      await turn();
    }
    elapsed = end;
    await turn();
  }

  function jump(ms: number): void {
    const from = elapsed + offset;
    offset += ms;
    jumps.notify({ from, to: from + ms });
  }

  return {
    now: () => elapsed + offset,
    monotonic: () => elapsed,
    sleep: (ms) => (ms <= 0 ? turn() : new Promise((resolve) => after(ms, () => resolve()))),
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
  };
}

/** Lets the event loop run what is ready. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
