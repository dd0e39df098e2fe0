import type { Clock } from "../../clock.ts";
import type { Claimant, DueMonitor, Slot, Store } from "../../store/store.ts";
import type { RunningChecks } from "./concurrency-limit.ts";
import { planStarts, type SlotRange } from "./plan-starts.ts";
import type { Retries } from "./scheduler.ts";

/** A place before all slots, whose monitors have numbers from 1 on. */
const FIRST: Slot = { nextCheckAt: -1, pk: 0 };

/** Each scan finds what is due within this time, because the next one can be late; milliseconds. */
export const LOOK_AHEAD = 1500;

/** How many slots are listed at once: a list of a million would stop this thread for a second. */
const PAGE_SIZE = 20_000;

/** How many checks are claimed before other work of this thread has its turn. */
const CLAIMED_AT_ONCE = 1000;

/** How many overdue checks are kept that a scan could not start yet: as many as sockets get free until the next one. */
const MAX_LEFT = 5000;

/** Lists the checks that are due, and claims those that may start. */
export interface DueStarts {
  /** The next start begins with a list. */
  mustList(): void;
  /** @param now milliseconds since 1970 */
  start(now: number): Promise<void>;
}

/**
 * @param cancel ends the check of a monitor
 * @param start starts claimed checks, the overdue ones after these delays
 */
export function createDueStarts({
  store,
  clock,
  claimant,
  running,
  retries,
  trigger,
  pageSize = PAGE_SIZE,
  isStopped,
  cancel,
  start: startChecks,
}: {
  store: Pick<Store, "checks">;
  clock: Pick<Clock, "monotonic" | "sleep">;
  claimant: () => Claimant;
  running: Pick<RunningChecks, "byMonitor" | "limits" | "move">;
  retries: Pick<Retries, "isWaiting">;
  trigger: Pick<ScanTrigger, "planned">;
  pageSize?: number | undefined;
  isStopped: () => boolean;
  cancel: (pk: number) => void;
  start: (monitors: DueMonitor[], how: { delays: readonly number[]; claimedAt: number }) => void;
}): DueStarts {
  const catchUp = createCatchUp();
  /** The overdue checks that the last list contained and that could not start, the most overdue first. */
  let left: Slot[] = [];
  let isListNext = true;

  /** Lists what is due, or goes on with what the last list left: to list many for each check that ends costs too much. */
  async function start(now: number): Promise<void> {
    const isList = isListNext || left.length === 0;
    isListNext = false;
    const startedAt = clock.monotonic();
    let page = isList ? await listPage(now, FIRST) : { due: left, listed: null, isLast: true };
    const listedAt = clock.monotonic();
    let plan = await startListed(page, now);
    let { moreWaiting } = plan;
    // Checks that wait only for slow targets or for their retry must not hide the others.
    while (!page.isLast && left.length === 0 && !isStopped()) {
      page = await listPage(now, page.listed?.until ?? FIRST);
      plan = await startListed(page, now);
      moreWaiting ||= plan.moreWaiting;
    }
    if (isStopped()) return;
    const took = clock.monotonic() - (left.length > 0 ? listedAt : startedAt);
    trigger.planned({ moreWaiting, morePaced: plan.morePaced, took });
  }

  async function listPage(now: number, after: Slot): Promise<Page> {
    const before = now + LOOK_AHEAD;
    const due = await store.checks.listDueSlots(claimant(), {
      now,
      before,
      page: { after, limit: pageSize },
    });
    const isLast = due.length < pageSize;
    const end = { nextCheckAt: before, pk: 0 };
    return { due, listed: { after, until: isLast ? end : (due.at(-1) ?? end) }, isLast };
  }

  /** @returns whether checks wait for others to end, and whether overdue ones wait only so that their starts are spread */
  async function startListed(
    { due, listed }: Page,
    now: number,
  ): Promise<{ moreWaiting: boolean; morePaced: boolean }> {
    const listedAt = clock.monotonic();
    const plan = planStarts(due, {
      now,
      listed,
      running: running.byMonitor,
      isPostponed: retries.isWaiting,
      limits: running.limits(),
    });
    const { overdue, early, waiting, moreWaiting } = plan;
    for (const pk of plan.cancel) cancel(pk);
    for (const { pk, nextCheckAt } of plan.moved) running.move(pk, nextCheckAt);
    const delays = listed
      ? catchUp.plan(listedAt, { overdue: overdue.length + waiting.length, fitting: overdue.length })
      : catchUp.more(listedAt, overdue.length);
    const paced = overdue.slice(0, delays.length);
    left = [...overdue.slice(paced.length), ...waiting].slice(0, MAX_LEFT);
    await claimAndStart([...paced, ...early], { delays, now });
    return { moreWaiting, morePaced: paced.length < overdue.length };
  }

  /** @param starting the overdue checks first, in the order of their delays */
  async function claimAndStart(
    starting: readonly Slot[],
    { delays, now }: { delays: readonly number[]; now: number },
  ): Promise<void> {
    for (let from = 0; from < starting.length; from += CLAIMED_AT_ONCE) {
      if (from > 0) await clock.sleep(0);
      const until = from + CLAIMED_AT_ONCE;
      const monitors = await store.checks.claim(starting.slice(from, until), claimant(), now);
      if (isStopped()) return;
      startChecks(monitors, { delays: delays.slice(from, until), claimedAt: now });
    }
  }

  return {
    mustList() {
      isListNext = true;
    },
    start,
  };
}

/**
 * Slots whose checks may start.
 *
 * @property listed the range of which `due` has all slots; null if they are left of an earlier list
 * @property isLast whether nothing is due after it
 */
interface Page {
  due: readonly Slot[];
  listed: SlotRange | null;
  isLast: boolean;
}

/** All overdue checks start within this time, and not later one after another than this gap; milliseconds. */
const CATCH_UP_WITHIN = 8000;
const MAX_GAP = 1;

/** If more are overdue at the end of that time, they start within this time; milliseconds. */
const SHORTEST_WINDOW = 500;

/** Checks are claimed only if they start within this time, because they hold their sockets from then on; milliseconds. */
const CLAIM_AHEAD = 500;

/**
 * Spreads the starts of overdue checks, for example after a restart: thousands in the same millisecond would delay each
 * other (behavior 1.12). While the machine can't keep up, checks become overdue as fast as others start: they start as
 * fast as they come, in addition to the others.
 */
export interface CatchUp {
  /**
   * @param now milliseconds of a monotonic clock
   * @property overdue how many there are now @property fitting how many of them may start now
   * @returns the delays of those that start now, the most overdue first, in milliseconds
   */
  plan(now: number, scan: { overdue: number; fitting: number }): number[];
  /** The same for checks that the last scan left, at the pace of that scan. */
  more(now: number, fitting: number): number[];
}

export function createCatchUp(): CatchUp {
  /** When all are to be started. */
  let end = Number.NEGATIVE_INFINITY;
  /** The time after the last start. */
  let free = Number.NEGATIVE_INFINITY;
  /** How many the last scan left. */
  let left = 0;
  let scannedAt = 0;
  /** Checks for each millisecond. */
  let pace = 1 / MAX_GAP;

  /** @param start of the next check @returns checks for each millisecond */
  function paceOf(overdue: number, { now, start }: { now: number; start: number }): number {
    const arrived = left > 0 ? Math.max(0, overdue - left) : 0;
    if (left === 0) end = now + CATCH_UP_WITHIN;
    const arrivals = arrived / Math.max(1, now - scannedAt);
    const backlog = (overdue - arrived) / Math.max(SHORTEST_WINDOW, end - start);
    return Math.max(1 / MAX_GAP, arrivals + backlog);
  }

  /** @returns the delays of those that start now */
  function take(now: number, overdue: number, fitting: number): number[] {
    const start = Math.max(now, free);
    const gap = 1 / pace;
    const count = Math.min(fitting, Math.max(0, Math.ceil((now + CLAIM_AHEAD - start) / gap)));
    free = start + count * gap;
    left = Math.max(0, overdue - count);
    return Array.from({ length: count }, (_, place) => start - now + place * gap);
  }

  return {
    plan(now, { overdue, fitting }) {
      pace = paceOf(overdue, { now, start: Math.max(now, free) });
      scannedAt = now;
      return take(now, overdue, fitting);
    },
    more: (now, fitting) => take(now, left, fitting),
  };
}

/** Delay that batches finished checks into one scan, in milliseconds. */
const DELAY = 250;

/**
 * While due checks wait for others to end, the delay is this multiple of the duration of a scan: finished checks are
 * replaced soon, and scans of many overdue checks still leave the main thread most of its time.
 */
const DELAY_PER_SCAN = 10;

/** Decides when running checks cause a scan before the next regular one. */
export interface ScanTrigger {
  /**
   * A scan was planned.
   *
   * @property moreWaiting whether due checks wait until others end
   * @property morePaced whether overdue checks wait only so that their starts are spread
   * @property took milliseconds, without the listing if the next one needs none
   */
  planned(scan: { moreWaiting: boolean; morePaced: boolean; took: number }): void;
  /** A running check holds fewer sockets, so that another one may start. */
  settled(): void;
  /** @param wait milliseconds until the next check of the monitor is due; null if that has to be found out now */
  ended(wait: number | null): void;
  stop(): void;
}

/**
 * @param scan lists what is due @param refill starts what the last scan left
 * @param lookAhead how long before a check is due the regular scan must find it, in milliseconds
 */
export function createScanTrigger({
  clock,
  scan,
  refill,
  lookAhead,
}: {
  clock: Pick<Clock, "after">;
  scan: () => void;
  refill: () => void;
  lookAhead: number;
}): ScanTrigger {
  let delay = DELAY;
  let moreWaiting = false;
  let scheduled: "nothing" | "refill" | "scan" = "nothing";
  let isStopped = false;

  function schedule(what: "refill" | "scan"): void {
    if (isStopped) return;
    const isFirst = scheduled === "nothing";
    if (scheduled !== "scan") scheduled = what;
    if (isFirst) clock.after(delay, run);
  }

  function run(): void {
    const act = scheduled === "scan" ? scan : refill;
    scheduled = "nothing";
    act();
  }

  return {
    planned(last) {
      moreWaiting = last.moreWaiting;
      delay = moreWaiting ? Math.min(DELAY, DELAY_PER_SCAN * last.took) : DELAY;
      if (last.morePaced) schedule("refill");
    },
    settled() {
      if (moreWaiting) schedule("refill");
    },
    ended(wait) {
      if (wait === null) scan();
      else if (moreWaiting) schedule("refill");
      // The next regular scan may be too late.
      else if (wait < lookAhead) schedule("scan");
    },
    stop() {
      isStopped = true;
    },
  };
}
