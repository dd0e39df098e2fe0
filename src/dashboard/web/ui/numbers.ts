import { isEnglish, locale } from "../languages/locale.ts";

/*
 * Numbers as the reader writes them. English needs no `Intl` for them, whose first formatter takes a phone 50 ms. A formatter of
 * another language is created at its first use.
 */

/** With separators between the thousands. */
export function formatNumber(count: number): string {
  return isEnglish ? String(count).replace(/\B(?=(\d{3})+$)/g, ",") : formatIn(count);
}

/** A share, with as many decimals as it has. @param percent such as `99.9`, or the text `99.90%` of the API */
export function formatPercent(percent: number | string): string {
  const [text = "", decimals = ""] = /^[\d-]+\.?(\d*)/.exec(String(percent)) ?? [];
  if (isEnglish) return `${text}%`;
  return formatIn(Number(text) / 100, { style: "percent", minimumFractionDigits: decimals.length });
}

/** A share, with a dash for none. */
export function percentOrDash(percent: string | null | undefined): string {
  return percent === null || percent === undefined ? "–" : formatPercent(percent);
}

const SYMBOLS = { millisecond: "ms", second: "s" };

/** A number of units, such as `42 ms`. */
export function formatUnit(count: number, unit: keyof typeof SYMBOLS, decimals = 0): string {
  if (isEnglish) return `${count.toFixed(decimals)} ${SYMBOLS[unit]}`;
  return unitIn(count, unit, decimals);
}

/** In another language than English. @param unit as `Intl.NumberFormat` has it */
export function unitIn(count: number, unit: string, decimals = 0): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return formatIn(count, { style: "unit", unit, ...digits });
}

const formats = new Map<string, Intl.NumberFormat>();

function formatIn(value: number, options: Intl.NumberFormatOptions = {}): string {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format.format(value);
}
