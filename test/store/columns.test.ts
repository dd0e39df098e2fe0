import { expect, test } from "bun:test";
import { alertChannels } from "../../src/store/sqlite/schema.ts";
import { storedRows } from "../../src/store/tx.ts";

test("a set has rows with the same fields only: the values of others would be lost", () => {
  expect(storedRows(alertChannels, []).columns).toEqual([]);
  const { columns, values } = storedRows(alertChannels, [
    { pk: 1, name: undefined },
    { pk: 2, name: "b" },
  ]);
  expect(columns.map(({ name }) => name)).toEqual(["pk", "name"]);
  expect(values).toEqual([
    [1, null],
    [2, "b"],
  ]);
  expect(() => storedRows(alertChannels, [{ pk: 1 }, { pk: 2, name: "b" }])).toThrow("the same fields");
});
