import type { Language } from "../../domain/pages/reader-locale.ts";
import type { Texts } from "./texts.ts";

/** The texts of any language. Which categories its plurals have depends on the language, so no caller can name one. */
export type AnyTexts = Texts<never>;

/** Loads the texts of a language at their first use: a server needs only some of them, and none at its start. */
export function textsOf(language: Language): AnyTexts {
  return loaders[language]();
}

const loaders: Record<Language, () => AnyTexts> = {
  ar: () => (require("./ar.ts") as typeof import("./ar.ts")).texts,
  cs: () => (require("./cs.ts") as typeof import("./cs.ts")).texts,
  da: () => (require("./da.ts") as typeof import("./da.ts")).texts,
  de: () => (require("./de.ts") as typeof import("./de.ts")).texts,
  en: () => (require("./en.ts") as typeof import("./en.ts")).texts,
  es: () => (require("./es.ts") as typeof import("./es.ts")).texts,
  fi: () => (require("./fi.ts") as typeof import("./fi.ts")).texts,
  fr: () => (require("./fr.ts") as typeof import("./fr.ts")).texts,
  he: () => (require("./he.ts") as typeof import("./he.ts")).texts,
  hi: () => (require("./hi.ts") as typeof import("./hi.ts")).texts,
  hu: () => (require("./hu.ts") as typeof import("./hu.ts")).texts,
  id: () => (require("./id.ts") as typeof import("./id.ts")).texts,
  it: () => (require("./it.ts") as typeof import("./it.ts")).texts,
  ja: () => (require("./ja.ts") as typeof import("./ja.ts")).texts,
  ko: () => (require("./ko.ts") as typeof import("./ko.ts")).texts,
  nb: () => (require("./nb.ts") as typeof import("./nb.ts")).texts,
  nl: () => (require("./nl.ts") as typeof import("./nl.ts")).texts,
  pl: () => (require("./pl.ts") as typeof import("./pl.ts")).texts,
  "pt-BR": () => (require("./pt-BR.ts") as typeof import("./pt-BR.ts")).texts,
  ro: () => (require("./ro.ts") as typeof import("./ro.ts")).texts,
  ru: () => (require("./ru.ts") as typeof import("./ru.ts")).texts,
  sv: () => (require("./sv.ts") as typeof import("./sv.ts")).texts,
  tr: () => (require("./tr.ts") as typeof import("./tr.ts")).texts,
  uk: () => (require("./uk.ts") as typeof import("./uk.ts")).texts,
  vi: () => (require("./vi.ts") as typeof import("./vi.ts")).texts,
  "zh-CN": () => (require("./zh-CN.ts") as typeof import("./zh-CN.ts")).texts,
  "zh-TW": () => (require("./zh-TW.ts") as typeof import("./zh-TW.ts")).texts,
};
