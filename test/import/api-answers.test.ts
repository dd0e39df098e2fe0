import { expect, test } from "bun:test";
import { jsonValues } from "../../src/import/api-answers.ts";

test.each<[string, unknown[] | undefined]>([
  ['{"a":1}', [{ a: 1 }]],
  ['{"a":"}{"}{"b":["]"]}\n[1, 2]\n', [{ a: "}{" }, { b: ["]"] }, [1, 2]]],
  [String.raw`{"a":"\"{"}  {"b":"\\"}`, [{ a: '"{' }, { b: "\\" }]],
  ["", []],
  [" \n", []],
  ["5", [5]],
  ['{"a":1', undefined],
  ['{"a":1}}', undefined],
  ['{"a":1} rest', undefined],
  ["]{}", undefined],
  ["<html></html>", undefined],
])("behavior 16.127: %j is one JSON value after another, or none", (text, values) => {
  expect(jsonValues(text)).toEqual(values as unknown[]);
});
