import type { Language } from "../../../domain/pages/reader-locale.ts";
import { base } from "../app/base.ts";
import { language } from "./locale.ts";

/* The language that a reader has chosen, in a cookie: the server sends the page in it (behavior 27.1). */

/** Seconds. */
const YEAR = 31_536_000;

/** @returns null if the browser decides */
export function chosenLanguage(): string | null {
  const [, chosen] = /(?:^|; )stillup_language=([^;]*)/.exec(document.cookie) ?? [];
  return chosen ?? null;
}

/** Loads the page again in a language. @param chosen null: as the browser wants */
export function chooseLanguage(chosen: Language | null): void {
  keep(chosen);
  location.reload();
}

function keep(chosen: Language | null): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  const age = chosen === null ? 0 : YEAR;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS
  document.cookie = `stillup_language=${chosen ?? ""}; Path=${base || "/"}; Max-Age=${age}; SameSite=Lax${secure}`;
}

/**
 * Follows the choice of a person, which was made in another browser, or by another reader of this one (behavior 27.101).
 *
 * @param session of a person, or of a key, for which the browser keeps the choice
 * @returns whether the page is loaded again
 */
export function followPerson(session: { personId?: string; language: Language | null }): boolean {
  const { personId, language: wanted } = session;
  if (personId === undefined || wanted === chosenLanguage()) return false;
  keep(wanted);
  // A browser may refuse cookies: the page would be loaded again and again.
  if (chosenLanguage() !== wanted || wanted === language) return false;
  location.reload();
  return true;
}
