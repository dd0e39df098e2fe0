import type { Config } from "../../data/api.ts";
import { rowsOf } from "../../form/form-values.ts";
import { oneLine } from "../../form/shown-text.ts";

export type JsonTest = "text" | "literal" | "min" | "max" | "range" | "exists" | "missing";

/** A row of the form: an expected value of a JSON body. */
export interface JsonRow {
  path: string;
  test: JsonTest;
  value: string;
}

export function jsonRowsOf(data: FormData): JsonRow[] {
  return rowsOf(data, "config.expect.json", 3).map(([path = "", test, value = ""]) => ({
    path: path.trim(),
    test: test as JsonTest,
    value,
  }));
}

/** The expectations in a form; undefined if there are none. @param stored those that the form showed */
export function readJson(data: FormData, stored: Config): Config | undefined {
  const rows = jsonRowsOf(data);
  if (rows.length === 0) return undefined;
  return Object.fromEntries(
    rows.map((row) => [row.path, isShown(row, stored) ? stored[row.path] : expectedOf(row)]),
  );
}

/** Whether a row still shows the stored value, which it may not show exactly. */
function isShown({ path, test, value }: JsonRow, stored: Config): boolean {
  if (!Object.hasOwn(stored, path)) return false;
  const shown = jsonRowOf(path, stored[path]);
  return shown.test === test && shown.value === value;
}

/** The row that shows an expectation of the API. */
export function jsonRowOf(path: string, expected: unknown): JsonRow {
  if (typeof expected === "string") return { path, test: "text", value: oneLine(expected) };
  if (typeof expected !== "object" || expected === null)
    return { path, test: "literal", value: JSON.stringify(expected) };
  const { exists, min, max } = expected as { exists?: boolean; min?: number; max?: number };
  if (exists !== undefined) return { path, test: exists ? "exists" : "missing", value: "" };
  if (min === undefined) return { path, test: "max", value: String(max) };
  if (max === undefined) return { path, test: "min", value: String(min) };
  return { path, test: "range", value: `${min} to ${max}` };
}

/** The expectation of a row, as the API accepts it. A text that is not a number stays a text, which the API refuses. */
function expectedOf({ test, value }: JsonRow): unknown {
  switch (test) {
    case "text":
      return value;
    case "literal":
      return literalOf(value) ?? null;
    case "min":
    case "max":
      return { [test]: numberOrText(value) };
    case "range": {
      const [min = "", max = ""] = value.split(/\s+to\s+/);
      return { min: numberOrText(min), max: numberOrText(max) };
    }
    case "exists":
    case "missing":
      return { exists: test === "exists" };
  }
}

/** A number, true, false or null. @returns undefined for any other text */
export function literalOf(text: string): number | boolean | null | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value === null || typeof value === "number" || typeof value === "boolean" ? value : undefined;
  } catch {
    return undefined;
  }
}

function numberOrText(text: string): number | string {
  return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
}
