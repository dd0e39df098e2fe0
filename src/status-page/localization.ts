import { cached } from "../domain/cache.ts";
import { dateFormat, fill, type LocaleFormats, localeFormats } from "../domain/locale-formats.ts";
import type { Reader } from "../domain/pages/reader-locale.ts";
import { Html } from "../html.ts";
import { type AnyTexts, textsOf } from "./languages/load.ts";

/** The texts, dates and numbers of a reader, and the times of a page in its time zone. Times are milliseconds since 1970. */
export interface Localization extends LocaleFormats {
  texts: AnyTexts;
  /** IANA name. */
  timezone: string;
  /** For example `Nov 22, 15:05 UTC`. */
  moment(at: number): string;
  /** For example `Nov 22, 15:05`. */
  momentWithoutZone(at: number): string;
  /** For example `15:05 UTC`. */
  clock(at: number): string;
  /** For example `15:05`. */
  clockWithoutZone(at: number): string;
  /** For example `Nov 22, 2026, 15:05 UTC`. */
  momentWithYear(at: number): string;
  /** For example `Sunday, November 22, 2026`. */
  fullDate(at: number): string;
  /** For example `November 2026`. @param month such as `2026-11` */
  monthName(month: string): string;
  /** The date in the time zone, the same in each language: `2026-11-22`. */
  dayOf(at: number): string;
  /** For example `Nov 22`, for each day. @param days in UTC, such as `2026-11-22` */
  shortDates(days: readonly string[]): readonly string[];
  /** For example `90 days ago`. */
  daysAgo(days: number): string;
  /** For example `99,98 %`. @param uptime such as `99.98%` */
  percent(uptime: string): string;
}

/** @param timezone IANA name */
export function localizationOf(reader: Pick<Reader, "language" | "locale">, timezone: string): Localization {
  return keptLocalization(`${reader.language} ${reader.locale} ${timezone}`);
}

/** A formatter takes some milliseconds and some kilobytes. */
const keptLocalization = cached((key: string): Localization => {
  const [language, locale, timezone] = key.split(" ") as [Reader["language"], string, string];
  return createLocalization({ language, locale }, timezone);
}, 100);

const DAY_AND_CLOCK = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" } as const;
const ZONE = { timeZoneName: "short" } as const;

function createLocalization(reader: Reader, timezone: string): Localization {
  const { language, locale } = reader;
  const texts = textsOf(language);
  const dates = (options: Intl.DateTimeFormatOptions, timeZone = timezone) =>
    dateFormat(locale, { ...options, timeZone });
  const utcDate = dates({ month: "short", day: "numeric" }, "UTC");
  const monthAndYear = dates({ month: "long", year: "numeric" }, "UTC");
  const dayParts = dateFormat("en-CA", {
    timeZone: timezone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  // All components of a page have the same days.
  const keptDates = cached((days: string) => days.split(" ").map((day) => utcDate(Date.parse(day))), 20);
  const relative = new Intl.RelativeTimeFormat(locale);
  return {
    ...localeFormats(reader, texts.lessThan),
    texts,
    timezone,
    moment: dates({ ...DAY_AND_CLOCK, ...ZONE }),
    momentWithoutZone: dates(DAY_AND_CLOCK),
    clock: dates({ hour: "2-digit", minute: "2-digit", ...ZONE }),
    clockWithoutZone: dates({ hour: "2-digit", minute: "2-digit" }),
    momentWithYear: dates({ ...DAY_AND_CLOCK, year: "numeric", ...ZONE }),
    fullDate: dates({ weekday: "long", month: "long", day: "numeric", year: "numeric" }),
    monthName: (month) => monthAndYear(Date.parse(month)),
    dayOf: dayParts,
    shortDates: (days) => keptDates(days.join(" ")),
    daysAgo: cached((days: number) => relative.format(-days, "day"), 100),
    percent: cached(percentFormat(locale), 1000),
  };
}

/**
 * Writes uptimes as the locale writes percentages. For thousands of bars `Intl` would be too slow, so one example of it says
 * what the locale has in place of the digits, of the point and around them.
 *
 * @returns a function of `99.98%`
 */
function percentFormat(locale: string): (uptime: string) => string {
  const options = { style: "percent", minimumFractionDigits: 2 } as const;
  const parts = new Intl.NumberFormat(locale, options).formatToParts(0.1234);
  const textOf = (shown: typeof parts) => shown.map(({ value }) => value).join("");
  const from = parts.findIndex(({ type }) => type === "integer");
  const to = parts.findIndex(({ type }) => type === "fraction");
  const [before, after] = [textOf(parts.slice(0, from)), textOf(parts.slice(to + 1))];
  const point = textOf(parts.slice(from + 1, to));
  const [digits, isLatin] = digitsIn(locale);
  const figures = (text: string) =>
    isLatin ? text : text.replace(/\d/g, (digit) => digits[Number(digit)] ?? digit);
  // Two digits follow the point, and then the sign.
  return (uptime) =>
    `${before}${figures(uptime.slice(0, -4))}${point}${figures(uptime.slice(-3, -1))}${after}`;
}

function digitsIn(locale: string): [digits: string[], isLatin: boolean] {
  const shown = new Intl.NumberFormat(locale, { useGrouping: false }).format(9_876_543_210);
  return [[...shown].toReversed(), shown === "9876543210"];
}

/** Like `fill`, as HTML: the template and the values are escaped, except those that are `Html`. */
export function fillHtml(template: string, values: Record<string, string | Html>): Html {
  const markup = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Html ? value.markup : Bun.escapeHTML(value),
    ]),
  );
  return new Html(fill(Bun.escapeHTML(template), markup));
}
