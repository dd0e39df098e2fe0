import { Cron } from "croner";
import { pruneDetails } from "../db/details.ts";
import { pruneResults, pruneRollups, returnSpace, sweepDeletedMonitors } from "../db/housekeeping.ts";
import type { Database } from "../db/open.ts";
import type { Logger } from "../log.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Uptime and history look back 90 days, from within a day (decisions 1 and 4). */
const FEWEST_ROLLUP_DAYS = 92;

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
  const pruning = new Cron("17 3 * * * *", { paused: true, protect: true, catch: onError }, pruneAllRollups);
  let stopped = false;
  /** The inner number of the last result that was looked at. */
  let lookedUntil = 0;
  let working: Promise<void> = Promise.resolve();

  async function tidy(): Promise<void> {
    working = inPieces(() => sweepDeletedMonitors(db))
      .then(pruneAllResults)
      .then(() => inPieces(() => returnSpace(db)));
    await working;
  }

  /** The oldest, which lie first; and of the others, those of the next stretch that are too old all the same. */
  async function pruneAllResults(): Promise<void> {
    const before = Date.now() - retentionDays * DAY;
    await inPieces(async () => (await pruneResults(db, before, 0)).deleted > 0);
    await inPieces(async () => {
      const { deleted, end } = await pruneResults(db, before, lookedUntil);
      lookedUntil = end;
      return deleted > 0;
    });
  }

  async function pruneAllRollups(): Promise<void> {
    const before = Date.now() - Math.max(retentionDays, FEWEST_ROLLUP_DAYS) * DAY;
    let after: number | null = 0;
    await pruneDetails(db, Date.now() - retentionDays * DAY);
    await inPieces(async () => {
      after = await pruneRollups(db, before, after ?? 0);
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
