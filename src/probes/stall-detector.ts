import { openSync, readSync } from "node:fs";
import type { Cancel } from "../clock.ts";
import { lacksDescriptors } from "../descriptors.ts";
import { type AddressEvidence, hasFailure, type Observation } from "../domain/checks/observation.ts";
import { type ProbeClock, systemProbeClock } from "./probe-clock.ts";

/** Detects faults of this process, so that they are not recorded as the status of a target (behavior 1.45 to 1.49). */
export interface StallDetector {
  /** A check starts. @returns the time for `discount` */
  begin(): number;
  /** A check has ended, or was cancelled. */
  end(): void;
  /**
   * Removes from an observation what a fault of this machine during the check makes unreliable. Without success, the observation
   * becomes inconclusive. With success, the latency is marked with what this machine may have added, or removed.
   *
   * @param start what `begin` returned for the check
   */
  discount(observation: Observation, start: number): Observation;
  /** The longest delay of the event loop in the last seconds, in milliseconds; 0 below 25 ms. */
  delay(): number;
}

/** Interval of the timer that measures the delay of the event loop, in milliseconds. */
const PERIOD = 25;

/** How many ticks without a check end the timer: another check may start soon, and a timer costs more to start than to run. */
const IDLE_TICKS = 40;

/** Free descriptors are counted on every fourth tick. */
const TICKS_PER_COUNT = 4;

/** Delay of the event loop, in milliseconds, above which a check without success is inconclusive (behavior 1.46). */
const STALL = 250;

/** Delay of the event loop, or time without a core, in milliseconds, above which it is deducted from a latency (behavior 1.49). */
const LATE = 25;

/** How long delays are kept, in milliseconds: longer than any check takes. */
const KEPT = 15_000;

/** No latency is `degraded` that is less than 50 ms above the mean (behavior 2.2). */
const UNSUSPICIOUS = 50;

const STALLED = "the probe thread was blocked during the check";
const LACKED_DESCRIPTORS: Observation = {
  outcome: "inconclusive",
  message: "too few file descriptors were free during the check: raise the limit of open files",
  isShortage: true,
};

/** @param isShort whether this process lacks file descriptors now @param waits of this thread for a core */
export function createStallDetector(
  clock: Pick<ProbeClock, "now" | "monotonic" | "repeat"> = systemProbeClock,
  isShort: () => boolean = lacksDescriptors,
  waits = createCoreWaits(),
): StallDetector {
  let lastTick = 0;
  let lastWall = 0;
  let lastNote = Number.NEGATIVE_INFINITY;
  /** The delays above `LATE`, oldest first. */
  let delays: { at: number; ms: number }[] = [];
  let lastStall = Number.NEGATIVE_INFINITY;
  let lastShortage = Number.NEGATIVE_INFINITY;
  let running = 0;
  let ticks = 0;
  let idleTicks = 0;
  /** Ends the timer, which runs only around checks. */
  let stop: Cancel | undefined;
  const noteDelay = (at: number, ms: number) => {
    delays.push({ at, ms });
    const oldest = delays[0];
    // Half of them at once, so that a delay costs little.
    if (oldest && at - oldest.at > 2 * KEPT) delays = delays.filter((one) => at - one.at < KEPT);
  };
  const delayedSince = (start: number) => {
    let sum = 0;
    for (let i = delays.length - 1; i >= 0; i--) {
      const { at, ms } = delays[i] as { at: number; ms: number };
      if (at < start) break;
      sum += ms;
    }
    return sum;
  };
  /** At most: a long wait for a core is also a delay, and counts twice. Short ones are no delay of the event loop. */
  const lateSince = (start: number, { latencyMs, slowBy }: Reached) => {
    // The time of `within` is longer than the latency if the body is slow.
    const isSuspicious = slowBy !== undefined || (latencyMs ?? 0) > UNSUSPICIOUS;
    const waited = isSuspicious ? waits.since(start) : 0;
    return delayedSince(start) + (waited > LATE ? waited : 0);
  };
  const measureDelay = () => {
    const now = clock.monotonic();
    const wall = clock.now();
    const delay = now - lastTick - PERIOD;
    // The monotonic clock does not count the time for which the machine is suspended.
    const slept = wall - lastWall - PERIOD;
    if (delay > LATE) noteDelay(now, delay);
    if (Math.max(delay, slept) > STALL) lastStall = now;
    [lastTick, lastWall] = [now, wall];
  };
  const countDescriptors = () => {
    if (isShort()) lastShortage = clock.monotonic();
  };
  const noteWaits = (now: number) => {
    lastNote = now;
    waits.note(now);
  };
  const tick = () => {
    measureDelay();
    if (running === 0) return void rest();
    idleTicks = 0;
    noteWaits(lastTick);
    if (++ticks % TICKS_PER_COUNT === 0) countDescriptors();
  };
  const rest = () => {
    if (++idleTicks < IDLE_TICKS) return;
    stop?.();
    stop = undefined;
  };
  /** Many short waits, of which none is a stall: an answer may have come in time, and was read too late. */
  const waitedForMost = (start: number) => {
    const waited = Math.max(delayedSince(start), waits.since(start));
    return waited > STALL && waited > (clock.monotonic() - start) / 2;
  };
  const steady = (success: Answered, start: number): Answered => {
    if (lastStall >= start) return withoutLatency(success);
    if (success.outcome !== "reached") return success;
    const lateBy = lateSince(start, success) + (success.lateBy ?? 0);
    return lateBy > 0 ? { ...success, lateBy } : success;
  };
  const steadyLatency = (success: Observation, start: number): Observation => {
    if ("latencyMs" in success) return steady(success, start);
    if (success.outcome !== "by_address") return success;
    const addresses = success.addresses.map(({ address, evidence }) => ({
      address,
      evidence: steady(evidence, start),
    }));
    return { ...success, addresses };
  };
  const start = (now: number) => {
    [lastTick, lastWall, idleTicks] = [now, clock.now(), 0];
    stop = clock.repeat(PERIOD, tick);
  };
  return {
    begin() {
      const now = clock.monotonic();
      if (!stop) start(now);
      // While other checks run, each tick makes a note.
      if (running++ === 0 && now - lastNote > PERIOD) noteWaits(now);
      return now;
    },
    end() {
      running--;
    },
    delay() {
      if (stop) measureDelay();
      const from = clock.monotonic() - KEPT;
      return Math.max(0, ...delays.filter(({ at }) => at >= from).map(({ ms }) => ms));
    },
    discount(observation, start) {
      // After a stall, the timer that ended the check may run before the timer of this detector.
      measureDelay();
      // A count costs as much as a check, so it runs only after a failure.
      if (isSuccess(observation)) return steadyLatency(observation, start);
      countDescriptors();
      const isStalled = lastStall >= start || (lacksAnswer(observation) && waitedForMost(start));
      if (isStalled) return { outcome: "inconclusive", message: STALLED };
      return lastShortage >= start ? LACKED_DESCRIPTORS : observation;
    },
  };
}

type Answered = AddressEvidence["evidence"];
type Reached = Extract<Answered, { outcome: "reached" }>;

/** The target answered, but the latency is unknown. */
function withoutLatency(observation: Answered): Answered {
  if (observation.outcome === "failed") return observation;
  const { phases: _, ...detail } = observation.detail;
  return {
    ...observation,
    latencyMs: null,
    detail: { ...detail, message: `${STALLED}: the latency is unknown` },
  };
}

function lacksAnswer(observation: Observation): boolean {
  switch (observation.outcome) {
    case "failed":
      return observation.reason === "timeout" || observation.reason === "dns_failed";
    case "by_address":
      return observation.addresses.some(({ evidence }) => lacksAnswer(evidence));
    case "looked_up":
      return observation.answer.lookups.some(({ failure }) => failure === "timeout");
    default:
      return false;
  }
}

function isSuccess(observation: Observation): boolean {
  if (observation.outcome === "by_address") return !hasFailure(observation);
  if (observation.outcome !== "looked_up") {
    return observation.outcome === "reached" || observation.outcome === "certified";
  }
  return observation.answer.lookups.some(({ values }) => values.length > 0);
}

/** How long the calling thread has waited for a core. Without a system that reports it, the time is always 0. */
export interface CoreWaits {
  /** Notes the present state. To be called regularly. @param now a time of `performance.now()` */
  note(now: number): void;
  /**
   * Milliseconds since the last note before a time, or since the first note that is kept.
   *
   * @param from a time of `performance.now()`
   */
  since(from: number): number;
}

const NANOSECONDS = 1_000_000;

/** Three numbers of at most 20 digits. */
const SIZE = 64;

export function createCoreWaits(read = createReader()): CoreWaits {
  let notes: { at: number; waited: number }[] = [];
  return {
    note(at) {
      notes.push({ at, waited: read() });
      const oldest = notes[0];
      // Half of them at once, so that a note costs little.
      if (oldest && at - oldest.at > 2 * KEPT) notes = notes.filter((note) => at - note.at < KEPT);
    },
    since(from) {
      const before = notes.findLast(({ at }) => at <= from) ?? notes[0];
      return before ? read() - before.waited : 0;
    },
  };
}

/** @returns a function that reads the time in milliseconds: the second number of the file, see proc_pid_schedstat(5) */
function createReader(): () => number {
  const buffer = Buffer.alloc(SIZE);
  try {
    const file = openSync("/proc/thread-self/schedstat", "r");
    return () => {
      const length = readSync(file, buffer, 0, SIZE, 0);
      return Number(buffer.toString("latin1", 0, length).split(" ")[1]) / NANOSECONDS;
    };
  } catch {
    return () => 0;
  }
}
