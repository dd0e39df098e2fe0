import type { Cancel, Clock, ClockJump } from "../clock.ts";
import type { FaultLog } from "./fault-log.ts";

/** A task in the background. Two runs of it never overlap. */
export interface Loop {
  /** Starts the timer, and follows the clock. */
  start(): void;
  /** Requests a run: it begins now, or after the current run and the pause. All requests until then share it. */
  wake(): void;
  /** Requests a run. Resolves after it, also if it failed; if the loop is stopped, after the current run. */
  run(): Promise<void>;
  isStopped(): boolean;
  /** Starts no more runs, and waits for the current one. */
  stop(): Promise<void>;
}

/**
 * @property faults gets the outcome of each run
 * @property every milliseconds between two ticks of the timer: see `Clock.every`. Default: runs only if it is requested
 * @property onTick what a tick does. Default: it runs the task, and is skipped while the run of an earlier tick lasts
 * @property pause milliseconds from the end of one run to the start of the next; read at a request. Requests in the same turn
 *   of the event loop then share a run too. Default: a run begins within the call that requests it
 */
interface LoopOptions {
  clock: Clock;
  task: () => Promise<void>;
  faults: FaultLog;
  every?: number;
  onTick?: () => void;
  pause?: () => number;
  onJump?: (jump: ClockJump) => void;
}

export function createLoop({ clock, task, faults, every, onTick, pause, onJump }: LoopOptions): Loop {
  const cancels: Cancel[] = [];
  let current: Promise<void> | undefined;
  /** The run that is requested and has not begun. */
  let next: PromiseWithResolvers<void> | undefined;
  let cancelNext: Cancel | undefined;
  let endedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  function run(): Promise<void> {
    if (isStopped) return current ?? Promise.resolve();
    if (next) return next.promise;
    const requested = Promise.withResolvers<void>();
    next = requested;
    if (!current) plan(requested);
    return requested.promise;
  }

  function plan(requested: PromiseWithResolvers<void>): void {
    if (!pause) void begin(requested);
    else cancelNext = clock.after(Math.max(0, endedAt + pause() - clock.monotonic()), () => begin(requested));
  }

  async function begin({ promise, resolve }: PromiseWithResolvers<void>): Promise<void> {
    next = undefined;
    current = promise;
    try {
      await task();
      faults.succeeded();
    } catch (error) {
      faults.failed(error);
    }
    endedAt = clock.monotonic();
    current = undefined;
    resolve();
    if (next && !isStopped) plan(next);
  }

  return {
    start() {
      if (every !== undefined) cancels.push(clock.every(every, onTick ?? run));
      if (onJump) cancels.push(clock.onJump(onJump));
    },
    wake: () => void run(),
    run,
    isStopped: () => isStopped,
    async stop() {
      isStopped = true;
      for (const cancel of cancels) cancel();
      cancelNext?.();
      await current;
      next?.resolve();
    },
  };
}
