import { cached } from "../domain/cache.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../domain/duration.ts";
import type { Reader } from "../domain/pages/reader-locale.ts";
import { oneLine } from "../domain/truncate.ts";
import { Html } from "../html.ts";
import { type AnyTexts, textsOf } from "./languages/load.ts";
import type { Plural } from "./languages/texts.ts";

/** The texts, dates and numbers of a reader, and the times of a page in its time zone. Times are milliseconds since 1970. */
export interface Localization extends Reader {
  texts: AnyTexts;
  isRightToLeft: boolean;
  /** A name or a URL in a text of this language: on one line, and with a direction of its own (behavior 21.7). */
  isolated(name: string): string;
  /** IANA name. */
  timezone: string;
  number(value: number): string;
  /** The form for a number, which its `{count}` shows. */
  plural(forms: Plural<never>, count: number, values?: Record<string, string>): string;
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
  /** For example `12 minutes 3 seconds`: the largest unit that fits, and the next smaller one. @param length milliseconds */
  duration(length: number, style: "long" | "short"): string;
  /** For example `42 ms`. @param latencyMs milliseconds */
  latency(latencyMs: number): string;
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

/** The blocks of Unicode with scripts from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const DAY_AND_CLOCK = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" } as const;
const ZONE = { timeZoneName: "short" } as const;

function createLocalization({ language, locale }: Reader, timezone: string): Localization {
  const texts = textsOf(language);
  const dates = (options: Intl.DateTimeFormatOptions, timeZone = timezone) =>
    dateFormat(locale, { ...options, timeZone });
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(locale);
  const number = (value: number) => numbers.format(value);
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
  const withAmounts = { texts, locale, amounts: amountFormat(locale) };
  const isRightToLeft = language === "ar" || language === "he";
  return {
    language,
    locale,
    texts,
    isRightToLeft,
    isolated(name) {
      const line = oneLine(name);
      return isRightToLeft || RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line;
    },
    timezone,
    number,
    plural(forms, count, values) {
      const form = (forms as Record<string, string>)[rules.select(count)];
      // A test asserts that each language has the forms of its rules.
      return fill(form ?? "{count}", { ...values, count: number(count) });
    },
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
    duration: durationFormat(withAmounts),
    latency: latencyFormat(withAmounts),
    percent: cached(percentFormat(locale), 1000),
  };
}

/** The formatter is created at the first call. The clock has 24 hours, and the calendar is the one of the bars, in each language. */
function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): (at: number) => string {
  let formatter: Intl.DateTimeFormat | undefined;
  return (at) => {
    formatter ??= new Intl.DateTimeFormat(locale, { ...options, hourCycle: "h23", calendar: "gregory" });
    return formatter.format(at);
  };
}

const UNITS = [
  { length: DAY, unit: "day" },
  { length: HOUR, unit: "hour" },
  { length: MINUTE, unit: "minute" },
  { length: SECOND, unit: "second" },
] as const;

/** Formats an amount of a unit, such as `12 minutes`. @property digits after the point; default: none */
type Amounts = (value: number, unit: { unit: string; style: "long" | "short"; digits?: number }) => string;

function amountFormat(locale: string): Amounts {
  const formatOf = cached((key: string) => {
    const [unit, unitDisplay, digits] = key.split(" ") as [string, "long" | "short", string];
    const fraction = { minimumFractionDigits: Number(digits), maximumFractionDigits: Number(digits) };
    return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay, ...fraction });
  }, 20);
  return (value, { unit, style, digits = 0 }) => formatOf(`${unit} ${style} ${digits}`).format(value);
}

function durationFormat({ texts, locale, amounts }: WithAmounts): Localization["duration"] {
  const lists = cached((style: "long" | "short") => new Intl.ListFormat(locale, { type: "unit", style }), 2);
  return (length, style) => {
    const largest = UNITS.findIndex((unit) => length >= unit.length);
    if (largest < 0) return fill(texts.lessThan, { amount: amounts(1, { unit: "second", style }) });
    let rest = length;
    const parts = UNITS.slice(largest, largest + 2).flatMap(({ length, unit }) => {
      const count = Math.floor(rest / length);
      rest -= count * length;
      return count > 0 ? [amounts(count, { unit, style })] : [];
    });
    return lists(style).format(parts);
  };
}

interface WithAmounts {
  texts: AnyTexts;
  locale: string;
  amounts: Amounts;
}

/** As `formatMeanLatency`, which JSON and badges have. */
function latencyFormat({ texts, amounts }: WithAmounts): Localization["latency"] {
  const style = "short";
  return (latencyMs) => {
    if (latencyMs < 1) return fill(texts.lessThan, { amount: amounts(1, { unit: "millisecond", style }) });
    if (latencyMs >= 10 * SECOND) return amounts(latencyMs / SECOND, { unit: "second", style, digits: 1 });
    return amounts(latencyMs, { unit: "millisecond", style, digits: latencyMs < 10 ? 1 : 0 });
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

type Values = Record<string, string>;

/** A template of a language with its values as text, for example `since {time}`. */
export function fill(template: string, values: Values): string {
  return template.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

/** The same as HTML: the template and the values are escaped, except those that are `Html`. */
export function fillHtml(template: string, values: Record<string, string | Html>): Html {
  const markup = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Html ? value.markup : Bun.escapeHTML(value),
    ]),
  );
  return new Html(fill(Bun.escapeHTML(template), markup));
}
