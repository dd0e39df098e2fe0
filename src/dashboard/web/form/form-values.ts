import { fieldOf } from "../../../domain/schemas/field-name.ts";

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

/** The rows of names and values; undefined if there are none. */
export function readPairs(data: FormData, name: string): Record<string, string> | undefined {
  const rows = rowsOf(data, name, 2).map(([key = "", value = ""]) => [key.trim(), value.trim()]);
  return rows.length > 0 ? Object.fromEntries(rows) : undefined;
}

interface Keys {
  /** The name of the field in the API, and of all controls of the rows. */
  at: string;
  /** How many controls a row has. */
  width: number;
  /** The content of the first control of a row. */
  what: "name" | "path";
}

/** Errors of rows that an object cannot have, in the style of the API: no name, or one twice. */
export function keyFaults(data: FormData, { at, width, what }: Keys): string[] {
  const names = rowsOf(data, at, width).map(([name = ""]) => name.trim());
  const twice = names.filter((name, position) => names.indexOf(name) < position && name !== "");
  return [
    ...(names.includes("") ? [`${at} must have a ${what} for each value`] : []),
    ...twice.map((name) => `${fieldOf(at, name)} must occur once`),
  ];
}

/* Values of `datetime-local` fields, which are in the reader's zone and have no offset. */

/** The value of a field that shows a time: with seconds only if it has some. @param at ISO 8601 */
export function localTextOf(at: string): string {
  const date = new Date(at);
  const pad = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join("-");
  const time = [date.getHours(), date.getMinutes(), ...(date.getSeconds() > 0 ? [date.getSeconds()] : [])];
  return `${day}T${time.map(pad).join(":")}`;
}

/**
 * The time in a field.
 *
 * @param stored the time that the field showed at first, which may be more precise
 * @returns ISO 8601; the text itself if it is no time, so that the validation refuses it; undefined for an empty field
 */
export function timeIn(text: string | undefined, stored?: string | null): string | undefined {
  if (text === undefined) return undefined;
  if (stored && text === localTextOf(stored)) return stored;
  const at = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? text : new Date(at).toISOString();
}
