import { expect, test } from "bun:test";
import { csvText } from "../../src/api/results/exports.ts";

async function textOf(...cells: (string | number | null)[]): Promise<string> {
  const rows = cells.map((cell) => ({ cell }));
  async function* slices() {
    yield rows;
  }
  return (await Array.fromAsync(csvText(["cell"], slices()))).join("");
}

test.each([
  ["plain", "plain"],
  [null, ""],
  [-1.5, "-1.5"],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  [" padded", '" padded"'],
  ["=1+1", "'=1+1"],
  ["+49 30 1", "'+49 30 1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", `"'\t'=1"`],
  ["\r\n=1", `"'\r\n'=1"`],
  [";=1", `"';'=1"`],
  ["a;=1", `"a;'=1"`],
  ["a; \u00a0-1", `"a;' \u00a0-1"`],
  ["a\t=1\n@b", `"a\t'=1\n'@b"`],
  ["a;b", '"a;b"'],
  ["＝1", "'＝1"],
  ["a;＋1", `"a;'＋1"`],
  ["－1", "'－1"],
  ["＠a", "'＠a"],
  [" =1", "' =1"],
  ["a=1", "a=1"],
  ["ünïcode 🙂", "ünïcode 🙂"],
])("behavior 14.79: the cell %p is %p", async (cell, text) => {
  expect(await textOf(cell)).toBe(`cell\r\n${text}\r\n`);
});

test("behavior 14.79: the names of the columns come once, also without rows", async () => {
  expect(await textOf()).toBe("cell\r\n");
  expect(await textOf("a", "b")).toBe("cell\r\na\r\nb\r\n");
});
