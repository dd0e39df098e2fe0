import type { MonitorConfig } from "../monitors/monitor.ts";
import { type CronSchedule, lastRun, nextRun } from "./cron.ts";
import {
  earliestPeriod,
  earlinessOf,
  graceOf,
  type Heard,
  learnedWindow,
  longestGrace,
  missPeriod,
  SHORTEST_WINDOW,
  windowFrom,
} from "./learned-period.ts";

/** What sets a rhythm by hand; without `cron` and `period` it is learned from the checkins. */
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
  heard: Heard;
}

/** What is waited for after the last checkin, which may have come a little early for its run. */
export function expectAfterCheckin({ config, heard }: Known, checkinAt: number): Expectation {
  const schedule = scheduleOf(config);
  if (schedule) return expectRun(schedule, config, coveredUntil(schedule, config, checkinAt));
  const window = windowByHand(config) ?? learnedWindow(heard, config.grace);
  return { run: null, deadline: checkinAt + window };
}

/** What is waited for if nothing is known of the time before: one window, or the next run. */
export function expectAfter({ config, heard }: Known, from: number): Expectation {
  const schedule = scheduleOf(config);
  if (schedule) return expectRun(schedule, config, from);
  const window = windowByHand(config) ?? windowFrom(heard, from, config.grace);
  return { run: null, deadline: from + window };
}

/** What is waited for after a miss: one period later, and at least 300 s later (decisions 3, rule 4). */
export function expectAfterMiss({ config, heard }: Known, missed: Expectation): Expectation {
  const schedule = scheduleOf(config);
  if (!schedule || missed.run === null) {
    const period = config.period === undefined ? missPeriod(heard.gaps) : config.period * 1000;
    return { run: null, deadline: missed.deadline + Math.max(period, SHORTEST_WINDOW) };
  }
  const earliest = missed.deadline + SHORTEST_WINDOW;
  // No run before this can have a deadline that late: the missed run may be far back, if outages moved its deadline on.
  const from = Math.max(missed.run, earliest - longestGrace(config.grace) - 1);
  let next = expectRun(schedule, config, from);
  while (next.deadline < earliest) next = expectRun(schedule, config, next.run);
  return next;
}

/** Whether the next checkin may have come by a moment. */
export function mayHaveCome(
  { config, heard }: Known,
  { run, lastCheckinAt }: { run: number | null; lastCheckinAt: number },
  moment: number,
): boolean {
  const schedule = scheduleOf(config);
  if (schedule && run !== null) {
    if (moment >= run) return true;
    // Spares the look at the schedule, which takes long.
    if (moment < run - longestGrace(config.grace)) return false;
    return moment >= run - earlinessOf(run - lastRun(schedule, run - 1), config.grace);
  }
  const period = config.period === undefined ? earliestPeriod(heard) : config.period * 1000;
  return moment >= lastCheckinAt + period - earlinessOf(period, config.grace);
}

function scheduleOf({ cron, timezone }: RhythmConfig): CronSchedule | null {
  if (cron === undefined) return null;
  return timezone === undefined ? { cron } : { cron, timezone };
}

/** The window that `period` sets, in milliseconds; null if it is learned. */
function windowByHand({ period, grace }: RhythmConfig): number | null {
  return period === undefined ? null : period * 1000 + graceOf(period * 1000, grace);
}

/** The run that a checkin counts for, where it comes early; else the checkin's own time. */
function coveredUntil(schedule: CronSchedule, { grace }: RhythmConfig, checkinAt: number): number {
  const run = nextRun(schedule, checkinAt);
  const period = run - lastRun(schedule, checkinAt);
  return run - checkinAt <= earlinessOf(period, grace) ? run : checkinAt;
}

/** The first run later than a moment. */
function expectRun(
  schedule: CronSchedule,
  { grace }: RhythmConfig,
  after: number,
): { run: number; deadline: number } {
  const run = nextRun(schedule, after);
  return { run, deadline: run + graceOf(run - lastRun(schedule, after), grace) };
}
