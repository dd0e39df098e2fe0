/** A time between two checkins. @property length milliseconds @property late whether it ran past its own deadline */
export interface Gap {
  length: number;
  late: boolean;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The shortest window there is, unless a rhythm is set by hand; also the shortest time from one miss to the next. */
export const SHORTEST_WINDOW = 5 * MINUTE;

const KEPT_GAPS = 20;

/** What is taken for the period of a job that shows none yet: with its grace, 25 hours (decisions 3, rule 2). */
const UNLEARNED_PERIOD = 24 * HOUR;

/** Adds the newest gap. @param grace seconds, where it is set by hand */
export function addGap(gaps: Gap[], length: number, grace?: number): Gap[] {
  const late = length > learnedWindow(gaps, grace);
  return [...gaps, { length, late }].slice(-KEPT_GAPS);
}

/** The expected time between two checkins, in milliseconds: the longest of the gaps that count. */
export function learnedPeriod(gaps: Gap[]): number {
  const lengths = countedLengths(gaps);
  return lengths.length > 0 ? Math.max(...lengths) : UNLEARNED_PERIOD;
}

/** How soon after a checkin the next one may well come, in milliseconds: the shortest of the gaps that count. */
export function shortestPeriod(gaps: Gap[]): number {
  const lengths = countedLengths(gaps);
  return lengths.length > 0 ? Math.min(...lengths) : UNLEARNED_PERIOD;
}

/** How long after a checkin silence is a miss, in milliseconds. @param grace seconds, where it is set by hand */
export function learnedWindow(gaps: Gap[], grace?: number): number {
  const period = learnedPeriod(gaps);
  const learned = countedLengths(gaps).length > 0;
  const least = learned ? 0 : graceOf(UNLEARNED_PERIOD);
  return Math.max(SHORTEST_WINDOW, period + Math.max(least, graceOf(period, grace)));
}

/** How late a run may be, in milliseconds. @param period milliseconds @param grace seconds, where it is set by hand */
export function graceOf(period: number, grace?: number): number {
  return grace === undefined ? Math.min(Math.max(period / 5, MINUTE), HOUR) : grace * 1000;
}

/** How early a run may be to still count for its time, in milliseconds; parameters as those of `graceOf`. */
export function earlinessOf(period: number, grace?: number): number {
  return Math.min(graceOf(period, grace), period / 4);
}

/** Late gaps are left out, unless two in a row were late: the job's rhythm has then changed. */
function countedLengths(gaps: Gap[]): number[] {
  return gaps
    .filter(({ late }, at) => !late || gaps[at - 1]?.late || gaps[at + 1]?.late)
    .map(({ length }) => length);
}
