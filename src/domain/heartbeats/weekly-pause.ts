import { cached } from "../cache.ts";
import { HOUR, MINUTE } from "../duration.ts";
import type { CheckinHistory, LongGap } from "./learned-period.ts";

const WEEK = 7 * 24 * HOUR;

/** How far the check-in a week before may be from a week, in milliseconds (behavior 3.5). */
const NEAR = 75 * MINUTE;

/** Check-ins within a few minutes belong to one run, for example to its retry. */
const ONE_RUN = 5 * MINUTE;

/** The longest change of a clock is two hours. With the difference of the run times, in milliseconds. */
const MAX_DRIFT = 135 * MINUTE;

/** A job that runs less often has no weekly pause, but a rhythm without weeks; milliseconds. */
export const MAX_PAUSE = WEEK + MAX_DRIFT;

/** Bounds the long gaps of a job that runs often: the longest are kept. */
const KEPT_PAUSES = 50;

/** @property rest from the moment to the end of the pause @property length of the whole pause; milliseconds */
export interface Pause {
  rest: number;
  length: number;
  /** By how much a clock was set forward in it at most, so that it was shorter than usual; milliseconds. */
  forward: number;
}

/** The long gap after the check-in a week before the last one (behavior 3.5); null if there was none. */
export function weeklyPause(history: CheckinHistory): Pause | null {
  const { lastCheckinAt, pauses } = history;
  if (lastCheckinAt === null || pauses.length === 0) return null;
  const moments = clockShifts(history).map((shift) => lastCheckinAt - WEEK - shift);
  const found = pauses.filter((pause) => moments.some((moment) => startsNear(pause, moment)));
  return longestOf(found.map((pause) => ({ ...pause, rest: pause.length })));
}

/** The long gap in which a moment was, moved back by whole weeks into the week before the last check-in; null if in none. */
export function pauseAround(history: CheckinHistory, from: number): Pause | null {
  const { lastCheckinAt, pauses } = history;
  const weeks = Math.ceil((from - (lastCheckinAt ?? from)) / WEEK);
  const weekAgo = from - Math.max(1, weeks) * WEEK;
  const found = clockShifts(history).flatMap((shift) =>
    pauses.map((pause) => ({ ...pause, rest: pause.start + pause.length - (weekAgo - shift) })),
  );
  return longestOf(found.filter(({ rest, length }) => 0 < rest && rest <= length));
}

/** Adds a gap, or a part of it, before a check-in at `now` to the long gaps, without those that no later check-in needs. */
export function addPause(pauses: readonly LongGap[], gap: Omit<LongGap, "drift">, now: number): LongGap[] {
  const drift = driftOf(pauses, gap);
  return keepLongest([...pauses, { ...gap, ...(drift !== undefined && { drift }) }], now);
}

/** The long gaps that are at most a week old, so that a later check-in may need them. */
export function keepLongest(pauses: readonly LongGap[], now: number): LongGap[] {
  const recent = pauses.filter((pause) => endOf(pause) >= now - WEEK - MAX_DRIFT);
  if (recent.length <= KEPT_PAUSES) return recent;
  const longest = new Set(recent.toSorted((a, b) => b.length - a.length).slice(0, KEPT_PAUSES));
  return recent.filter((pause) => longest.has(pause));
}

/**
 * By how much later a pause ends than the same pause a week before, in milliseconds. A gap of less than two of the gap before may
 * be no pause, and shows nothing.
 */
function driftOf(pauses: readonly LongGap[], gap: Omit<LongGap, "drift">): number | undefined {
  if (gap.length < 2 * gap.before) return undefined;
  const same = pauses.filter((pause) => Math.abs(pause.length - gap.length) <= MAX_DRIFT);
  const drifts = same.map((pause) => endOf(gap) - WEEK - endOf(pause));
  return nearestTo(
    0,
    drifts.filter((drift) => Math.abs(drift) <= MAX_DRIFT),
  );
}

/**
 * By how much later than a week ago a job may run that keeps its local time, in milliseconds. If clocks changed in some zone
 * meanwhile, the end of the last pause shows whether the job follows them. About a change since then, both is possible, and
 * about one since the end of that pause a week ago.
 */
function clockShifts({ lastCheckinAt, pauses }: CheckinHistory): number[] {
  const last = lastCheckinAt ?? 0;
  const pause = pauses.findLast(({ drift }) => drift !== undefined);
  const known = pause ? endOf(pause) : last - WEEK;
  const changes = clockChanges(known - WEEK - MAX_DRIFT, last);
  const seen = changes.filter(({ at }) => at <= known);
  const shift = nearestTo(pause?.drift ?? 0, [0, ...seen.map(({ by }) => by)]) ?? 0;
  if (shift === 0) return [0, ...new Set(changes.filter(({ at }) => at > known).map(({ by }) => by))];
  const isPast = seen.some(({ at, by }) => by === shift && at <= last - WEEK + MAX_DRIFT);
  return isPast ? [0, shift] : [shift];
}

/** Whether the check-in at the start of a gap was near a moment, and the nearest one. */
function startsNear({ start, length, before }: LongGap, moment: number): boolean {
  const earliest = start - Math.min(NEAR, Math.max(before / 2, ONE_RUN));
  const latest = start + Math.min(NEAR, length / 2);
  return earliest <= moment && moment <= latest;
}

function longestOf(found: readonly (LongGap & { rest: number })[]): Pause | null {
  const [longest] = found.toSorted((a, b) => b.rest - a.rest);
  if (!longest) return null;
  const { start, length, rest } = longest;
  const forward = clockChanges(start, start + length).map(({ by }) => -by);
  return { length, rest, forward: Math.max(0, ...forward) };
}

function endOf({ start, length }: Pick<LongGap, "start" | "length">): number {
  return start + length;
}

function nearestTo(value: number, others: readonly number[]): number | undefined {
  return others.toSorted((a, b) => Math.abs(a - value) - Math.abs(b - value))[0];
}

/**
 * A change of the clocks of at least one time zone.
 *
 * @property at milliseconds since 1970
 * @property by how much the clocks are set back, in milliseconds; negative if they are set forward
 */
interface ClockChange {
  at: number;
  by: number;
}

const YEAR = 366 * 24 * 60 * 60_000;

/** The changes in any time zone later than `from` and until `to`, of at most a year, by time; milliseconds since 1970. */
export function clockChanges(from: number, to: number): ClockChange[] {
  const last = Math.min(to, from + YEAR);
  const changes: ClockChange[] = [];
  for (let year = yearOf(from); year <= yearOf(last); year++)
    changes.push(...changesOf(year).filter(({ at }) => from < at && at <= last));
  return changes;
}

function yearOf(at: number): number {
  return new Date(at).getUTCFullYear();
}

/** Cached by year, because it takes some 20 ms. */
const changesOf = cached(findChanges, 100);

function findChanges(year: number): ClockChange[] {
  const found = new Map<string, ClockChange>();
  for (const zone of Intl.supportedValuesOf("timeZone"))
    for (const change of changesIn(zone, year)) found.set(`${change.at} ${change.by}`, change);
  return [...found.values()].sort((a, b) => a.at - b.at || a.by - b.by);
}

function* changesIn(zone: string, year: number): Generator<ClockChange> {
  const start = Temporal.Instant.fromEpochMilliseconds(Date.UTC(year, 0) - 1).toZonedDateTimeISO(zone);
  for (let next = start.getTimeZoneTransition("next"); next; next = next.getTimeZoneTransition("next")) {
    const at = next.epochMilliseconds;
    if (yearOf(at) > year) return;
    const by = (next.subtract({ milliseconds: 1 }).offsetNanoseconds - next.offsetNanoseconds) / 1e6;
    if (by !== 0) yield { at, by };
  }
}
