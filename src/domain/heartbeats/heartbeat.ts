import type { MonitorConfig } from "../monitors/monitor.ts";
import { type CronSchedule, lastRun, latestStart, MAX_SETBACK, nextRun } from "./cron.ts";
import { excusedUntil, isByStarts, type JobRuns, nextOverrun, type RunConfig, runLimit } from "./job-runs.ts";
import {
  addCheckin,
  type CheckinHistory,
  earlinessOf,
  graceOf,
  learnedRhythm,
  longestGrace,
  missPeriod,
  SHORTEST_WINDOW,
  shortestPeriod,
  windowFrom,
} from "./learned-period.ts";

/**
 * The state of a SCHEDULED monitor, from which its deadline follows (behavior 3); stored as JSON. Times are
 * milliseconds since 1970.
 */
export interface HeartbeatState extends CheckinHistory {
  /** The run that the deadline belongs to; null without `cron`. */
  run: number | null;
  /** Null before the first check-in, and while the monitor is paused (behavior 3.1, 3.23). */
  deadline: number | null;
  /** Whether an outage of stillup gave this silence a new window. It does so once per silence, see `afterOutage`. */
  excused: boolean;
  /** The end of the maintenance that excused this silence (behavior 14.38); null if none did. */
  excusedUntil: number | null;
  /** How long stillup did not run, or by how much its clock jumped ahead, since the last check-in; milliseconds. */
  unseen?: number;
  /** Whether the last check-in moved back with the clock, so that its time of the week is not certain. */
  isMoved?: true | undefined;
  /** Absent for a job that never reported a start or an output. */
  runs?: JobRuns;
}

/** The end of the maintenance window that a monitor is in at a moment; null if it is in none. Milliseconds since 1970. */
export type WindowEnd = (at: number) => number | null;

/** The configured rhythm and limits of a job. */
export type JobConfig = RhythmConfig & RunConfig;

/** The state of a monitor before its first check-in. */
export const silentHeartbeat: HeartbeatState = {
  lastCheckinAt: null,
  gaps: [],
  pauses: [],
  run: null,
  deadline: null,
  excused: false,
  excusedUntil: null,
};

/** A new silence can be excused again. */
export const NOT_EXCUSED = { excused: false, excusedUntil: null };

export const SEEN = { unseen: 0, isMoved: undefined };

/**
 * The history that decides on the rhythm: the check-ins or, while each of them ends a run, the starts (behavior 18.21). The latest
 * start counts also while its run is open.
 */
export function rulingHistory(state: HeartbeatState, { grace }: JobConfig): CheckinHistory {
  const { runs } = state;
  if (!isByStarts(runs)) return state;
  const startedAt = runs.open.at(-1)?.startedAt ?? 0;
  return startedAt > (runs.starts.lastCheckinAt ?? 0)
    ? addCheckin(runs.starts, startedAt, grace)
    : runs.starts;
}

export function rhythmOf(state: HeartbeatState, config: JobConfig) {
  return { config, history: rulingHistory(state, config) };
}

/** When a job is late that neither checks in nor has an open run that keeps it from being late; null while it is paused. */
export function lateAt(state: HeartbeatState, config: JobConfig): number | null {
  return state.deadline === null ? null : Math.max(state.deadline, excusedByRun(state, config) ?? 0);
}

/**
 * When an open run stops keeping the job from being late (behavior 18.18); null if none does. While its limit is unknown, the deadline by
 * the check-ins holds too, so that the first starts that decide on the rhythm make no job late whose runs take long.
 */
export function excusedByRun(state: HeartbeatState, config: JobConfig): number | null {
  const { runs, lastCheckinAt } = state;
  const until = excusedUntil(runs, config);
  if (until === null || lastCheckinAt === null || !isByStarts(runs) || runLimit(runs, config) !== null)
    return until;
  return Math.max(until, deadlineAfterCheckin({ config, history: state }, lastCheckinAt, null).deadline);
}

/** When the job is to be judged next: when it is late, or a run has taken too long. */
export function judgedAt(state: HeartbeatState, config: JobConfig): number | null {
  const late = lateAt(state, config);
  return late === null ? null : Math.min(late, nextOverrun(state.runs, config) ?? late);
}

/** A pause: the monitor has no deadline (behavior 3.23). */
export function afterPause(state: HeartbeatState): HeartbeatState {
  return { ...state, run: null, deadline: null };
}

export function nextDeadlineOf({ run, deadline }: HeartbeatState): NextDeadline | null {
  return deadline === null ? null : { run, deadline };
}

/** The configured rhythm. Without `cron` and `period`, the rhythm is learned from the check-ins. */
export type RhythmConfig = Pick<MonitorConfig<"SCHEDULED">, "cron" | "timezone" | "period" | "grace">;

/** The next deadline of a job; times in milliseconds since 1970. */
export interface NextDeadline {
  /** The run that the deadline belongs to; null without `cron`. */
  run: number | null;
  /** A run is missed if this time passes without a check-in. */
  deadline: number;
}

interface Rhythm {
  config: RhythmConfig;
  history: CheckinHistory;
}

/** The state before a check-in; milliseconds since 1970. */
interface Awaited {
  /** The run that the deadline belonged to; null without a deadline. */
  run: number | null;
  /** The previous check-in. */
  lastCheckinAt: number | null;
  /** Whether each run before that one was made or missed. */
  isKnown?: true;
}

/**
 * The deadline after a check-in. With `cron`, an early check-in counts for the next run (behavior 3.15).
 *
 * @param awaited null if the check-in is the first one, or if the run that it was for is to be found again
 */
export function deadlineAfterCheckin(
  { config, history }: Rhythm,
  checkinAt: number,
  awaited: Awaited | null,
): NextDeadline {
  const schedule = scheduleOf(config);
  if (schedule) return deadlineOfNextRun(schedule, config, runOf({ schedule, config, awaited }, checkinAt));
  const window = configuredWindow(config) ?? learnedRhythm(history, config.grace).window;
  return { run: null, deadline: checkinAt + window };
}

/** The deadline one full window after a moment or, with `cron`, of the first run after it. */
export function deadlineAfter({ config, history }: Rhythm, from: number): NextDeadline {
  const schedule = scheduleOf(config);
  if (schedule) return deadlineOfNextRun(schedule, config, from);
  const window = configuredWindow(config) ?? windowFrom(history, from, config.grace);
  return { run: null, deadline: from + window };
}

/** The deadline one window after the end of a maintenance (behavior 14.38). A run at this end is not in the maintenance. */
export function deadlineAfterWindow(rhythm: Rhythm, end: number): NextDeadline {
  return deadlineAfter(rhythm, rhythm.config.cron === undefined ? end : end - 1);
}

/** When the check-in was expected that a deadline waits for, in milliseconds since 1970. */
export function expectedAt({ config, history }: Rhythm, { run, deadline }: NextDeadline): number {
  if (run !== null) return run;
  if (config.period === undefined && history.lastCheckinAt !== null) {
    const { period, window } = learnedRhythm(history, config.grace);
    if (deadline === history.lastCheckinAt + window) return history.lastCheckinAt + period;
  }
  const period = config.period === undefined ? missPeriod(history.gaps) : config.period * 1000;
  return deadline - graceOf(period, config.grace);
}

/** The deadline after a missed run: one period later, and at least 300 s later (behavior 3.18). */
export function deadlineAfterMiss({ config, history }: Rhythm, missed: NextDeadline): NextDeadline {
  const schedule = scheduleOf(config);
  if (!schedule || missed.run === null) {
    const period = config.period === undefined ? missPeriod(history.gaps) : config.period * 1000;
    return { run: null, deadline: missed.deadline + Math.max(period, SHORTEST_WINDOW) };
  }
  const earliest = missed.deadline + SHORTEST_WINDOW;
  // The missed run may be long ago, because outages extend its deadline: start at the first run that can be late
  // enough.
  const from = Math.max(missed.run, earliest - MAX_SETBACK - longestGrace(config.grace) - 1);
  let next = deadlineOfNextRun(schedule, config, from);
  while (next.deadline < earliest) next = deadlineOfNextRun(schedule, config, next.run);
  return next;
}

/** Whether the job may have checked in again by a moment. */
export function mayHaveCheckedIn(
  { config, history }: Rhythm,
  { run, lastCheckinAt }: { run: number | null; lastCheckinAt: number },
  moment: number,
): boolean {
  const schedule = scheduleOf(config);
  if (schedule && run !== null) {
    if (moment >= run) return true;
    // Avoids a search for the previous run, which is slow.
    if (moment < run - longestGrace(config.grace)) return false;
    return moment >= run - earlinessOf(run - lastRun(schedule, run - 1), config.grace);
  }
  const period = config.period === undefined ? shortestPeriod(history) : config.period * 1000;
  return moment >= lastCheckinAt + period - earlinessOf(period, config.grace);
}

function scheduleOf({ cron, timezone }: RhythmConfig): CronSchedule | null {
  if (cron === undefined) return null;
  return timezone === undefined ? { cron } : { cron, timezone };
}

/** The window of the configured `period`, in milliseconds; null if the window is learned. */
function configuredWindow({ period, grace }: RhythmConfig): number | null {
  return period === undefined ? null : period * 1000 + graceOf(period * 1000, grace);
}

/** The run that an early check-in counts for; the time of the check-in if it is not early. */
function runOf(
  { schedule, config, awaited }: { schedule: CronSchedule; config: RhythmConfig; awaited: Awaited | null },
  checkinAt: number,
): number {
  const next = nextRun(schedule, checkinAt);
  const present = lastRun(schedule, checkinAt);
  const early = next - checkinAt;
  if (early > earlinessOf(next - present, config.grace)) return checkinAt;
  const run = awaited?.run ?? null;
  const isOpen = run !== null && run <= present;
  const isRepeated = awaited?.run === next && isNearer(awaited.lastCheckinAt, { next, checkinAt });
  const isMade = awaited?.isKnown && run !== null && run >= next;
  return isOpen || isRepeated || (!isMade && isInGrace()) ? checkinAt : next;

  /**
   * Whether the check-in is in the grace of the present run. If it counts for that run, the one after it must not be late,
   * should both be early.
   */
  function isInGrace(): boolean {
    if (checkinAt > present + MAX_SETBACK + longestGrace(config.grace)) return false;
    if (checkinAt > deadlineOfNextRun(schedule, config, present - 1).deadline) return false;
    return deadlineOfNextRun(schedule, config, checkinAt).deadline >= nextRun(schedule, next) - early;
  }
}

/** Whether the previous check-in is nearer than the next run: then both check-ins are for the present run, as by a retry. */
function isNearer(last: number | null, { next, checkinAt }: { next: number; checkinAt: number }): boolean {
  return last !== null && last <= checkinAt && checkinAt - last < next - checkinAt;
}

/** The first run later than a moment, and its deadline (behavior 3.10, 3.14). */
function deadlineOfNextRun(
  schedule: CronSchedule,
  { grace }: RhythmConfig,
  after: number,
): { run: number; deadline: number } {
  const run = nextRun(schedule, after);
  return { run, deadline: latestStart(schedule, run) + graceOf(run - lastRun(schedule, after), grace) };
}
