/**
 * The time between two check-ins.
 *
 * @property length milliseconds
 * @property kind `late` if it was longer than its own window; `pause` if only a weekly pause (behavior 3.5) made its window
 *   long enough
 */
export interface Gap {
  length: number;
  kind: "regular" | "late" | "pause";
}

/**
 * A long gap of the last week, which may be a weekly pause. Milliseconds.
 *
 * @property before length of the previous gap
 */
export interface LongGap {
  start: number;
  length: number;
  before: number;
}

/** The check-ins of a job, as far as they teach its rhythm; stored as JSON. @property gaps the latest, oldest first */
export interface CheckinHistory {
  lastCheckinAt: number | null;
  gaps: Gap[];
  /** The long gaps of the last week, in which weekly pauses are found. */
  pauses: LongGap[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WEEK = 7 * 24 * HOUR;

/** The minimum of a learned window, and of the time between two misses (behavior 3.4, 3.18). */
export const SHORTEST_WINDOW = 5 * MINUTE;

const LONGEST_DEFAULT_GRACE = HOUR;

const KEPT_GAPS = 20;

/** Bounds the long gaps of a job that runs often: the longest are kept. */
const KEPT_PAUSES = 50;

/** With fewer gaps, there is no learned period, and the window is at least `UNLEARNED_WINDOW` (behavior 3.2). */
const FEWEST_GAPS = 3;
const UNLEARNED_PERIOD = 24 * HOUR;
const UNLEARNED_WINDOW = 25 * HOUR;

/** Adds a check-in. @param grace seconds, if it is configured */
export function addCheckin(history: CheckinHistory, now: number, grace?: number): CheckinHistory {
  const { lastCheckinAt, gaps, pauses } = history;
  // If the last check-in is in the future, the clock was set back since: the length of the gap is unknown (behavior
  // 3.7).
  if (lastCheckinAt === null || lastCheckinAt > now) return { ...history, lastCheckinAt: now };
  const length = now - lastCheckinAt;
  const pause = { start: lastCheckinAt, length, before: gaps.at(-1)?.length ?? WEEK };
  return {
    lastCheckinAt: now,
    gaps: [...gaps, { length, kind: kindOf(history, length, grace) }].slice(-KEPT_GAPS),
    pauses: keepLongest(isLong(gaps, length) ? [...pauses, pause] : pauses, now),
  };
}

/** The learned time between two check-ins (behavior 3.3), in milliseconds; null with fewer than three gaps. */
export function learnedPeriod(gaps: Gap[]): number | null {
  return gaps.length < FEWEST_GAPS ? null : Math.max(...countedLengths(gaps));
}

/** The time from one missed run to the next, in milliseconds (behavior 3.18). */
export function missPeriod(gaps: Gap[]): number {
  return learnedPeriod(gaps) ?? Math.max(UNLEARNED_PERIOD, ...countedLengths(gaps));
}

/** The time from the last check-in to the deadline, in milliseconds. @param grace seconds, if it is configured */
export function learnedWindow(history: CheckinHistory, grace?: number): number {
  const pause = weeklyPause(history);
  return Math.max(regularWindow(history.gaps, grace), pause === null ? 0 : windowOf(pause, grace));
}

/**
 * The time from another moment to the deadline, in milliseconds. If the moment is in a weekly pause, the deadline is
 * after the rest of the pause.
 *
 * @param grace seconds, if it is configured
 */
export function windowFrom(history: CheckinHistory, from: number, grace?: number): number {
  const weekAgo = inLastWeek(history, from);
  const rests = history.pauses
    .filter(({ start, length }) => start <= weekAgo && weekAgo < start + length)
    .map(({ start, length }) => start + length - weekAgo + graceOf(length, grace));
  return Math.max(regularWindow(history.gaps, grace), ...rests);
}

/** The shortest time from the last check-in to the next, in milliseconds. */
export function shortestPeriod(history: CheckinHistory): number {
  const pause = weeklyPause(history);
  if (pause !== null && pause > missPeriod(history.gaps)) return pause;
  const lengths = countedLengths(history.gaps);
  return lengths.length > 0 ? Math.min(...lengths) : UNLEARNED_PERIOD;
}

/**
 * The grace of a run (behavior 3.4, 3.9), in whole milliseconds, because deadlines are stored as such.
 *
 * @param period milliseconds
 * @param grace seconds, if it is configured
 */
export function graceOf(period: number, grace?: number): number {
  return grace === undefined
    ? Math.min(Math.max(Math.ceil(period / 5), MINUTE), LONGEST_DEFAULT_GRACE)
    : grace * 1000;
}

/** The longest grace of any period, in milliseconds. @param grace seconds, if it is configured */
export function longestGrace(grace?: number): number {
  return graceOf(Number.POSITIVE_INFINITY, grace);
}

/**
 * How early a check-in may be and still count for a run (behavior 3.15), in milliseconds. Parameters as of `graceOf`.
 */
export function earlinessOf(period: number, grace?: number): number {
  return Math.min(graceOf(period, grace), period / 4);
}

function kindOf(history: CheckinHistory, length: number, grace?: number): Gap["kind"] {
  if (length <= regularWindow(history.gaps, grace)) return "regular";
  return length <= learnedWindow(history, grace) ? "pause" : "late";
}

/** The window without weekly pauses, in milliseconds. */
function regularWindow(gaps: Gap[], grace?: number): number {
  const lengths = countedLengths(gaps);
  const window = windowOf(lengths.length > 0 ? Math.max(...lengths) : UNLEARNED_PERIOD, grace);
  return gaps.length < FEWEST_GAPS ? Math.max(UNLEARNED_WINDOW, window) : window;
}

function windowOf(period: number, grace?: number): number {
  return Math.max(SHORTEST_WINDOW, period + graceOf(period, grace));
}

/**
 * The lengths of the gaps that count for the period. Late gaps and weekly pauses do not count, except if two of the
 * same kind are consecutive: the job then has a new rhythm (behavior 3.3).
 */
function countedLengths(gaps: Gap[]): number[] {
  const counted = gaps.filter(
    ({ kind }, at) => kind === "regular" || kind === gaps[at - 1]?.kind || kind === gaps[at + 1]?.kind,
  );
  const isAnyCounted = counted.length > 0 || gaps.length < FEWEST_GAPS;
  return (isAnyCounted ? counted : gaps).map(({ length }) => length);
}

/** The length of the long gap after the check-in a week before the last one (behavior 3.5); null if there was none. */
function weeklyPause({ lastCheckinAt, pauses }: CheckinHistory): number | null {
  if (lastCheckinAt === null) return null;
  const weekAgo = lastCheckinAt - WEEK;
  const lengths = pauses.filter((pause) => startsNear(pause, weekAgo)).map(({ length }) => length);
  return lengths.length > 0 ? Math.max(...lengths) : null;
}

/** Whether the check-in at the start of a gap was within an hour of a moment, and the nearest one. */
function startsNear({ start, length, before }: LongGap, moment: number): boolean {
  // Check-ins within a few minutes belong to one run, for example to its retry.
  const earliest = start - Math.min(HOUR, Math.max(before / 2, SHORTEST_WINDOW));
  const latest = start + Math.min(HOUR, length / 2);
  return earliest <= moment && moment <= latest;
}

/** A moment moved back by whole weeks, at least one, into the week before the last check-in. */
function inLastWeek({ lastCheckinAt }: CheckinHistory, moment: number): number {
  const weeks = Math.ceil((moment - (lastCheckinAt ?? moment)) / WEEK);
  return moment - Math.max(1, weeks) * WEEK;
}

/**
 * Whether a gap may be a weekly pause. It is compared with the shortest regular gap, because the period may get
 * shorter within a week.
 */
function isLong(gaps: Gap[], length: number): boolean {
  const regular = gaps.filter(({ kind }) => kind === "regular").map((gap) => gap.length);
  return regular.length === 0 || length > windowOf(Math.min(...regular));
}

/** The long gaps that are at most a week old, so that a later check-in may need them. */
function keepLongest(pauses: LongGap[], now: number): LongGap[] {
  const recent = pauses.filter(({ start, length }) => start + length >= now - WEEK - HOUR);
  if (recent.length <= KEPT_PAUSES) return recent;
  return recent.toSorted((a, b) => b.length - a.length).slice(0, KEPT_PAUSES);
}
