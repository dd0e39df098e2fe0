import { expect, test } from "bun:test";
import { outlineOf } from "../../src/domain/json-outline.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

test.each([
  ["{}", 1, 1, true],
  ['{"a":[1,{"b":2}]}', 3, 5, true],
  ['{"a":"[[[{:\\"]"}', 1, 2, true],
  ['"\\\\"', 0, 0, true],
  ["[[", 2, 2, false],
  ['["', 1, 1, false],
  ['["\\', 1, 1, false],
  ["", 0, 0, true],
])("behavior 7.18, 7.74: the outline of %s", (text, depth, parts, isBalanced) => {
  expect(outlineOf(bytesOf(text))).toEqual({ depth, parts, isBalanced });
});

test.each([
  ['{"a":[[1,[]],2]}', '{"a":[0,2]}'],
  ['{"a":[{"b":"]"}]}', '{"a":[0]}'],
  ["[[[[[]]]]]", "[[0]]"],
  ['["[[["]', '["[[["]'],
])("behavior 7.18: %s cut below two levels is %s", (text, cut) => {
  const bytes = bytesOf(text);
  outlineOf(bytes, { cut: 2 });
  expect(JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)))).toBe(cut);
});
