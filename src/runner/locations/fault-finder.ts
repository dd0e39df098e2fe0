import type { Clock } from "../../clock.ts";
import { isAtFault } from "../../domain/locations/sight.ts";
import type { Logger } from "../../log.ts";
import type { LocationChange, LocationSight, Store } from "../../store/store.ts";

/** Finds the locations, this server included, whose own network is at fault (behavior 13.25). */
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

  async function judge(sight: LocationSight): Promise<void> {
    const isNow = isAtFault(sight);
    if (isNow === sight.isAtFault || isUndecided(sight)) return;
    const change = await locations.setAtFault(sight, isNow, clock.now());
    if (change.isChanged) note(sight, isNow);
    wake(change);
  }

  function note({ name, organizationId }: LocationSight, isNow: boolean): void {
    const fields = { location: name, organization: organizationId };
    if (isNow) log.warn(fields, "the network of a location is at fault");
    else log.info(fields, "the network of a location is no longer at fault");
  }

  return {
    async find() {
      const start = clock.monotonic();
      if (start < nextAt) return;
      for (const sight of await locations.countSights(clock.now())) await judge(sight);
      const end = clock.monotonic();
      nextAt = end + (end - start) / SHARE;
    },
  };
}

/** A location that is at fault and sees nothing any more is not known to have a network again. */
function isUndecided({ isAtFault, fresh }: LocationSight): boolean {
  return isAtFault && fresh === 0;
}
