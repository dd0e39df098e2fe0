import { useState } from "react";
import type { Config } from "../../data/api.ts";
import { oneLine } from "../../form/config-field.ts";
import { rowsOf } from "../../form/field-errors.ts";
import { exactText } from "../../form/fields.tsx";
import { Rows } from "../../form/rows.tsx";
import { fill, texts } from "../../languages/texts.ts";
import { optionsOf } from "../../ui/filters.tsx";

/** Expected values of a JSON body, by path. */
export function JsonRows({ name, json }: { name: string; json: Config }) {
  const rows = Object.entries(json).map(([path, value]) => jsonRowOf(path, value));
  return (
    <Rows<JsonRow>
      name={name}
      legend={texts.config.json.title}
      rows={rows}
      blank={{ path: "", test: "text", value: "" }}
      add={texts.config.json.add}
      hint={texts.config.json.hint}
    >
      {(row, number, isInvalid) => <Fields {...{ name, row, number, isInvalid }} />}
    </Rows>
  );
}

interface FieldsProps {
  name: string;
  row: JsonRow;
  number: number;
  isInvalid: boolean;
}

function Fields({ name, row, number, isInvalid }: FieldsProps) {
  const [test, setTest] = useState(row.test);
  const { path, condition, value, tests } = texts.config.json;
  const example = exampleOf(test);
  const shared = {
    name,
    ...(isInvalid && { "aria-invalid": true as const }),
    ...exactText,
  };
  return (
    <>
      <input {...shared} aria-label={fill(path, { number })} defaultValue={row.path} placeholder="$.status" />
      <select
        name={shared.name}
        aria-label={fill(condition, { number })}
        value={test}
        onChange={({ target }) => setTest(target.value as JsonTest)}
      >
        {optionsOf(Object.entries(tests).map(([one, label]) => ({ value: one, label })))}
      </select>
      {example === undefined ? (
        <input type="hidden" name={shared.name} value="" />
      ) : (
        <input
          {...shared}
          aria-label={fill(value, { number })}
          defaultValue={row.value}
          placeholder={example}
        />
      )}
    </>
  );
}

/** An example of the value of a test; undefined for one without a value. */
function exampleOf(test: JsonTest): string | undefined {
  const examples: { [Test in JsonTest]?: string } = {
    text: "ok",
    literal: texts.config.json.literalExample,
    min: "1",
    max: "100",
    range: rangeOf(1, 100),
  };
  return examples[test];
}

/** Such as `1 to 100`. The reader may edit it, so that nothing but the numbers matters: see `expectedOf`. */
function rangeOf(min: number, max: number): string {
  return texts.config.json.range.replace("{min}", String(min)).replace("{max}", String(max));
}

type JsonTest = "text" | "literal" | "min" | "max" | "range" | "exists" | "missing";

/** A row of the form: an expected value of a JSON body. */
interface JsonRow {
  path: string;
  test: JsonTest;
  value: string;
}

/** @param name of their controls */
export function jsonRowsOf(data: FormData, name: string): JsonRow[] {
  return rowsOf(data, name, 3).map(([path = "", test, value = ""]) => ({
    path: path.trim(),
    test: test as JsonTest,
    value,
  }));
}

/** The expectations in a form; undefined if there are none. @param stored those that the form showed */
export function readJson(data: FormData, name: string, stored: Config): Config | undefined {
  const rows = jsonRowsOf(data, name);
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
function jsonRowOf(path: string, expected: unknown): JsonRow {
  if (typeof expected === "string") return { path, test: "text", value: oneLine(expected) };
  if (typeof expected !== "object" || expected === null)
    return { path, test: "literal", value: JSON.stringify(expected) };
  const { exists, min, max } = expected as { exists?: boolean; min?: number; max?: number };
  if (exists !== undefined) return { path, test: exists ? "exists" : "missing", value: "" };
  if (min === undefined) return { path, test: "max", value: String(max) };
  if (max === undefined) return { path, test: "min", value: String(min) };
  return { path, test: "range", value: rangeOf(min, max) };
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
      const [min = "", ...rest] = value.trim().split(/\s+/);
      const max = rest.at(-1) ?? "";
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
