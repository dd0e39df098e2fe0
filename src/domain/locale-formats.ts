import { cached } from "./cache.ts";
import { DAY, HOUR, MINUTE, SECOND } from "./duration.ts";
import { isRightToLeft, type Reader } from "./pages/reader-locale.ts";
import { oneLine } from "./truncate.ts";

/* For texts in any language: values in their places, plurals, dates, amounts, and the direction of names. */

/** One template for each plural category of a language; `{count}` is the number. */
export type Plural<Category extends Intl.LDMLPluralRule> = Record<Category, string>;

/**
 * A template of a language with its values as text, for example `since {time}`. A sentence that ends with an abbreviation, such as
 * `12 Sek.`, or with another sentence, has one period.
 */
export function fill(template: string, values: Record<string, string>): string {
  return template.replace(/\{(\w+)\}([.。।]?)/g, (place, name: string, period: string) => {
    const value = values[name];
    if (value === undefined) return place;
    return endsWithPeriod(value) ? value : value + period;
  });
}

/** Also behind the mark that ends a direction of its own, and in scripts with other periods. */
function endsWithPeriod(text: string): boolean {
  return /[.。।]\u2069?$/.test(text);
}

/** How a locale writes numbers, amounts and names in texts. */
export interface LocaleFormats extends Reader {
  isRightToLeft: boolean;
  /** A name or a URL in a text of this language: on one line, and with a direction of its own (behavior 21.7). */
  isolated(name: string): string;
  number(value: number): string;
  /** The form for a number, which its `{count}` shows. */
  plural(forms: Plural<never>, count: number, values?: Record<string, string>): string;
  /** For example `12 minutes 3 seconds`: the largest unit that fits, and the next smaller one. @param length milliseconds */
  duration(length: number, style: "long" | "short"): string;
  /** For example `42 ms`. @param latencyMs milliseconds */
  latency(latencyMs: number): string;
}

/** @param lessThan the text in the language, such as `less than {amount}` */
export function localeFormats({ language, locale }: Reader, lessThan: string): LocaleFormats {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(locale);
  const number = (value: number) => numbers.format(value);
  const withAmounts = { lessThan, locale, amounts: amountFormat(locale) };
  const isLeftward = isRightToLeft(language);
  return {
    language,
    locale,
    isRightToLeft: isLeftward,
    isolated(name) {
      const line = oneLine(name);
      return isLeftward || RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line;
    },
    number,
    plural(forms, count, values) {
      const form = (forms as Record<string, string>)[rules.select(count)];
      // A test asserts that each language has the forms of its rules.
      return fill(form ?? "{count}", { count: number(count), ...values });
    },
    duration: durationFormat(withAmounts),
    latency: latencyFormat(withAmounts),
  };
}

/** The blocks of Unicode with scripts from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The formatter is created at the first call. The clock has 24 hours, and the calendar is the Gregorian one, in each language. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): (at: number) => string {
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

interface WithAmounts {
  lessThan: string;
  locale: string;
  amounts: Amounts;
}

function durationFormat({ lessThan, locale, amounts }: WithAmounts): LocaleFormats["duration"] {
  const lists = cached((style: "long" | "short") => new Intl.ListFormat(locale, { type: "unit", style }), 2);
  return (length, style) => {
    const largest = UNITS.findIndex((unit) => length >= unit.length);
    if (largest < 0) return fill(lessThan, { amount: amounts(1, { unit: "second", style }) });
    let rest = length;
    const parts = UNITS.slice(largest, largest + 2).flatMap(({ length, unit }) => {
      const count = Math.floor(rest / length);
      rest -= count * length;
      return count > 0 ? [amounts(count, { unit, style })] : [];
    });
    return lists(style).format(parts);
  };
}

/** As `formatMeanLatency`, which JSON and badges have. */
function latencyFormat({ lessThan, amounts }: WithAmounts): LocaleFormats["latency"] {
  const style = "short";
  return (latencyMs) => {
    if (latencyMs < 1) return fill(lessThan, { amount: amounts(1, { unit: "millisecond", style }) });
    if (latencyMs >= 10 * SECOND) return amounts(latencyMs / SECOND, { unit: "second", style, digits: 1 });
    return amounts(latencyMs, { unit: "millisecond", style, digits: latencyMs < 10 ? 1 : 0 });
  };
}
