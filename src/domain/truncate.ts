/** Escapes one character for a markup language. */
export type Escape = (character: string) => string;

/**
 * Escapes a text and cuts it to at most `limit` UTF-16 units. Neither an escape sequence nor a character is split.
 */
export function truncate(
  text: string,
  limit: number,
  escapeCharacter: Escape = (character) => character,
): string {
  let fitted = "";
  let cut = "";
  for (const character of text) {
    const escaped = escapeCharacter(character);
    if (fitted.length + escaped.length > limit) return `${cut}…`;
    fitted += escaped;
    if (fitted.length < limit) cut = fitted;
  }
  return fitted;
}

/**
 * A text on one line, without control characters, invisible characters, and the Unicode controls that reverse the
 * direction of text.
 */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replaceAll(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "")
    .trim();
}
