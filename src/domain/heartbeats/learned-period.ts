import { HOUR, MINUTE } from "../duration.ts";
import { MAX_SETBACK } from "./cron.ts";
import {
  addPause,
  clockChanges,
  keepLongest,
  MAX_PAUSE,
  type Pause,
  pauseAround,
  weeklyPause,
} from "./weekly-pause.ts";

/**
 * The time between two check-ins.
 *
 * @property length milliseconds
 * @property kind `late` if it was longer than its own window, or if only a change of clocks (behavior 3.29) made that long
 *   enough; `pause` if only a weekly pause (behavior 3.5) did
 */
export interface Gap {
  length: number;
  kind: "regular" | "late" | "pause";
}

/**
 * A long gap of the last week, which may be a weekly pause. Milliseconds.
 *
 * @property before length of the previous gap
 * @property drift by how much later it ended than the pause a week before, if there was one
 */
export interface LongGap {
  start: number;
  length: number;
  before: number;
  drift?: number;
}

/** The check-ins of a job, as far as they teach its rhythm; stored as JSON. @property gaps the latest, oldest first */
export interface CheckinHistory {
  lastCheckinAt: number | null;
  gaps: Gap[];
  /** The long gaps of the last week, in which weekly pauses are found. */
  pauses: LongGap[];
}

const WEEK = 7 * 24 * HOUR;

/** The minimum of a learned window, and of the time between two misses (behavior 3.4, 3.18). */
export const SHORTEST_WINDOW = 5 * MINUTE;

const MAX_DEFAULT_GRACE = HOUR;

const KEPT_GAPS = 20;

/** By how much the window of a weekly pause is longer (behavior 3.5). A change of clocks leaves as much grace (behavior 3.29). */
const EXTRA_GRACE = 15 * MINUTE;

/** A job that runs more often does not pause when a clock is set back. */
const SHORTEST_LOCAL_PERIOD = 30 * MINUTE;

/** With fewer gaps, there is no learned period, and the window is at least `UNLEARNED_WINDOW` (behavior 3.2). */
const FEWEST_GAPS = 3;
const UNLEARNED_PERIOD = 24 * HOUR;
const UNLEARNED_WINDOW = 25 * HOUR;

/**
 * Adds a check-in.
 *
 * @param history with the `unseen` milliseconds since the last check-in, in which stillup did not run; `isMoved`: see `HeartbeatState`
 * @param grace seconds, if it is configured
 */
export function addCheckin(
  history: CheckinHistory & { unseen?: number; isMoved?: true | undefined },
  now: number,
  grace?: number,
): CheckinHistory {
  const { lastCheckinAt, gaps, pauses, unseen = 0 } = history;
  // If the last check-in is in the future, the clock was set back since: the length of the gap is unknown (behavior
  // 3.7).
  if (lastCheckinAt === null || lastCheckinAt > now) return { lastCheckinAt: now, gaps, pauses };
  const length = now - lastCheckinAt;
  const pauseLength = lengthOfPause(history, { length, unseen });
  const pause = { start: lastCheckinAt, length: pauseLength, before: gaps.at(-1)?.length ?? WEEK };
  return {
    lastCheckinAt: now,
    gaps: [...gaps, { length, kind: kindOf(history, length, grace) }].slice(-KEPT_GAPS),
    pauses: pauseLength > 0 ? addPause(pauses, pause, now) : keepLongest(pauses, now),
  };
}

/**
 * Length of the weekly pause in a gap; 0 if there is none. Only the part in which a server ran counts as long. A pause that is
 * known from the week before stays known (behavior 3.31).
 */
function lengthOfPause(
  history: CheckinHistory & { isMoved?: true | undefined },
  { length, unseen }: { length: number; unseen: number },
): number {
  if (length > MAX_PAUSE) return 0;
  if (isLong(history.gaps, length - unseen)) return length;
  if (history.isMoved) return 0;
  return isLong(history.gaps, length) ? Math.min(length, weeklyPause(history)?.length ?? 0) : 0;
}

/** The learned time between two check-ins (behavior 3.3), in milliseconds; null with fewer than three gaps. */
export function learnedPeriod(gaps: Gap[]): number | null {
  return gaps.length < FEWEST_GAPS ? null : Math.max(...countedLengths(gaps));
}

/** The time from one missed run to the next, in milliseconds (behavior 3.18). */
export function missPeriod(gaps: Gap[]): number {
  return learnedPeriod(gaps) ?? Math.max(UNLEARNED_PERIOD, ...countedLengths(gaps));
}

/** @property period from the last check-in to the next @property window from there to the deadline; milliseconds */
export interface LearnedRhythm {
  period: number;
  window: number;
}

/** The rhythm that is expected of the job after its last check-in. @param grace seconds, if it is configured */
export function learnedRhythm(history: CheckinHistory, grace?: number): LearnedRhythm {
  return rhythmFrom(history, { from: history.lastCheckinAt ?? 0, pause: weeklyPause(history), grace });
}

/**
 * The time from another moment to the deadline, in milliseconds. If the moment is in a weekly pause, the deadline is
 * after the rest of the pause. It is not earlier than after the last check-in: clocks may have been set back since.
 *
 * @param grace seconds, if it is configured
 */
export function windowFrom(history: CheckinHistory, from: number, grace?: number): number {
  const { window } = rhythmFrom(history, { from, pause: pauseAround(history, from), grace });
  // After a clock was set back, the check-in of a paused job is in the future.
  const since = Math.min(history.lastCheckinAt ?? from, from);
  return Math.max(window, since + learnedRhythm(history, grace).window - from);
}

/** The shortest time from the last check-in to the next, in milliseconds. */
export function shortestPeriod(history: CheckinHistory): number {
  const pause = weeklyPause(history)?.length ?? 0;
  if (pause > missPeriod(history.gaps)) return pause;
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
    ? Math.min(Math.max(Math.ceil(period / 5), MINUTE), MAX_DEFAULT_GRACE)
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

interface Moment {
  /** The time of the last check-in, or a later one; milliseconds since 1970. */
  from: number;
  /** The weekly pause that begins then, or that the moment is in. */
  pause: Pause | null;
  grace: number | undefined;
}

function rhythmFrom({ gaps }: CheckinHistory, { from, pause, grace }: Moment): LearnedRhythm {
  const period = missPeriod(gaps);
  const slack = Math.min(graceOf(period, grace), EXTRA_GRACE);
  const window = withClockChanges(regularWindow(gaps, grace), { from, period, slack });
  if (pause === null || pause.length <= period) return { period, window };
  const { rest, length, forward } = pause;
  // A gap of a whole week is the period of a weekly job.
  const extra = length < WEEK - EXTRA_GRACE ? EXTRA_GRACE : 0;
  const longer = { from, period: rest, after: period, slack: graceOf(length, grace) + extra, forward };
  const pauseWindow = withClockChanges(Math.max(SHORTEST_WINDOW, rest + longer.slack), longer);
  return { period: Math.max(period, rest), window: Math.max(window, pauseWindow) };
}

/**
 * The next runs of a job, and its tolerance, in milliseconds.
 *
 * @property period from `from` to the next run @property after from that run to the one after it, default: `period`
 * @property forward by how much clocks were set forward in the pause before
 */
interface Wait {
  from: number;
  period: number;
  after?: number;
  slack: number;
  forward?: number;
}

/**
 * A job may keep the local time of any zone, whose clocks are set back before the deadline, or skip the time of the next run. If
 * they were set forward in a pause, the next pause is longer (behavior 3.29).
 */
function withClockChanges(window: number, wait: Wait): number {
  const { from, period, after = period, slack, forward = 0 } = wait;
  if (period < SHORTEST_LOCAL_PERIOD) return window;
  const shift = Math.max(forward, ...setbacksBefore(from, from + window));
  const windows = skipsAt(from + period, slack).map((skipped) => period + after - skipped + slack);
  return Math.max(window, shift > 0 ? period + shift + slack : 0, ...windows);
}

/**
 * By how much clocks are set forward over the local time of a run. Some schedulers leave out such a run.
 *
 * @param at when the check-in of the run is expected, at most `slack` after the run
 */
function skipsAt(at: number, slack: number): number[] {
  return clockChanges(at - MAX_SETBACK - slack, at)
    .filter((change) => at < change.at - change.by + slack)
    .map(({ by }) => -by)
    .filter((skipped) => skipped > 0);
}

/** Also moments that repeat the local time of a moment before `to`: some schedulers run only at the second of the two. */
function setbacksBefore(from: number, to: number): number[] {
  const changes = clockChanges(from, to + MAX_SETBACK);
  return changes.filter(({ at, by }) => at - Math.max(0, by) <= to).map(({ by }) => by);
}

function kindOf(history: CheckinHistory, length: number, grace?: number): Gap["kind"] {
  if (length <= regularWindow(history.gaps, grace)) return "regular";
  return weeklyPause(history) && length <= learnedRhythm(history, grace).window ? "pause" : "late";
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

/**
 * Whether a gap may be a weekly pause. It is compared with the shortest regular gap, because the period may get
 * shorter within a week.
 */
function isLong(gaps: Gap[], length: number): boolean {
  const regular = gaps.filter(({ kind }) => kind === "regular").map((gap) => gap.length);
  return regular.length === 0 || length > windowOf(Math.min(...regular));
}
