import { describe, expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import { english } from "../../../src/dashboard/languages/english.ts";
import { TEXT_FILES } from "../../../src/dashboard/languages/files.ts";
import { tableOf, textFiles } from "../../../src/dashboard/languages/json-files.ts";
import { LANGUAGES } from "../../../src/domain/pages/reader-locale.ts";

const OTHERS = LANGUAGES.filter((language) => language !== "en");

/** A text, or the forms of a text with a number, with the keys that lead to it. */
type Entry = [path: string, text: unknown];

function entriesOf(part: unknown, forms: (at: string) => boolean, path = ""): Entry[] {
  if (typeof part !== "object" || part === null || forms(path)) return [[path, part]];
  return Object.entries(part).flatMap(([key, value]) =>
    entriesOf(value, forms, path === "" ? key : `${path}.${key}`),
  );
}

const all = entriesOf(english, () => false);
const pluralPaths = new Set(
  all
    .map(([path]) => path)
    .filter((path) => path.endsWith(".one"))
    .map((path) => path.slice(0, -".one".length))
    .filter((path) => all.some(([other]) => other === `${path}.other`)),
);
const expected = entriesOf(english, (path) => pluralPaths.has(path));

function placesOf(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}|<\w+>|<\/\w+>/g))].toSorted();
}

describe.each(OTHERS)("the texts in %s", (language) => {
  test("behavior 27.3: have the places and tags of the English ones, and the plural forms of the language", async () => {
    const table = await tableOf(language);
    const entries = new Map(entriesOf(table, (path) => pluralPaths.has(path)));
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    const wrong = expected.filter(([path, reference]) => {
      const text = entries.get(path);
      if (typeof reference === "string")
        return typeof text !== "string" || isEmpty(text, reference) || !sameParts(text, reference);
      const forms = (text ?? {}) as Record<string, string>;
      const { other } = reference as { other: string };
      const isComplete = Object.keys(forms).toSorted().join() === categories.join();
      // "One" may be said without its number.
      const isWhole = Object.values(forms).every(
        (form) =>
          form.trim() !== "" && sameParts(form.replaceAll("{count}", ""), other.replaceAll("{count}", "")),
      );
      return !isComplete || !isWhole || !forms.other?.includes("{count}") !== !other.includes("{count}");
    });
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  test("behavior 27.4: are less than 45 kB as brotli, and less than 4 kB for the first view", async () => {
    const own = (await textFiles()).filter(({ name }) => name.startsWith(`${language}-`));
    expect(own).toHaveLength(Object.keys(TEXT_FILES).length);
    const sizes = own.map(({ name, json }) => [name, brotliCompressSync(json).byteLength] as const);
    expect(new Map(sizes).get(`${language}-start.json`)).toBeLessThan(4000);
    expect(sizes.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(45_000);
  });
});

/** Some languages have no space between sentences. */
function isEmpty(text: string, reference: string): boolean {
  return text.trim() === "" && reference.trim() !== "";
}

function sameParts(text: string, reference: string): boolean {
  return placesOf(text).join() === placesOf(reference).join();
}

const sources = await Promise.all(
  [...new Bun.Glob("**/*.{ts,tsx}").scanSync("src/dashboard/web")].map(
    async (path) => [path, await Bun.file(`src/dashboard/web/${path}`).text()] as const,
  ),
);
/** The server writes some texts into the HTML file. */
const server = await Bun.file("src/dashboard/page.ts").text();
const code = [server, ...sources.map(([, text]) => text)].join("\n").replaceAll(/\s*\n\s*(?=\.)/g, "");

/** The texts and groups that are read, such as `status.label`, of which a value chooses the member. */
const read = new Set([...code.matchAll(/\btexts\.(\w+(?:\.\w+)*)/g)].map(([, path = ""]) => path));

function isRead(path: string): boolean {
  const keys = path.split(".");
  return keys.some((_, at) => read.has(keys.slice(0, at + 1).join(".")));
}

test("behavior 27.3: every text is read by a view", () => {
  expect(expected.map(([path]) => path).filter((path) => !isRead(path))).toEqual([]);
});

test("every room is in one file", () => {
  const rooms: string[] = Object.values(TEXT_FILES).flat();
  expect(rooms.toSorted()).toEqual(Object.keys(english).toSorted());
});
