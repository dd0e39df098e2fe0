import { describe, expect, test } from "bun:test";
import { LANGUAGES } from "../../../src/domain/pages/reader-locale.ts";
import { english, localizations } from "../../support/pages/languages.ts";
import { isOneNumber, placesIn, pluralsIn, textsIn, withoutCategory } from "../../support/texts.ts";

const ofEnglish = new Map(textsIn(english().texts));

describe.each(localizations)("the texts in %s", (language, { texts }) => {
  const own = textsIn(texts);

  test("behavior 21.1: are all there, and each has the places of the English one", () => {
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

  test("behavior 21.4: have exactly the plural categories of the language", () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    const plurals = pluralsIn(texts, english().texts);
    expect(plurals.length).toBe(10);
    for (const forms of plurals) expect(Object.keys(forms).toSorted()).toEqual(categories);
  });
});

test("docs/status-pages.md names each language", async () => {
  const page = await Bun.file("docs/status-pages.md").text();
  const [, tags = ""] = /^\| Languages \| (`.*) \|$/m.exec(page) ?? [];
  expect(tags.replaceAll("`", "").split(" ")).toEqual([...LANGUAGES]);
  expect(page).toContain(`one of [${LANGUAGES.length} languages]`);
});
