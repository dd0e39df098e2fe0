import { expect, test } from "bun:test";
import { fieldsOf } from "../../src/store/tx.ts";

test("a set has rows with the same fields only: the values of others would be lost", () => {
  expect(fieldsOf([])).toEqual([]);
  expect(
    fieldsOf([
      { pk: 1, name: undefined },
      { pk: 2, name: "b" },
    ]),
  ).toEqual(["pk", "name"]);
  expect(() => fieldsOf([{ pk: 1 }, { pk: 2, name: "b" }])).toThrow("the same fields");
});
