import { fieldOf } from "../../../../domain/schemas/field-name.ts";
import { keyFaults } from "../../form/rows/pair-values.ts";
import { jsonRowsOf, literalOf } from "./json-expectation.ts";

/** Errors of rows that a config cannot have, because it is an object: as sentences like those of the API. */
export function rowFaults(data: FormData): string[] {
  return [
    ...keyFaults(data, { at: "config.headers", width: 2, what: "name" }),
    ...keyFaults(data, { at: "config.expect.headers", width: 2, what: "name" }),
    ...keyFaults(data, { at: "config.expect.json", width: 3, what: "path" }),
    ...jsonRowsOf(data)
      .filter(({ test, value }) => test === "literal" && literalOf(value) === undefined)
      .map(({ path }) => `${fieldOf("config.expect.json", path)} must be a number, true, false or null`),
  ];
}
