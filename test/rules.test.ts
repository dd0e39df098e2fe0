import { expect, test } from "bun:test";
import { findCitations, findTests, readRules } from "./support/documentation/rules.ts";

const rules = await readRules();

test("the numbers of rules are unique and ascend within their section", () => {
  const places = rules.map(({ number }) => number.split(".").map(Number) as [number, number]);
  const wrong = places.filter(([section, place], at) => {
    const [previousSection, previousPlace] = places[at - 1] ?? [0, 0];
    return section === previousSection ? place <= previousPlace : section < previousSection;
  });
  expect(wrong).toEqual([]);
  expect(rules.length).toBeGreaterThan(200);
});

test("the contents of docs/behavior.md have every section, and every part with its first rule", async () => {
  const page = await Bun.file("docs/behavior.md").text();
  const contents = page.slice(0, page.search(/^## /m));
  const missing = [...page.matchAll(/^##(#?) (.+)$/gm)].filter(({ 1: part, 2: heading = "", index }) => {
    const [, first] = /^- \*\*(\d+\.\d+)\*\*/m.exec(page.slice(index)) ?? [];
    const entry = RegExp.escape(`[${heading}]`) + String.raw`\(#[\w-]+\)` + (part ? ` ${first}[ ,]` : "");
    return !new RegExp(entry).test(contents);
  });
  expect(missing.map(([heading]) => heading)).toEqual([]);
});

test("every rule that a comment or the name of a test cites exists", async () => {
  const known = new Set(rules.map(({ number }) => number));
  const citations = await findCitations();
  expect(citations.filter(({ rule }) => !known.has(rule))).toEqual([]);
  expect(citations.length).toBeGreaterThan(0);
});

test("every rule is in the name of a test", async () => {
  const tests = await findTests();
  expect(rules.map(({ number }) => number).filter((number) => !tests.has(number))).toEqual([]);
});
