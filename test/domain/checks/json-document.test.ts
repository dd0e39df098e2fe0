import { expect, test } from "bun:test";
import { type ParsedJson, parseJson } from "../../../src/domain/checks/json-document.ts";

const TOO_MANY = { failure: "the body has too many JSON values" };
const NOT_JSON = { failure: "the body is not JSON" };

test.each<[string, string | undefined, ParsedJson]>([
  ["an object", '{"a":[1,2]}', { value: { a: [1, 2] } }],
  ["bytes that are no text", undefined, NOT_JSON],
  ["a broken text", "{", NOT_JSON],
])("%s", (_, text, expected) => {
  expect(parseJson(text)).toEqual(expected);
});

test.each<[string, string]>([
  ["200,000 empty arrays", `[${"[],".repeat(200_000)}1]`],
  ["200,000 levels", "[".repeat(200_000) + "]".repeat(200_000)],
  ["400,000 numbers", `[${"1,".repeat(400_000)}1]`],
])("behavior 10.31: %s are not parsed", (_, text) => {
  expect(parseJson(text)).toEqual(TOO_MANY);
});

test("behavior 10.31: brackets and commas in strings do not count", () => {
  const text = JSON.stringify({ text: `\\"${"[{,".repeat(100_000)}`, after: [1] });
  expect(parseJson(text)).toMatchObject({ value: { after: [1] } });
});

test("behavior 10.31: a large document with few values is parsed", () => {
  const rows = Array.from({ length: 10_000 }, (_, at) => ({ at, name: "x".repeat(60) }));
  expect(parseJson(JSON.stringify(rows))).toEqual({ value: rows });
});
