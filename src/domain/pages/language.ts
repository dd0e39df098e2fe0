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

/** `auto`: the language of the reader. */
export const PAGE_LANGUAGES = ["auto", ...LANGUAGES] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];
