import { expect, test } from "bun:test";
import {
  acceptedLanguage,
  LANGUAGES,
  readerOf,
  readerOfLocale,
} from "../../../src/domain/pages/reader-locale.ts";
import { isLong } from "../../support/long.ts";

const wanted: [header: string | null, language: string, locale: string][] = [
  [null, "en", "en"],
  ["", "en", "en"],
  ["*", "en", "en"],
  ["fr", "fr", "fr"],
  ["de-DE,de;q=0.9,en;q=0.8", "de", "de"],
  ["de-at", "de", "de-AT"],
  ["en-GB", "en", "en-GB"],
  ["en-IN", "en", "en-GB"],
  ["es-419", "es", "es-419"],
  ["ar-EG", "ar", "ar-EG"],
  ["sr-Latn, fr;q=0.5", "fr", "fr"],
  ["fr;q=0.2, it;q=0.9, en;q=0.1", "it", "it"],
  ["de;q=0, fr;q=0.001", "fr", "fr"],
  ["de;q=2, nl", "nl", "nl"],
  ["pt", "pt-BR", "pt-BR"],
  ["pt-PT", "pt-BR", "pt-BR"],
  ["no", "nb", "nb"],
  ["nn-NO", "nb", "nb"],
  ["zh", "zh-CN", "zh-CN"],
  ["zh-SG", "zh-CN", "zh-CN"],
  ["zh-Hans-HK", "zh-CN", "zh-CN"],
  ["zh-Hant", "zh-TW", "zh-TW"],
  ["zh-TW", "zh-TW", "zh-TW"],
  ["zh-hk", "zh-TW", "zh-TW"],
  ["zh-Hant-MO", "zh-TW", "zh-TW"],
  ["i-klingon, sv", "sv", "sv"],
  ["den, ara", "en", "en"],
  ["de--AT,,;;q, ru", "ru", "ru"],
];

test.each(wanted)(
  "behavior 21.2: Accept-Language %p is %s, with the dates of %s",
  (header, language, locale) => {
    expect(readerOf("auto", header)).toEqual({ language, locale } as ReturnType<typeof readerOf>);
  },
);

test("behavior 21.2: a header of more than 500 characters ends before the range that would be cut", () => {
  const unknown = "xx;q=0.8,".repeat(54);
  for (const [header, language] of [
    // `de` without its weight would be wanted most.
    [`fr;q=0.9,${unknown} , de;q=0.1`, "fr"],
    [`${unknown}it,fr;q=0.9,${unknown}`, "it"],
    [`${"x".repeat(600)},de`, "en"],
  ] as const)
    expect(readerOf("auto", header).language).toBe(language);
});

test("behavior 27.27: a request asks for the first of its languages that there is, or for none", () => {
  for (const [header, language] of [
    ["xx,pt-PT;q=0.5,de;q=0.1", "pt-BR"],
    ["en", "en"],
    ["tlh,de;q=0", null],
    ["*", null],
    ["", null],
    [null, null],
  ] as const)
    expect(acceptedLanguage(header)).toBe(language);
});

test("behavior 21.2: a page with a language of its own ignores Accept-Language", () => {
  for (const language of LANGUAGES)
    expect(readerOf(language, "de-AT,tr;q=0.8")).toEqual({ language, locale: language });
});

test("behavior 21.2: the locales of all headers are few, and each is its own reader", () => {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  const regions = letters
    .flatMap((one) => letters.map((other) => `${one}${other}`))
    .filter((region, at) => isLong || at % 7 === 0 || region === "GB");
  const locales = new Set(
    LANGUAGES.flatMap((language) =>
      regions.map((region) => readerOf("auto", `${language}-${region}-x-y-u-nu-latn`).locale),
    ),
  );
  expect(locales).toContain("en-GB");
  expect(locales.size).toBeLessThan(64);
  for (const locale of locales) expect(readerOfLocale(locale).locale).toBe(locale);
  expect(readerOf("auto", "en-u-ca-hebrew").locale).toBe("en");
});

test("behavior 21.6: the locale of a subscriber who is not known is English", () => {
  expect(readerOfLocale(null)).toEqual({ language: "en", locale: "en" });
  expect(readerOfLocale("de-AT")).toEqual({ language: "de", locale: "de-AT" });
  expect(readerOfLocale("xx")).toEqual({ language: "en", locale: "en" });
});
