import type { Clock } from "../../clock.ts";
import { SILENT_AFTER } from "../../domain/locations/location.ts";
import type { Logger } from "../../log.ts";
import type { NetworkView } from "../../probes/probe-thread.ts";
import type { LocationChange, Store, WatchedLocation } from "../../store/store.ts";

/** Finds the locations that became silent or are connected again (behavior 13.20, 13.21). */
export interface Silences {
  find(watched: WatchedLocation[]): Promise<void>;
  /**
   * Restarts the time for which no location becomes silent: only requests that could have arrived prove that there were
   * none.
   */
  distrust(): void;
}

export function createSilences({
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
