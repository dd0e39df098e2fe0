import { clockChanges } from "../../../src/domain/heartbeats/weekly-pause.ts";
import { type Bounds, exactly, map, plus } from "./bounds.ts";

const [MINUTE, HOUR] = [60_000, 3_600_000];
const WEEK = 7 * 24 * HOUR;

/** How far the check-in a week ago may be from a week, and how much a change of clocks may add. */
const [NEAR, MAX_CHANGE] = [75 * MINUTE, 2 * HOUR];

/** By how much the window of a weekly pause is longer. */
const EXTRA = 15 * MINUTE;

/**
 * The time between two check-ins; milliseconds.
 *
 * @property start of the check-in before @property isUncertain the clock was changed between: the product may not know it
 */
export interface Gap extends Bounds {
  start: number;
  isUncertain: boolean;
}

/** The limits of the rhythm of a job. All are milliseconds. */
export interface LearnedRhythm {
  /** From a check-in to the deadline. */
  window: Bounds;
  /** From the end of an outage of the service to the deadline. @param end true milliseconds since 1970 */
  windowAfterOutage(end: Bounds): Bounds;
  /** From one missed run to the next. */
  missPeriod: Bounds;
  /** How long after a check-in the job may have checked in again. */
  next: Bounds;
}

/** The grace of a period (behavior 3.4, 3.9). @param grace seconds */
export function graceOf(period: number, grace?: number): number {
  return grace === undefined ? Math.min(Math.max(period / 5, MINUTE), HOUR) : grace * 1000;
}

/** How early a check-in may be (behavior 3.15). */
export function earliness(period: number, grace?: number): number {
  return Math.min(graceOf(period, grace), period / 4);
}

/** A gap is regular or late, or it is not certain which. */
type Kind = "regular" | "late" | "unclear";

/**
 * The rhythm that a job teaches (behavior 3.2 to 3.5), as bounds: what is certain bounds one side, what is possible the
 * other.
 */
export function createLearner(grace?: number) {
  const gaps: (Gap & { kind: Kind })[] = [];
  const windowOf = (period: number) => Math.max(5 * MINUTE, period + graceOf(period, grace));
  return {
    add(gap: Gap): void {
      const { regular, window } = windows(gap.start);
      const kind = gap.high <= regular.low ? "regular" : gap.low > window.high ? "late" : "unclear";
      gaps.push({ ...gap, kind });
    },
    /** @param checkinAt the last check-in */
    rhythm(checkinAt: number): LearnedRhythm {
      const { regular, window, period, shortest } = windows(checkinAt);
      return {
        window,
        windowAfterOutage(end) {
          const lately = gaps.filter(({ start }) => start > checkinAt - 2 * WEEK - HOUR);
          const longest = Math.max(period.high, ...lately.map(({ high }) => high));
          const change = clockChangeIn(checkinAt - 2 * WEEK, Math.max(checkinAt, end.high) + 2 * WEEK);
          const high = windowOf(longest) + EXTRA + change + leftOutAfter(end, period, longest);
          return { low: regular.low, high: Math.max(window.high, high) };
        },
        missPeriod: map(period, (value) => Math.max(value, 5 * MINUTE)),
        next: { low: shortest * 0.74, high: window.high },
      };
    },
  };

  /** @property regular without weekly pauses */
  function windows(checkinAt: number): { regular: Bounds; window: Bounds; period: Bounds; shortest: number } {
    const kept = gaps.slice(-20);
    const [fewest, most] = [kept.filter(({ isUncertain }) => !isUncertain).length, kept.length];
    const counted = countedIn(kept);
    const period = {
      low: Math.max(...counted.certain, most < 3 || counted.certain.length === 0 ? lowestOf(kept, most) : 0),
      high: Math.max(...counted.possible, fewest < 3 || counted.possible.length === 0 ? 24 * HOUR : 0),
    };
    const regular = {
      low: Math.max(windowOf(period.low), most < 3 ? 25 * HOUR : 0),
      high: Math.max(windowOf(period.high), fewest < 3 ? 25 * HOUR : 0),
    };
    const pause = weeklyPause(checkinAt, regular);
    const longest = Math.max(regular.high, windowOf(pause.high) + EXTRA);
    const change = clockChangeIn(checkinAt - 2 * WEEK, checkinAt + longest + MAX_CHANGE);
    const isShort = period.high < 30 * MINUTE && pause.high < 30 * MINUTE;
    return {
      regular,
      window: {
        low: Math.max(regular.low, windowOf(pause.low)),
        high: longest + (isShort ? 0 : change + leftOutAfter(exactly(checkinAt), period, pause.high)),
      },
      period,
      shortest: Math.min(24 * HOUR, ...kept.map(({ low }) => low)),
    };
  }

  /** The gap after the check-in a week ago. Zero if there is none. */
  function weeklyPause(checkinAt: number, regular: Bounds): Bounds {
    const weekAgo = checkinAt - WEEK;
    const distance = ({ start }: Gap) => Math.abs(start - weekAgo);
    const possible: Gap[] = [];
    const change = clockChangeIn(weekAgo - WEEK - MAX_CHANGE, checkinAt);
    const widest = NEAR + 5 * MINUTE + change;
    for (let at = firstFrom(weekAgo - widest); at < gaps.length; at++) {
      const gap = gaps[at];
      if (!gap || gap.start > weekAgo + widest) break;
      possible.push(gap);
    }
    const [only] = possible;
    const isCertain =
      only &&
      possible.length === 1 &&
      change === 0 &&
      distance(only) <= 45 * MINUTE &&
      !only.isUncertain &&
      only.low > regular.high;
    return { low: isCertain ? only.low : 0, high: Math.max(0, ...possible.map(({ high }) => high)) };
  }

  /**
   * By how much longer the window is if clocks that are set forward in any time zone skip the local time of the next run: its
   * scheduler may leave it out (behavior 3.29). The run is a period after the moment, or a pause.
   */
  function leftOutAfter(moment: Bounds, period: Bounds, pause: number): number {
    const run = plus(moment, { low: period.low, high: Math.max(period.high, pause) });
    const slack = EXTRA + (pause > period.high ? graceOf(pause, grace) : 0);
    const isLeftOut = clockChanges(run.low - MAX_CHANGE - slack, run.high).some(
      ({ at, by }) => by < 0 && run.low < at - by + slack,
    );
    return isLeftOut ? period.high : 0;
  }

  /** The place of the first gap that starts at a moment or later. */
  function firstFrom(moment: number): number {
    let [low, high] = [0, gaps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((gaps[middle]?.start ?? 0) < moment) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The longest change of a clock of any time zone in a stretch, in milliseconds; `MAX_CHANGE` bounds it. */
function clockChangeIn(from: number, to: number): number {
  return Math.max(0, ...clockChanges(from, to).map(({ by }) => Math.abs(by)));
}

/** With fewer than three gaps, or none that counts: the period is a day, or any gap that is known. */
function lowestOf(gaps: readonly Gap[], most: number): number {
  return most < 3 ? 0 : Math.min(...gaps.map(({ low }) => low));
}

/** A late gap counts only beside another one (behavior 3.3). */
function countedIn(gaps: readonly (Gap & { kind: Kind })[]): { certain: number[]; possible: number[] } {
  const isCertain = ({ kind, isUncertain }: Gap & { kind: Kind }, at: number) =>
    !isUncertain &&
    (kind === "regular" ||
      (kind === "late" && [gaps[at - 1], gaps[at + 1]].some((other) => other?.kind === "late")));
  const isPossible = ({ kind }: { kind: Kind }, at: number) =>
    kind !== "late" || [gaps[at - 1], gaps[at + 1]].some((other) => other && other.kind !== "regular");
  return {
    certain: gaps.filter(isCertain).map(({ low }) => low),
    possible: gaps.filter(isPossible).map(({ high }) => high),
  };
}
