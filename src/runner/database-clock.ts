import { type Clock, createSystemClock } from "../clock.ts";
import { StorageFault } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Store } from "../store/store.ts";
import { createRemoteClock } from "./remote-clock.ts";
import type { TimeSample } from "./time-estimate.ts";
import { withRetry } from "./with-retry.ts";

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
