import type { Clock } from "../../clock.ts";
import type { Claimant, DueMonitor, Slot, Store } from "../../store/store.ts";
import { createCatchUp } from "./catch-up.ts";
import { planStarts, type SlotRange } from "./plan-starts.ts";
import type { Retries } from "./retries.ts";
import type { RunningChecks } from "./running-checks.ts";
import type { ScanTrigger } from "./scan-trigger.ts";

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
