import type { Clock } from "../../clock.ts";
import type { Logger } from "../../log.ts";
import type { Store } from "../../store/store.ts";
import { createFaultLog, createLoop } from "../loop.ts";

const REVIEW_EVERY = 1000;

/** Monitors whose notifications are decided in one transaction, which on SQLite is one turn of the event loop. */
const MONITORS_AT_ONCE = 50;

/** How long a request waits for what it changed to be decided, in milliseconds. */
const MAX_WAIT = 3000;

/** Decides about the notifications that are held, muted or hidden, and creates reminders (behavior 14.8 to 14.29). */
export interface AlertReview {
  start(): void;
  /** Decides before the next second, for example after a transition. */
  wake(): void;
  /**
   * Resolves when all that was due at the call is decided, or could not be: a fault is logged, and tried again each second.
   * A request waits for it, so it resolves after some seconds anyway.
   */
  run(): Promise<void>;
  /** Waits for the run under way. */
  stop(): Promise<void>;
}

export function createAlertReview({
  store,
  clock,
  log,
  wakeDispatcher,
  wakeScheduler,
}: {
  store: Pick<Store, "alertReviews">;
  clock: Clock;
  log: Logger;
  wakeDispatcher: () => void;
  wakeScheduler: () => void;
}): AlertReview {
  const loop = createLoop({
    clock,
    every: REVIEW_EVERY,
    task: review,
    onJump({ from, to }) {
      if (to < from) isSetBack = true;
    },
    faults: createFaultLog(log, "could not review held notifications"),
  });
  /** Whether the clock was set back, maybe before the start, so that times of the database may be far ahead. */
  let isSetBack = true;

  async function review(): Promise<void> {
    const now = clock.now();
    if (isSetBack) {
      await store.alertReviews.recall(now);
      isSetBack = false;
    }
    for (let isMore = true; isMore && !loop.isStopped(); ) {
      const reviewed = await store.alertReviews.review(now, MONITORS_AT_ONCE);
      if (reviewed.releases) wakeDispatcher();
      if (reviewed.asksHere) wakeScheduler();
      isMore = reviewed.isMore;
      // A batch blocks other work.
      if (isMore) await clock.sleep(0);
    }
  }

  return {
    start() {
      loop.start();
      loop.wake();
    },
    wake: loop.wake,
    run: () => Promise.race([loop.run(), clock.sleep(MAX_WAIT)]),
    stop: loop.stop,
  };
}
