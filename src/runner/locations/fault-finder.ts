import type { Clock } from "../../clock.ts";
import { isAtFault } from "../../domain/locations/failure-share.ts";
import type { Logger } from "../../log.ts";
import type { LocationChange, LocationFailureShare, Store } from "../../store/store.ts";

/** Finds the locations, this server included, whose network is at fault (behavior 13.25). */
export interface FaultFinder {
  find(): Promise<void>;
}

/** It uses at most this part of the time, because it reads the latest observations of all locations. */
const SHARE = 1 / 50;

export function createFaultFinder({
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
