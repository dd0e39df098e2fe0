import type { Cancel, Clock } from "../../clock.ts";
import type { Logger } from "../../log.ts";
import type { Claimant, Store } from "../../store/store.ts";
import { createFaultLog } from "../fault-log.ts";
import { createWorkClaim } from "../work-claim.ts";

const WATCH_EVERY = 1000;

/** Notices that windows of maintenances start and end (behavior 14.45). */
export interface MaintenanceWatch {
  start(): void;
  /** Waits for the round under way. */
  stop(): Promise<void>;
}

export function createMaintenanceWatch({
  store,
  clock,
  claimant,
  log,
  wakeDispatcher,
  wakeReview,
}: {
  store: Pick<Store, "maintenances" | "claims">;
  clock: Pick<Clock, "now" | "monotonic" | "every" | "onJump">;
  claimant: () => Claimant;
  log: Logger;
  wakeDispatcher: () => void;
  wakeReview: () => void;
}): MaintenanceWatch {
  const rounds = createFaultLog(log, "the maintenances could not be watched");
  const cancels: Cancel[] = [];
  /** What is known of an organization: until `until`, no window of this revision starts or ends. */
  const known = new Map<number, { revision: number; until: number }>();
  let watching: Promise<void> = Promise.resolve();
  const claim = createWorkClaim("maintenances", { store, clock, claimant });

  async function watch(): Promise<void> {
    const organizations = await store.maintenances.listWatched();
    if (organizations.length === 0 || !(await claim.take())) return;
    for (const { pk, revision } of organizations) {
      const now = clock.now();
      const one = known.get(pk);
      if (one?.revision === revision && now < one.until) continue;
      const { isChanged, nextChangeAt } = await store.maintenances.noteWindows(pk, now);
      known.set(pk, { revision, until: nextChangeAt ?? Number.POSITIVE_INFINITY });
      if (!isChanged) continue;
      wakeDispatcher();
      wakeReview();
    }
  }

  return {
    start() {
      cancels.push(
        clock.every(WATCH_EVERY, () => {
          watching = watch().then(rounds.succeeded, rounds.failed);
          return watching;
        }),
        clock.onJump(() => known.clear()),
      );
    },
    async stop() {
      for (const cancel of cancels) cancel();
      await watching;
    },
  };
}
