import type { Clock } from "../../clock.ts";
import { SILENT_AFTER } from "../../domain/locations/location.ts";
import { isAtFault } from "../../domain/locations/votes.ts";
import { StorageFault } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { NetworkView } from "../../probes/probe-thread.ts";
import type {
  Claimant,
  LocationChange,
  LocationFailureShare,
  Store,
  WatchedLocation,
} from "../../store/store.ts";
import { createFaultLog, createLoop, createWorkClaim, type Loop } from "../loop.ts";

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

/** Finds the locations, this server included, whose network is at fault (behavior 13.25). */
interface FaultFinder {
  find(): Promise<void>;
}

/** It uses at most this part of the time, because it reads the latest observations of all locations. */
const SHARE = 1 / 50;

function createFaultFinder({
  store: { locations },
  clock,
  log,
  wake,
}: {
  store: Pick<Store, "locations">;
  clock: Pick<Clock, "now" | "monotonic">;
  log: Logger;
  /** Called after each change. */
  wake: (change: LocationChange) => void;
}): FaultFinder {
  /** In milliseconds of the monotonic clock. */
  let nextAt = Number.NEGATIVE_INFINITY;

  async function judge(share: LocationFailureShare): Promise<void> {
    const isNow = isAtFault(share);
    if (isNow === share.isAtFault || isUndecided(share)) return;
    const change = await locations.setAtFault(share, isNow, clock.now());
    if (change.isChanged) note(share, isNow);
    wake(change);
  }

  function note({ name, organizationId }: LocationFailureShare, isNow: boolean): void {
    const fields = { location: name, organization: organizationId };
    if (isNow) log.warn(fields, "the network of a location is at fault");
    else log.info(fields, "the network of a location is no longer at fault");
  }

  return {
    async find() {
      const start = clock.monotonic();
      if (start < nextAt) return;
      for (const share of await locations.listFailureShares(clock.now())) await judge(share);
      const end = clock.monotonic();
      nextAt = end + (end - start) / SHARE;
    },
  };
}

/** A location that is at fault and sees nothing any more is not known to have a network again. */
function isUndecided({ isAtFault, fresh }: LocationFailureShare): boolean {
  return isAtFault && fresh === 0;
}

/** Finds the locations that became silent or are connected again (behavior 13.20, 13.21). */
interface Silences {
  find(watched: WatchedLocation[]): Promise<void>;
  /**
   * Restarts the time for which no location becomes silent: only requests that could have arrived prove that there were
   * none.
   */
  distrust(): void;
}

function createSilences({
  store: { locations },
  clock,
  log,
  wake,
  network,
}: {
  store: Pick<Store, "locations">;
  clock: Pick<Clock, "now" | "monotonic">;
  log: Logger;
  /** Called after each change. */
  wake: (change: LocationChange) => void;
  /** Without it, the requests of probes can't arrive (behavior 13.56). */
  network?: NetworkView | undefined;
}): Silences {
  /** In milliseconds of the monotonic clock. */
  let trustedSince = clock.monotonic();
  /** The last sign of life of each silent location before this watch saw its silence. Another node may have ended that. */
  const lastSigns = new Map<number, { silentAt: number; lastSeenAt: number | null }>();

  async function silence({ pk, name, lastSeenAt }: WatchedLocation): Promise<void> {
    const silentAt = clock.now();
    const change = await locations.silence(pk, silentAt);
    lastSigns.set(pk, { silentAt, lastSeenAt });
    if (change.isChanged) log.warn({ location: name }, "a location is silent");
    wake(change);
  }

  async function reconnect({ pk, name }: WatchedLocation): Promise<void> {
    const change = await locations.reconnect(pk, clock.now());
    lastSigns.delete(pk);
    if (change.isChanged) log.info({ location: name }, "a location is connected again");
    wake(change);
  }

  /** A location that was never connected is not silent. A sign of life in the future is older than a change of the clock. */
  function isSilent({ lastSeenAt }: WatchedLocation): boolean {
    if (lastSeenAt === null || clock.monotonic() - trustedSince < SILENT_AFTER) return false;
    const age = clock.now() - lastSeenAt;
    return age >= SILENT_AFTER || age <= -SILENT_AFTER;
  }

  /** After the clock was set back, times do not show what came first. */
  function isBack({ pk, lastSeenAt, silentAt }: WatchedLocation): boolean {
    if (lastSeenAt === null || silentAt === null) return false;
    const lastSign = lastSigns.get(pk);
    if (lastSign?.silentAt === silentAt) return lastSeenAt !== lastSign.lastSeenAt;
    lastSigns.set(pk, { silentAt, lastSeenAt });
    return lastSeenAt > silentAt && lastSeenAt <= clock.now();
  }

  async function isOffline(): Promise<boolean> {
    return network !== undefined && (await network.look()) === "offline";
  }

  function distrust(): void {
    trustedSince = clock.monotonic();
  }

  network?.onChange(distrust);

  return {
    async find(watched) {
      const isAnySilent = watched.some((one) => one.silentAt === null && isSilent(one));
      if (isAnySilent && (await isOffline())) distrust();
      for (const location of watched) {
        if (location.silentAt === null && isSilent(location)) await silence(location);
        else if (isBack(location)) await reconnect(location);
      }
    },
    distrust,
  };
}
