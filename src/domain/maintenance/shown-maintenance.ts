import { iso, isoOrNull } from "../iso-time.ts";
import type { Maintenance } from "./maintenance.ts";

/** A maintenance as the API and the command line show it, with ISO times (behavior 14.40). */
export function shownMaintenance({ endedRun: _, endedRunAt: __, ...maintenance }: Maintenance) {
  const { startsAt, endsAt, until, nextStartsAt, nextEndsAt, createdAt, updatedAt } = maintenance;
  return {
    ...maintenance,
    startsAt: isoOrNull(startsAt),
    endsAt: isoOrNull(endsAt),
    until: isoOrNull(until),
    nextStartsAt: isoOrNull(nextStartsAt),
    nextEndsAt: isoOrNull(nextEndsAt),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  };
}
