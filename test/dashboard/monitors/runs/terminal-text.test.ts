import { expect, test } from "bun:test";
import fc from "fast-check";
import { terminalText } from "../../../../src/dashboard/web/monitors/runs/run-output.tsx";

const plain = (output: string) =>
  terminalText(output)
    .map(({ text }) => text)
    .join("");

test.each([
  ["\x1b[31mred\x1b[0mplain", ["terminal-red: red", ": plain"]],
  ["\x1b[1;92ma\x1b[22mb\x1b[39mc", ["terminal-bold terminal-green: a", "terminal-green: b", ": c"]],
  ["\x1b[1mbold\x1b[m", ["terminal-bold: bold"]],
  ["\x1b[30;1mdark\x1b[90mlight", ["terminal-bold terminal-black: darklight"]],
  // A color of 256, and one of red, green and blue, whose parameters are no styles.
  ["\x1b[38;5;1;4ma\x1b[0;48;2;31;32;33mb", [": ab"]],
  ["\x1b[31ma\x1b[38;5;196mb", ["terminal-red: a", ": b"]],
  // Neither inverse nor concealed: nothing becomes invisible.
  ["\x1b[7;8ma\x1b[41mb", [": ab"]],
])("behavior 18.64: the styles of %j stay", (output, parts) => {
  expect(terminalText(output).map(({ text, className }) => `${className}: ${text}`)).toEqual(parts);
});

test.each([
  ["a terminal that is cleared", "a\x1b[2J\x1b[1;1H\x1b[?25lb", "ab"],
  ["a title, which ends with a bell", "a\x1b]0;title\x07b", "ab"],
  ["a link", "\x1b]8;;https://example.com/\x1b\\text\x1b]8;;\x1b\\", "text"],
  ["a device control string", "a\x1bP1$r0m\x1b\\b", "ab"],
  ["a character set and a reset", "\x1b(B\x1bca", "a"],
  ["one without an end, which hides nothing", "a\x1b]0;title\nb", "a\\x1b]0;title\nb"],
  ["one that is cut at the end", "a\x1b[31", "a\\x1b[31"],
  ["an escape alone", "\x1b\x1b\x1b", "\\x1b×3 "],
])("behavior 18.64: escape sequences are left out: %s", (_, output, shown) => {
  expect(plain(output)).toBe(shown);
});

test.each([
  ["zero bytes", "\0".repeat(10_000), "\\x00×10,000 "],
  ["lines of Windows", "a\r\nb\r\n", "a\nb\n"],
  ["a progress bar", "10%\r20%\r\r\n", "10%\n20%\n"],
  ["tabs", "a\tb\n", "a\tb\n"],
  ["a bell, a deletion and a control of 8 bits", "\x07\x7f\x9b31m", "\\x07\\x7f\\x9b31m"],
  [
    "a text whose direction is overridden",
    "a\u202egpj.exe\u202c \u2066\u200f",
    "a\\u202egpj.exe\\u202c \\u2066\\u200f",
  ],
  ["a text from right to left, and an emoji", "שלום 👩‍🔧", "שלום 👩‍🔧"],
  ["HTML", "<script>alert(1)</script>&amp;", "<script>alert(1)</script>&amp;"],
])("behavior 18.64: what is invisible becomes visible: %s", (_, output, shown) => {
  expect(plain(output)).toBe(shown);
});

test("an output of styles only has no parts", () => {
  expect(terminalText("\x1b[31m\x1b[0m")).toEqual([]);
  expect(terminalText("")).toEqual([]);
});

const PIECES = [..."\x1b\x9b\x07[]P\\;:?(m0138z\r\n\t\0\u202e", "\x1b[", "\x1b]", "38;5;", "\x1b\\"];
const anyOutput = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string()))
  .map((pieces) => pieces.join(""));

test("behavior 18.64: no output has an invisible character, or hides a line", () => {
  const isPlain = (output: string) => {
    expect(plain(output)).not.toMatch(/(?![\t\n])[\p{Cc}\p{Bidi_Control}]/u);
    expect(plain(`${output}\nend`)).toEndWith("end");
  };
  fc.assert(fc.property(anyOutput, isPlain));
});
