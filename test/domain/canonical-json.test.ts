import { expect, test } from "bun:test";
import { canonicalJson, isSameJson } from "../../src/domain/canonical-json.ts";

const values = [
  undefined,
  null,
  true,
  0,
  -0,
  1,
  Number.NaN,
  "",
  "1",
  [],
  [undefined],
  [null],
  [1, 2],
  [2, 1],
  {},
  { a: undefined },
  { a: null },
  { a: 1 },
  { b: 1 },
  { a: 1, b: undefined },
  { b: undefined, c: 1 },
  { a: 1, b: [{ c: 1, d: 2 }] },
  { b: [{ d: 2, c: 1 }], a: 1 },
  { 0: 1 },
  [1],
  { __proto__: null, a: 1 },
];

test("two values are the same JSON exactly if their canonical JSON is equal", () => {
  for (const one of values)
    for (const other of values)
      expect([one, other, isSameJson(one, other)]).toEqual([
        one,
        other,
        canonicalJson(one) === canonicalJson(other),
      ]);
});
