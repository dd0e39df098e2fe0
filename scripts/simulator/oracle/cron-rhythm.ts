import { isWild, runsOf, type Schedule } from "../truth/cron-runs.ts";
import { earliness, graceOf } from "./learned-rhythm.ts";

const DAY = 86_400_000;

/** A run that is expected, and when it is missed (behavior 3.10); milliseconds since 1970. */
export interface ExpectedRun {
  run: number;
  deadline: number;
  /** A check-in from here on counts for this run (behavior 3.15). */
  earliest: number;
}

/** The runs that every scheduler makes (behavior 3.14), with their deadlines. @param grace seconds */
export function expectedRuns(
  schedule: Schedule,
  { from, to, grace }: { from: number; to: number; grace?: number | undefined },
): ExpectedRun[] {
  // 40 days more on both sides have a run of every schedule of a simulation.
  const all = runsOf(schedule, from - 40 * DAY, to + 40 * DAY);
  const certain = all.filter(
    ({ local }) => local === "once" || (local !== "skipped" && (isWild(schedule) || local === "first")),
  );
  const [firsts, agains] = (["first", "again"] as const).map((one) =>
    all.filter(({ local }) => local === one),
  );
  return certain.slice(1).map((one, place) => {
    const { at: run } = one;
    const period = run - (certain[place]?.at ?? run);
    const again = isWild(schedule) ? undefined : agains?.[firsts?.indexOf(one) ?? -1];
    return {
      run,
      deadline: (again?.at ?? run) + graceOf(period, grace),
      earliest: run - earliness(period, grace),
    };
  });
}

/** The first run after a moment. */
export function runAfter(runs: readonly ExpectedRun[], moment: number): ExpectedRun {
  let [low, high] = [0, runs.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.run ?? 0) > moment) high = middle;
    else low = middle + 1;
  }
  const found = runs[low];
  if (!found) throw new Error(`the schedule has no run after ${moment}`);
  return found;
}

/** The run that is expected after a check-in: an early one counts for the next run. */
export function runAfterCheckin(runs: readonly ExpectedRun[], checkinAt: number): ExpectedRun {
  const next = runAfter(runs, checkinAt);
  return checkinAt >= next.earliest ? runAfter(runs, next.run) : next;
}
