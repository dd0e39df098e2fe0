/** The text of a field; undefined where it was left empty. */
export function textOf(data: FormData, name: string): string | undefined {
  const value = data.get(name);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** All that are ticked under a name. */
export function ticked(data: FormData, name: string): string[] {
  return data.getAll(name).map(String);
}

/** A number, or, for the check to refuse it in its words, the text that is none. */
export function numberOf(data: FormData, name: string): number | string | undefined {
  const text = textOf(data, name);
  if (text === undefined) return undefined;
  return Number.isNaN(Number(text)) ? text : Number(text);
}
