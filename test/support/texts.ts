/* Tables of texts, as tests of translations compare them. */

const CATEGORIES = ["zero", "one", "two", "few", "many", "other"];

/** All texts by their paths, such as `outage.end` or `mail.changes.other`. */
export function textsIn(value: unknown, path = ""): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value as object).flatMap(([name, part]) =>
    textsIn(part, path === "" ? name : `${path}.${name}`),
  );
}

/** The path without a plural category, which English always has as `other`. */
export function withoutCategory(path: string): string {
  return path.replace(new RegExp(`\\.(${CATEGORIES.join("|")})$`), ".other");
}

export function placesIn(text: string): string[] {
  return (text.match(/\{\w+\}/g) ?? []).toSorted();
}

/** Whether a path ends in a category that contains one whole number only, so that its text may leave the number out. */
export function isOneNumber(language: string, path: string): boolean {
  const category = path.split(".").at(-1);
  const rules = new Intl.PluralRules(language);
  const numbers = Array.from({ length: 1000 }, (_, number) => number);
  return numbers.filter((number) => rules.select(number) === category).length === 1;
}

/** The forms of each text that depends on a number. @param english the same table in English, whose forms are `one` and `other` */
export function pluralsIn(value: unknown, english: unknown): object[] {
  if (typeof english !== "object" || english === null) return [];
  if (Object.keys(english).toSorted().join() === "one,other") return [value as object];
  return Object.entries(english).flatMap(([name, part]) =>
    pluralsIn((value as Record<string, unknown>)[name], part),
  );
}
