import type { Clock } from "../clock.ts";
import type { Claimant, Store } from "../store/store.ts";

/** How long a claim lasts by default, in milliseconds. */
const LEASE = 10_000;

/** The share of the lease after which it is extended: enough is left for the work that follows. */
const EXTEND_AFTER = 0.3;

/** A claim of work that only one node at a time does. */
export interface WorkClaim {
  /** Takes the claim, or extends it. @returns whether this node may do the work */
  take(): Promise<boolean>;
}

/** @param name of the work @param lease milliseconds, in which one round of the work must end */
export function createWorkClaim(
  name: string,
  {
    store,
    clock,
    claimant,
    lease = LEASE,
  }: {
    store: Pick<Store, "claims">;
    clock: Pick<Clock, "now" | "monotonic">;
    claimant: () => Claimant;
    lease?: number;
  },
): WorkClaim {
  /** In milliseconds of the monotonic clock. */
  let takenAt = Number.NEGATIVE_INFINITY;
  return {
    async take() {
      const startedAt = clock.monotonic();
      if (startedAt - takenAt < lease * EXTEND_AFTER) return true;
      if (!(await store.claims.take(name, claimant(), { now: clock.now(), lease }))) return false;
      takenAt = startedAt;
      return true;
    },
  };
}
