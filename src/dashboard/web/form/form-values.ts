/** The trimmed text of a field; undefined if it is empty. */
export function textOf(data: FormData, name: string): string | undefined {
  const value = data.get(name);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** The values of all checked boxes with a name. */
export function checkedValues(data: FormData, name: string): string[] {
  return data.getAll(name).map(String);
}

/** A number. A text that is not a number stays a text, so that the validation refuses it with its own sentence. */
export function numberOf(data: FormData, name: string): number | string | undefined {
  const text = textOf(data, name);
  if (text === undefined) return undefined;
  return Number.isNaN(Number(text)) ? text : Number(text);
}
