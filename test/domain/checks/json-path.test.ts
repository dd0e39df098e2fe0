import { expect, test } from "bun:test";
import { parseJsonPath } from "../../../src/domain/checks/json-document.ts";

const document = { a: [{ "b c": 1 }, { "b c": 2 }], "": 3, toString: null };

test.each<[string, unknown]>([
  ["$", document],
  ["$.a[0]['b c']", 1],
  ['$["a"][-1]["b c"]', 2],
  ["$['']", 3],
  ["$.a[2]", undefined],
  ["$.a.length", undefined],
  ["$.constructor", undefined],
  ["$.__proto__", undefined],
  ["$.toString", null],
])("behavior 10.19: %s selects %p", (path, value) => {
  expect(parseJsonPath(path)?.match(document)?.value).toEqual(value as never);
});

test.each(["", "a", "$.*", "$..a", "$.a[0,1]", "$.a[:1]", "$[?@.a]", "$ ", "$.a[9007199254740992]"])(
  "behavior 10.19: %p is no path to one value",
  (path) => expect(parseJsonPath(path)).toBeUndefined(),
);
