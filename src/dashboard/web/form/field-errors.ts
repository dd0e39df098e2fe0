import { fieldOf } from "../../../domain/schemas/field-name.ts";
import type { SaidFault } from "../../../domain/schemas/validation.ts";
import { sentenceOf, textElsewhere, textOfFault } from "../data/fault-text.ts";
import { pageFault } from "./page-fault.ts";

/** One text for each invalid field. Under the empty name: an error that belongs to no field of the form. */
export type FieldErrors = Record<string, string>;

/** Assigns each fault to its field. If a field has several, the first one wins (behavior 27.72). */
export function errorsByField(faults: SaidFault[], fields: string[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const fault of faults) {
    const field = fields.filter((one) => contains(one, fault.field)).reduce(longer, "");
    errors[field] ??= field === "" ? textElsewhere(fault) : textBeside(fault, field);
  }
  return errors;
}

/** Whether a field is the one of a name, or has it as an entry. */
function contains(field: string, name: string): boolean {
  return name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`);
}

function longer(one: string, other: string): string {
  return other.length > one.length ? other : one;
}

/** @param field the fault is about it, or about an entry of it: then the text names the entry */
function textBeside(fault: SaidFault, field: string): string {
  return textOfFault(fault, entryOf(fault.field.slice(field.length))) ?? sentenceOf(fault);
}

/** The name of an entry, such as `$.a` for `["$.a"].min`. Empty for a position in a list. */
function entryOf(path: string): string {
  const [, quoted, plain = ""] = /^(?:\[("(?:[^"\\]|\\.)*")\]|\.([^.[]+))/.exec(path) ?? [];
  if (quoted !== undefined) return JSON.parse(quoted);
  return /^\d+$/.test(plain) ? "" : plain;
}

/** The actions of the reader in a form, and the errors that the form shows. */
interface FieldErrorState {
  /** Fields that the reader has changed. */
  edited: ReadonlySet<string>;
  /** Numeric fields that were valid once. A number that becomes invalid then is no longer an unfinished one. */
  wasValid: ReadonlySet<string>;
  /** Fields whose errors the form shows. */
  revealed: ReadonlySet<string>;
  shown: FieldErrors;
}

export type FieldErrorAction =
  /** The form got other fields. */
  | { type: "reset" }
  /** The reader has changed a field; `errors` has the errors of all fields. */
  | { type: "edit"; field: { name: string; kind: "numeric" | "checkbox" | "text" }; errors: FieldErrors }
  /** The focus has left a field that was edited. */
  | { type: "leave"; name: string; errors: FieldErrors }
  /** The reader wants to send the fields of these names. */
  | { type: "attempt"; names: string[]; errors: FieldErrors }
  /** The server has refused the values. */
  | { type: "reject"; errors: FieldErrors };

export const untouched: FieldErrorState = {
  edited: new Set(),
  wasValid: new Set(),
  revealed: new Set(),
  shown: {},
};

/**
 * A form shows the error of a field when the reader leaves it, makes a valid number invalid, changes a checkbox, or sends
 * the form. It hides the error as soon as the field is valid.
 */
export function nextState(state: FieldErrorState, action: FieldErrorAction): FieldErrorState {
  switch (action.type) {
    case "reset":
      return untouched;
    case "edit":
      return edit(state, action);
    case "leave":
      return show(state, including(state.revealed, action.name), action.errors);
    case "attempt":
      return { ...state, revealed: including(state.revealed, ...action.names), shown: action.errors };
    case "reject":
      return { ...state, shown: action.errors };
  }
}

function edit(
  state: FieldErrorState,
  { field, errors }: FieldErrorAction & { type: "edit" },
): FieldErrorState {
  const { name, kind } = field;
  const isValid = errors[name] === undefined;
  const wasValid = kind === "numeric" && isValid ? including(state.wasValid, name) : state.wasValid;
  const reveals = kind === "checkbox" || wasValid.has(name);
  const revealed = reveals ? including(state.revealed, name) : state.revealed;
  return show({ ...state, edited: including(state.edited, name), wasValid }, revealed, errors);
}

function show(state: FieldErrorState, revealed: ReadonlySet<string>, errors: FieldErrors): FieldErrorState {
  const shown = Object.fromEntries(Object.entries(errors).filter(([name]) => revealed.has(name)));
  return { ...state, revealed, shown };
}

function including(names: ReadonlySet<string>, ...added: string[]): ReadonlySet<string> {
  return new Set([...names, ...added]);
}

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

/** A number. A text that is not a number stays a text, so that the validation refuses it. */
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

/** Errors of rows that an object cannot have: no name, or one twice. */
export function keyFaults(data: FormData, { at, width, what }: Keys): SaidFault[] {
  const names = rowsOf(data, at, width).map(([name = ""]) => name.trim());
  const twice = names.filter((name, position) => names.indexOf(name) < position && name !== "");
  return [
    ...(names.includes("") ? [pageFault(what === "name" ? "nameMissing" : "pathMissing", at, {})] : []),
    ...twice.map((name) => pageFault("entryTwice", fieldOf(at, name), {})),
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
