import { formatTime, type MessageWords } from "../../domain/alerts/alert-event.ts";
import { cached } from "../../domain/cache.ts";
import { formatDuration, formatLatency } from "../../domain/duration.ts";
import { dateFormat, fill, type LocaleFormats, localeFormats } from "../../domain/locale-formats.ts";
import type { Language } from "../../domain/pages/reader-locale.ts";
import { oneLine } from "../../domain/truncate.ts";
import { type AnyTexts, textsOf } from "./load.ts";

/** The texts of notifications in a language, and what fills their places. Times are milliseconds since 1970. */
export interface Localization
  extends Pick<LocaleFormats, "language" | "isRightToLeft" | "isolated" | "number" | "plural" | "latency"> {
  texts: AnyTexts;
  /** Whether its readers read the recorded messages of checks, which are English. */
  readsRecords: boolean;
  /** In UTC, to the second. */
  time(at: number): string;
  /** In UTC. */
  day(at: number): string;
  /** @param length milliseconds */
  duration(length: number): string;
  /** @param value for example 5 */
  percent(value: number): string;
  /** Names and other items, one after the other. */
  list(items: readonly string[]): string;
}

/** Formatters take some milliseconds and some kilobytes. */
const kept = cached(
  (language: Language): Localization => createLocalization(language, textsOf(language)),
  100,
);

export function localizationOf(language: Language): Localization {
  return kept(language);
}

export function createLocalization(language: Language, texts: AnyTexts): Localization {
  const formats = localeFormats({ language, locale: language }, texts.lessThan);
  const list = (items: readonly string[]) => items.join(texts.comma);
  const own = language === "en" ? englishFormats(formats) : formatsOf(formats);
  return { ...formats, ...own, texts, list, readsRecords: language === "en" };
}

type Own = Pick<Localization, "time" | "day" | "duration" | "percent">;

function formatsOf({ locale, duration }: LocaleFormats): Own {
  const date = { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" } as const;
  const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short" } as const;
  const percents = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 });
  return {
    time: dateFormat(locale, { ...date, ...clock }),
    day: dateFormat(locale, date),
    duration: (length) => duration(length, "short"),
    percent: (value) => percents.format(value / 100),
  };
}

/** As in the API and in the messages of checks, which English notifications repeat. */
function englishFormats(formats: LocaleFormats): Own & Partial<LocaleFormats> {
  return {
    isolated: oneLine,
    number: String,
    plural: (forms, count, values) => formats.plural(forms, count, { ...values, count: String(count) }),
    time: formatTime,
    day: (at) => new Date(at).toISOString().slice(0, 10),
    duration: formatDuration,
    latency: formatLatency,
    percent: (value) => `${value} %`,
  };
}

/** The words that a channel adds to a message. */
export function wordsOf({ language, isRightToLeft, texts }: Localization): MessageWords {
  const { colon, link, button } = texts;
  return { language, isRightToLeft, colon, ...link, button };
}

/** Two whole sentences; one if the other is empty. */
export function sentences({ texts }: Localization, first: string, second: string): string {
  return second === "" ? first : fill(texts.sentences, { first, second });
}
