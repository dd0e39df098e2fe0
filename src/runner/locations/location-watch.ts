import type { Clock } from "../../clock.ts";
import { StorageFault } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { NetworkView } from "../../probes/probe-thread.ts";
import type { Claimant, LocationChange, Store } from "../../store/store.ts";
import { createFaultLog } from "../fault-log.ts";
import { createLoop, type Loop } from "../loop.ts";
import { createWorkClaim } from "../work-claim.ts";
import { createFaultFinder } from "./fault-finder.ts";
import { createSilences } from "./silences.ts";

const WATCH_EVERY = 1000;

/** After a longer time between two rounds, this process or its database was stalled; milliseconds. */
const MAX_GAP = 5000;

/** Finds the locations that are silent, connected again, or at fault (behavior 13.20 to 13.25). */
export interface LocationWatch extends Pick<Loop, "start" | "stop"> {
  /** Restarts the time without which no location is silent: requests of probes may have been lost. */
  distrust(): void;
}

export function createLocationWatch({
  store,
  clock,
  claimant,
  log,
  wakeDispatcher,
  wakeScheduler,
  network,
}: {
  store: Pick<Store, "locations" | "claims">;
  clock: Clock;
  claimant: () => Claimant;
  log: Logger;
  wakeDispatcher: () => void;
  wakeScheduler: () => void;
  /** The network of this machine, if it is checked. */
  network?: NetworkView | undefined;
}): LocationWatch {
  const wake = ({ isChanged, asksHere }: LocationChange) => {
    if (isChanged) wakeDispatcher();
    if (asksHere) wakeScheduler();
  };
  const silences = createSilences({ store, clock, log, wake, network });
  const faults = createFaultFinder({ store, clock, log, wake });
  const claim = createWorkClaim("locations", { store, clock, claimant });
  let watchedAt = clock.monotonic();

  async function watch(): Promise<void> {
    if (clock.monotonic() - watchedAt > MAX_GAP) silences.distrust();
    const watched = await store.locations.listWatched();
    watchedAt = clock.monotonic();
    if (watched.length === 0 || !(await claim.take())) return;
    await silences.find(watched);
    await faults.find();
  }

  const loop = createLoop({
    clock,
    every: WATCH_EVERY,
    task: () =>
      watch().catch((error) => {
        if (error instanceof StorageFault) silences.distrust();
        throw error;
      }),
    onJump: silences.distrust,
    faults: createFaultLog(log, "the locations could not be watched"),
  });

  return {
    start() {
      silences.distrust();
      loop.start();
    },
    distrust: silences.distrust,
    stop: loop.stop,
  };
}
