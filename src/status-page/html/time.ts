import { iso } from "../../domain/iso-time.ts";
import { timeInWords } from "../../domain/pages/outage-view.ts";
import { type Html, html } from "../../html.ts";

const moment = format({ month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
const clock = format({ hour: "2-digit", minute: "2-digit" });
const longDate = format({ weekday: "long", month: "long", day: "numeric", year: "numeric" });

/** For example `Nov 22, 15:05 UTC`. The script shows the zone of the reader instead. */
export function time(at: number): Html {
  return timeElement(at, timeInWords(at));
}

/** For example `Nov 22, 15:05 to 16:20 UTC`, with the second date if it is another one. */
export function timeSpan(from: number, to: number): Html {
  return html`${timeElement(from, moment(from))} to ${timeAfter(from, to)}`;
}

/** For example `16:20 UTC`, with the date if the time before it has another one. */
export function timeAfter(before: number, at: number): Html {
  const text = dayOf(before) === dayOf(at) ? clock(at) : moment(at);
  return timeElement(at, `${text} UTC`);
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** For example `Nov 22`. Called for each bar, and 20 times faster than `Intl`. @param day such as `2026-11-22` */
export function shortDate(day: string): string {
  return `${MONTHS[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}`;
}

/** For example `Sunday, November 22, 2026`. @param day such as `2026-11-22` */
export function fullDate(day: string): string {
  return longDate(Date.parse(day));
}

/** The date in UTC, such as `2026-11-22`. */
export function dayOf(at: number): string {
  return iso(at).slice(0, 10);
}

function timeElement(at: number, text: string): Html {
  return html`<time datetime="${iso(at)}">${text}</time>`;
}

/** The formatter is created at the first call: it takes several milliseconds, which would delay each start. */
function format(options: Intl.DateTimeFormatOptions): (at: number) => string {
  let formatter: Intl.DateTimeFormat | undefined;
  return (at) => {
    formatter ??= new Intl.DateTimeFormat("en-US", { ...options, hourCycle: "h23", timeZone: "UTC" });
    return formatter.format(at);
  };
}
