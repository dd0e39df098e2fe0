import type { Observation } from "../domain/observation.ts";

/** Knows when this thread's event loop stood still. */
export interface StallGuard {
  /** @param start a moment of `performance.now()` */
  stalledSince(start: number): boolean;
}

const PERIOD = 100;

/** How late the event loop may be, in milliseconds (decisions 3). */
const TOLERANCE = 250;

export function watchEventLoop(): StallGuard {
  let lastTick = performance.now();
  let lastStall = Number.NEGATIVE_INFINITY;
  const tick = () => {
    const now = performance.now();
    if (now - lastTick > PERIOD + TOLERANCE) lastStall = now;
    lastTick = now;
  };
  setInterval(tick, PERIOD).unref();
  return {
    stalledSince(start) {
      // After a stall, the timer that ended a check may run before that of the guard.
      tick();
      return lastStall >= start;
    },
  };
}

/** A check without success during a stall of ours says nothing of the target: the time that passed was not its own. */
export function withoutStalls(observation: Observation, stalled: boolean): Observation {
  if (!stalled || isSuccess(observation)) return observation;
  return { outcome: "inconclusive", message: "the probe thread stood still during the check" };
}

function isSuccess(observation: Observation): boolean {
  if (observation.outcome !== "looked_up") {
    return observation.outcome === "reached" || observation.outcome === "certified";
  }
  return observation.answer.lookups.some(({ values }) => values.length > 0);
}
