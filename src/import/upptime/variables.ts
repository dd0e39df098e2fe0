import { literal, placeholder } from "../../domain/configuration/placeholder.ts";

/* Upptime replaces `$NAME` by the secret of that name. The names of secrets are in upper case. */

const VARIABLE = /\$([A-Z_][A-Z0-9_]*)/g;

/** Names that Upptime replaces by another text at each check. */
const CHANGING = ["DYNAMIC_RANDOM_NUMBER", "DYNAMIC_ALPHANUMERIC_STRING"];

export function changingPart(text: string): string | undefined {
  return CHANGING.find((name) => text.includes(`$${name}`));
}

/**
 * A text of Upptime as a document writes it.
 *
 * @param known the only secrets that Upptime knows; undefined if the file does not list them
 */
export function written(text: string, known?: ReadonlySet<string>): string {
  let result = "";
  let end = 0;
  for (const { 0: token, 1: name = "", index } of text.matchAll(VARIABLE)) {
    if (CHANGING.includes(name) || known?.has(name) === false) continue;
    result += literal(text.slice(end, index)) + placeholder(name);
    end = index + token.length;
  }
  return result + literal(text.slice(end));
}
