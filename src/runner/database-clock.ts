import { type Cancel, type Clock, createJumpListeners, createSystemClock, JUMP_TOLERANCE } from "../clock.ts";
import { StorageFault } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Store } from "../store/store.ts";
import { withRetry } from "./loop.ts";

/** @property isShared whether it is the clock of a database, which other nodes follow too */
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

/** The clock of a server: the clock of its database, if nodes share it, else of this machine. */
export async function openClock(source: TimeSource, log: Logger): Promise<ServerClock> {
  const system = createSystemClock(log);
  if ((await withRetry(system, source.readTime)) === null)
    return { clock: system, isShared: false, isAway: () => false, stop() {} };
  const { clock, follow, isAway } = createDatabaseClock(source, { system, log });
  for (let taken = 0; taken < FIRST_SAMPLES; taken++) await withRetry(system, follow);
  return { clock, isShared: true, isAway, stop: clock.every(SAMPLE_EVERY, follow) };
}

/**
 * A clock that shows the time of a database.
 *
 * @param system for its monotonic clock and its timers
 * @returns also a function that takes a sample, of which the first must succeed before the clock is used, and whether the
 *   last one failed
 */
export function createDatabaseClock(
  source: TimeSource,
  { system, log }: { system: Pick<Clock, "monotonic" | "sleep" | "after">; log: Logger },
) {
  const { monotonic } = system;
  const remote = createRemoteClock({ system, log, owner: "database" });
  let isAway = false;

  async function follow(): Promise<void> {
    const start = monotonic();
    let sample = await takeSample();
    // A connection that broke is replaced, which says nothing about the database.
    if (!sample && monotonic() - start < QUICK) sample = await takeSample();
    noteAway(sample === undefined);
    if (sample) remote.add(sample);
  }

  /** @returns undefined while the database is away, after the first sample */
  async function takeSample(): Promise<TimeSample | undefined> {
    const before = monotonic();
    try {
      const time = await source.readTime();
      return time === null ? undefined : { before, remote: Math.floor(time), after: monotonic() };
    } catch (error) {
      if (!remote.isKnown() || !(error instanceof StorageFault)) throw error;
      return undefined;
    }
  }

  function noteAway(away: boolean): void {
    if (away && !isAway) log.error("the database is unreachable");
    if (!away && isAway) log.info("the database is back");
    isAway = away;
  }

  return { clock: remote.clock, follow, isAway: () => isAway };
}

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

/**
 * A reading of a remote clock, between two readings of the local monotonic clock; milliseconds.
 *
 * @property remote since 1970, rounded down to the millisecond
 */
export interface TimeSample {
  before: number;
  remote: number;
  after: number;
}

/** Maximum drift between two clocks: the largest correction of NTP, which is more than the drift of a crystal. */
const DRIFT = 0.001;

/** The shift between both clocks is between these, judged at a moment of the monotonic clock. */
interface Bounds {
  at: number;
  low: number;
  high: number;
}

/**
 * Estimates what to add to the monotonic clock to get the time of a remote clock. Each sample bounds it; a short round trip
 * bounds it closely. A sample that contradicts the earlier ones shows that the remote clock was set.
 */
export function createTimeEstimate() {
  let known: Bounds | undefined;
  return {
    /** @returns the new estimate */
    add({ before, remote, after }: TimeSample): number {
      const sample = { at: after, low: remote - after, high: remote + 1 - before };
      known = (known && overlap(known, sample)) ?? sample;
      return (known.low + known.high) / 2;
    },
  };
}

/** @returns undefined if the sample contradicts what is known */
function overlap(known: Bounds, { at, low, high }: Bounds): Bounds | undefined {
  const drift = (at - known.at) * DRIFT;
  const both = { at, low: Math.max(low, known.low - drift), high: Math.min(high, known.high + drift) };
  return both.low <= both.high ? both : undefined;
}
