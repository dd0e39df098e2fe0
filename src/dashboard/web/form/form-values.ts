/** The trimmed text of a field; undefined if it is empty. */
export function textOf(data: FormData, name: string): string | undefined {
  const value = data.get(name);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** The text of a field with its spaces; undefined if it is empty. */
export function rawTextOf(data: FormData, name: string): string | undefined {
  const value = data.get(name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * The rows of a list whose controls all have one name, without the rows that are empty.
 *
 * @param width how many controls a row has. The first one and the last one decide whether the row is empty
 */
export function rowsOf(data: FormData, name: string, width: number): string[][] {
  const values = data.getAll(name).map(String);
  const rows = Array.from({ length: Math.floor(values.length / width) }, (_, at) =>
    values.slice(at * width, (at + 1) * width),
  );
  return rows.filter((row) => `${row[0]}${row.at(-1)}`.trim() !== "");
}

/** The fields that have a value. */
export function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The values of all checked boxes with a name. */
export function checkedValues(data: FormData, name: string): string[] {
  return data.getAll(name).map(String);
}

export function numberOf(data: FormData, name: string): number | string | undefined {
  const text = textOf(data, name);
  return text === undefined ? undefined : numberIn(text);
}

/** A number. A text that is not a number stays a text, so that the validation refuses it with its own sentence. */
export function numberIn(text: string): number | string {
  return Number.isNaN(Number(text)) ? text : Number(text);
}
