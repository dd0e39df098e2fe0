/** Turns one character into what stands for it in some markup. */
export type Escape = (character: string) => string;

/**
 * Cuts a text so that it has at most `limit` UTF-16 units once it is escaped. No escape and no character is cut in two.
 */
export function truncate(text: string, limit: number, toMarkup: Escape = (character) => character): string {
  let fitted = "";
  let cut = "";
  for (const character of text) {
    const escaped = toMarkup(character);
    if (fitted.length + escaped.length > limit) return `${cut}…`;
    fitted += escaped;
    if (fitted.length < limit) cut = fitted;
  }
  return fitted;
}

/**
 * A text on one line, without what would turn its direction or hide in it: control characters, and the bidirectional
 * controls of Unicode.
 */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replaceAll(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "")
    .trim();
}
