import type { Config } from "../../data/api.ts";
import { numberOf, rowsOf, withoutEmpty } from "../../form/form-values.ts";
import { readPairs } from "../../form/rows/pair-values.ts";
import { showLines, unlessEdited } from "../../form/shown-text.ts";
import { expectedOf, type JsonRow, type JsonTest, jsonRowOf } from "./json-expectation.ts";

/** `expect` of a config by field; empty without it. */
export function expectationsOf(expect: unknown): Config {
  return (expect ?? {}) as Config;
}

/** All expectations in a form except the statuses. @param stored `expect` of the config that the form showed */
export function readExpectations(data: FormData, stored: Config): Config {
  return withoutEmpty({
    contains: readTexts(data, "config.expect.contains", stored.contains),
    lacks: readTexts(data, "config.expect.lacks", stored.lacks),
    json: readJson(data, (stored.json ?? {}) as Config),
    headers: readPairs(data, "config.expect.headers"),
    within: numberOf(data, "config.expect.within"),
  });
}

export function jsonRowsOf(data: FormData): JsonRow[] {
  return rowsOf(data, "config.expect.json", 3).map(([path = "", test, value = ""]) => ({
    path: path.trim(),
    test: test as JsonTest,
    value,
  }));
}

function readTexts(data: FormData, name: string, stored: unknown): unknown {
  return unlessEdited(data.get(name), stored, showLines, (text) => {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return lines.length > 1 ? lines : lines[0];
  });
}

function readJson(data: FormData, stored: Config): Config | undefined {
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
