import { cached } from "./cache.ts";
import { DAY, SECOND } from "./duration.ts";

/*
 * The moments at which the clocks of a time zone show a time, by one rule for everything that users give as local time: a time that is
 * shown twice counts at its first occurrence, and one that is skipped at the change of the clock (behavior 14.32).
 */

/**
 * When the clocks of a time zone show a time; milliseconds since 1970.
 *
 * @param timezone IANA name
 */
export function localMoment(plain: Temporal.PlainDateTime, timezone: string): number {
  return localTimeIn(timezone).momentOf(plain.toZonedDateTime("UTC").epochMilliseconds);
}

/** Local times of a time zone. A local time is written as the milliseconds since 1970 that it would be in UTC. */
interface LocalTime {
  shownAt(moment: number): number;
  /** The latest local time that was shown until a moment: if the clock was set back, it is later than the present one. */
  latestShownUntil(moment: number): number;
  /**
   * When a local time is shown: the first time if it is shown twice. A time that is skipped counts as shown at the change of the clock.
   */
  momentOf(local: number): number;
}

/** Longer than any change of a clock, and shorter than the time between two of them; milliseconds. */
const NEAR = DAY;

/** @param timezone IANA name */
export function localTimeIn(timezone: string): LocalTime {
  return zoneNamed(timezone.toLowerCase());
}

/** Cached, because a format is slow to create. There are a few hundred names. */
const zoneNamed = cached((timezone: string) => createLocalTime(cachedByDay(offsetIn(timezone))), 1000);

function createLocalTime(offsetAt: (moment: number) => number): LocalTime {
  return {
    shownAt: (moment) => moment + offsetAt(moment),
    latestShownUntil(moment) {
      const [before, now] = [offsetAt(moment - NEAR), offsetAt(moment)];
      const shown = moment + now;
      if (before <= now) return shown;
      const change = findChange(offsetAt, { from: moment - NEAR, to: moment });
      return Math.max(shown, change - 1 + before);
    },
    momentOf(local) {
      const [before, after] = [offsetAt(local - NEAR), offsetAt(local + NEAR)];
      if (before === after) return local - after;
      // Both are right for a time that is shown twice, and the first one is with the offset before the change.
      const isShown = (offset: number) => offsetAt(local - offset) === offset;
      if (isShown(before)) return local - before;
      if (isShown(after)) return local - after;
      return findChange(offsetAt, { from: local - after, to: local - before });
    },
  };
}

/** The first moment with the offset of `to`, between two moments with different offsets. */
function findChange(
  offsetAt: (moment: number) => number,
  { from, to }: { from: number; to: number },
): number {
  const after = offsetAt(to);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === after) high = middle;
    else low = middle;
  }
  return high;
}

/** The same offsets, cached for a day on which the clocks are not changed: a format is slow. */
function cachedByDay(offsetAt: (moment: number) => number): (moment: number) => number {
  /** Null if the clocks are changed on the day. */
  const offsetOn = cached((day: number) => {
    const offset = offsetAt(day * DAY);
    return offset === offsetAt((day + 1) * DAY) ? offset : null;
  }, 1000);
  return (moment) => offsetOn(Math.floor(moment / DAY)) ?? offsetAt(moment);
}

/** By how much the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
function offsetIn(timezone: string): (moment: number) => number {
  if (/^utc$/i.test(timezone)) return () => 0;
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone: timezone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric" },
  });
  return (moment) => {
    const second = Math.floor(moment / SECOND) * SECOND;
    const shown: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(second)) shown[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = shown;
    return Date.UTC(year, month - 1, day, hour, minute, shown.second) - second;
  };
}
