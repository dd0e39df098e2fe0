import pg from "pg";

/*
 * How values travel between this program and the database, in both directions and whatever builds the statement.
 *
 * PostgreSQL stores every character except NUL. So NUL is stored as two characters, and the first of them, which no text
 * should contain (a noncharacter of Unicode), as two as well.
 */

const ESCAPE = "\ufdd0";
const NUL = `${ESCAPE}0`;
const ITSELF = `${ESCAPE}1`;

/** The values of `$1`, `$2`, ..., as `pg` is to send them. */
export function asParameters(values: readonly unknown[]): unknown[] {
  return values.map(escaped);
}

function escaped(value: unknown): unknown {
  if (typeof value === "string") return escapeText(value);
  return Array.isArray(value) ? value.map(escaped) : value;
}

/** The text as it is stored. */
export function escapeText(text: string): string {
  if (!text.includes("\0") && !text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPE, ITSELF).replaceAll("\0", NUL);
}

/** The text that was stored. */
export function unescapeText(text: string): string {
  return text.includes(ESCAPE) ? text.replaceAll(NUL, "\0").replaceAll(ITSELF, ESCAPE) : text;
}

/** JSON as the server writes it: a NUL of a text that became JSON in a statement is a NUL in JSON. */
export function unescapeJson(text: string): string {
  return text.includes(ESCAPE) ? text.replaceAll(NUL, "\\u0000").replaceAll(ITSELF, ESCAPE) : text;
}

const { INT8, NUMERIC, TEXT, JSON: JSON_TEXT, JSONB } = pg.types.builtins;

/** Arrays, which `pg` has no names for. */
const TEXTS = 1009 as typeof TEXT;
const INT8S = 1016 as typeof INT8;

/**
 * Sets how `pg` parses values, for the whole process, because drizzle offers no other way. Numbers are numbers, since every
 * number of this database is below 2^53.
 */
function setParsers(): void {
  const { getTypeParser, setTypeParser } = pg.types;
  const items = getTypeParser(TEXTS) as (text: string) => (string | null)[];
  const arrayOf = (parse: (text: string) => unknown) => (text: string) =>
    items(text).map((item) => (item === null ? null : parse(item)));
  for (const type of [INT8, NUMERIC]) setTypeParser(type, Number);
  setTypeParser(INT8S, arrayOf(Number));
  setTypeParser(TEXT, unescapeText);
  setTypeParser(TEXTS, arrayOf(unescapeText));
  for (const type of [JSON_TEXT, JSONB]) setTypeParser(type, (text) => JSON.parse(unescapeJson(text)));
}

setParsers();

/** The values of some rows by column, in the order of the keys: each is one parameter, for `unnest`. */
export function arraysOf<Row, Key extends keyof Row>(rows: readonly Row[], keys: readonly Key[]): unknown[] {
  return keys.map((key) => arrayOf(rows.map((row) => row[key])));
}

/** One parameter of values. Numbers and bytes become the text of an array, because `pg` takes several times as long. */
export function arrayOf(values: readonly unknown[]): unknown {
  if (values.every((value) => value === null || typeof value === "number"))
    return `{${JSON.stringify(values).slice(1, -1)}}`;
  if (values.every((value) => value === null || value instanceof Uint8Array))
    return `{${values.map((value) => (value === null ? "NULL" : `"\\\\x${value.toHex()}"`)).join(",")}}`;
  return values;
}
