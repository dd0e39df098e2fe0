import { fieldOf } from "../../../../domain/schemas/field-name.ts";
import { rowsOf } from "../../form/form-values.ts";
import { jsonRowsOf } from "./expectation-values.ts";
import { literalOf } from "./json-expectation.ts";

/** Errors of rows that a config cannot have, because it is an object: as sentences like those of the API. */
export function rowFaults(data: FormData): string[] {
  return [
    ...nameFaults(data, { at: "config.headers", width: 2, what: "name" }),
    ...nameFaults(data, { at: "config.expect.headers", width: 2, what: "name" }),
    ...nameFaults(data, { at: "config.expect.json", width: 3, what: "path" }),
    ...jsonRowsOf(data)
      .filter(({ test, value }) => test === "literal" && literalOf(value) === undefined)
      .map(({ path }) => `${fieldOf("config.expect.json", path)} must be a number, true, false or null`),
  ];
}

function nameFaults(
  data: FormData,
  { at, width, what }: { at: string; width: number; what: "name" | "path" },
): string[] {
  const names = rowsOf(data, at, width).map(([name = ""]) => name.trim());
  const twice = names.filter((name, position) => names.indexOf(name) < position && name !== "");
  return [
    ...(names.includes("") ? [`${at} must have a ${what} for each value`] : []),
    ...twice.map((name) => `${fieldOf(at, name)} must occur once`),
  ];
}
