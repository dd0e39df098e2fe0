import { Cron } from "croner";
import type { Logger } from "../log.ts";
import type { Database } from "../store/sqlite/open.ts";
import {
  lastSteady,
  noteSteady,
  pruneResults,
  pruneRollups,
  returnSpace,
  sweepDeletedChannels,
  sweepDeletedMonitors,
} from "../store/sqlite/recording/housekeeping.ts";
import { pruneDetails } from "../store/sqlite/results/details.ts";
import { createSteadyClock } from "./steady-clock.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Uptime and history look back 90 days, from within a day (decisions 1 and 4). */
const FEWEST_ROLLUP_DAYS = 92;

/** How often it is kept that the clock is steady, in milliseconds. */
const NOTE_STEADY_EVERY = 60 * 60 * 1000;

/** Milliseconds between two pieces of work, for everything else. */
const BREATH = 10;

/** Deletes what is too old or belongs to nobody any more, in small pieces. */
export interface Housekeeping {
  start(): void;
  stop(): Promise<void>;
}

export function createHousekeeping({
  db,
  log,
  retentionDays,
}: {
  db: Database;
  log: Logger;
  retentionDays: number;
}): Housekeeping {
  const onError = (error: unknown) => log.error({ err: error }, "housekeeping failed and is tried again");
  const tidying = new Cron("*/5 * * * * *", { paused: true, protect: true, catch: onError }, tidy);
  const pruning = new Cron("17 3 * * * *", { paused: true, protect: true, catch: onError }, pruneTheRest);
  const clock = createSteadyClock(lastSteady(db));
  let wasSteady = true;
  let steadyNotedAt = Number.NEGATIVE_INFINITY;
  let stopped = false;
  /** The inner number of the last result that was looked at. */
  let lookedUntil = 0;
  let working: Promise<void> = Promise.resolve();

  async function tidy(): Promise<void> {
    working = inPieces(() => sweepDeletedMonitors(db))
      .then(() => inPieces(() => sweepDeletedChannels(db)))
      .then(pruneAllResults)
      .then(() => inPieces(() => returnSpace(db)));
    await working;
  }

  /** The oldest, which lie first; and of the others, those of the next stretch that are too old all the same. */
  async function pruneAllResults(): Promise<void> {
    const now = await steadyTime();
    if (now === null) return;
    const before = now - retentionDays * DAY;
    await inPieces(async () => (await pruneResults(db, before, 0)).deleted > 0);
    await inPieces(async () => {
      const { deleted, end } = await pruneResults(db, before, lookedUntil);
      lookedUntil = end;
      return deleted > 0;
    });
  }

  async function pruneTheRest(): Promise<void> {
    const now = await steadyTime();
    if (now === null) return;
    await inStretches((after) => pruneDetails(db, now - retentionDays * DAY, after));
    const before = now - Math.max(retentionDays, FEWEST_ROLLUP_DAYS) * DAY;
    await inStretches((after) => pruneRollups(db, before, after));
  }

  /** The time in milliseconds since 1970; null while the clock can't be trusted with what is too old. */
  async function steadyTime(): Promise<number | null> {
    const [now, monotonic] = [Date.now(), performance.now()];
    const steady = clock.isSteady(now, monotonic);
    if (wasSteady && !steady)
      log.warn("the clock may be wrong: nothing is deleted for its age until it has been steady for an hour");
    wasSteady = steady;
    if (!steady) return null;
    if (monotonic - steadyNotedAt > NOTE_STEADY_EVERY) {
      await noteSteady(db, now);
      steadyNotedAt = monotonic;
    }
    return now;
  }

  /** @param work takes the end of the former stretch, 0 to begin, and returns its own, or null at the end of all */
  async function inStretches(work: (after: number) => Promise<number | null>): Promise<void> {
    let after: number | null = 0;
    await inPieces(async () => {
      after = await work(after ?? 0);
      return after !== null;
    });
  }

  /** @param work one piece; says whether there may be more */
  async function inPieces(work: () => Promise<boolean>): Promise<void> {
    while (!stopped && (await work())) await Bun.sleep(BREATH);
  }

  return {
    start() {
      tidying.resume();
      pruning.resume();
    },
    async stop() {
      stopped = true;
      tidying.stop();
      pruning.stop();
      await working.catch(() => {});
    },
  };
}
