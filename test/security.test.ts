import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { findTests, numbersOf } from "./support/documentation/rules.ts";

const page = await Bun.file("docs/security.md").text();

/** The sections of docs/security.md by their headings. */
const sections = new Map(
  page.split(/^## /m).map((text) => [text.slice(0, text.indexOf("\n")), text] as const),
);

/** Sections without promises: their rows name a test, or they list the limits of the product. */
const OTHERS = ["What strangers can begin", "What is not protected"];

function rowsOf(section: string): string[] {
  const lines = (sections.get(section) ?? "").split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(2);
}

/** Rows of the first table, and the entries of each list. */
function promisesOf(text: string): string[] {
  const entries = text.match(/^- (?:.+\n?(?: {2}.+\n?)*)/gm) ?? [];
  return [...entries, ...rowsOf(text.slice(0, text.indexOf("\n")))];
}

/** The rules that a promise cites at its end. */
function rulesOf(promise: string): string[] {
  const [, list = ""] = /\bbehavior\s+([\d.,\s]+?)(?:\)| \|)\s*$/.exec(promise) ?? [];
  return numbersOf(list);
}

test("each promise of the security page cites rules, and each of these is in the name of a test", async () => {
  const tests = await findTests();
  const promises = [...sections].flatMap(([heading, text]) =>
    OTHERS.includes(heading) ? [] : promisesOf(text),
  );
  expect(promises.length).toBeGreaterThan(40);
  for (const promise of promises) {
    const rules = rulesOf(promise);
    expect({ promise, isProven: rules.length > 0 }).toEqual({ promise, isProven: true });
    const unknown = rules.filter((rule) => !tests.has(rule));
    expect({ promise, unknown }).toEqual({ promise, unknown: [] });
  }
});

test("behavior 19.78: each row of what strangers can begin names a test that exists", () => {
  const rows = rowsOf("What strangers can begin");
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) {
    const [, file] = /`(test\/[^`]+)` \|$/.exec(row) ?? [];
    expect({ row, isFound: file !== undefined && existsSync(file) }).toEqual({ row, isFound: true });
  }
});
