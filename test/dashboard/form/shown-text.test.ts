import { expect, test } from "bun:test";
import { escaped, unescaped } from "../../../src/dashboard/web/form/config-field.ts";

test.each([
  ["PING\r\n", "PING\\r\\n"],
  ["a\\nb\tc", "a\\\\nb\\tc"],
  ["\\", "\\\\"],
])("%j is shown on one line and read from it", (text, shown) => {
  expect(escaped(text)).toBe(shown);
  expect(unescaped(shown)).toBe(text);
});

test("a backslash before another character stays", () => {
  expect(unescaped("a\\/b\\")).toBe("a\\/b\\");
});
