import { type Cancel, type Clock, createJumpListeners, createSystemClock, JUMP_TOLERANCE } from "../clock.ts";
import { StorageFault } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Store } from "../store/store.ts";
import { patiently } from "./patience.ts";
import { createTimeEstimate, type TimeSample } from "./time-estimate.ts";

/** @property isShared whether the clock is that of a database, which other nodes follow too */
export interface ServerClock {
  clock: Clock;
  isShared: boolean;
  /** Whether the database did not answer the last time. */
  isAway(): boolean;
  /** Stops to follow the database. The clock continues. */
  stop(): void;
}

type TimeSource = Pick<Store["changes"], "readTime">;

const SAMPLE_EVERY = 1000;

/** How many samples are taken at the start. The first one opens a connection, so it bounds the time loosely. */
const FIRST_SAMPLES = 4;

/** An error within this time, in milliseconds, is not the silence of the database. */
const QUICK = 1000;

const HOUR = 3_600_000;

/** An hourly task runs some minutes past the hour, as with the clock of the system. */
const PAST_THE_HOUR = 197_000;

/** A timer that fires this much too early, in milliseconds, does not fire again at the time itself. */
const SLACK = 10;

/** The clock that a server works by: that of its database, if nodes share it, else that of this machine. */
export async function openClock(source: TimeSource, log: Logger): Promise<ServerClock> {
  const system = createSystemClock(log);
  if ((await patiently(system, source.readTime)) === null)
    return { clock: system, isShared: false, isAway: () => false, stop() {} };
  const { clock, follow, isAway } = createDatabaseClock(source, { system, log });
  for (let taken = 0; taken < FIRST_SAMPLES; taken++) await patiently(system, follow);
  return { clock, isShared: true, isAway, stop: clock.every(SAMPLE_EVERY, follow) };
}

/**
 * A clock that shows the time of a database. Between samples it follows the monotonic clock, so that it does not matter
 * what the wall clock of this machine shows, or that it is set. Where the database's clock is set, this one jumps.
 *
 * @param system for its monotonic clock and its timers
 * @returns also a function that takes a sample, of which the first must succeed before the clock is used, and whether the
 *   last one failed
 */
export function createDatabaseClock(
  source: TimeSource,
  { system, log }: { system: Pick<Clock, "monotonic" | "sleep" | "after">; log: Logger },
) {
  const { monotonic, sleep, after } = system;
  const estimate = createTimeEstimate();
  const jumps = createJumpListeners();
  let shift = Number.NaN;
  let isAway = false;
  /** The latest time that was shown since the last jump. */
  let shown = Number.NEGATIVE_INFINITY;

  /** A correction below a jump does not turn the time back. */
  function now(): number {
    shown = Math.max(shown, Math.floor(monotonic() + shift));
    return shown;
  }

  async function follow(): Promise<void> {
    const start = monotonic();
    let sample = await takeSample();
    // A connection that broke is replaced, which says nothing about the database.
    if (!sample && monotonic() - start < QUICK) sample = await takeSample();
    noteAway(sample === undefined);
    if (!sample) return;
    const next = estimate.add(sample);
    if (Math.abs(next - shift) > JUMP_TOLERANCE) jumpTo(next);
    else shift = next;
  }

  function jumpTo(next: number): void {
    const from = now();
    shift = next;
    shown = Number.NEGATIVE_INFINITY;
    const to = now();
    log.warn({ seconds: (to - from) / 1000 }, "the clock of the database was set");
    jumps.notify({ from, to });
  }

  /** @returns undefined while the database is away, after the first sample */
  async function takeSample(): Promise<TimeSample | undefined> {
    const before = monotonic();
    try {
      const remote = await source.readTime();
      return remote === null ? undefined : { before, remote: Math.floor(remote), after: monotonic() };
    } catch (error) {
      if (Number.isNaN(shift) || !(error instanceof StorageFault)) throw error;
      return undefined;
    }
  }

  function noteAway(away: boolean): void {
    if (away && !isAway) log.error("the database is away");
    if (!away && isAway) log.info("the database is back");
    isAway = away;
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
  return { clock, follow, isAway: () => isAway };
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
