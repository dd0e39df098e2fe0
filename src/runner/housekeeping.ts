import type { Clock } from "../clock.ts";
import type { Logger } from "../log.ts";
import type { Claimant, Sealing, Store } from "../store/store.ts";
import { createFaultLog, createLoop, createSteadyClock, createWorkClaim, type SteadyClock } from "./loop.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** How often results are packed. The pauses leave most of the time to other writes, also for days of an older version. */
const PACK_EVERY = 5000;
const PACK_PAUSE = 50;

/** How often results and the rows of deleted monitors and channels are deleted, and how often all else is. */
const TIDY_EVERY = 5000;
const PRUNE_EVERY = HOUR;

/** Uptime and history cover 90 days, the first of them in part (behavior 6.1, 6.4, 6.8). */
const FEWEST_ROLLUP_DAYS = 92;

/** For how long after its end the evidence of an outage is kept (behavior 22.10). */
const EVIDENCE_DAYS = 90;

/** A year, also one with a leap day (behavior 14.75). */
const AUDIT_DAYS = 366;

/** How long what is known of a domain is kept after no monitor asks for it any more. */
const REGISTRATION_DAYS = 30;

/** How often it is stored that the clock is steady. */
const NOTE_STEADY_EVERY = HOUR;

/** Pause between two pieces, in which other work runs; milliseconds. */
const PAUSE = 10;

/** How long the claim of one node lasts, in milliseconds. */
const LEASE = 30_000;

const byNumber = (a: number, b: number): number => a - b;

/** Packs results, and deletes expired data and the rows of deleted monitors and channels, in small pieces. */
export interface Housekeeping {
  /** @param steadyAt when the clock was last known to be steady, before this start; null if it never was */
  start(steadyAt: number | null): void;
  stop(): Promise<void>;
}

export function createHousekeeping({
  store,
  clock,
  claimant,
  log,
  retentionDays,
  pageSlugs = [],
}: {
  store: Store;
  clock: Clock;
  claimant: () => Claimant;
  log: Logger;
  retentionDays: number;
  /** The slugs that hosts of this server lead to: they stay reserved (behavior 15.7). */
  pageSlugs?: readonly string[];
}): Housekeeping {
  const faults = createFaultLog(log, "housekeeping failed and is tried again");
  const packing = createLoop({ clock, every: PACK_EVERY, task: packResults, faults });
  const tidying = createLoop({ clock, every: TIDY_EVERY, task: tidy, faults });
  const pruning = createLoop({ clock, every: PRUNE_EVERY, task: pruneAllElse, faults });
  let steadyClock: SteadyClock | undefined;
  let wasSteady = true;
  let steadyNotedAt = Number.NEGATIVE_INFINITY;
  let isDifferent = false;
  let keeping: Promise<void> = Promise.resolve();
  const claim = createWorkClaim("housekeeping", { store, clock, claimant, lease: LEASE });

  async function tidy(): Promise<void> {
    if (!(await claim.take())) return;
    await inPieces(() => store.housekeeping.sweepDeletedMonitors());
    await inPieces(() => store.housekeeping.sweepDeletedChannels());
    await pruneAllResults();
    await inPieces(() => store.housekeeping.returnSpace());
  }

  async function pruneAllResults(): Promise<void> {
    const now = await steadyTime();
    if (now === null) return;
    const before = now - (await longestRetention(now)) * DAY;
    await inPieces(async () => (await store.housekeeping.pruneResults(before)) > 0);
  }

  async function packResults(): Promise<void> {
    if (!(await claim.take())) return;
    const now = await steadyTime();
    if (now === null) return;
    let sealing: Sealing | null = null;
    const pack = async () => {
      sealing = await store.housekeeping.sealResults(now - HOUR, sealing);
      return sealing !== null;
    };
    await inPieces(pack, PACK_PAUSE);
  }

  async function keepSlugs(): Promise<void> {
    if (pageSlugs.length > 0) await store.pages.keepReleased(pageSlugs, clock.now());
  }

  async function pruneAllElse(): Promise<void> {
    await keepSlugs();
    if (!(await claim.take())) return;
    const now = await steadyTime();
    if (now === null) return;
    const days = await longestRetention(now);
    await inStretches((after) => store.housekeeping.pruneDetails(now - days * DAY, after));
    await inStretches((after) => store.housekeeping.pruneRuns(now - days * DAY, after));
    const evidence = { before: now - days * DAY, outagesBefore: now - EVIDENCE_DAYS * DAY };
    await inStretches((after) => store.housekeeping.pruneEvidence(evidence, after));
    const before = now - Math.max(days, FEWEST_ROLLUP_DAYS) * DAY;
    await inStretches((after) => store.housekeeping.pruneRollups(before, after));
    await store.housekeeping.pruneCauses(before);
    await inPieces(() => store.housekeeping.pruneMaintenanceRuns(before));
    await inPieces(() => store.housekeeping.pruneAuditEntries(now - AUDIT_DAYS * DAY));
    await inPieces(() => store.housekeeping.pruneSubscribers(now));
    await inPieces(() => store.housekeeping.pruneAnnouncements(before));
    await inPieces(() => store.housekeeping.pruneUsedBeginnings(now));
    await inPieces(() => store.housekeeping.pruneReleasedSlugs(now));
    await inPieces(() => store.housekeeping.pruneRegistrations(now - REGISTRATION_DAYS * DAY));
  }

  /** A node with a shorter retention deletes nothing that another one keeps (behavior 12.73). @returns days */
  async function longestRetention(now: number): Promise<number> {
    const days = [...new Set([retentionDays, ...(await store.nodes.listRetentions(now))])].sort(byNumber);
    const longest = days.at(-1) ?? retentionDays;
    if (days.length > 1 && !isDifferent)
      log.warn(
        { retentionDays: days },
        `nodes differ in --retention-days: results are kept for ${longest} days`,
      );
    isDifferent = days.length > 1;
    return longest;
  }

  /** @returns milliseconds since 1970; null while the clock is not trusted */
  async function steadyTime(): Promise<number | null> {
    const now = clock.now();
    const isSteady = steadyClock?.isSteady() ?? false;
    if (wasSteady && !isSteady)
      log.warn("the clock may be wrong: nothing is deleted for its age until it has been steady for an hour");
    wasSteady = isSteady;
    if (!isSteady) return null;
    if (clock.monotonic() - steadyNotedAt > NOTE_STEADY_EVERY) {
      await store.housekeeping.noteSteady(now);
      steadyNotedAt = clock.monotonic();
    }
    return now;
  }

  /** @param work gets the end of the previous stretch, at first 0; returns its own end, or null if it was the last */
  async function inStretches(work: (after: number) => Promise<number | null>): Promise<void> {
    let after: number | null = 0;
    await inPieces(async () => {
      after = await work(after ?? 0);
      return after !== null;
    });
  }

  /** @param work one piece; returns whether there may be more */
  async function inPieces(work: () => Promise<boolean>, pause = PAUSE): Promise<void> {
    while (!tidying.isStopped() && (await claim.take()) && (await work())) await clock.sleep(pause);
  }

  return {
    start(steadyAt) {
      steadyClock = createSteadyClock(clock, steadyAt);
      keeping = keepSlugs().catch(faults.failed);
      packing.start();
      tidying.start();
      pruning.start();
    },
    async stop() {
      steadyClock?.stop();
      await Promise.all([keeping, tidying.stop(), packing.stop(), pruning.stop()]);
    },
  };
}
