import { cached } from "../cache.ts";

/** The languages of public pages, their feeds and their e-mails, as BCP 47 tags (behavior 21.1). */
export const LANGUAGES = [
  "ar",
  "cs",
  "da",
  "de",
  "en",
  "es",
  "fi",
  "fr",
  "he",
  "hi",
  "hu",
  "id",
  "it",
  "ja",
  "ko",
  "nb",
  "nl",
  "pl",
  "pt-BR",
  "ro",
  "ru",
  "sv",
  "tr",
  "uk",
  "vi",
  "zh-CN",
  "zh-TW",
] as const;
export type Language = (typeof LANGUAGES)[number];

/** Whether a language is written from right to left. */
export function isRightToLeft(language: Language): boolean {
  return language === "ar" || language === "he";
}

/** The language of an organization that has chosen none (behavior 27.21). */
export const DEFAULT_LANGUAGE = "en" satisfies Language;

/** `auto`: the language of the reader. */
export const PAGE_LANGUAGES = ["auto", ...LANGUAGES] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** The language of a reader. @property locale of dates and numbers, in the same language, for example `de` or `de-AT` */
export interface Reader {
  language: Language;
  locale: string;
}

const ENGLISH: Reader = { language: "en", locale: "en" };

/** The reader of a page (behavior 21.1, 21.2). @param accepted the value of `Accept-Language` */
export function readerOf(language: PageLanguage, accepted: string | null): Reader {
  return language === "auto" ? (acceptedReader(accepted ?? "") ?? ENGLISH) : { language, locale: language };
}

/** The language that a request asks for. @returns null if it asks for no language that we have @param accepted the value of `Accept-Language` */
export function acceptedLanguage(accepted: string | null): Language | null {
  return acceptedReader(accepted ?? "")?.language ?? null;
}

/** The reader of a locale that `readerOf` returned before; English if it is not known. */
export function readerOfLocale(locale: string | null): Reader {
  return (locale === null ? undefined : readerOfRange(locale)) ?? ENGLISH;
}

/** Characters of the header that are read: no browser sends more. */
const MAX_HEADER = 500;

/**
 * The lookup of RFC 4647, 3.4, in the order of the weights of RFC 9110, 12.5.4. Of a longer header, it ends before the range
 * that would be cut: without its end, that could be another language, or have no weight.
 */
function acceptedReader(header: string): Reader | null {
  const end = header.length > MAX_HEADER ? header.lastIndexOf(",", MAX_HEADER) : header.length;
  return lookUp(header.slice(0, Math.max(end, 0)));
}

const lookUp = cached((header: string): Reader | null => {
  for (const range of rangesOf(header)) {
    const reader = readerOfRange(range);
    if (reader) return reader;
  }
  return null;
}, 200);

/** The language ranges of a header, the most wanted first. A range with the weight 0 is not wanted. */
function rangesOf(header: string): string[] {
  return header
    .split(",")
    .map((part) => {
      const [range = "", ...parameters] = part.split(";").map((one) => one.trim());
      return { range, weight: weightOf(parameters) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ range }) => range);
}

/** 1 without a weight, 0 for one that is not valid. */
function weightOf(parameters: string[]): number {
  const weight = parameters.find((one) => /^q\s*=/i.test(one));
  if (weight === undefined) return 1;
  const [, value] = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i.exec(weight) ?? [];
  return Number(value ?? 0);
}

/** A language, and what follows it, of which only the script and the region count: no extensions. */
const RANGE = /^([a-z]{2,3})((?:-[a-z0-9]{1,8})*)$/;

/** @returns undefined for a language that the pages do not have */
function readerOfRange(range: string): Reader | undefined {
  const [, primary = "", rest = ""] = RANGE.exec(range.toLowerCase()) ?? [];
  const [tags = ""] = rest.split(/-[a-z0-9](?:-|$)/);
  const subtags = tags.split("-").slice(1);
  const language = languageOf(primary, subtags);
  if (!language) return undefined;
  const region = subtags.find((one) => /^([a-z]{2}|\d{3})$/.test(one));
  // Dates of another language, or of a variant that has its own texts, would not fit.
  const isPlain = language === primary && region !== undefined;
  return { language, locale: isPlain ? localeOf(`${language}-${region.toUpperCase()}`) : language };
}

function languageOf(primary: string, subtags: string[]): Language | undefined {
  if (primary === "pt") return "pt-BR";
  if (primary === "no" || primary === "nn") return "nb";
  if (primary === "zh") return isTraditional(subtags) ? "zh-TW" : "zh-CN";
  return LANGUAGES.find((language) => language === primary);
}

/** A script decides before a region. */
function isTraditional(subtags: string[]): boolean {
  const decisive = subtags.find((one) => one === "hans" || one === "hant");
  return decisive ? decisive === "hant" : subtags.some((one) => ["tw", "hk", "mo"].includes(one));
}

/**
 * The first locale that writes dates and numbers in the same way. Caches have locales in their keys, so there must be few of them,
 * and a client must not be able to invent one. `Intl` writes an unknown region like the language.
 */
const localeOf = cached((locale: string): string => {
  const { language } = new Intl.Locale(locale);
  const known = [language, ...(REGIONS[language as Language] ?? []).map((region) => `${language}-${region}`)];
  return known.find((one) => sampleIn(one) === sampleIn(locale)) ?? locale;
}, 2000);

/** Regions whose dates and numbers many others have too. */
const REGIONS: Partial<Record<Language, string[]>> = {
  ar: ["EG", "DZ", "IQ"],
  de: ["CH"],
  en: ["GB", "AU", "DE", "ZA", "DK", "FR"],
  es: ["419", "UY"],
  fr: ["MA"],
};

/** A Wednesday, the last day of a year. */
const SAMPLE = Date.UTC(2025, 11, 31, 17, 5);

const sampleIn = cached((locale: string): string => {
  const zone = { timeZone: "UTC", hourCycle: "h23", hour: "2-digit", minute: "2-digit" } as const;
  const day = { month: "short", day: "numeric", ...zone } as const;
  const longDay = {
    weekday: "long",
    year: "numeric",
    month: "long",
    day: "numeric",
    timeZone: "UTC",
  } as const;
  const dates = [day, longDay].map((options) => new Intl.DateTimeFormat(locale, options).format(SAMPLE));
  return [...dates, new Intl.NumberFormat(locale).format(12_345.6)].join();
}, 2000);
