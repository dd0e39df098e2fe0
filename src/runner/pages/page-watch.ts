import type { Clock } from "../../clock.ts";
import type { Logger } from "../../log.ts";
import type { Claimant, Store } from "../../store/store.ts";
import { createFaultLog } from "../fault-log.ts";
import { createLoop, type Loop } from "../loop.ts";
import { createRateLimit } from "../rate-limit.ts";
import { createWorkClaim } from "../work-claim.ts";

const WATCH_EVERY = 1000;

/** How often a page announces something: what follows is one message a minute (behavior 15.86). */
const PACE = { burst: 4, perSecond: 1 / 60 };

/** Notifies the subscribers of public pages of outages and maintenances (behavior 15.78, 15.79). */
export type PageWatch = Pick<Loop, "start" | "stop">;

export function createPageWatch({
  store,
  clock,
  claimant,
  log,
  wakeMails,
}: {
  store: Pick<Store, "announcements" | "claims" | "changes">;
  clock: Clock;
  claimant: () => Claimant;
  log: Logger;
  wakeMails: () => void;
}): PageWatch {
  const claim = createWorkClaim("pages", { store, clock, claimant });
  const pace = createRateLimit({ ...PACE, clock });
  const loop = createLoop({
    clock,
    every: WATCH_EVERY,
    task: watch,
    faults: createFaultLog(log, "the public pages could not be watched"),
  });

  /** Each page in a transaction of its own, so that checks are recorded in between. */
  async function watch(): Promise<void> {
    for (const pk of await store.announcements.listPages(clock.now())) {
      if (loop.isStopped() || !(await claim.take())) return;
      if (pace.take(String(pk)) > 0) continue;
      if ((await store.announcements.announce(pk, clock.now())) > 0) wakeMails();
      await store.changes.turn();
    }
  }

  return loop;
}
