import type { English } from "../../languages/english.ts";
import type { TextFile } from "../../languages/files.ts";
import type { EnglishPlural, Places } from "../../languages/table.ts";
import { formatNumber } from "../ui/numbers.ts";
import { isEnglish, isolated, language, locale } from "./locale.ts";

/**
 * The texts of the page in the language of its reader. A room is there when its file is loaded: read it while rendering, never at
 * the top of a module. The types are the English ones, which know the places of each text.
 */
export const texts = {} as English;

const files = new Map<TextFile, Promise<unknown>>();

/** Loads the rooms of some files. A file that could not be loaded is requested again by the next call. */
export function loadTexts(...names: TextFile[]): Promise<unknown> {
  return Promise.all(
    names.map((name) => {
      const loading = files.get(name) ?? loadFile(name);
      files.set(name, loading);
      loading.catch(() => files.delete(name));
      return loading;
    }),
  );
}

/** A script and the texts that it reads, which are loaded beside it. */
export async function withTexts<Script>(script: Promise<Script>, ...names: TextFile[]): Promise<Script> {
  const [loaded] = await Promise.all([script, loadTexts(...names)]);
  return loaded;
}

async function loadFile(name: TextFile): Promise<void> {
  const response = await fetch(`${document.documentElement.dataset.texts}-${name}.json`);
  if (!response.ok) throw new Error(`The texts cannot be loaded: ${response.status}`);
  Object.assign(texts, await response.json());
}

type Value = string | number;

/** A text with a value in each of its places: `{name}`. After a value that ends with a period, such as `12 Sek.` or a sentence, there is no other one. */
export function fill<Text extends string>(
  text: Text,
  values: { readonly [Name in Places<Text>]: Value },
): string {
  const given = values as Record<string, Value>;
  return text.replace(PLACE, (place, name: string, period: string) => {
    const value = shown(given[name] ?? place);
    return ENDING.test(value) ? value : value + period;
  });
}

const PLACE = /\{(\w+)\}([.。।]?)/g;
/** A period of any language, also behind the mark that ends a direction of its own. */
const ENDING = /[.。।]\u2069?$/;

/** A number as the reader writes it, and a name with its own direction. */
export function shown(value: Value): string {
  return typeof value === "number" ? formatNumber(value) : isolated(value);
}

/** Created at its first use, because the first formatter takes a phone 50 ms. */
let rules: Intl.PluralRules | undefined;

/** The form of a text for a number, with the number in its place `{count}`. */
export function plural<Forms extends EnglishPlural>(
  forms: Forms,
  count: number,
  ...[values]: Exclude<Places<Forms["other"]>, "count"> extends never
    ? []
    : [{ readonly [Name in Exclude<Places<Forms["other"]>, "count">]: Value }]
): string {
  return fill<string>(formOf(forms, count), { ...values, count });
}

/** The form of a text for a number, for `rich`. */
export function formOf<Forms extends EnglishPlural>(forms: Forms, count: number): Forms["other"] {
  rules ??= new Intl.PluralRules(language);
  const form = (forms as Partial<Record<Intl.LDMLPluralRule, string>>)[rules.select(count)];
  // A test asserts that each language has the forms of its rules.
  return form ?? forms.other;
}

/** `measure`: a value with its parts, such as `2 d 5 h`. */
type ListType = Intl.ListFormatType | "measure";

const lists = new Map<ListType, Intl.ListFormat>();

/** Items in a sentence, such as `a, b and c`. */
export function listOf(items: readonly string[], type: ListType = "conjunction"): string {
  // Most lists have one item.
  if (items.length < 2) return items.map(isolated).join("");
  const list = lists.get(type) ?? new Intl.ListFormat(listLocale, styleOf(type));
  lists.set(type, list);
  return list.format(type === "measure" ? items : items.map(isolated));
}

/** American English has a comma before the last item, which the English texts do not have. */
const listLocale = isEnglish ? "en-GB" : locale;

function styleOf(type: ListType): Intl.ListFormatOptions {
  return type === "measure" ? { type: "unit", style: "narrow" } : { type };
}
