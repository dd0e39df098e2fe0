import { type Static, Type } from "@sinclair/typebox";
import { DAY, MINUTE } from "../duration.ts";
import { localTimeIn } from "../local-time.ts";
import { Timezone } from "../schemas/format.ts";
import { described, type FormatRule, named, oneOf } from "../schemas/schema.ts";

/*
 * Hours of the week in local time. A window opens and closes at local times, by the rule of every local time: a time that is shown
 * twice counts at its first occurrence, and a time that is skipped at the change of the clock (behavior 23.3). Moments are milliseconds since
 * 1970, and a window contains its start, not its end.
 */

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

const START = "([01]\\d|2[0-3]):[0-5]\\d";
const END = `(${START}|24:00)`;

export const hourRules = {
  "start-of-hours": {
    must: "be a time of day from 00:00 to 23:59, such as 08:00",
    accepts: (text) => new RegExp(`^${START}$`).test(text),
  },
  "end-of-hours": {
    must: "be a time of day from 00:00 to 24:00, such as 18:00",
    accepts: (text) => new RegExp(`^${END}$`).test(text),
  },
} satisfies Record<string, FormatRule>;

const Window = Type.Object(
  {
    days: Type.Array(oneOf(WEEKDAYS), {
      minItems: 1,
      uniqueItems: true,
      description: "The days on which the window opens.",
    }),
    from: Type.String({ format: "start-of-hours", pattern: `^${START}$`, examples: ["08:00"] }),
    to: Type.String({
      format: "end-of-hours",
      pattern: `^${END}$`,
      description: "On the next day, if it is not after `from`.",
      examples: ["18:00"],
    }),
  },
  named("RequestedWindow"),
);

export const Windows = Type.Array(Window, { minItems: 1, maxItems: 20 });
export type Windows = Static<typeof Windows>;

/** Behavior 23.1. */
export const NewHours = Type.Object(
  {
    timezone: described(Timezone, "That of the windows."),
    windows: Windows,
    outside: Type.Optional(
      described(
        oneOf(["hold", "drop"]),
        "What happens to a notification of trouble outside the hours: `hold` (default) sends it when they open, if the trouble " +
          "lasts and nobody acknowledged it; `drop` never sends it.",
      ),
    ),
  },
  named("RequestedHours"),
);
export type NewHours = Static<typeof NewHours>;

/** The hours in which a channel is notified of trouble. */
export type Hours = Required<NewHours>;

/** Whether a moment is in a window. @param timezone IANA name */
export function isOpen(windows: Windows, timezone: string, at: number): boolean {
  return stretchesAround({ windows, timezone, daysAhead: 1 }, at).some(
    ({ from, to }) => from <= at && at < to,
  );
}

/** The first moment in a window, `at` or later; null if there is none. @param timezone IANA name */
export function nextOpening(windows: Windows, timezone: string, at: number): number | null {
  const open = stretchesAround({ windows, timezone, daysAhead: DAYS_AHEAD }, at).find(({ to }) => to > at);
  return open ? Math.max(at, open.from) : null;
}

/** The first moment that is in no window, `at` or later; null if they never close. @param timezone IANA name */
export function nextClosing(windows: Windows, timezone: string, at: number): number | null {
  const stretches = stretchesAround({ windows, timezone, daysAhead: DAYS_AHEAD }, at);
  const open = stretches.find(({ from, to }) => from <= at && at < to);
  if (!open) return at;
  return open === stretches.at(-1) ? null : open.to;
}

interface Stretch {
  from: number;
  to: number;
}

/** A window that a change of the clock leaves out opens a week later. */
const DAYS_AHEAD = 22;

/** A window may be open since the day before, and the day that clocks show may be the previous one again. */
const DAYS_BACK = 2;

/** The stretches of time around a moment in which a window is open, in their order. Windows that overlap or touch are one stretch. */
function stretchesAround(
  { windows, timezone, daysAhead }: { windows: Windows; timezone: string; daysAhead: number },
  at: number,
): Stretch[] {
  const zone = localTimeIn(timezone);
  const today = Math.floor(zone.shownAt(at) / DAY) * DAY;
  const all: Stretch[] = [];
  for (let day = today - DAYS_BACK * DAY; day <= today + daysAhead * DAY; day += DAY) {
    const weekday = weekdayOf(day);
    for (const { days, from, to } of windows) {
      if (!days.includes(weekday)) continue;
      const [start, end] = [timeOfDay(from), timeOfDay(to)];
      const until = end > start ? end : end + DAY;
      all.push({ from: zone.momentOf(day + start), to: zone.momentOf(day + until) });
    }
  }
  return joined(all);
}

/** @param day the local midnight at which it begins, as the milliseconds since 1970 that it would be in UTC */
function weekdayOf(day: number): Weekday {
  return WEEKDAYS[(new Date(day).getUTCDay() + 6) % 7] ?? "mon";
}

/** Milliseconds since midnight. */
function timeOfDay(text: string): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return (hours * 60 + minutes) * MINUTE;
}

/** A stretch that a change of the clock skips is left out. */
function joined(all: readonly Stretch[]): Stretch[] {
  const sorted = all.filter(({ from, to }) => from < to).toSorted((one, other) => one.from - other.from);
  const joined: Stretch[] = [];
  for (const { from, to } of sorted) {
    const last = joined.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}
