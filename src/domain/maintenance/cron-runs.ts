import { Cron } from "croner";
import { type CronSchedule, matchesBothDays } from "../heartbeats/cron.ts";
import { localTimeIn } from "./local-time.ts";

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
export function lastRunUntil({ cron, timezone = "UTC" }: CronSchedule, until: number): number | null {
  const zone = localTimeIn(timezone);
  // A previous run of croner is earlier than the given time, never equal.
  const [run] = parse(cron).previousRuns(1, new Date(zone.latestShownUntil(until) + 1));
  return run ? zone.momentOf(run.getTime()) : null;
}

/** Parsing an expression takes longer than a search. */
const MOST_PARSED = 1000;
const parsed = new Map<string, Cron>();

function parse(text: string): Cron {
  let cron = parsed.get(text);
  if (!cron) {
    if (parsed.size >= MOST_PARSED) parsed.clear();
    // Paused, so that croner starts no timer. With a time zone, UTC too, a search takes six times as long.
    cron = new Cron(text, { utcOffset: 0, mode: "5-part", domAndDow: matchesBothDays(text), paused: true });
    parsed.set(text, cron);
  }
  return cron;
}
