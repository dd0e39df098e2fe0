import { closeSync, openSync } from "node:fs";
import type { Observation } from "../domain/observation.ts";

/** Notices what goes wrong in this process, so that no target is blamed for it. */
export interface OwnFaults {
  /**
   * What a check saw that began at a moment of `performance.now()`. During a fault of ours it says nothing of the target
   * without success, and nothing of its latency where this thread stood still.
   */
  excuse(seen: Observation, start: number): Observation;
}

const PERIOD = 100;

/** How late the event loop may be, in milliseconds (decisions 3). */
const TOLERANCE = 250;

/** A check needs a descriptor for each question to the DNS and each address that it tries. */
const NEEDED_DESCRIPTORS = 8;

const STALLED = "the probe thread stood still during the check";
const LACKED_DESCRIPTORS = "there were too few file descriptors during the check: raise their limit";

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
  return {
    excuse(seen, start) {
      const isGood = isSuccess(seen);
      // After a stall, the timer that ended a check may run before the one here. What it looks for besides costs as much
      // as a check: most checks succeed.
      if (!isGood || performance.now() - lastTick > PERIOD + TOLERANCE) tick();
      if (lastStall >= start) return isGood ? withoutLatency(seen) : inconclusive(STALLED);
      return !isGood && lastShortage >= start ? inconclusive(LACKED_DESCRIPTORS) : seen;
    },
  };
}

function inconclusive(message: string): Observation {
  return { outcome: "inconclusive", message };
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
