import type { Logger } from "./log.ts";

/** Time as an argument. Tests pass a clock that they advance themselves. */
export interface Clock {
  /** The wall clock in milliseconds since 1970. After a jump it calls the listeners before it returns the new time. */
  now(): number;
  /** Milliseconds since an arbitrary moment. It never jumps. */
  monotonic(): number;
  /** Lets other work run, also with 0 ms. */
  sleep(ms: number): Promise<void>;
  /** Runs a task once. @param ms delay @returns cancels it */
  after(ms: number, task: Task): Cancel;
  /**
   * Runs a task again and again, one run at a time: while one is still running, the next is left out.
   *
   * @param ms whole seconds that divide a minute, or one hour @returns stops it
   */
  every(ms: number, task: Task): Cancel;
  /** @param listener must be synchronous @returns removes it */
  onJump(listener: (jump: ClockJump) => void): Cancel;
}

/** A function for `after` and `every`. Its errors are logged. */
export type Task = () => unknown;

export type Cancel = () => void;

/** A step of the wall clock. @property from what it would show without the step @property to what it shows */
export interface ClockJump {
  from: number;
  to: number;
}

/** A smaller difference between two readings is a correction of the wall clock, not a jump; milliseconds. */
export const JUMP_TOLERANCE = 500;

export function createSystemClock(log: Logger): Clock {
  const onError = (error: unknown) => log.error({ err: error }, "a scheduled task failed");
  const jumps = createJumpListeners();
  const detectJump = createJumpDetector(read());
  const ticker = createTicker();
  return {
    now() {
      const reading = read();
      const jump = detectJump(reading);
      if (jump) jumps.notify(jump);
      return reading.wall;
    },
    monotonic: () => performance.now(),
    sleep: (ms) => Bun.sleep(ms),
    after(ms, task) {
      const timer = setTimeout(() => run(task).catch(onError), ms);
      return () => clearTimeout(timer);
    },
    every: (ms, task) => ticker.add(ms, () => run(task).catch(onError)),
    onJump: jumps.add,
  };
}

/** A reading of both clocks, in milliseconds. */
export interface Reading {
  wall: number;
  monotonic: number;
}

/** Reads again if the process was suspended between the clocks, because that looks like a jump. */
function read(): Reading {
  const before = performance.now();
  const wall = Date.now();
  const monotonic = performance.now();
  return monotonic - before < JUMP_TOLERANCE / 2 ? { wall, monotonic } : read();
}

/** @returns a function that finds the jump between the previous reading and this one; null if there is none */
export function createJumpDetector(first: Reading): (reading: Reading) => ClockJump | null {
  let offset = first.wall - first.monotonic;
  return ({ wall, monotonic }) => {
    const from = monotonic + offset;
    offset = wall - monotonic;
    return Math.abs(wall - from) > JUMP_TOLERANCE ? { from, to: wall } : null;
  };
}

export function createJumpListeners() {
  const listeners = new Set<(jump: ClockJump) => void>();
  return {
    add(listener: (jump: ClockJump) => void): Cancel {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify(jump: ClockJump): void {
      for (const listener of listeners) listener(jump);
    },
  };
}

async function run(task: Task): Promise<void> {
  await task();
}

/** Runs the tasks of all periods with one timer, so that an idle process wakes once a second. */
interface Ticker {
  /** See `Clock.every`. @param task must not fail @returns stops it */
  add(ms: number, task: () => Promise<void>): () => void;
}

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** An hourly task runs some minutes past the hour, when fewer jobs of the machine and of users run. */
const PAST_HOUR = 197_000;

function createTicker(): Ticker {
  const ticks = new Set<(before: number, now: number) => void>();
  let last = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function plan(): void {
    timer = setTimeout(tick, SECOND - (Date.now() % SECOND));
  }

  function tick(): void {
    const before = last;
    last = Date.now();
    plan();
    for (const one of [...ticks]) one(before, last);
  }

  return {
    add(ms, task) {
      const periodOf = numberingOf(ms);
      let isRunning = false;
      async function onTick(before: number, now: number): Promise<void> {
        // Also after a step of the wall clock, or if the timer was early.
        if (isRunning || periodOf(before) === periodOf(now)) return;
        isRunning = true;
        await task();
        isRunning = false;
      }
      if (ticks.size === 0) {
        last = Date.now();
        plan();
      }
      ticks.add(onTick);
      return () => {
        if (ticks.delete(onTick) && ticks.size === 0) clearTimeout(timer);
      };
    },
  };
}

/** @returns the number of the period of a time */
function numberingOf(ms: number): (time: number) => number {
  if (ms === HOUR) return (time) => Math.floor((time - PAST_HOUR) / HOUR);
  if (ms < SECOND || MINUTE % ms !== 0 || ms % SECOND !== 0)
    throw new Error(`every() takes whole seconds that divide a minute, or one hour, got ${ms} ms`);
  return (time) => Math.floor(time / ms);
}
