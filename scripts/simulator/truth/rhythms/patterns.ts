import { isWild, runsOf, type Schedule } from "../cron-runs.ts";
import type { Draw } from "../draw.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const WEEK = 7 * DAY;

/** When a job runs, by the clock of its time zone. */
export interface Pattern {
  schedule: Schedule;
  /** The local minute of the day of one of its runs. */
  minuteOfDay: number;
  /** The usual time between two runs; milliseconds. */
  regular: number;
  /** The longest one that is no weekly pause, such as a night; milliseconds. */
  longest: number;
  /** How long a job teaches its rhythm before nothing about it is new; milliseconds. */
  learnedAfter: number;
}

/** A cron expression, the hour of one of its runs, and `regular` and `longest` of its pattern, if they differ. */
type Rhythm = [cron: string, hour: number, regular: number, longest?: number];

/** A rhythm of people: by days, weekdays, working hours, nights off and weeks. */
export function drawPattern(draw: Draw, timezone: string): Pattern {
  const [minute, hour] = [draw.whole(0, 59), draw.chance(0.4) ? draw.whole(0, 3) : draw.whole(0, 23)];
  const weekdayHour = draw.pick([6, hour]);
  const daily: Rhythm = [`${minute} ${hour} * * *`, hour, DAY];
  const weekdays: Rhythm = [`${minute} ${weekdayHour} * * 1-5`, weekdayHour, DAY];
  const twice: Rhythm = [`${minute} ${hour % 15},${(hour % 15) + 9} * * *`, hour % 15, 15 * HOUR];
  const weekly: Rhythm = [`${minute} ${hour} * * ${draw.whole(0, 6)}`, hour, WEEK];
  const workHours: Rhythm = [`${minute} 9-17 * * 1-5`, 9, HOUR, 16 * HOUR];
  const often = draw.pick<Rhythm>([
    [`${minute} 6-22 * * *`, 6, HOUR, 8 * HOUR],
    [`${minute} * * * *`, hour, HOUR],
    [`${minute} */8 * * *`, hour % 8, 8 * HOUR],
  ]);
  // Few have many check-ins, which take time.
  const [cron, runHour, regular, longest = regular] = draw.pick<Rhythm>([
    ...[daily, daily, daily, daily, weekdays, weekdays, weekdays],
    ...[twice, twice, weekly, weekly, workHours, often],
  ] as [Rhythm, ...Rhythm[]]);
  return {
    schedule: { cron, timezone },
    minuteOfDay: runHour * 60 + minute,
    regular,
    longest,
    learnedAfter: regular === WEEK ? 17 * DAY : 10 * DAY,
  };
}

/** The runs of a job that keeps its local time: one run for each time that occurs twice, and one run for each time that is skipped. */
export function localRuns(schedule: Schedule, { from, to }: { from: number; to: number }): number[] {
  const runs = runsOf(schedule, from, to).filter(({ local }) =>
    isWild(schedule) ? local !== "skipped" : local !== "again",
  );
  return [...new Set(runs.map(({ at }) => at))].sort((a, b) => a - b);
}

/** How late a job starts at most, so that two weeks differ by less than the tolerance of a weekly pause; milliseconds. */
export function longestJitter({ regular }: Pattern): number {
  return Math.min(7 * MINUTE, regular / 20);
}
