import { fieldOf } from "../../../../domain/schemas/field-name.ts";
import { rowsOf } from "../form-values.ts";

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
  /** What the first control of a row has. */
  what: "name" | "path";
}

/** Errors of rows that an object cannot have, as sentences like those of the API: no name, or one twice. */
export function keyFaults(data: FormData, { at, width, what }: Keys): string[] {
  const names = rowsOf(data, at, width).map(([name = ""]) => name.trim());
  const twice = names.filter((name, position) => names.indexOf(name) < position && name !== "");
  return [
    ...(names.includes("") ? [`${at} must have a ${what} for each value`] : []),
    ...twice.map((name) => `${fieldOf(at, name)} must occur once`),
  ];
}
