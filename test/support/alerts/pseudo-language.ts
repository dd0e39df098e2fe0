import { type AnyTexts, textsOf } from "../../../src/alerts/languages/load.ts";
import { createLocalization, type Localization } from "../../../src/alerts/languages/localization.ts";
import type { Language } from "../../../src/domain/pages/reader-locale.ts";

/*
 * Languages that are made from the English texts. Dates and amounts are Japanese, which have no Latin letters, except where another
 * language is given.
 */

/** @param change of each text, without the names in its places */
export function pseudoLanguage(change: (words: string) => string, language: Language = "ja"): Localization {
  return createLocalization(language, changed(textsOf("en"), change));
}

function changed(texts: AnyTexts, change: (words: string) => string): AnyTexts {
  return mapTexts(texts, (text) =>
    text
      .split(/(\{\w+\})/)
      .map((part) => (part.startsWith("{") ? part : change(part)))
      .join(""),
  );
}

/** A table with another text in place of each. */
export function mapTexts<Table>(table: Table, change: (text: string) => string): Table {
  if (typeof table === "string") return change(table) as Table;
  const parts = Object.entries(table as object).map(([name, part]) => [name, mapTexts(part, change)]);
  return Object.fromEntries(parts) as Table;
}

/** A text in letters outside of the basic plane of Unicode: two UTF-16 units and four bytes each. */
export function inOtherLetters(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (letter) => {
    const first = letter < "a" ? 0x1d400 - 65 : 0x1d41a - 97;
    return String.fromCodePoint(first + letter.charCodeAt(0));
  });
}

/** A text in letters of three bytes each. */
export function inLongLetters(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, "क");
}
