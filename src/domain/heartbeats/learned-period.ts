/**
 * A time between two checkins. @property length milliseconds
 * @property kind `late` where it ran past its own deadline, `pause` where only the pause of the week before kept it
 *   from being late
 */
export interface Gap {
  length: number;
  kind: "regular" | "late" | "pause";
}

/** A long gap of the last week. Times are milliseconds. @property before the length of the gap before it */
export interface Pause {
  start: number;
  length: number;
  before: number;
}

/** What the checkins of a job have shown; plain JSON. @property gaps the last ones, oldest first */
export interface Heard {
  lastCheckinAt: number | null;
  gaps: Gap[];
  pauses: Pause[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WEEK = 7 * 24 * HOUR;

/** The shortest window there is, unless a rhythm is set by hand; also the shortest time from one miss to the next. */
export const SHORTEST_WINDOW = 5 * MINUTE;

const LONGEST_DEFAULT_GRACE = HOUR;

const KEPT_GAPS = 20;

/** A week of a job that calls every minute has 10,080 gaps: only this many of the longest are kept. */
const KEPT_PAUSES = 50;

/** Before so many gaps are known, the period is not learned, and the window is never below the unlearned one. */
const FEWEST_GAPS = 3;
const UNLEARNED_PERIOD = 24 * HOUR;
const UNLEARNED_WINDOW = 25 * HOUR;

/** Learns from a checkin. @param grace seconds, if it is set by hand */
export function hear(heard: Heard, now: number, grace?: number): Heard {
  const { lastCheckinAt, gaps, pauses } = heard;
  // A last checkin in the future was recorded before the clock was set back: the length of the gap is unknown.
  if (lastCheckinAt === null || lastCheckinAt > now) return { ...heard, lastCheckinAt: now };
  const length = now - lastCheckinAt;
  const pause = { start: lastCheckinAt, length, before: gaps.at(-1)?.length ?? WEEK };
  return {
    lastCheckinAt: now,
    gaps: [...gaps, { length, kind: kindOf(heard, length, grace) }].slice(-KEPT_GAPS),
    pauses: keepLongest(isLong(gaps, length) ? [...pauses, pause] : pauses, now),
  };
}

/** The expected time between two checkins, in milliseconds; null before three gaps are known. */
export function learnedPeriod(gaps: Gap[]): number | null {
  return gaps.length < FEWEST_GAPS ? null : Math.max(...countedLengths(gaps));
}

/** The time from one miss to the next, in milliseconds. */
export function missPeriod(gaps: Gap[]): number {
  return learnedPeriod(gaps) ?? Math.max(UNLEARNED_PERIOD, ...countedLengths(gaps));
}

/** How long after the last checkin silence is a miss, in milliseconds. @param grace seconds, if it is set by hand */
export function learnedWindow(heard: Heard, grace?: number): number {
  const pause = weeklyPause(heard);
  return Math.max(regularWindow(heard.gaps, grace), pause === null ? 0 : windowOf(pause, grace));
}

/** How long after another moment than a checkin silence is a miss; parameters as those of `learnedWindow`. */
export function windowFrom(heard: Heard, from: number, grace?: number): number {
  const aWeekBefore = inKnownWeek(heard, from);
  const rests = heard.pauses
    .filter(({ start, length }) => start <= aWeekBefore && aWeekBefore < start + length)
    .map(({ start, length }) => start + length - aWeekBefore + graceOf(length, grace));
  return Math.max(regularWindow(heard.gaps, grace), ...rests);
}

/** How soon after the last checkin the next one may come, in milliseconds. */
export function earliestPeriod(heard: Heard): number {
  const pause = weeklyPause(heard);
  if (pause !== null && pause > missPeriod(heard.gaps)) return pause;
  const lengths = countedLengths(heard.gaps);
  return lengths.length > 0 ? Math.min(...lengths) : UNLEARNED_PERIOD;
}

/** How late a run may be, in milliseconds. @param period milliseconds @param grace seconds, if it is set by hand */
export function graceOf(period: number, grace?: number): number {
  return grace === undefined ? Math.min(Math.max(period / 5, MINUTE), LONGEST_DEFAULT_GRACE) : grace * 1000;
}

/** The longest that `graceOf` gives for any period, in milliseconds; parameter as there. */
export function longestGrace(grace?: number): number {
  return graceOf(Number.POSITIVE_INFINITY, grace);
}

/** How early a run may be to still count for its time, in milliseconds; parameters as those of `graceOf`. */
export function earlinessOf(period: number, grace?: number): number {
  return Math.min(graceOf(period, grace), period / 4);
}

function kindOf(heard: Heard, length: number, grace?: number): Gap["kind"] {
  if (length <= regularWindow(heard.gaps, grace)) return "regular";
  return length <= learnedWindow(heard, grace) ? "pause" : "late";
}

/** The window where no weekly pause is known, in milliseconds. */
function regularWindow(gaps: Gap[], grace?: number): number {
  const lengths = countedLengths(gaps);
  const window = windowOf(lengths.length > 0 ? Math.max(...lengths) : UNLEARNED_PERIOD, grace);
  return gaps.length < FEWEST_GAPS ? Math.max(UNLEARNED_WINDOW, window) : window;
}

function windowOf(period: number, grace?: number): number {
  return Math.max(SHORTEST_WINDOW, period + graceOf(period, grace));
}

/**
 * Gaps that ran past their deadline are left out, and so are weekly pauses: unless two of a kind follow each other,
 * which shows another rhythm. A missed run next to a weekly pause shows none.
 */
function countedLengths(gaps: Gap[]): number[] {
  const counted = gaps.filter(
    ({ kind }, at) => kind === "regular" || kind === gaps[at - 1]?.kind || kind === gaps[at + 1]?.kind,
  );
  const isAnyCounted = counted.length > 0 || gaps.length < FEWEST_GAPS;
  return (isAnyCounted ? counted : gaps).map(({ length }) => length);
}

/** The gap that followed the checkin of a week before the last one; null if none is known, or it was not long. */
function weeklyPause({ lastCheckinAt, pauses }: Heard): number | null {
  if (lastCheckinAt === null) return null;
  const aWeekBefore = lastCheckinAt - WEEK;
  const lengths = pauses.filter((pause) => startsNear(pause, aWeekBefore)).map(({ length }) => length);
  return lengths.length > 0 ? Math.max(...lengths) : null;
}

/** Whether no other checkin was nearer to a moment than the one that a pause followed. */
function startsNear({ start, length, before }: Pause, moment: number): boolean {
  // Checkins close to each other are those of one run, such as that of a retry.
  const earliest = start - Math.min(HOUR, Math.max(before / 2, SHORTEST_WINDOW));
  const latest = start + Math.min(HOUR, length / 2);
  return earliest <= moment && moment <= latest;
}

/** A moment moved back by whole weeks, one at least, into the week before the last checkin. */
function inKnownWeek({ lastCheckinAt }: Heard, moment: number): number {
  const weeks = Math.ceil((moment - (lastCheckinAt ?? moment)) / WEEK);
  return moment - Math.max(1, weeks) * WEEK;
}

/** Longer than the job usually takes, even if it is not longer than the period: that may become shorter in a week. */
function isLong(gaps: Gap[], length: number): boolean {
  const regular = gaps.filter(({ kind }) => kind === "regular").map((gap) => gap.length);
  return regular.length === 0 || length > windowOf(Math.min(...regular));
}

/** The pauses that a checkin from now on can look back at. */
function keepLongest(pauses: Pause[], now: number): Pause[] {
  const recent = pauses.filter(({ start, length }) => start + length >= now - WEEK - HOUR);
  if (recent.length <= KEPT_PAUSES) return recent;
  return recent.toSorted((a, b) => b.length - a.length).slice(0, KEPT_PAUSES);
}
