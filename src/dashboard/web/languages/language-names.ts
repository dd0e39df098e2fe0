import { LANGUAGES, type Language } from "../../../domain/pages/reader-locale.ts";

/** The options of a choice of a language. */
export function languageOptions(): { value: Language; label: string }[] {
  return LANGUAGES.map((value) => ({ value, label: ownNameOf(value) }));
}

/** In the language itself, because readers of other languages may not know the English name. */
export function ownNameOf(language: Language): string {
  return new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;
}
