import { closeSync, openSync } from "node:fs";
import type { Observation } from "../domain/observation.ts";

/** Notices what goes wrong in this process, so that no target is blamed for it. */
export interface OwnFaults {
  /**
   * What a check saw that began at a moment of `performance.now()`; without success during a fault of ours, it says
   * nothing of the target.
   */
  excuse(seen: Observation, start: number): Observation;
}

const PERIOD = 100;

/** How late the event loop may be, in milliseconds (decisions 3). */
const TOLERANCE = 250;

/** A check needs a descriptor for each question to the DNS and each address that it tries. */
const NEEDED_DESCRIPTORS = 8;

export function watchOwnFaults(): OwnFaults {
  let lastTick = performance.now();
  let lastStall = Number.NEGATIVE_INFINITY;
  let lastShortage = Number.NEGATIVE_INFINITY;
  const tick = () => {
    const now = performance.now();
    if (now - lastTick > PERIOD + TOLERANCE) lastStall = now;
    if (lacksDescriptors()) lastShortage = now;
    lastTick = now;
  };
  setInterval(tick, PERIOD).unref();
  const faultSince = (start: number) => {
    // After a stall, the timer that ended a check may run before the one here.
    tick();
    if (lastStall >= start) return "the probe thread stood still during the check";
    if (lastShortage >= start)
      return "there were too few file descriptors during the check: raise their limit";
    return undefined;
  };
  return {
    excuse(seen, start) {
      // What is looked for costs as much as a check: most checks succeed.
      if (isSuccess(seen)) return seen;
      const fault = faultSince(start);
      return fault === undefined ? seen : { outcome: "inconclusive", message: fault };
    },
  };
}

function isSuccess(observation: Observation): boolean {
  if (observation.outcome !== "looked_up") {
    return observation.outcome === "reached" || observation.outcome === "certified";
  }
  return observation.answer.lookups.some(({ values }) => values.length > 0);
}

/**
 * Tried out, because the failures themselves can't be told apart: without a descriptor, Bun 1.4.5 calls a connection
 * refused (oven-sh/bun#36140), and a name of the hosts file, which can't be read then, is unknown.
 */
function lacksDescriptors(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < NEEDED_DESCRIPTORS) opened.push(openSync("/dev/null", "r"));
    return false;
  } catch {
    return true;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
