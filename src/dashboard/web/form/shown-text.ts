/* A control cannot show each text exactly: an input has no line breaks, and a text area only one kind of line break. */

/**
 * The value of a field that may not show its stored value exactly: the stored value if the field still shows it.
 *
 * @param text the value of the field
 * @param show what the field shows for a stored value
 */
export function unlessEdited<Value>(
  text: FormDataEntryValue | null,
  stored: unknown,
  show: (stored: unknown) => string,
  read: (text: string) => Value,
): unknown {
  const entered = String(text ?? "").replaceAll("\r\n", "\n");
  return stored !== undefined && entered === show(stored) ? stored : read(entered);
}

/** One text or several ones in a text area, one on each line. */
export function showLines(stored: unknown): string {
  return [stored ?? ""].flat().join("\n").replace(/\r\n?/g, "\n");
}

/** A text as an input shows it. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, "");
}

const ESCAPES = { "\\": "\\\\", "\r": "\\r", "\n": "\\n", "\t": "\\t" };

/** A text with `\r`, `\n` and `\t` for the characters that an input cannot show. */
export function escaped(text: string): string {
  return text.replace(/[\\\r\n\t]/g, (character) => ESCAPES[character as keyof typeof ESCAPES]);
}

/** Reverses `escaped`. Another character after a backslash stays as it is. */
export function unescaped(text: string): string {
  return text.replace(
    /\\[\\rnt]/g,
    (sequence) => Object.entries(ESCAPES).find(([, one]) => one === sequence)?.[0] ?? sequence,
  );
}
