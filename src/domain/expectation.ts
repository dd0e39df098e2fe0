import { type CronSchedule, lastRun, nextRun } from "./cron.ts";
import type { MonitorConfig } from "./monitor.ts";
import {
  earlinessOf,
  type Gap,
  graceOf,
  learnedPeriod,
  learnedWindow,
  SHORTEST_WINDOW,
  shortestPeriod,
} from "./rhythm.ts";

/** What sets a rhythm by hand; without `cron` and `period` it is learned from the gaps. */
export type RhythmConfig = Pick<MonitorConfig<"SCHEDULED">, "cron" | "timezone" | "period" | "grace">;

/** The next sign of life that is waited for; times in milliseconds since 1970. */
export interface Expectation {
  /** The run that is waited for; null where there is no `cron`. */
  run: number | null;
  /** Once this is past, it is a miss. */
  deadline: number;
}

interface Known {
  config: RhythmConfig;
  gaps: Gap[];
}

/** What is waited for after a checkin, which may have come a little early for its run. */
export function expectAfterCheckin(known: Known, checkinAt: number): Expectation {
  const schedule = scheduleOf(known.config);
  return expectAfter(known, schedule ? coveredUntil(schedule, known.config, checkinAt) : checkinAt);
}

/** What is waited for where nothing is known of the time before: one window, or the next run. */
export function expectAfter({ config, gaps }: Known, from: number): Expectation {
  const schedule = scheduleOf(config);
  if (schedule) return expectRun(schedule, config, { run: nextRun(schedule, from), before: from });
  return { run: null, deadline: from + windowOf({ config, gaps }) };
}

/** What is waited for after a miss: one period later, and at least 300 s later (decisions 3, rule 4). */
export function expectAfterMiss({ config, gaps }: Known, missed: Expectation): Expectation {
  const schedule = scheduleOf(config);
  if (!schedule || missed.run === null) {
    const period = config.period === undefined ? learnedPeriod(gaps) : config.period * 1000;
    return { run: null, deadline: missed.deadline + Math.max(period, SHORTEST_WINDOW) };
  }
  let next: { run: number; deadline: number } = { run: missed.run, deadline: missed.deadline };
  while (next.deadline < missed.deadline + SHORTEST_WINDOW) {
    next = expectRun(schedule, config, { run: nextRun(schedule, next.run), before: next.run });
  }
  return next;
}

/** The earliest time at which the next checkin may well come. */
export function earliestCheckin(
  { config, gaps }: Known,
  { run, lastCheckinAt }: { run: number | null; lastCheckinAt: number },
): number {
  const schedule = scheduleOf(config);
  if (schedule && run !== null) return run - earlinessOf(run - lastRun(schedule, run - 1), config.grace);
  const period = config.period === undefined ? shortestPeriod(gaps) : config.period * 1000;
  return lastCheckinAt + period - earlinessOf(period, config.grace);
}

function scheduleOf({ cron, timezone }: RhythmConfig): CronSchedule | null {
  if (cron === undefined) return null;
  return timezone === undefined ? { cron } : { cron, timezone };
}

function windowOf({ config, gaps }: Known): number {
  if (config.period === undefined) return learnedWindow(gaps, config.grace);
  const period = config.period * 1000;
  return period + graceOf(period, config.grace);
}

/** The run that a checkin counts for, where it comes early; else the checkin's own time. */
function coveredUntil(schedule: CronSchedule, { grace }: RhythmConfig, checkinAt: number): number {
  const run = nextRun(schedule, checkinAt);
  const period = run - lastRun(schedule, checkinAt);
  return run - checkinAt <= earlinessOf(period, grace) ? run : checkinAt;
}

/** @param before a moment from the run before on, so that the period is the gap between the two */
function expectRun(
  schedule: CronSchedule,
  { grace }: RhythmConfig,
  { run, before }: { run: number; before: number },
): { run: number; deadline: number } {
  return { run, deadline: run + graceOf(run - lastRun(schedule, before), grace) };
}
