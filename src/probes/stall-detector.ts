import { closeSync, openSync } from "node:fs";
import type { Observation } from "../domain/checks/observation.ts";

/** Notices what goes wrong in this process, so that no target is blamed for it. */
export interface StallDetector {
  /**
   * What a check saw that began at a moment of `performance.now()`. During a fault of ours it says nothing of the target
   * without success, and little or nothing of its latency where this thread stood still.
   */
  excuse(seen: Observation, start: number): Observation;
}

/** Milliseconds between two looks whether the event loop is in time, and how many of them go with one for descriptors. */
const PERIOD = 25;
const LOOKS_PER_COUNT = 4;

/**
 * How late the event loop may be, in milliseconds: before a check says nothing (decisions 3), and before no target is
 * called degraded for it, which takes 50 ms at least.
 */
const TOLERANCE = 250;
const BLUR_TOLERANCE = 25;

/** A check needs a descriptor for each question to the DNS and each address that it tries. */
const NEEDED_DESCRIPTORS = 8;

const STALLED = "the probe thread stood still during the check";
const LACKED_DESCRIPTORS: Observation = {
  outcome: "inconclusive",
  message: "there were too few file descriptors during the check: raise their limit",
  isShortage: true,
};

export function createStallDetector(): StallDetector {
  let lastTick = performance.now();
  let lastDelay = Number.NEGATIVE_INFINITY;
  let lastStall = Number.NEGATIVE_INFINITY;
  let lastShortage = Number.NEGATIVE_INFINITY;
  let looks = 0;
  const look = () => {
    const now = performance.now();
    const late = now - lastTick - PERIOD;
    if (late > BLUR_TOLERANCE) lastDelay = now;
    if (late > TOLERANCE) lastStall = now;
    lastTick = now;
  };
  const count = () => {
    if (lacksDescriptors()) lastShortage = performance.now();
  };
  const tick = () => {
    look();
    if (++looks % LOOKS_PER_COUNT === 0) count();
  };
  setInterval(tick, PERIOD).unref();
  return {
    excuse(seen, start) {
      // After a stall, the timer that ended a check may run before the one here.
      look();
      // Counting costs as much as a check, and most checks succeed.
      if (isSuccess(seen)) {
        if (lastStall >= start) return withoutLatency(seen);
        return lastDelay >= start && seen.outcome === "reached" ? { ...seen, isBlurred: true } : seen;
      }
      count();
      if (lastStall >= start) return { outcome: "inconclusive", message: STALLED };
      return lastShortage >= start ? LACKED_DESCRIPTORS : seen;
    },
  };
}

/** The target answered; how fast, nobody knows. */
function withoutLatency(seen: Observation): Observation {
  if (seen.outcome !== "reached" && seen.outcome !== "certified") return seen;
  const { phases: _, ...detail } = seen.detail;
  return { ...seen, latencyMs: null, detail: { ...detail, message: `${STALLED}: the latency is not known` } };
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
