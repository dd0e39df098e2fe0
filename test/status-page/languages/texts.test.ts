import { describe, expect, test } from "bun:test";
import { LANGUAGES } from "../../../src/domain/pages/reader-locale.ts";
import { english, localizations } from "../../support/pages/languages.ts";

/** All texts by their paths, such as `outage.end` or `mail.changes.other`. */
function textsIn(value: unknown, path = ""): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value as object).flatMap(([name, part]) =>
    textsIn(part, path === "" ? name : `${path}.${name}`),
  );
}

const CATEGORIES = "zero|one|two|few|many|other";

/** The path without a plural category, which English always has as `other`. */
function plain(path: string): string {
  return path.replace(new RegExp(`\\.(${CATEGORIES})$`), ".other");
}

const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

const ofEnglish = new Map(textsIn(english().texts));

/** Whether the category of a language contains one whole number only, so that a text may leave it out. */
function isOneNumber(language: string, category: string | undefined): boolean {
  const rules = new Intl.PluralRules(language);
  const numbers = Array.from({ length: 1000 }, (_, number) => number);
  return numbers.filter((number) => rules.select(number) === category).length === 1;
}

describe.each(localizations)("the texts in %s", (language, { texts }) => {
  const own = textsIn(texts);

  test("behavior 21.1: are all there, and each has the places of the English one", () => {
    expect(new Set(own.map(([path]) => plain(path)))).toEqual(new Set([...ofEnglish.keys()].map(plain)));
    for (const [path, text] of own) {
      expect(text.trim()).not.toBe("");
      const [, category] = new RegExp(`\\.(${CATEGORIES})$`).exec(path) ?? [];
      const wanted = places(ofEnglish.get(plain(path)) ?? "");
      const without = wanted.filter((place) => place !== "{count}");
      const isValid =
        places(text).join() === wanted.join() ||
        (isOneNumber(language, category) && places(text).join() === without.join());
      expect(isValid ? "" : `${path}: ${text}`).toBe("");
    }
  });

  test("behavior 21.4: have exactly the plural categories of the language", () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    const plurals = Map.groupBy(
      own.filter(([path]) => path.includes(".") && ofEnglish.has(path.replace(/\.\w+$/, ".one"))),
      ([path]) => path.replace(/\.\w+$/, ""),
    );
    expect(plurals.size).toBe(10);
    for (const forms of plurals.values())
      expect(forms.map(([path]) => path.replace(/.*\./, "")).toSorted()).toEqual(categories);
  });
});

test("docs/status-pages.md names each language", async () => {
  const page = await Bun.file("docs/status-pages.md").text();
  const [, tags = ""] = /^\| Languages \| (`.*) \|$/m.exec(page) ?? [];
  expect(tags.replaceAll("`", "").split(" ")).toEqual([...LANGUAGES]);
  expect(page).toContain(`one of [${LANGUAGES.length} languages]`);
});
