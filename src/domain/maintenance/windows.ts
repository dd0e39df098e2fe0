import { Cron } from "croner";
import { cached } from "../cache.ts";
import { type CronSchedule, matchesBothDays } from "../heartbeats/cron.ts";
import { localTimeIn } from "../local-time.ts";
import type { MaintenanceState, MaintenanceTimes } from "./maintenance.ts";

/** A stretch of time, without its end; milliseconds since 1970. */
export interface Window {
  startsAt: number;
  endsAt: number;
}

/** The window that is open at a moment; of several runs of one expression the latest, which ends last (behavior 14.30). */
export function openWindowAt(times: MaintenanceTimes, at: number): Window | null {
  const window = lastWindowUntil(times, at);
  return window && at < window.endsAt ? window : null;
}

/** The first window that starts after a moment. */
export function nextWindowAfter(times: MaintenanceTimes, at: number): Window | null {
  const { cron, startsAt, endsAt, until } = times;
  if (cron === null)
    return startsAt !== null && endsAt !== null && startsAt > at ? { startsAt, endsAt } : null;
  const run = runAfter(scheduleOf(cron, times), at);
  return run !== null && (until === null || run <= until) ? windowOfRun(times, run) : null;
}

/**
 * The open window and those that follow it, soonest first.
 *
 * @param most how many
 */
export function windowsFrom(times: MaintenanceTimes, at: number, most: number): Window[] {
  const open = openWindowAt(times, at);
  const windows = open ? [open] : [];
  let next = nextWindowAfter(times, at);
  while (next && windows.length < most) {
    windows.push(next);
    next = nextWindowAfter(times, next.startsAt);
  }
  return windows;
}

export function stateAt(times: MaintenanceTimes, at: number): MaintenanceState {
  if (openWindowAt(times, at)) return "active";
  return nextWindowAfter(times, at) ? "scheduled" : "ended";
}

/** The first moment after another one at which a different window may be open; infinite if there is none. */
export function nextChangeAfter(times: MaintenanceTimes, at: number): number {
  const end = openWindowAt(times, at)?.endsAt ?? Number.POSITIVE_INFINITY;
  const start = nextWindowAfter(times, at)?.startsAt ?? Number.POSITIVE_INFINITY;
  return Math.min(start, end);
}

/** The end of one window by its definition: an early end does not change that. Null with `cron`. Milliseconds since 1970. */
export function definedEnd({ cron, endsAt, endedRun }: MaintenanceTimes): number | null {
  return cron === null ? (endedRun ?? endsAt) : null;
}

/** The times of a maintenance whose open window is ended early, at `now`. */
export function withEndedWindow<Times extends MaintenanceTimes>(times: Times, now: number): Times {
  const window = openWindowAt(times, now);
  if (!window) return times;
  return times.cron === null
    ? { ...times, endsAt: now, endedRun: window.endsAt, endedRunAt: now }
    : { ...times, endedRun: window.startsAt, endedRunAt: now };
}

/** The latest window that started at a moment or before it; it may be over. */
export function lastWindowUntil(times: MaintenanceTimes, at: number): Window | null {
  const { cron, startsAt, endsAt, until } = times;
  if (cron === null)
    return startsAt !== null && endsAt !== null && startsAt <= at ? { startsAt, endsAt } : null;
  const run = lastRunUntil(scheduleOf(cron, times), until === null ? at : Math.min(at, until));
  return run === null ? null : windowOfRun(times, run);
}

/** Bounds a search: no more windows follow one another without a gap, except of an expression that is always open. */
const MAX_WITHOUT_GAP = 1000;

/**
 * When the window ended that was open at a moment, with those that overlap with it or touch it; null if there was none, or if it
 * has not ended until another moment.
 */
export function endAfter(times: MaintenanceTimes, at: number, until: number): number | null {
  const window = openWindowAt(times, at);
  let end = window?.endsAt ?? Number.POSITIVE_INFINITY;
  let next = window && nextWindowAfter(times, window.startsAt);
  for (let count = 0; next && next.startsAt <= end && end <= until; count++) {
    if (count === MAX_WITHOUT_GAP) return null;
    end = Math.max(end, next.endsAt);
    next = nextWindowAfter(times, next.startsAt);
  }
  return end <= until ? end : null;
}

function windowOfRun({ duration, endedRun, endedRunAt }: MaintenanceTimes, run: number): Window {
  const endsAt = run + (duration ?? 0) * 1000;
  const isEnded = endedRun !== null && endedRunAt !== null && run <= endedRun;
  return { startsAt: run, endsAt: isEnded ? Math.min(endsAt, endedRunAt) : endsAt };
}

function scheduleOf(cron: string, { timezone }: MaintenanceTimes) {
  return timezone === null ? { cron } : { cron, timezone };
}

/*
 * The runs of a cron expression that start windows. Each local time runs once: at its first occurrence if the clock is set
 * back, and at the change of the clock if it is skipped (behavior 14.32). The runs that a job is expected at leave out both
 * kinds (behavior 3.14).
 *
 * croner computes local times as if they were UTC, because at a change of the clock it treats `30 2` and `30 1,2` differently.
 */

/** The first run later than a moment; null if there is none. Milliseconds since 1970. */
export function runAfter({ cron, timezone = "UTC" }: CronSchedule, after: number): number | null {
  const zone = localTimeIn(timezone);
  const expression = parse(cron);
  for (let local = zone.shownAt(after); ; ) {
    const next = expression.nextRun(new Date(local));
    if (!next) return null;
    local = next.getTime();
    const run = zone.momentOf(local);
    if (run > after) return run;
  }
}

/** The last run at a moment or before it; null if there is none. Milliseconds since 1970. */
function lastRunUntil({ cron, timezone = "UTC" }: CronSchedule, until: number): number | null {
  const zone = localTimeIn(timezone);
  // A previous run of croner is earlier than the given time, never equal.
  const [run] = parse(cron).previousRuns(1, new Date(zone.latestShownUntil(until) + 1));
  return run ? zone.momentOf(run.getTime()) : null;
}

/** Cached, because parsing an expression takes longer than a search. */
const parse = cached(
  (text: string) =>
    // Paused, so that croner starts no timer. With a time zone, UTC too, a search takes six times as long.
    new Cron(text, { utcOffset: 0, mode: "5-part", domAndDow: matchesBothDays(text), paused: true }),
  1000,
);
