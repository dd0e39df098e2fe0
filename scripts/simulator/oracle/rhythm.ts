import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import type { SimMonitor } from "../ledger.ts";
import { type Bounds, exactly, map } from "./bounds.ts";
import type { RecordedCheckin } from "./checkins.ts";
import { expectedRuns, runAfter, runAfterCheckin } from "./cron-rhythm.ts";
import { createLearner, earliness, graceOf } from "./learned-rhythm.ts";
import type { OwnFaults } from "./own-faults.ts";

const MINUTE = 60_000;

/** A deadline of a job. Times are true milliseconds since 1970. */
export interface Deadline {
  at: Bounds;
  /** From when on the job may have checked in again. */
  next: Bounds;
  /** The run that is expected, by the clock of the server; null without `cron`. */
  run: number | null;
}

/** The rhythm of a job after its last check-in. @property error by how much the clock is wrong, in milliseconds */
export interface Rhythm {
  afterCheckin(at: number, error: number): Deadline;
  /** @param at when the service noticed that it runs again */
  afterOutage(at: Bounds, error: number): Deadline;
  afterMiss(missed: Deadline, at: number, error: number): Deadline;
  /** From a check-in to the deadline at least; milliseconds. */
  shortestWindow(at: number): number;
}

/** @returns the rhythm after each check-in, called in their order */
export function rhythmReader(
  { config }: SimMonitor,
  { faults, from, to }: { faults: OwnFaults; from: number; to: number },
): (checkin: RecordedCheckin, previous: RecordedCheckin | undefined) => Rhythm {
  const { cron, timezone, period, grace } = config as MonitorConfig<"SCHEDULED">;
  if (cron !== undefined) {
    const rhythm = cronRhythm(expectedRuns({ cron, ...(timezone && { timezone }) }, { from, to, grace }));
    return () => rhythm;
  }
  if (period !== undefined) {
    const rhythm = periodRhythm(period * 1000, grace);
    return () => rhythm;
  }
  const learner = createLearner(grace);
  return (checkin, previous) => {
    if (previous) learnFrom(previous, checkin);
    const { window, windowAfterOutage, missPeriod, next } = learner.rhythm(checkin.at);
    return {
      afterCheckin: (at) => ({ at: map2(exactly(at), window), next: map2(exactly(at), next), run: null }),
      afterOutage: (at) => ({ at: map2(at, windowAfterOutage(at)), next: at, run: null }),
      afterMiss: ({ next: known }, at) => ({ at: map2(exactly(at), missPeriod), next: known, run: null }),
      shortestWindow: () => window.low,
    };
  };

  function learnFrom(previous: RecordedCheckin, { at, result }: RecordedCheckin): void {
    const length = at - previous.at;
    const shown = result.createdAtWall - previous.result.createdAtWall;
    const isUncertain = faults.steps.some((step) => previous.at - 1000 <= step.at && step.at <= at + 1000);
    learner.add({
      start: previous.at,
      low: Math.max(0, Math.min(length, shown)),
      high: Math.max(length, shown),
      isUncertain,
    });
  }
}

function cronRhythm(runs: ReturnType<typeof expectedRuns>): Rhythm {
  const deadline = ({ run, deadline: at, earliest }: (typeof runs)[number], error: number) => ({
    at: exactly(at - error),
    next: exactly(earliest - error),
    run,
  });
  return {
    afterCheckin: (at, error) => deadline(runAfterCheckin(runs, at + error), error),
    afterOutage(at, error) {
      const [first, last] = [runAfter(runs, at.low + error), runAfter(runs, at.high + error)];
      return { ...deadline(first, error), at: { low: first.deadline - error, high: last.deadline - error } };
    },
    afterMiss({ run }, at, error) {
      let next = runAfter(runs, run ?? at + error);
      while (next.deadline < at + error + 5 * MINUTE) next = runAfter(runs, next.run);
      return deadline(next, error);
    },
    shortestWindow: (at) => runAfter(runs, at).deadline - at,
  };
}

function periodRhythm(period: number, grace?: number): Rhythm {
  const window = period + graceOf(period, grace);
  return {
    afterCheckin: (at) => ({
      at: exactly(at + window),
      next: exactly(at + period - earliness(period, grace)),
      run: null,
    }),
    afterOutage: (at) => ({ at: map(at, (time) => time + window), next: at, run: null }),
    afterMiss: ({ next }, at) => ({ at: exactly(at + Math.max(period, 5 * MINUTE)), next, run: null }),
    shortestWindow: () => window,
  };
}

function map2(one: Bounds, other: Bounds): Bounds {
  return { low: one.low + other.low, high: one.high + other.high };
}
