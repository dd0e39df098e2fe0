import { Cron } from "croner";

/** A cron expression of five fields, and its IANA time zone, by default UTC (behavior 3.10, 3.11). */
export interface CronSchedule {
  cron: string;
  timezone?: string;
}

/** By how much a clock change sets a clock back, in milliseconds: these three lengths exist. */
const SETBACKS = [30, 60, 120].map((minutes) => minutes * 60_000);
export const MAX_SETBACK = Math.max(...SETBACKS);

/** A valid schedule has a run within these years: within 40 years, 29 February is on each day of the week. */
const FIRST_YEAR = 2026;
const LAST_YEAR = 2076;

/**
 * The first run later than a moment; both in milliseconds since 1970.
 *
 * Schedulers differ when clocks change: some skip a local time that does not exist, others run later; some run twice
 * at a local time that repeats. Only runs that all of them make are expected (behavior 3.14).
 */
export function nextRun(schedule: CronSchedule, after: number): number {
  const known = knownOf(schedule);
  const { next } = known;
  if (next && next.after <= after && after < next.run) return next.run;
  const run = findNext(known.cron, schedule, after)?.getTime();
  if (run === undefined) throw new Error(`cron expression ${schedule.cron} has no run after ${after}`);
  known.next = { after, run };
  return run;
}

/**
 * When the last scheduler makes a run: if its local time occurs again, some run only then (behavior 3.14). Milliseconds since
 * 1970.
 */
export function latestStart(schedule: CronSchedule, run: number): number {
  if (isWild(schedule.cron)) return run;
  const { clock } = zoneOf(schedule);
  const shown = clock.format(run);
  return run + (SETBACKS.find((setback) => clock.format(run + setback) === shown) ?? 0);
}

/** Whether a schedule ever runs. It does not if clock changes skip each of its times (behavior 3.13). */
export function hasRun(schedule: CronSchedule): boolean {
  // Without a limit, croner searches up to the year 10000, which can take a second.
  const bounded = new Cron(`0 ${schedule.cron} ${FIRST_YEAR}-${LAST_YEAR}`, {
    timezone: zoneOf(schedule).name,
    mode: "7-part",
    domAndDow: matchesBothDays(schedule.cron),
    paused: true,
  });
  return findNext(bounded, schedule, Date.UTC(FIRST_YEAR, 0)) !== null;
}

/** The last run at a moment or before it; both in milliseconds since 1970. */
export function lastRun(schedule: CronSchedule, until: number): number {
  const known = knownOf(schedule);
  const { last } = known;
  if (last && last.run <= until && until <= last.until) return last.run;
  const run = findLast(known.cron, schedule, until)?.getTime();
  if (run === undefined) throw new Error(`cron expression ${schedule.cron} has no run before ${until}`);
  known.last = { run, until };
  return run;
}

/**
 * Whether a day must match both day fields of an expression, and not only one of them (behavior 3.28), as
 * crontab(5) has it. croner knows this rule only for `*` alone, not for a step of it.
 */
export function matchesBothDays(cron: string): boolean {
  const [, , day, , weekday] = cron.trim().split(/\s+/);
  return [day, weekday].some((field) => field && /^[*?]/.test(field));
}

/** Whether a text is a valid cron expression of five fields that runs at some time. */
export function isCronExpression(text: string): boolean {
  // croner also accepts shorthands such as `@daily`, and dates.
  if (text.trim().split(/\s+/).length !== 5) return false;
  try {
    return parse({ cron: text }).nextRun(new Date(0)) !== null;
  } catch {
    return false;
  }
}

/** Whether a text is the name of a time zone. An offset such as `+02:00` is not. */
export function isTimezone(text: string): boolean {
  if (!/^[a-z]/i.test(text)) return false;
  try {
    return newClock(text) !== null;
  } catch {
    return false;
  }
}

/** A cached schedule with its latest results, because many jobs share a schedule and need the same runs. */
interface Known {
  cron: Cron;
  /** There is no run from `after` to `run`. */
  next?: { after: number; run: number };
  /** There is no run from `run` to `until`. */
  last?: { run: number; until: number };
}

const MAX_KNOWN = 1000;
const knownSchedules = new Map<string, Known>();

function knownOf(schedule: CronSchedule): Known {
  const key = `${schedule.cron} ${zoneOf(schedule).name}`;
  let known = knownSchedules.get(key);
  if (!known) {
    if (knownSchedules.size >= MAX_KNOWN) knownSchedules.clear();
    known = { cron: parse(schedule) };
    knownSchedules.set(key, known);
  }
  return known;
}

/** Paused, so that croner starts no timer. */
function parse(schedule: CronSchedule): Cron {
  const domAndDow = matchesBothDays(schedule.cron);
  return new Cron(schedule.cron, {
    timezone: zoneOf(schedule).name,
    mode: "5-part",
    domAndDow,
    paused: true,
  });
}

function findNext(cron: Cron, schedule: CronSchedule, after: number): Date | null {
  let run = cron.nextRun(new Date(after));
  while (run && !isCertain(run, cron, schedule)) run = cron.nextRun(run);
  return run;
}

function findLast(cron: Cron, schedule: CronSchedule, until: number): Date | undefined {
  // A previous run of croner is earlier than the given time, never equal.
  let [run] = cron.previousRuns(1, new Date(until + 1));
  while (run && !isCertain(run, cron, schedule)) [run] = cron.previousRuns(1, run);
  return run;
}

/** Whether every scheduler makes a run. */
function isCertain(run: Date, cron: Cron, schedule: CronSchedule): boolean {
  const movedOutOfGap = !cron.match(run);
  return !movedOutOfGap && (isWild(schedule.cron) || !isRepeated(run, zoneOf(schedule).clock));
}

/** With a wildcard in minute or hour, all schedulers run through a repeated hour (behavior 3.14). */
function isWild(cron: string): boolean {
  const [minute, hour] = cron.trim().split(/\s+/);
  return [minute, hour].some((field) => field && /^[*?]/.test(field));
}

/** Whether the local time of a run occurred before, because the clock was set back. */
function isRepeated(run: Date, clock: Intl.DateTimeFormat): boolean {
  const shown = clock.format(run);
  return SETBACKS.some((setback) => clock.format(run.getTime() - setback) === shown);
}

/** @property name in its official spelling, because croner keeps a clock for each spelling */
interface Zone {
  name: string;
  clock: Intl.DateTimeFormat;
}

/** Cached by name in lower case, because a clock is slow to create. There are a few hundred names. */
const zones = new Map<string, Zone>();

function zoneOf({ timezone = "UTC" }: CronSchedule): Zone {
  const key = timezone.toLowerCase();
  let zone = zones.get(key);
  if (!zone) {
    const clock = newClock(timezone);
    zone = { name: clock.resolvedOptions().timeZone, clock };
    zones.set(key, zone);
  }
  return zone;
}

function newClock(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en", { timeZone, dateStyle: "short", timeStyle: "short" });
}
