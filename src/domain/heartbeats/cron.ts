import { Cron } from "croner";

/** A cron expression of five fields, and the time zone (IANA) that it is meant in: UTC where none is given. */
export interface CronSchedule {
  cron: string;
  timezone?: string;
}

/** By how much clocks are put back, in milliseconds: the zones of the world know these three. */
const SETBACKS = [30, 60, 120].map((minutes) => minutes * 60_000);

/** In which years a schedule must have a run: 29 February comes to each day of the week within 40 years. */
const FIRST_YEAR = 2026;
const LAST_YEAR = 2076;

/**
 * The first run later than a moment; both in milliseconds since 1970.
 *
 * Where clocks change, schedulers differ: some skip a time that does not exist and others make up for it; some
 * come twice to a time that occurs twice. What not all of them do is not waited for.
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

/** Whether a schedule comes to run at all: it never does where the clocks always leave its times out. */
export function hasRun(schedule: CronSchedule): boolean {
  // Without its years croner looks through all of them to the year 10000, which can take a second.
  const bounded = new Cron(`0 ${schedule.cron} ${FIRST_YEAR}-${LAST_YEAR}`, {
    timezone: zoneOf(schedule).name,
    mode: "7-part",
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

/** Whether an expression has five fields that can be read, and comes to run at some time. */
export function isCronExpression(text: string): boolean {
  // Shorthands such as `@daily`, and dates, which croner reads too, are no five fields.
  if (text.trim().split(/\s+/).length !== 5) return false;
  try {
    return parse({ cron: text }).nextRun(new Date(0)) !== null;
  } catch {
    return false;
  }
}

/** Whether a time zone is known by its name; offsets such as `+02:00` are no names. */
export function isTimezone(text: string): boolean {
  if (!/^[a-z]/i.test(text)) return false;
  try {
    return newClock(text) !== null;
  } catch {
    return false;
  }
}

/** A schedule with the runs that were last found: many jobs share one, and a job asks for the same runs again. */
interface Known {
  cron: Cron;
  /** There is no run from `after` to `run`. */
  next?: { after: number; run: number };
  /** There is no run from `run` to `until`. */
  last?: { run: number; until: number };
}

const MOST_KNOWN = 1000;
const knownSchedules = new Map<string, Known>();

function knownOf(schedule: CronSchedule): Known {
  const key = `${schedule.cron} ${zoneOf(schedule).name}`;
  let known = knownSchedules.get(key);
  if (!known) {
    if (knownSchedules.size >= MOST_KNOWN) knownSchedules.clear();
    known = { cron: parse(schedule) };
    knownSchedules.set(key, known);
  }
  return known;
}

/** Paused: it tells times and starts no timer. */
function parse(schedule: CronSchedule): Cron {
  return new Cron(schedule.cron, { timezone: zoneOf(schedule).name, mode: "5-part", paused: true });
}

function findNext(cron: Cron, schedule: CronSchedule, after: number): Date | null {
  let run = cron.nextRun(new Date(after));
  while (run && !isCertain(run, cron, schedule)) run = cron.nextRun(run);
  return run;
}

function findLast(cron: Cron, schedule: CronSchedule, until: number): Date | undefined {
  // What croner calls previous is earlier than the given time, never equal to it.
  let [run] = cron.previousRuns(1, new Date(until + 1));
  while (run && !isCertain(run, cron, schedule)) [run] = cron.previousRuns(1, run);
  return run;
}

function isCertain(run: Date, cron: Cron, schedule: CronSchedule): boolean {
  const movedOutOfGap = !cron.match(run);
  return !movedOutOfGap && (isWild(schedule.cron) || !isRepeated(run, zoneOf(schedule).clock));
}

/** All schedulers run what has a wildcard here through the repeated hour too. */
function isWild(cron: string): boolean {
  const [minute, hour] = cron.trim().split(/\s+/);
  return [minute, hour].some((field) => field && /^[*?]/.test(field));
}

/** Whether the clock showed this time once before, as it does when it has been put back. */
function isRepeated(run: Date, clock: Intl.DateTimeFormat): boolean {
  const shown = clock.format(run);
  return SETBACKS.some((setback) => clock.format(run.getTime() - setback) === shown);
}

/** @property name as it is spelled officially: croner keeps a clock for each spelling that it is given */
interface Zone {
  name: string;
  clock: Intl.DateTimeFormat;
}

/** Kept, because a clock takes long to create: some hundred, one for each name in any case. */
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
