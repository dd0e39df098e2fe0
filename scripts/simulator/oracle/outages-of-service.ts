import type { Ledger } from "../ledger.ts";
import { type OwnFaults, type Stretch, stretchesOf } from "./own-faults.ts";

/** The service stores that it is alive at most this far apart, in milliseconds (behavior 3.20). */
export const ALIVE_GAP = 31_000;

/** How long a write waits for a lock, and for the next tick; milliseconds. */
const MAX_WAIT = 7000;

/**
 * A stretch in which silence of a job proves nothing (behavior 3.20).
 *
 * @property firstEnd when the service may first have run again, if there are several faults, or a write waited for a lock
 * @property isCertain the service must have noticed it
 */
export interface ServiceOutage extends Stretch {
  firstEnd: number;
  isCertain: boolean;
}

/** Faults nearer than the longest gap between two alive timestamps are one outage. */
export function serviceOutages({ scenario }: Ledger, faults: OwnFaults): ServiceOutage[] {
  const pieces = [
    ...faults.absent.map((stretch) => ({ ...stretch, firstEnd: stretch.to, isCertain: true })),
    ...[...faults.frozen, ...faults.deaf, ...stretchesOf(scenario.faults, ["disk-full", "locked"])].map(
      (stretch) => ({
        ...stretch,
        // The write that ends the outage has the time at which it began to wait.
        firstEnd: Math.max(stretch.from, stretch.to - MAX_WAIT),
        isCertain: stretch.to - stretch.from > ALIVE_GAP + 5000,
      }),
    ),
    ...stretchesOf(scenario.faults, ["slow-disk"]).map((stretch) => ({
      ...stretch,
      firstEnd: stretch.from,
      isCertain: false,
    })),
  ].sort((a, b) => a.from - b.from);
  const outages: ServiceOutage[] = [];
  for (const { from, to, firstEnd, isCertain } of pieces) {
    const last = outages.at(-1);
    if (last && from <= last.to + ALIVE_GAP) {
      last.isCertain = last.isCertain && from === last.from && to === last.to;
      last.firstEnd = Math.min(last.firstEnd, firstEnd);
      last.to = Math.max(last.to, to);
    } else outages.push({ from, to, firstEnd, isCertain });
  }
  return outages;
}
