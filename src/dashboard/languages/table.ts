import type { English } from "./english.ts";

/** The forms of a text with a number: English has two. `{count}` is the number. */
export interface EnglishPlural {
  one: string;
  other: string;
}

/**
 * A part of the English table in another language: the same keys, each a text. A text that depends on a number has a form for each
 * plural category of the language.
 *
 * @typeParam Category as `Intl.PluralRules` has them for the language
 */
export type Translation<Part, Category extends string> = Part extends string
  ? string
  : Part extends EnglishPlural
    ? Record<Category, string>
    : Part extends readonly unknown[]
      ? { readonly [At in keyof Part]: Translation<Part[At], Category> }
      : { [Key in keyof Part]: Translation<Part[Key], Category> };

/** All texts of the page in a language (behavior 27.3). A missing text and an unknown one are errors of the compiler. */
export type Texts<Category extends Intl.LDMLPluralRule> = Translation<English, Category>;

/** The names of the places in a text: `since` in `Since {since}`. */
export type Places<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Places<Rest>
  : never;

/** The names of the tags in a text: `link` in `Read <link>the guide</link>`. */
export type Tags<Text extends string> = Text extends `${string}</${infer Name}>${infer Rest}`
  ? Name | Tags<Rest>
  : never;
