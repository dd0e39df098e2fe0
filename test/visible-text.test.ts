import { expect, test } from "bun:test";
import { visible, visibleLine } from "../src/log.ts";

test.each([
  ["plain ünï 🙂 👩‍🚀", "plain ünï 🙂 👩‍🚀"],
  ["\u001b[2Jgone", "\\u001b[2Jgone"],
  ["\u009b31m", "\\u009b31m"],
  ["a\u202eb\u2066c\u200fd", "a\\u202eb\\u2066c\\u200fd"],
  ["a\rb\u0000\u007f", "a\\u000db\\u0000\\u007f"],
  ["a\u2028b\ufeff", "a\\u2028b\\ufeff"],
])("behavior 9.21: %j is shown as %s", (text, shown) => {
  expect(visible(text)).toBe(shown);
  expect(visibleLine(text)).toBe(shown);
});

test("behavior 9.21: a line of another program stays one line", () => {
  expect(visible("a\n\tb")).toBe("a\n\tb");
  expect(visibleLine("a\n\tb")).toBe("a\\u000a\\u0009b");
});
