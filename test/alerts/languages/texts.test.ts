import { describe, expect, test } from "bun:test";
import { type AnyTexts, textsOf } from "../../../src/alerts/languages/load.ts";
import { LANGUAGES } from "../../../src/domain/pages/reader-locale.ts";
import { isOneNumber, placesIn, pluralsIn, textsIn, withoutCategory } from "../../support/texts.ts";

const english = textsOf("en");
const ofEnglish = new Map(textsIn(english));

const tables: [string, AnyTexts][] = LANGUAGES.map((language) => [language, textsOf(language)]);

describe.each(tables)("the texts of notifications in %s", (language, texts) => {
  const own = textsIn(texts);

  test("behavior 27.40: are all there, and each has the places of the English one", () => {
    expect(new Set(own.map(([path]) => withoutCategory(path)))).toEqual(
      new Set([...ofEnglish.keys()].map(withoutCategory)),
    );
    for (const [path, text] of own) {
      expect(text.trim()).not.toBe("");
      const wanted = placesIn(ofEnglish.get(withoutCategory(path)) ?? "");
      const without = wanted.filter((place) => place !== "{count}");
      const isValid =
        placesIn(text).join() === wanted.join() ||
        (isOneNumber(language, path) && placesIn(text).join() === without.join());
      expect(isValid ? "" : `${path}: ${text}`).toBe("");
    }
  });

  test("behavior 27.40: have exactly the plural categories of the language", () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    const plurals = pluralsIn(texts, english);
    expect(plurals.length).toBe(pluralsIn(english, english).length);
    for (const forms of plurals) expect(Object.keys(forms).toSorted()).toEqual(categories);
  });

  test("have the spaces of a text only between its words, except around a colon and a comma", () => {
    for (const [path, text] of own)
      if (path !== "colon" && path !== "comma") expect(`${path}: ${text.trim()}`).toBe(`${path}: ${text}`);
  });
});
