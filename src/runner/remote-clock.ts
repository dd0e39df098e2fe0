import { type Cancel, type Clock, createJumpListeners, JUMP_TOLERANCE } from "../clock.ts";
import type { Logger } from "../log.ts";
import { createTimeEstimate, type TimeSample } from "./time-estimate.ts";

/** A clock that shows the time of another machine. It can be used after the first sample. */
export interface RemoteClock {
  clock: Clock;
  /** Takes a reading of the remote clock. */
  add(sample: TimeSample): void;
  /** Whether there was a sample. */
  isKnown(): boolean;
}

const HOUR = 3_600_000;

/** An hourly task runs some minutes past the hour, as with the clock of the system. */
const PAST_THE_HOUR = 197_000;

/** A timer that fires this much too early, in milliseconds, does not fire again at the time itself. */
const SLACK = 10;

/**
 * Between samples the clock follows the monotonic clock, so that it does not matter what the wall clock of this machine
 * shows, or that it is set. Where the remote clock is set, this one jumps.
 *
 * @param system for its monotonic clock and its timers
 * @param owner whose clock it is, for the log, for example `database`
 */
export function createRemoteClock({
  system,
  log,
  owner,
}: {
  system: Pick<Clock, "monotonic" | "sleep" | "after">;
  log: Logger;
  owner: string;
}): RemoteClock {
  const { monotonic, sleep, after } = system;
  const estimate = createTimeEstimate();
  const jumps = createJumpListeners();
  let shift = Number.NaN;
  /** The latest time that was shown since the last jump. */
  let shown = Number.NEGATIVE_INFINITY;

  /** A correction below a jump does not turn the time back. */
  function now(): number {
    shown = Math.max(shown, Math.floor(monotonic() + shift));
    return shown;
  }

  function add(sample: TimeSample): void {
    const next = estimate.add(sample);
    if (Math.abs(next - shift) > JUMP_TOLERANCE) jumpTo(next);
    else shift = next;
  }

  function jumpTo(next: number): void {
    const from = now();
    shift = next;
    shown = Number.NEGATIVE_INFINITY;
    const to = now();
    log.warn({ seconds: (to - from) / 1000 }, `the clock of the ${owner} was set`);
    jumps.notify({ from, to });
  }

  /** Repeats at whole multiples of the time, of which a run that takes longer skips some. */
  function every(ms: number, task: () => unknown): Cancel {
    const phase = ms === HOUR ? PAST_THE_HOUR : 0;
    const wait = () => ms - modulo(monotonic() + shift - phase + SLACK, ms) + SLACK;
    let cancel = after(wait(), run);
    let isStopped = false;
    async function run(): Promise<void> {
      try {
        await task();
      } finally {
        if (!isStopped) cancel = after(wait(), run);
      }
    }
    return () => {
      isStopped = true;
      cancel();
    };
  }

  const clock: Clock = { now, monotonic, sleep, after, every, onJump: jumps.add };
  return { clock, add, isKnown: () => !Number.isNaN(shift) };
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
