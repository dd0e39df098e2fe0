import { cached } from "../cache.ts";

/**
 * A change of the clocks of at least one time zone.
 *
 * @property at milliseconds since 1970
 * @property by how much the clocks are set back, in milliseconds; negative if they are set forward
 */
export interface ClockChange {
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
