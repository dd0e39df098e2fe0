import { expect, test } from "bun:test";
import { oneLine, truncate } from "../../src/domain/truncate.ts";

const doubled = (character: string) => character + character;

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "ab…"],
  ["", 3, ""],
  ["🔥🔥🔥", 4, "🔥…"],
])("%j in %d is %j", (text, limit, fitted) => {
  expect(truncate(text, limit)).toBe(fitted);
});

test("the limit is that of the escaped text, and no escape sequence is split", () => {
  expect(truncate("abc", 6, doubled)).toBe("aabbcc");
  expect(truncate("abcd", 6, doubled)).toBe("aabb…");
  for (let limit = 1; limit < 20; limit++) {
    expect(truncate("a🔥b".repeat(9), limit, doubled).length).toBeLessThanOrEqual(limit);
  }
});

test("one line has no line breaks, no control characters and no reversed direction", () => {
  expect(oneLine("a\r\nBcc: b\u2028c\u0000")).toBe("a Bcc: b c");
  expect(oneLine("\u202egnp.\u061cexe\u2066x")).toBe("gnp.exex");
  expect(oneLine("שלום 👩‍👧")).toBe("שלום 👩‍👧");
});
