import type { Clock } from "../../clock.ts";
import type { Logger } from "../../log.ts";
import type { Claimant, Store } from "../../store/store.ts";
import { createFaultLog, createLoop, createWorkClaim, type Loop } from "../loop.ts";

const WATCH_EVERY = 1000;

/** Notices that windows of maintenances start and end (behavior 14.45). */
export type MaintenanceWatch = Pick<Loop, "start" | "stop">;

export function createMaintenanceWatch({
  store,
  clock,
  claimant,
  log,
  wakeDispatcher,
  wakeReview,
}: {
  store: Pick<Store, "maintenances" | "claims">;
  clock: Clock;
  claimant: () => Claimant;
  log: Logger;
  wakeDispatcher: () => void;
  wakeReview: () => void;
}): MaintenanceWatch {
  /** By organization: until `until`, no window of this revision starts or ends. */
  const known = new Map<number, { revision: number; until: number }>();
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

  return createLoop({
    clock,
    every: WATCH_EVERY,
    task: watch,
    onJump: () => known.clear(),
    faults: createFaultLog(log, "the maintenances could not be watched"),
  });
}
