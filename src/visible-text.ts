/**
 * Characters that a terminal interprets, or that hide or reorder the text around them: controls of both blocks (ECMA-48),
 * line separators of Unicode, and its controls of direction. Line breaks and tabs are none of them.
 */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A text for a terminal (behavior 9.21): such characters are escaped as in JSON, so that JSON and quoted YAML stay the same. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, escaped);
}

/** The same on one line, for a text of another program that could pretend to be several lines. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll(/[\n\t]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
